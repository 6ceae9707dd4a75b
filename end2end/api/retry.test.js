// Contract section 8, manual retry: same event and bytes, a new delivery, and the old dead letter resolved.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const botix = suite();

async function deadLetter(path, ...afterwards) {
  const { api } = await botix.project();
  await api.endpoint(botix.receiver.hook(path, 401, ...afterwards));
  const event = await api.event("payment.failed", { amount: 7 });
  const [letter] = await eventually("a dead letter", async () => {
    const letters = await api.read(`/webhooks/dead-letters`);
    return letters.length > 0 && letters;
  });
  return { api, event, letter };
}

test("Retry on a dead letter makes a new delivery with the same bytes, counted from 1", async () => {
  const { api, event, letter } = await deadLetter("/retry-letter", 200);
  const delivery = await api.create(`/webhooks/dead-letters/${letter.id}/retry`);
  assert.equal(delivery.parent_delivery_id, letter.delivery_id);
  assert.equal(delivery.trigger, "manual");
  await eventually("it is delivered", async () => (await api.read(`/webhooks/deliveries/${delivery.id}`)).status === "delivered");

  const [first, second] = botix.receiver.at("/retry-letter");
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers["webhook-id"], event.id);
  assert.equal(second.headers["x-delivery-attempt"], "1");
  assert.notEqual(second.headers["x-botix-request-id"], first.headers["x-botix-request-id"]);

  const resolved = await api.read(`/webhooks/dead-letters/${letter.id}`);
  assert.equal(resolved.resolution, "retried");
  assert.equal(resolved.retry_delivery_id, delivery.id);
  assert.deepEqual(await api.read("/webhooks/dead-letters"), []);
  assert.equal((await api.read("/webhooks/dead-letters?resolved=true")).length, 1);
});

test("a Retry repeated with its idempotency key makes one delivery", async () => {
  const { api, letter } = await deadLetter("/retry-twice", 200);
  const idempotencyKey = randomUUID();
  const path = `/webhooks/dead-letters/${letter.id}/retry`;
  const [one, two] = [await api.post(path, undefined, { idempotencyKey }), await api.post(path, undefined, { idempotencyKey })];
  assert.equal(one.status, 201, String(one.bytes));
  assert.deepEqual(two.bytes, one.bytes);
  assert.equal((await api.walk("/webhooks/deliveries?trigger=manual")).length, 1);
});

test("Retry on a delivery that still waits supersedes it", async () => {
  const { api } = await botix.project();
  await api.endpoint(botix.receiver.hook("/retry-waiting", 503, 200)); // the ladder's next rung is a minute away
  const event = await api.event("payment.failed");
  const [waiting] = await eventually("it waits", async () => {
    const found = await api.read(`/webhooks/deliveries?event_id=${event.id}&status=retrying`);
    return found.length > 0 && found;
  });
  const retried = await api.create(`/webhooks/deliveries/${waiting.id}/retry`);
  await eventually("the new one is delivered", async () => (await api.read(`/webhooks/deliveries/${retried.id}`)).status === "delivered");
  const old = await api.read(`/webhooks/deliveries/${waiting.id}`);
  assert.equal(old.status, "cancelled");
  assert.equal(old.cancel_reason, "superseded");
});

test("multi-status-filter-impossible: each status is found by its filter, several by a comma", async () => {
  const { api, event } = await deadLetter("/filters");
  await eventually("the attempt is listed", async () => (await api.read("/webhooks/attempts")).length === 1);
  const count = async (query) => (await api.read(`/webhooks/attempts?${query}`)).length;
  assert.equal(await count("status=dead_lettered"), 1);
  assert.equal(await count("status=delivered"), 0);
  assert.equal(await count("status=delivered,dead_lettered"), 1);
  assert.equal(await count("response_status_code=4xx"), 1);
  assert.equal(await count("response_status_code=401"), 1);
  assert.equal(await count("response_status_code=5xx"), 0);
  assert.equal(await count(`event_id=${event.id}`), 1);
  assert.equal((await api.get("/webhooks/attempts?status=exploded")).status, 422);
});
