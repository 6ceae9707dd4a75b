// The key that encrypts at rest is replaced: for a while the new one stands beside the previous one, then the previous one
// goes, and what was stored under it still works.
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { Receiver } from "../harness/receiver.js";
import { eventually } from "../harness/wait.js";

const OLD = "end-to-end-tests-only-old-0123456789abcdef";
const NEW = "end-to-end-tests-only-new-0123456789abcdef";
let installation;
let receiver;

before(async () => {
  receiver = await Receiver.start();
  installation = await Installation.create({ env: { BOTIX_SECRET_KEY: OLD } });
});
after(async () => {
  await installation?.remove();
  await receiver?.stop();
});

test("after `secrets reencrypt` the previous key can go: deliveries are signed, stored answers are replayed", async () => {
  const first = await installation.start();
  const project = await installation.project(first);
  const endpoint = await project.api.endpoint(receiver.hook("/sealed", 200), "*");
  const idempotencyKey = randomUUID();
  const body = { phone: "+79991110000", name: "Анна" };
  const answer = await project.api.post("/contacts", body, { idempotencyKey });
  await first.stop();

  installation.env = { ...installation.env, BOTIX_SECRET_KEY: NEW, BOTIX_SECRET_KEY_PREVIOUS: OLD };
  const done = JSON.parse(await installation.cli("secrets", "reencrypt"));
  assert.deepEqual(done, { endpoints: 1, bins: 0, idempotency_keys: 2 }, "the endpoint's secret, and the answers to both creates");
  assert.deepEqual(JSON.parse(await installation.cli("secrets", "reencrypt")), { endpoints: 0, bins: 0, idempotency_keys: 0 }, "a second run has nothing to do");

  delete installation.env.BOTIX_SECRET_KEY_PREVIOUS;
  const second = await installation.start();
  const api = new Api(second, project.key);
  const replay = await api.post("/contacts", body, { idempotencyKey });
  assert.equal(replay.headers.get("idempotent-replayed"), "1");
  assert.ok(replay.bytes.equals(answer.bytes));
  const event = await api.event("key.rotated");
  const sent = await eventually("the event arrives", () => receiver.at("/sealed").find((each) => each.json.id === event.id));
  assert.equal(sent.headers["x-botix-signature"], createHmac("sha256", endpoint.secret).update(sent.body).digest("hex"));
});

test("`ledger` adds up beside a running server, and its exit code says so", async () => {
  const server = await installation.start();
  const { api, id } = await installation.project(server);
  await api.endpoint(receiver.hook("/books", 200, 401, 200), "books.*");
  for (let index = 0; index < 3; index += 1) await api.event("books.tick", { index });
  await eventually("all three have ended", async () => (await api.read("/webhooks/deliveries?status=pending")).length === 0);
  const ledger = JSON.parse(await installation.cli("ledger", "--project", id));
  assert.equal(ledger.balanced, true);
  const [{ matched, delivered, dead_lettered, waiting, skipped, cancelled }] = ledger.endpoints;
  assert.deepEqual({ matched, delivered, dead_lettered, waiting, skipped, cancelled }, { matched: 3, delivered: 2, dead_lettered: 1, waiting: 0, skipped: 0, cancelled: 0 });
});
