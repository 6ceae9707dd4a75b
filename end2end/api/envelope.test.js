// Contract sections 2 to 4: the form of every answer, and who may ask.
import assert from "node:assert/strict";
import { test } from "node:test";

import { suite } from "../harness/suite.js";

const botix = suite();

function assertError(answer, status, code) {
  assert.equal(answer.status, status, String(answer.bytes));
  assert.equal(answer.json.code, code);
  assert.deepEqual(Object.keys(answer.json).sort(), ["code", "details", "message", "request_id"]);
  assert.equal(answer.json.request_id, answer.headers.get("x-request-id"));
}

test("an object and a list are wrapped as the contract says, with one request id in body and header", async () => {
  const { api } = await botix.project();
  const one = await api.post("/contacts", { phone: "+79991110001", name: "Анна" });
  assert.deepEqual(Object.keys(one.json).sort(), ["data", "request_id"]);
  assert.equal(one.json.request_id, one.headers.get("x-request-id"));
  assert.match(one.json.data.id, /^con_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(one.json.data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const list = await api.get("/contacts", { headers: { "x-request-id": "req_of_the_caller" } });
  assert.deepEqual(Object.keys(list.json).sort(), ["data", "has_more", "next_cursor", "request_id"]);
  assert.notEqual(list.json.request_id, "req_of_the_caller");
});

test("missing, malformed and unknown keys get the same 401", async () => {
  const { api, key } = await botix.project();
  const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  const answers = await Promise.all([null, "junk", mistyped, "btx_live_0000000000000000000000000000000000000000"].map((each) => api.get("/contacts", { key: each })));
  for (const answer of answers) {
    assertError(answer, 401, "UNAUTHORIZED");
    assert.match(answer.headers.get("www-authenticate"), /^Bearer/);
    assert.deepEqual({ ...answer.json, request_id: "" }, { ...answers[0].json, request_id: "" });
  }
});

test("a key without the scope is 403 and told which one is missing", async () => {
  const { api } = await botix.project({ scopes: "read" });
  const answer = await api.post("/contacts", { phone: "+79991110002", name: "Анна" });
  assertError(answer, 403, "FORBIDDEN");
  assert.equal(answer.json.details.required_scope, "write");
});

test("an unknown route and a wrong method come out in the same form", async () => {
  const { api } = await botix.project();
  const nowhere = await api.get("/nowhere");
  assertError(nowhere, 404, "RESOURCE_NOT_FOUND");
  assert.equal(nowhere.json.details.resource_type, "route");
  const wrong = await api.request("PUT", "/contacts", { body: {} });
  assertError(wrong, 405, "METHOD_NOT_ALLOWED");
  assert.deepEqual(wrong.json.details.allowed.sort(), wrong.headers.get("allow").split(", ").sort());
});

test("broken JSON, a wrong content type and too large a body come out in the same form", async () => {
  const { api } = await botix.project();
  assertError(await api.post("/contacts", "{"), 400, "MALFORMED_REQUEST");
  assertError(await api.post("/contacts", "a=b", { headers: { "content-type": "text/plain" } }), 415, "MALFORMED_REQUEST");
  const large = await api.post("/events", `{"type": "a.b", "data": {"x": "${"x".repeat(1 << 20)}"}}`);
  assertError(large, 413, "PAYLOAD_TOO_LARGE");
  assert.equal(large.json.details.limit_bytes, 1_048_576);
});

test("every bad field is named at once, an unknown one too", async () => {
  const { api } = await botix.project();
  const answer = await api.post("/contacts", { phone: "1", name: "Анна", nick: "a" });
  assertError(answer, 422, "VALIDATION_ERROR");
  assert.deepEqual(Object.keys(answer.json.details.fields).sort(), ["nick", "phone"]);
});

test("the same phone twice is a conflict that names the existing contact", async () => {
  const { api } = await botix.project();
  const first = await api.create("/contacts", { phone: "+79991110003", name: "Анна" });
  const second = await api.post("/contacts", { phone: "+79991110003", name: "Другая" });
  assertError(second, 409, "RESOURCE_CONFLICT");
  assert.deepEqual(second.json.details, { resource_type: "contact", field: "phone", existing_id: first.id });
});

test("another project's object is indistinguishable from one that does not exist", async () => {
  const [mine, theirs] = [await botix.project(), await botix.project()];
  const contact = await theirs.api.create("/contacts", { phone: "+79991110004", name: "Анна" });
  const foreign = await mine.api.get(`/contacts/${contact.id}`);
  const missing = await mine.api.get("/contacts/con_01ARZ3NDEKTSV4RRFFQ69G5FAV");
  assertError(foreign, 404, "RESOURCE_NOT_FOUND");
  assertError(missing, 404, "RESOURCE_NOT_FOUND");
  assert.deepEqual(Object.keys(foreign.json.details), Object.keys(missing.json.details));
  assert.deepEqual(await mine.api.walk("/contacts"), []);
});

test("every answer carries the rate-limit headers", async () => {
  const { api } = await botix.project();
  for (const answer of [await api.get("/contacts"), await api.get("/nowhere")]) {
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
      assert.match(answer.headers.get(name) ?? "", /^\d+$/, name);
    }
  }
});

test("RFC 9457 on request", async () => {
  const { api } = await botix.project();
  const answer = await api.get("/nowhere", { headers: { accept: "application/problem+json" } });
  assert.match(answer.headers.get("content-type"), /^application\/problem\+json/);
  assert.equal(answer.json.status, 404);
  assert.equal(answer.json.code, "RESOURCE_NOT_FOUND");
  assert.match(answer.json.type, /\/docs\/error-codes/);
});

test("literal addresses of forbidden ranges, odd ports and user-info are refused when an endpoint is created", async () => {
  const { api } = await botix.project();
  for (const url of ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]:8080/", "ftp://example.com/", "https://user:secret@example.com/", "https://example.com:22/"]) {
    const answer = await api.post("/webhooks/endpoints", { url, event_types: ["*"] });
    assertError(answer, 422, "VALIDATION_ERROR");
    assert.ok(answer.json.details.fields.url, url);
  }
});
