// Traces for a collector: what a request caused, in every process, is one trace, whose id follows from the request's.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { freePort } from "../harness/ports.js";
import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const spans = [];
const collector = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  for (const { scopeSpans } of JSON.parse(body).resourceSpans) spans.push(...scopeSpans.flatMap((each) => each.spans));
  response.setHeader("content-type", "application/json").end("{}");
});
const port = await freePort();
await new Promise((resolve) => collector.listen(port, "127.0.0.1", resolve));
after(() => collector.close());

const botix = suite({ env: { BOTIX_OTLP_URL: `http://127.0.0.1:${port}` } });

/** The 128 bits behind a request id, as collectors write them. */
function traceId(requestId) {
  const digits = [...requestId.slice("req_".length)].map((letter) => BigInt("0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(letter)));
  return digits.reduce((sum, digit) => sum * 32n + digit, 0n).toString(16).padStart(32, "0");
}

const facts = (span) => Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

test("the API's request and the attempts that it caused are one trace, found by the request id", async () => {
  const { api, project } = await botix.project();
  const endpoint = await api.endpoint(botix.receiver.hook("/traced?token=secret"));
  const answer = await api.post("/events", { type: "load.tick", data: { secret: "payload" } });
  const trace = traceId(answer.json.request_id);
  const mine = () => spans.filter((span) => span.traceId === trace);
  await eventually("both spans arrive", () => mine().length === 2);
  const origin = mine().find((span) => !span.parentSpanId);
  const attempt = mine().find((span) => span.parentSpanId);
  assert.equal(origin.spanId, trace.slice(16));
  assert.equal(attempt.parentSpanId, origin.spanId);
  assert.deepEqual([origin.kind, origin.name, attempt.kind, attempt.name], [2, "POST", 3, "webhook attempt"]);
  assert.ok(BigInt(origin.startTimeUnixNano) <= BigInt(attempt.startTimeUnixNano));
  assert.ok(BigInt(attempt.startTimeUnixNano) <= BigInt(attempt.endTimeUnixNano));
  const [asked, sent] = [facts(origin), facts(attempt)];
  assert.deepEqual([asked["url.path"], asked["http.response.status_code"], asked["botix.request_id"]], ["/public/v1/events", answer.status, answer.json.request_id]);
  assert.deepEqual(
    [sent["botix.endpoint_id"], sent["botix.event_id"], sent["botix.attempt_number"], sent["http.response.status_code"], sent["server.address"]],
    [endpoint.id, answer.json.data.id, 1, 200, "127.0.0.1"],
  );
  assert.equal(asked["botix.project_id"], sent["botix.project_id"]);
  assert.doesNotMatch(JSON.stringify(mine()), /secret|payload/, "neither what was sent nor where to, beyond the host");
});

test("a failed attempt says why; a refusal is the caller's failure and not ours", async () => {
  const { api } = await botix.project();
  await api.endpoint(`http://127.0.0.1:${await freePort()}/`);
  const accepted = await api.post("/events", { type: "load.tick", data: {} });
  const refused = await api.post("/events", { type: "load.tick" });
  const spanOf = (answer, kind) => spans.find((span) => span.traceId === traceId(answer.json.request_id) && span.kind === kind);
  await eventually("they arrive", () => spanOf(accepted, 3) && spanOf(refused, 2));
  assert.deepEqual(spanOf(accepted, 3).status, { code: 2, message: "connection_refused" });
  assert.equal(facts(spanOf(refused, 2))["botix.error_code"], refused.json.code);
  assert.equal(spanOf(refused, 2).status.code, 0);
});

test("what waits is sent when the server ends, and a collector that is gone delays nothing", async () => {
  const { api } = await botix.project();
  const last = await api.get("/contacts");
  await botix.server.stop();
  assert.ok(spans.some((span) => span.traceId === traceId(last.json.request_id)));
  const alone = await botix.installation.start(["serve"], { BOTIX_OTLP_URL: `http://127.0.0.1:${await freePort()}` });
  assert.equal((await fetch(`${alone.url}/public/v1/contacts`)).status, 401);
  await alone.stop();
});
