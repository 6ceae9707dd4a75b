// kill -9 at random moments under load, again and again: `scripts/soak.sh sqlite 200`. On PostgreSQL two replicas run and
// one of them is killed each time. At the end every event that was accepted has been delivered, its attempts are numbered
// without a gap, duplicates are no more than what was in flight, and the ledger balances. Prints one JSON object.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { Receiver } from "../harness/receiver.js";
import { eventually, sleep } from "../harness/wait.js";

const kills = Number(process.argv[2] ?? 200);
const replicas = databaseKind === "postgres" ? 2 : 1;
const CLIENTS = 8;

const receiver = await Receiver.start();
let count = 0;
const hook = receiver.hook("/soak", () => ({ status: ++count % 25 === 0 ? 503 : 200, delay: randomInt(0, 30) }));
const installation = await Installation.create({
  env: { BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms", BOTIX_RETRY_SCHEDULE: "1s,1s,1s,1s", BOTIX_IDEMPOTENCY_LEASE: "3s" },
});
const servers = [];
for (let index = 0; index < replicas; index += 1) servers.push(await installation.start());
const project = await installation.project(servers[0]);
const apis = servers.map((server) => new Api(server, project.key));
await apis[0].endpoint(hook);

// Each client publishes one event after another, and each until it is accepted, with the same key.
const accepted = new Set();
let running = true;
const clients = Array.from({ length: CLIENTS }, async (_, client) => {
  while (running) {
    const idempotencyKey = randomUUID();
    for (let tries = 0; ; tries += 1) {
      const answer = await apis[(client + tries) % replicas].post("/events", { type: "soak.tick", data: { client } }, { idempotencyKey }).catch(() => null);
      if (answer?.status === 201) {
        accepted.add(answer.json.data.id);
        break;
      }
      assert.ok(answer === null || [409, 503].includes(answer.status), `${answer?.status} ${answer?.bytes}`);
      await sleep(50);
    }
    await sleep(10);
  }
});

const started = performance.now();
for (let kill = 0; kill < kills; kill += 1) {
  await sleep(randomInt(20, 600));
  const victim = kill % replicas;
  await servers[victim].kill();
  servers[victim] = await installation.start();
  apis[victim].server = servers[victim];
}
running = false;
await Promise.all(clients);

const acknowledged = () => receiver.acknowledged();
await eventually("every accepted event is acknowledged", () => {
  const seen = acknowledged();
  return [...accepted].every((id) => seen.has(id));
}, { within: 120_000, every: 500 });
await eventually("nothing waits", async () => (await apis[0].read("/webhooks/deliveries?status=pending,retrying")).length === 0, { within: 120_000, every: 500 });

const deliveries = await apis[0].walk("/webhooks/deliveries");
assert.equal(deliveries.length, accepted.size, "one delivery for each accepted event, and no other");
const numbers = new Map();
let interrupted = 0;
for (const each of await apis[0].walk("/webhooks/attempts")) {
  numbers.set(each.delivery_id, [...(numbers.get(each.delivery_id) ?? []), each.attempt_number]);
  interrupted += each.status === "interrupted";
}
for (const { id, attempts_count: attempts } of deliveries) {
  assert.deepEqual((numbers.get(id) ?? []).sort((a, b) => a - b), Array.from({ length: attempts }, (_, index) => index + 1), `the log of ${id}`);
}
const duplicates = receiver.ledger.filter((each) => each.answered === 200).length - accepted.size;
assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`);
const ledger = JSON.parse(await installation.cli("ledger"));
assert.deepEqual(ledger.faults, []);
assert.equal(ledger.balanced, true);
if (databaseKind === "sqlite") {
  await Promise.all(servers.map((server) => server.stop()));
  const file = readdirSync(installation.folder).find((name) => /\.(sqlite3?|db)$/.test(name));
  const script = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
  assert.equal(execFileSync("python3", ["-c", script, join(installation.folder, file)], { encoding: "utf8" }).trim(), "ok");
}
console.log(JSON.stringify({ soak: "kills", database: databaseKind, replicas, kills, seconds: Math.round((performance.now() - started) / 1000), accepted: accepted.size, interrupted, duplicates }));
await installation.remove();
await receiver.stop();
