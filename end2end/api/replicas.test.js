// Two processes on one PostgreSQL: they share the work, the keys and the truth. (SQLite is one process's database.)
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { Receiver } from "../harness/receiver.js";
import { eventually, inParallel } from "../harness/wait.js";

const skip = databaseKind === "postgres" ? false : "needs PostgreSQL";
let installation;
let receiver;
let servers;
let project;

before(async () => {
  if (skip) return;
  receiver = await Receiver.start();
  installation = await Installation.create({ env: { BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms" } });
  servers = [await installation.start(), await installation.start()];
  project = await installation.project(servers[0]);
});
after(async () => {
  await installation?.remove();
  await receiver?.stop();
});

const clients = () => servers.map((server) => new Api(server, project.key));

test("what is published on either is delivered once, by whichever claims it", { skip }, async () => {
  const [one, two] = clients();
  const endpoint = await one.endpoint(receiver.hook("/shared", { status: 200, delay: 5 }), "replica.tick");
  assert.equal((await two.read(`/webhooks/endpoints/${endpoint.id}`)).url, endpoint.url);
  const events = await inParallel(Array.from({ length: 300 }), 8, (_, index) => [one, two][index % 2].event("replica.tick", { index }));
  await eventually("all have arrived", () => receiver.at("/shared").length >= events.length, { within: 30_000 });
  const counts = new Map();
  for (const each of receiver.at("/shared")) counts.set(each.json.id, (counts.get(each.json.id) ?? 0) + 1);
  assert.deepEqual(events.filter((each) => counts.get(each.id) !== 1), [], "an event was lost or sent twice in a healthy run");
});

test("one idempotency key on both at once executes once", { skip }, async () => {
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => clients()[index % 2].post("/contacts", { phone: "+79992220001", name: "Анна" }, { idempotencyKey })),
  );
  assert.ok(answers.every((each) => each.status === 201 || each.json.code === "IDEMPOTENCY_KEY_IN_PROGRESS"), answers.map((each) => each.status).join());
  assert.equal(answers.filter((each) => each.status === 201 && !each.headers.get("idempotent-replayed")).length, 1);
  const replay = await clients()[1].post("/contacts", { phone: "+79992220001", name: "Анна" }, { idempotencyKey });
  assert.equal(replay.headers.get("idempotent-replayed"), "1");
});

test("when one dies in the middle, the other finishes its work", { skip }, async () => {
  const [, two] = clients();
  await two.endpoint(receiver.hook("/survivor", { status: 200, delay: 30 }), "replica.crash");
  const events = await inParallel(Array.from({ length: 200 }), 16, (_, index) => two.event("replica.crash", { index }));
  await servers[0].kill();
  await eventually("every event was acknowledged", () => {
    const acknowledged = receiver.acknowledged();
    return events.every((each) => acknowledged.has(each.id));
  }, { within: 60_000, every: 250 });
  await eventually("no delivery is left waiting", async () => (await two.read("/webhooks/deliveries?status=pending,retrying")).length === 0, { within: 60_000 });
});
