// The inspector on the real server: exact bytes over a real socket, scripts that drive the real engine, and redirects.
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";

import { suite } from "../harness/suite.js";
import { eventually, inParallel } from "../harness/wait.js";

const MEBIBYTE = 1_048_576;
const botix = suite({ env: { BOTIX_RETRY_SCHEDULE: "1s,1s,1s,1s", BOTIX_LOG: "debug" } });

/** A fresh project with one bin. */
async function bin(script) {
  const { api, id: project } = await botix.project();
  const made = await api.create("/inspector/bins", { name: "Orders", ...(script ? { script } : {}) });
  return { api, project, ...made };
}

/** One request just as it is written: fetch knows too few methods and merges header lines. */
function send(url, { method = "POST", headers = [], body = Buffer.alloc(0) } = {}) {
  return new Promise((resolve, reject) => {
    const lines = [...headers, "Content-Length", String(body.length)];
    const outgoing = request(url, { method, headers: lines }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const captures = ({ api, id }) => api.read(`/inspector/bins/${id}/captures?cursor_limit=200`);
const whole = (api, { bin_id: bin, id }) => api.read(`/inspector/bins/${bin}/captures/${id}`);
const bytesOf = (capture) => Buffer.from(capture.body_base64, "base64");

test("inspector-rewrites-body: what was sent is kept byte for byte, binary and JSON alike", async () => {
  const own = await bin();
  const bodies = [Buffer.from([0, 255, 128, 10, 13, 0]), Buffer.from('{ "n": 1.10, "big": 12345678901234567890123 }\n'), Buffer.alloc(0)];
  for (const body of bodies) {
    assert.equal((await send(own.url, { body })).status, 200);
    const capture = await whole(own.api, (await captures(own))[0]);
    assert.deepEqual(bytesOf(capture), body);
    assert.equal(capture.body_size, body.length);
  }
});

test("unusual methods, any path and repeated header lines are kept", async () => {
  const own = await bin();
  for (const method of ["PROPFIND", "M-SEARCH", "OPTIONS", "DELETE", "TRACE", "PURGE"]) {
    const headers = ["Host", new URL(own.url).host, "X-Twice", "1", "X-Other", "2", "X-Twice", "3"];
    const answer = await send(`${own.url}/a%2Fb//c?x=1&x=2`, { method, headers, body: Buffer.from(method) });
    assert.equal(answer.status, 200, method);
    assert.equal(answer.headers["content-security-policy"], "sandbox");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    const capture = await whole(own.api, (await captures(own))[0]);
    assert.deepEqual([capture.method, capture.path, capture.query, capture.body], [method, "/a%2Fb//c", "x=1&x=2", method]);
    assert.deepEqual(capture.headers.filter((each) => each.name === "x-twice").map((each) => each.value), ["1", "3"]);
  }
});

test("a mebibyte is kept whole, one byte more is refused and not kept at all", async () => {
  const own = await bin();
  assert.equal((await send(own.url, { body: Buffer.alloc(MEBIBYTE, 7) })).status, 200);
  const refused = await send(own.url, { body: Buffer.alloc(MEBIBYTE + 1) }).catch((error) => error);
  assert.ok(refused.status === 413 || ["ECONNRESET", "EPIPE"].includes(refused.code), String(refused));
  const kept = await captures(own);
  assert.deepEqual(kept.map((each) => each.body_size), [MEBIBYTE]);
  assert.deepEqual(bytesOf(await whole(own.api, kept[0])), Buffer.alloc(MEBIBYTE, 7));
});

test("an address that nobody has is not found, whatever is sent", async () => {
  const own = await bin();
  const unknown = own.url.replace(/[0-9a-f]{40}$/, "0".repeat(40));
  const answer = await send(unknown, { body: Buffer.from("x") });
  assert.deepEqual([answer.status, answer.body.toString()], [404, "not found\n"]);
  await own.api.request("DELETE", `/inspector/bins/${own.id}`);
  assert.equal((await send(own.url)).status, 404);
});

test("of many requests at once each takes one step of the script", async () => {
  const own = await bin([{ status: 503 }, { status: 429 }, { status: 418 }, { status: 200 }]);
  const statuses = [];
  await inParallel(Array(40), 20, async () => statuses.push((await send(own.url)).status));
  assert.deepEqual(statuses.filter((status) => status !== 200).sort(), [418, 429, 503]);
  assert.equal((await captures(own)).length, 40);
});

test("a script drives a real endpoint through the real engine: 503, 429 with Retry-After, 200", async () => {
  const own = await bin([{ status: 503 }, { status: 429, headers: { "Retry-After": "3" } }, { status: 200, body: "thanks" }]);
  await own.api.endpoint(`${own.url}/hook`);
  const event = await own.api.event("payment.succeeded", { amount: 4200 });
  await eventually("the delivery is delivered", async () => {
    const [delivery] = await own.api.read(`/webhooks/deliveries?event_id=${event.id}`);
    return delivery.status === "delivered";
  });
  const attempts = (await own.api.read(`/webhooks/attempts?event_id=${event.id}`)).reverse();
  assert.deepEqual(attempts.map((each) => each.response_status_code), [503, 429, 200]);
  const kept = (await captures(own)).reverse();
  assert.deepEqual(kept.map((each) => [each.path, each.response_status_code]), [["/hook", 503], ["/hook", 429], ["/hook", 200]]);
  const waited = (Date.parse(kept[2].created_at) - Date.parse(kept[1].created_at)) / 1000;
  assert.ok(waited >= 2.9 && waited < 5, `the bin asked for 3 s, the next attempt came after ${waited} s`);
  const attempt = await own.api.read(`/webhooks/attempts/${attempts[2].id}?include=payload`);
  assert.equal((await whole(own.api, kept[2])).body, attempt.request_body);
});

test("a redirect copies the last attempt's bytes and headers, and changes nothing else", async () => {
  const { api, id: project } = await botix.project();
  await api.endpoint(botix.receiver.hook("/redirected", 400));
  const event = await api.event("payment.failed", { amount: 4200 });
  const letter = await eventually("a dead letter", async () => (await api.read("/webhooks/dead-letters"))[0]);
  const before = await api.read(`/webhooks/deliveries/${letter.delivery_id}`);
  const [received] = botix.receiver.at("/redirected");
  for (const path of [`/webhooks/deliveries/${letter.delivery_id}`, `/webhooks/dead-letters/${letter.id}`]) {
    const answer = await api.post(`${path}/redirect-to-inspector`);
    assert.equal(answer.status, 201, String(answer.bytes));
    const { capture_id: id, bin_id: binId, url } = answer.json.data;
    assert.ok(url.endsWith(`/developers/${project}/inspector/${binId}/${id}`), url);
    const capture = await whole(api, { bin_id: binId, id });
    assert.deepEqual(bytesOf(capture), received.body);
    for (const { name, value } of capture.headers) assert.equal(received.headers[name.toLowerCase()], value, name);
    assert.deepEqual([capture.kind, capture.source.event_id], ["redirected", event.id]);
  }
  assert.deepEqual((await api.read("/inspector/bins")).map((each) => [each.is_default, each.captures_count]), [[true, 2]]);
  assert.deepEqual(await api.read(`/webhooks/deliveries/${letter.delivery_id}`), before);
  assert.deepEqual(await api.read("/webhooks/dead-letters"), [letter]);
  assert.equal(botix.receiver.at("/redirected").length, 1, "nothing was sent");
});

test("the address of a bin is in no log line", async () => {
  const own = await bin();
  await send(`${own.url}/a`);
  const token = own.url.split("/").at(-1);
  assert.ok(!botix.server.output.includes(token));
});
