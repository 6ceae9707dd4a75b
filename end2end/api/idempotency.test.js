// Contract section 5: the same key, the same bytes, one effect.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const botix = suite();
const ANNA = '{"phone": "+79990000001",  "name": "Анна"}'; // odd spaces: the fingerprint is over raw bytes

test("a repeated POST /contacts answers with the first answer's bytes, and happens once", async () => {
  const { api } = await botix.project();
  await api.endpoint(botix.receiver.hook("/replay"), "contact.created");
  const idempotencyKey = randomUUID();
  const first = await api.post("/contacts", ANNA, { idempotencyKey });
  const again = await api.post("/contacts", ANNA, { idempotencyKey });
  assert.equal(first.status, 201, String(first.bytes));
  assert.equal(again.status, 201);
  assert.deepEqual(again.bytes, first.bytes);
  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.equal(again.headers.get("idempotent-replayed"), "1");
  assert.equal(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
  assert.match(again.headers.get("x-replay-request-id"), /^req_/);
  assert.notEqual(again.headers.get("x-replay-request-id"), first.headers.get("x-request-id"));

  assert.equal((await api.walk("/contacts")).length, 1);
  assert.equal((await api.walk("/events")).length, 1);
  await eventually("the event arrives", () => botix.receiver.at("/replay").length === 1);
});

test("a structured-field string and the bare key are the same key", async () => {
  const { api } = await botix.project();
  const idempotencyKey = randomUUID();
  const first = await api.post("/contacts", ANNA, { idempotencyKey: `"${idempotencyKey}"` });
  const again = await api.post("/contacts", ANNA, { idempotencyKey });
  assert.deepEqual(again.bytes, first.bytes);
});

test("without the header, or with a blank one, nothing is executed", async () => {
  const { api } = await botix.project();
  for (const idempotencyKey of [null, " "]) {
    const answer = await api.post("/contacts", ANNA, { idempotencyKey });
    assert.equal(answer.status, 400);
    assert.equal(answer.json.code, "IDEMPOTENCY_KEY_REQUIRED");
    assert.deepEqual(answer.json.details, { header: "Idempotency-Key" });
  }
  assert.deepEqual(await api.walk("/contacts"), []);
});

test("the same key with another body is a conflict that names the first request", async () => {
  const { api } = await botix.project();
  const idempotencyKey = randomUUID();
  const first = await api.post("/contacts", ANNA, { idempotencyKey });
  const other = await api.post("/contacts", { phone: "+79990000002", name: "Борис" }, { idempotencyKey });
  assert.equal(other.status, 409);
  assert.equal(other.json.code, "IDEMPOTENCY_KEY_REUSE_CONFLICT");
  assert.equal(other.json.details.first_request_id, first.headers.get("x-request-id"));
  assert.equal((await api.walk("/contacts")).length, 1);
});

test("of twenty simultaneous requests with one key exactly one executes", async () => {
  const { api } = await botix.project();
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/contacts", ANNA, { idempotencyKey })));
  for (const answer of answers) {
    if (answer.status === 201) continue;
    assert.equal(answer.status, 409, String(answer.bytes));
    assert.equal(answer.json.code, "IDEMPOTENCY_KEY_IN_PROGRESS");
    assert.equal(answer.headers.get("retry-after"), "5");
  }
  const executed = answers.filter((each) => each.status === 201 && each.headers.get("idempotent-replayed") === null);
  assert.equal(executed.length, 1);
  assert.equal((await api.walk("/contacts")).length, 1);
  assert.equal((await api.walk("/events")).length, 1);
});

test("a refusal by the operation is stored too, and replayed", async () => {
  const { api } = await botix.project();
  const idempotencyKey = randomUUID();
  const first = await api.post("/contacts", { phone: "79990000003", name: "" }, { idempotencyKey });
  const again = await api.post("/contacts", { phone: "79990000003", name: "" }, { idempotencyKey });
  assert.equal(first.status, 422);
  assert.equal(first.json.code, "VALIDATION_ERROR");
  assert.deepEqual(Object.keys(first.json.details.fields).sort(), ["name", "phone"]);
  assert.deepEqual(again.bytes, first.bytes);
  assert.equal(again.headers.get("idempotent-replayed"), "1");
});

test("what came before the operation leaves the key untouched", async () => {
  const { api } = await botix.project();
  const idempotencyKey = randomUUID();
  const wrongType = await api.post("/contacts", ANNA, { idempotencyKey, headers: { "content-type": "text/plain" } });
  assert.equal(wrongType.status, 415);
  assert.equal((await api.post("/contacts", ANNA, { idempotencyKey })).status, 201);
});

test("two API keys of one project do not share idempotency keys", async () => {
  const one = await botix.project();
  const other = JSON.parse(await botix.installation.cli("api-key", "create", "--project", one.id));
  const idempotencyKey = randomUUID();
  const body = (phone) => ({ phone, name: "Вера" });
  assert.equal((await one.api.post("/contacts", body("+79990000004"), { idempotencyKey })).status, 201);
  assert.equal((await one.api.post("/contacts", body("+79990000005"), { idempotencyKey, key: other.key })).status, 201);
});
