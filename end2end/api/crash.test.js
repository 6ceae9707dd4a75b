// kill -9 in the middle of a thousand deliveries: whatever was accepted arrives, and the log has no gap.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { Receiver } from "../harness/receiver.js";
import { eventually, inParallel, sleep } from "../harness/wait.js";

const EVENTS = 1_000;
let installation;
let receiver;

before(async () => {
  receiver = await Receiver.start();
  // The lease is both time-outs and ten seconds: short ones, so that the lost attempts are found while we wait.
  installation = await Installation.create({ env: { BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms", BOTIX_RETRY_SCHEDULE: "1s,1s,1s,1s" } });
});
after(async () => {
  await installation?.remove();
  await receiver?.stop();
});

test("every accepted event is delivered at least once, and attempt numbers are gapless", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  // Slow enough that some are always in flight; every tenth fails once.
  let count = 0;
  await api.endpoint(receiver.hook("/ledger", () => ({ status: ++count % 10 === 0 ? 503 : 200, delay: 20 })));

  const wanted = Array.from({ length: EVENTS }, (_, index) => ({ index, idempotencyKey: randomUUID() }));
  const accepted = new Map();
  const publish = async ({ index, idempotencyKey }) => {
    try {
      const answer = await api.post("/events", { type: "load.tick", data: { index } }, { idempotencyKey });
      if (answer.status === 201) accepted.set(index, answer.json.data.id);
    } catch {
      // The process died under this request: it is sent again after the restart, with the same key.
    }
  };
  const publishing = inParallel(wanted, 16, publish);
  await eventually("a good part has arrived", () => receiver.ledger.length > EVENTS / 4, { within: 60_000, every: 5 });
  await server.kill();
  await publishing;
  assert.ok(accepted.size < EVENTS, "the kill came after the last event; nothing was tested");

  const restarted = await installation.start();
  api.server = restarted;
  await inParallel(wanted.filter(({ index }) => !accepted.has(index)), 8, (each) =>
    // A key whose capture died with the process is in progress until its lease has run out.
    eventually("the event is accepted", async () => {
      await publish(each);
      return accepted.has(each.index);
    }, { within: 90_000, every: 500 }),
  );
  assert.equal(accepted.size, EVENTS);

  await eventually("every accepted event was acknowledged by the receiver", () => {
    const acknowledged = receiver.acknowledged();
    const missing = [...accepted.values()].filter((id) => !acknowledged.has(id));
    assert.equal(missing.length, 0, `${missing.length} are missing, for example ${missing[0]}`);
    return true;
  }, { within: 90_000, every: 250 });
  await eventually("no delivery is left waiting", async () => (await api.read("/webhooks/deliveries?status=pending,retrying")).length === 0, { within: 60_000 });

  assert.equal((await api.walk("/events")).length, EVENTS, "an event was lost or made twice");
  const deliveries = await api.walk("/webhooks/deliveries");
  assert.equal(deliveries.length, EVENTS);
  const numbers = new Map();
  const attempts = await api.walk("/webhooks/attempts");
  for (const each of attempts) numbers.set(each.delivery_id, [...(numbers.get(each.delivery_id) ?? []), each.attempt_number]);
  for (const delivery of deliveries) {
    const found = (numbers.get(delivery.id) ?? []).sort((a, b) => a - b);
    assert.deepEqual(found, Array.from({ length: delivery.attempts_count }, (_, index) => index + 1), `the log of ${delivery.id}`);
    assert.equal(delivery.status, "delivered");
  }
  assert.ok(attempts.some((each) => each.status === "interrupted"), "the kill interrupted nothing that was in flight");

  assert.equal(JSON.parse(await installation.cli("ledger")).balanced, true);

  await restarted.stop();
  if (databaseKind === "sqlite") assert.equal(integrityCheck(installation.folder), "ok");
});

test("SIGTERM lets what is in flight finish, and ends", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  await api.endpoint(receiver.hook("/in-flight", { status: 200, delay: 700 }));
  const event = await api.event("load.last");
  await eventually("the request is in flight", () => receiver.at("/in-flight").length === 1, { every: 5 });
  const { code, signal } = await server.stop();
  assert.deepEqual([code, signal], [0, null], server.output);
  await sleep(50);
  api.server = await installation.start();
  const attempts = await api.read(`/webhooks/attempts?event_id=${event.id}`);
  assert.deepEqual(attempts.map((each) => each.status), ["delivered"]);
});

/** SQLite's own opinion of the file, asked from outside our process. */
function integrityCheck(folder) {
  const file = readdirSync(folder).find((name) => /\.(sqlite3?|db)$/.test(name));
  assert.ok(file, `no database file among ${readdirSync(folder)}`);
  const script = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
  return execFileSync("python3", ["-c", script, join(folder, file)], { encoding: "utf8" }).trim();
}
