// Contract section 3 down on the wire: what no well-behaved client sends gets an answer in the contract's form, too.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";

import { suite } from "../harness/suite.js";

let key;
const botix = suite({ prepare: async (context) => ({ key } = await context.project()) });

/** Writes raw bytes and reads until the server closes or has been silent for a while. */
async function exchange(...pieces) {
  const { hostname, port } = new URL(botix.server.url);
  const socket = connect(Number(port), hostname);
  const chunks = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  await once(socket, "connect");
  for (const piece of pieces) socket.write(piece);
  socket.setTimeout(5_000, () => socket.destroy());
  await once(socket, "close");
  return parsed(Buffer.concat(chunks).toString("latin1"));
}

function parsed(text) {
  const [head, ...body] = text.split("\r\n\r\n");
  const [line, ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(lines.map((each) => [each.slice(0, each.indexOf(":")).toLowerCase(), each.slice(each.indexOf(":") + 1).trim()]));
  const content = body.join("\r\n\r\n");
  let json = null;
  try {
    json = JSON.parse(Buffer.from(content, "latin1").toString("utf8"));
  } catch {}
  return { status: Number(line.split(" ")[1]), headers, json, content };
}

/** A request as text; the connection ends after it. */
function request(line, { headers = [], body = "" } = {}) {
  const own = [`Host: localhost`, `Authorization: Bearer ${key}`, "Connection: close", ...headers];
  return `${line} HTTP/1.1\r\n${own.join("\r\n")}\r\n\r\n${body}`;
}

function assertForm(answer, status, code) {
  assert.equal(answer.status, status, answer.content);
  assert.deepEqual(Object.keys(answer.json).sort(), ["code", "details", "message", "request_id"]);
  assert.equal(answer.json.code, code);
  assert.equal(answer.headers["x-request-id"], answer.json.request_id);
  assert.match(answer.headers["x-ratelimit-limit"], /^\d+$/);
}

test("a percent sign that begins no escape, and bytes that are no UTF-8, are malformed in a query", async () => {
  for (const query of ["type=%", "type=%zz", "type=%ff", "cursor=%C3", "%ff=1"]) {
    const answer = await exchange(request(`GET /public/v1/events?${query}`));
    assertForm(answer, 400, "MALFORMED_REQUEST");
    assert.match(answer.json.details.reason, /percent-encoded UTF-8/);
  }
});

test("a path that is no UTF-8 leads nowhere", async () => {
  for (const path of ["contacts/%ff", "contacts/%zz", "contacts/%00", "contacts/..%2f..%2fetc", "%ff"]) {
    assertForm(await exchange(request(`GET /public/v1/${path}`)), 404, "RESOURCE_NOT_FOUND");
  }
});

test("more than 100 header lines are malformed, far more are refused bare, and neither breaks the server", async () => {
  const lines = (count) => Array.from({ length: count }, (_, n) => `X-Filler-${n}: ${n}`);
  assert.equal((await exchange(request("GET /public/v1/contacts", { headers: lines(90) }))).status, 200);
  const many = await exchange(request("GET /public/v1/contacts", { headers: lines(150) }));
  assertForm(many, 400, "MALFORMED_REQUEST");
  assert.match(many.json.details.reason, /100 header lines/);
  assert.equal((await exchange(request("GET /public/v1/contacts", { headers: lines(400) }))).status, 431);
  assert.equal((await exchange(request("GET /public/v1/contacts", { headers: [`X-Long: ${"x".repeat(400_000)}`] }))).status, 431);
});

test("an invented method is not allowed, and told which are", async () => {
  const answer = await exchange(request("BREW /public/v1/contacts"));
  assertForm(answer, 405, "METHOD_NOT_ALLOWED");
  assert.deepEqual(answer.json.details.allowed, answer.headers.allow.split(", "));
});

test("a body that grows over the limit without announcing it is refused in form", async () => {
  const headers = ["Content-Type: application/json", "Idempotency-Key: grows", "Transfer-Encoding: chunked"];
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const answer = await exchange(request("POST /public/v1/contacts", { headers }), ...Array(17).fill(chunk), "0\r\n\r\n");
  assertForm(answer, 413, "PAYLOAD_TOO_LARGE");
  assert.equal(answer.json.details.limit_bytes, 1_048_576);
});

test("bad JSON is located, and JSON of another kind or with bytes that are no UTF-8 is malformed", async () => {
  const post = (body) => {
    const bytes = Buffer.from(body, "latin1");
    const headers = ["Content-Type: application/json", `Idempotency-Key: ${Math.random()}`, `Content-Length: ${bytes.length}`];
    return exchange(request("POST /public/v1/contacts", { headers }), bytes);
  };
  const located = await post('{\n  "phone": nope}');
  assertForm(located, 400, "MALFORMED_REQUEST");
  assert.match(located.json.details.reason, /line 2 column \d+/);
  for (const body of ["[]", "null", '"x"', "1", "{} {}", '{"name": "\xff"}', "{", ""]) {
    const answer = await post(body);
    assertForm(answer, body === "" ? 422 : 400, body === "" ? "VALIDATION_ERROR" : "MALFORMED_REQUEST");
  }
});

test("a body that breaks off leaves nothing behind", async () => {
  const headers = ["Content-Type: application/json", "Idempotency-Key: breaks-off", "Content-Length: 1000"];
  const { hostname, port } = new URL(botix.server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.end(request("POST /public/v1/contacts", { headers, body: '{"phone": "+7999' }));
  socket.resume();
  await once(socket, "close");
  const answer = await exchange(request("GET /public/v1/idempotency-keys/breaks-off"));
  assertForm(answer, 404, "RESOURCE_NOT_FOUND");
});

test("what is no HTTP is refused, and the next connection is served", async () => {
  for (const junk of ["GARBAGE\r\n\r\n", "GET /public/v1/contacts HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET /public/v1/contacts HTTP/1.1\r\nContent-Length: x\r\n\r\n"]) {
    assert.ok([400, 505, NaN].includes((await exchange(Buffer.from(junk, "latin1"))).status), junk);
  }
  assert.equal((await exchange(request("GET /public/v1/contacts"))).status, 200);
});
