// kill -9 at random moments under load, again and again: `scripts/soak.sh sqlite kills 200`. On PostgreSQL two replicas run and
// one of them is killed each time. At the end every event that was accepted has been delivered, its attempts are numbered
// without a gap, duplicates are no more than what was in flight, and the ledger balances. Prints one JSON object.
import { randomInt } from "node:crypto";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { publishUntilAccepted } from "../harness/publisher.js";
import { Receiver } from "../harness/receiver.js";
import { isWhole, reckon } from "../harness/reckoning.js";
import { sleep } from "../harness/wait.js";

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
  for (let turn = client; running; turn += 1) {
    const inTurn = [...apis.slice(turn % replicas), ...apis.slice(0, turn % replicas)];
    accepted.add(await publishUntilAccepted(inTurn, "soak.tick", { client }));
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

const counts = await reckon({ installation, api: apis[0], receiver, accepted });
await Promise.all(servers.map((server) => server.stop()));
isWhole(installation.folder);
console.log(JSON.stringify({ soak: "kills", database: databaseKind, replicas, kills, seconds: Math.round((performance.now() - started) / 1000), ...counts }));
await installation.remove();
await receiver.stop();
