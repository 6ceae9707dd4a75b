// The reckoning after crashes: what was accepted is accounted for to the last attempt. Shared by everything that kills.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { databaseKind } from "./database.js";
import { eventually } from "./wait.js";

/**
 * Waits until nothing waits any more, and holds the API's word against the receiver's ledger. `accepted` are the ids of the
 * events that were answered with 201, each for one endpoint. Returns the counts.
 */
export async function reckon({ installation, api, receiver, accepted, within = 120_000 }) {
  await eventually("no delivery is left waiting", async () => (await api.read("/webhooks/deliveries?status=pending,retrying")).length === 0, { within, every: 250 });
  const deliveries = await api.walk("/webhooks/deliveries");
  assert.deepEqual(new Set(deliveries.map((each) => each.event_id)), new Set(accepted), "one delivery for each accepted event, and no other");
  assert.equal(deliveries.length, accepted.size);
  assert.deepEqual(deliveries.filter((each) => !["delivered", "dead_lettered"].includes(each.status)), [], "each has ended");
  const acknowledged = receiver.acknowledged();
  const unseen = deliveries.filter((each) => each.status === "delivered" && !acknowledged.has(each.event_id));
  assert.deepEqual(unseen, [], "what counts as delivered was acknowledged");

  const attempts = await api.walk("/webhooks/attempts");
  const numbers = new Map();
  for (const each of attempts) numbers.set(each.delivery_id, [...(numbers.get(each.delivery_id) ?? []), each.attempt_number]);
  for (const { id, attempts_count: count } of deliveries) {
    assert.deepEqual((numbers.get(id) ?? []).sort((a, b) => a - b), Array.from({ length: count }, (_, index) => index + 1), `the log of ${id}`);
  }
  const logged = new Set(attempts.map((each) => `${each.event_id} ${each.attempt_number}`));
  const arrived = receiver.ledger.map((each) => `${each.json.id} ${each.headers["x-delivery-attempt"]}`);
  assert.equal(new Set(arrived).size, arrived.length, "an attempt was sent twice under one number");
  assert.deepEqual(arrived.filter((each) => !logged.has(each)), [], "an attempt that arrived is not in the log");

  const interrupted = attempts.filter((each) => each.status === "interrupted").length;
  // A receiver that answers after the time-out has acknowledged what counts as failed.
  const late = attempts.filter((each) => each.error_code === "read_timeout").length;
  const duplicates = receiver.ledger.filter((each) => each.answered === 200).length - acknowledged.size;
  assert.ok(duplicates <= interrupted + late, `${duplicates} duplicates, ${interrupted} interrupted, ${late} late`);
  await balances(installation);
  return { accepted: accepted.size, interrupted, late, duplicates };
}

/** The loss ledger adds up. */
export async function balances(installation) {
  const ledger = JSON.parse(await installation.cli("ledger"));
  assert.deepEqual(ledger.faults, []);
  assert.equal(ledger.balanced, true);
}

/** SQLite's own opinion of the file, asked from outside our process; on PostgreSQL there is no file. */
export function isWhole(folder) {
  if (databaseKind !== "sqlite") return;
  const file = readdirSync(folder).find((name) => /\.(sqlite3?|db)$/.test(name));
  assert.ok(file, `no database file among ${readdirSync(folder)}`);
  const script = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
  assert.equal(execFileSync("python3", ["-c", script, join(folder, file)], { encoding: "utf8" }).trim(), "ok");
}
