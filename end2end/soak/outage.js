// The database disappears under load and returns: `scripts/soak.sh postgres outage 60`. The process is not touched: it resumes
// by itself, and every event that was accepted before, during or after is accounted for. Prints one JSON object.
import assert from "node:assert/strict";

import { databaseKind } from "../harness/database.js";
import { onFragileDatabase } from "../harness/outage.js";
import { publishUntilAccepted } from "../harness/publisher.js";
import { Receiver } from "../harness/receiver.js";
import { isWhole, reckon } from "../harness/reckoning.js";
import { eventually, sleep } from "../harness/wait.js";

const seconds = Number(process.argv[2] ?? 60);
const CLIENTS = 8;

const receiver = await Receiver.start();
const fragile = await onFragileDatabase({ BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms", BOTIX_RETRY_SCHEDULE: "1s,1s,1s,1s", BOTIX_IDEMPOTENCY_LEASE: "3s" });
const { installation, server } = fragile;
const { api } = await installation.project(server);
await api.endpoint(receiver.hook("/outage", { status: 200, delay: 20 }));

const accepted = new Set();
let running = true;
const clients = Array.from({ length: CLIENTS }, async (_, client) => {
  while (running) {
    accepted.add(await publishUntilAccepted([api], "outage.tick", { client }));
    await sleep(10);
  }
});

await eventually("there is load", () => receiver.ledger.length > 100, { within: 60_000 });
await fragile.away();
const before = accepted.size;
await sleep(seconds * 1_000);
const during = accepted.size;
const returned = performance.now();
await fragile.back();
const known = receiver.acknowledged().size;
await eventually("new events arrive again", () => receiver.acknowledged().size > known && accepted.size > during, { within: 60_000, every: 10 });
const resumed = Math.round(performance.now() - returned);
await sleep(3_000);
running = false;
await Promise.all(clients);

const counts = await reckon({ installation, api, receiver, accepted });
assert.equal(server.ended, undefined, "the same process all the time");
await server.stop();
isWhole(installation.folder);
console.log(JSON.stringify({ soak: "outage", database: databaseKind, away_seconds: seconds, resumed_after_ms: resumed, accepted_before: before, accepted_while_away: during - before, ...counts }));
await fragile.remove();
await receiver.stop();
