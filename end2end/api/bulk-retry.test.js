// Contract section 7, the bulk retry: a job that goes on after a kill -9 and sends each dead letter again once. And the
// overlap of a rotated secret is what BOTIX_SECRET_OVERLAP says.
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { Receiver } from "../harness/receiver.js";
import { eventually } from "../harness/wait.js";

const ENDPOINTS = 40;
const EVENTS = 50;
const LETTERS = ENDPOINTS * EVENTS;
const OVERLAP = 3_000;
let installation;
let receiver;

before(async () => {
  receiver = await Receiver.start();
  installation = await Installation.create({ env: { BOTIX_SECRET_OVERLAP: `${OVERLAP / 1_000}s` } });
});
after(async () => {
  await installation?.remove();
  await receiver?.stop();
});

test("a bulk retry survives kill -9 in the middle, and sends each dead letter again once", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  for (let n = 0; n < ENDPOINTS; n += 1) await api.endpoint(receiver.hook(`/bulk-${n}`, 401));
  for (let n = 0; n < EVENTS; n += 1) await api.event("payment.failed", { n });
  const count = async () => (await api.create("/webhooks/dead-letters/retry", { dry_run: true })).total;
  await eventually("everything is given up", async () => (await count()) === LETTERS, { within: 60_000, every: 250 });

  const idempotencyKey = randomUUID();
  const accepted = await api.post("/webhooks/dead-letters/retry", { reason: "rejected" }, { idempotencyKey });
  assert.equal(accepted.status, 202, String(accepted.bytes));
  const path = `/webhooks/retry-jobs/${accepted.json.data.id}`;
  const progress = await eventually("some are sent, and not all", async () => {
    const seen = await api.read(path);
    return seen.done > 0 && seen;
  }, { every: 2 });
  await server.kill();
  assert.ok(progress.done < LETTERS, "the kill came after the last batch; nothing was tested");
  assert.deepEqual([progress.status, progress.total], ["running", LETTERS]);

  api.server = await installation.start();
  const again = await api.post("/webhooks/dead-letters/retry", { reason: "rejected" }, { idempotencyKey });
  assert.equal(again.headers.get("idempotent-replayed"), "1");
  const ended = await eventually("the job ends", async () => {
    const seen = await api.read(path);
    return seen.finished_at && seen;
  }, { within: 60_000, every: 250 });
  assert.deepEqual([ended.status, ended.total, ended.done, ended.failed], ["completed", LETTERS, LETTERS, 0]);
  const made = await api.walk("/webhooks/deliveries?trigger=bulk");
  assert.equal(made.length, LETTERS);
  assert.equal(new Set(made.map((delivery) => delivery.parent_delivery_id)).size, LETTERS);
  const resolved = await api.walk("/webhooks/dead-letters?resolved=true");
  assert.deepEqual(new Set(resolved.map((letter) => letter.retry_delivery_id)), new Set(made.map((delivery) => delivery.id)));
  await api.server.stop();
});

test("both secrets sign for as long as BOTIX_SECRET_OVERLAP says, and then the new one alone", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server, { name: "Rotation" });
  const endpoint = await api.endpoint(receiver.hook("/overlap", 200), "*");
  const answer = await api.post(`/webhooks/endpoints/${endpoint.id}/rotate-secret`);
  assert.equal(answer.status, 200, String(answer.bytes));
  const rotated = answer.json.data;
  assert.equal(Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.secret_rotated_at), OVERLAP);
  const sent = async (type) => {
    const event = await api.event(type);
    return eventually(`${type} arrives`, () => receiver.at("/overlap").find((each) => each.json.id === event.id));
  };
  const sign = (secret, body) => createHmac("sha256", secret).update(body).digest("hex");
  const during = await sent("overlap.during");
  assert.equal(during.headers["x-botix-signature"], sign(rotated.secret, during.body));
  assert.equal(during.headers["x-botix-signature-previous"], sign(endpoint.secret, during.body));
  assert.equal(during.headers["webhook-signature"].split(" ").length, 2);

  const left = Date.parse(rotated.previous_secret_expires_at) - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, left) + 100));
  const later = await sent("overlap.later");
  assert.equal(later.headers["x-botix-signature"], sign(rotated.secret, later.body));
  assert.equal(later.headers["x-botix-signature-previous"], undefined);
  assert.equal(later.headers["webhook-signature"].split(" ").length, 1);
  await server.stop();
});
