// The database goes away, hangs, and comes back: nothing is lost, nobody is told a wrong reason, and no process has to be
// restarted. The proxy stands between the server and PostgreSQL; SQLite has no connection that could break.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { databaseKind, newDatabase } from "../harness/database.js";
import { Proxy } from "../harness/proxy.js";
import { Receiver } from "../harness/receiver.js";
import { eventually, inParallel, sleep } from "../harness/wait.js";

const skip = databaseKind === "postgres" ? false : "needs PostgreSQL";
let receiver;
let proxy;
let installation;
let project;
let server;

before(async () => {
  if (skip) return;
  receiver = await Receiver.start();
  const database = newDatabase();
  const url = new URL(database.env.DATABASE_URL);
  proxy = await Proxy.start({ host: url.hostname, port: Number(url.port) });
  installation = await Installation.create({ database, env: { BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms" } });
  url.host = `127.0.0.1:${proxy.port}`;
  server = await installation.start(["serve"], { DATABASE_URL: url.href });
  project = await installation.project(server);
});
after(async () => {
  await installation?.remove();
  await proxy?.stop();
  await receiver?.stop();
});

const api = () => new Api(server, project.key);
const arrived = (path, events) => {
  const seen = new Set(receiver.at(path).map((each) => each.json.id));
  return events.every((each) => seen.has(each.id));
};
const publish = (type, count) => inParallel(Array.from({ length: count }), 8, (_, index) => api().event(type, { index }));

test("database-outage-kills-worker: under load it resumes by itself, and what was accepted arrives", { skip }, async () => {
  await api().endpoint(receiver.hook("/outage", { status: 200, delay: 20 }), "outage.tick");
  const events = await publish("outage.tick", 200);
  await proxy.cut();
  await sleep(3_000);
  await proxy.restore();
  await eventually("it is ready again", async () => (await fetch(`${server.url}/readyz`)).ok, { within: 20_000 });
  events.push(...(await publish("outage.tick", 20)));
  await eventually("every event has arrived", () => arrived("/outage", events), { within: 60_000, every: 200 });
  await eventually("no delivery is left waiting", async () => (await api().read("/webhooks/deliveries?status=pending,retrying")).length === 0, { within: 30_000 });
  const numbers = new Map();
  for (const row of await api().walk("/webhooks/attempts?event_type=outage.tick")) {
    numbers.set(row.delivery_id, [...(numbers.get(row.delivery_id) ?? []), row.attempt_number]);
  }
  for (const [delivery, found] of numbers) {
    assert.deepEqual(found.sort((a, b) => a - b), found.map((_, index) => index + 1), `attempts of ${delivery} have a gap`);
  }
});

test("overload-answered-403: while the database is away a valid key gets 503 and Retry-After, not a doubt about the key", { skip }, async () => {
  await proxy.cut();
  try {
    const answer = await api().get("/contacts");
    assert.equal(answer.status, 503, String(answer.bytes));
    assert.match(answer.headers.get("retry-after"), /^[1-9][0-9]*$/);
    assert.equal(answer.json.code, "SERVICE_UNAVAILABLE");
    assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200, "the process itself is well");
  } finally {
    await proxy.restore();
  }
  await eventually("the API answers again", async () => (await api().get("/contacts")).status === 200, { within: 20_000 });
});

test("stalled-database-call: a call that hangs has a deadline, and the engine goes on afterwards", { skip }, async () => {
  await api().endpoint(receiver.hook("/stall", 200), "stall.tick");
  const events = await publish("stall.tick", 20);
  proxy.stall();
  const from = performance.now();
  const answers = await Promise.all([api().get("/contacts"), api().post("/contacts", { phone: "+79990000000" })]);
  for (const answer of answers) assert.equal(answer.status, 503, String(answer.bytes));
  assert.ok(performance.now() - from < 31_000, "the caller waited for ever");
  await proxy.restore();
  events.push(
    await eventually("an event is accepted", async () => {
      const made = await api().post("/events", { type: "stall.tick", data: {} });
      return made.status === 201 && made.json.data;
    }, { within: 30_000 }),
  );
  await eventually("every event has arrived", () => arrived("/stall", events), { within: 60_000, every: 200 });
});

test("shutdown-hangs-when-store-down: SIGTERM ends the process although the database is gone", { skip }, async () => {
  await proxy.cut();
  server.stop();
  await eventually("it ended", () => server.ended, { within: 60_000 });
});
