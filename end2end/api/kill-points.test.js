// Contract section 5 at its three worst moments: kill -9 just after the capture, with the whole work done but not committed,
// and between commit and answer. Whichever it was, the retry with the same key leaves exactly one effect. A debug build
// started with BOTIX_FAIL_POINT stops there and says so (see the README here).
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { Receiver } from "../harness/receiver.js";
import { eventually } from "../harness/wait.js";

const POINTS = ["after-capture", "before-commit", "before-answer"];
const ENDPOINTS = 2;
const redis = databaseKind === "postgres" ? process.env.BOTIX_TEST_REDIS_URL : undefined;

/** What is done at the moment of the kill: the request, the list its effect is counted in, and the event it causes. */
const WORKS = {
  contact: { path: "/contacts", body: { phone: "+79990000001", name: "Анна" }, status: 201, list: "/contacts", event: "contact.created" },
  event: { path: "/events", body: { type: "payment.succeeded", data: { amount: 1 } }, status: 201, list: "/events?type=payment.succeeded", event: "payment.succeeded" },
  import: {
    path: "/catalog/imports",
    body: { items: [{ sku: "A-1", name: "Чай" }, { sku: "A-2", name: "Кофе" }] },
    status: 202,
    list: "/catalog/imports",
    event: "catalog.import.completed",
  },
};

let installation;
let receiver;

before(async () => {
  receiver = await Receiver.start();
  // A delivery that the kill interrupts is found when its lease ends: both time-outs and ten seconds.
  installation = await Installation.create({ env: { BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms" } });
});
after(async () => {
  await installation?.remove();
  await receiver?.stop();
});

/** A fresh project with its endpoints, and each work begun and killed at the point. Hands back the keys that were used. */
async function killedAt(point, env) {
  const place = randomUUID();
  const preparing = await installation.start(["serve"], env);
  const { api, key } = await installation.project(preparing);
  for (let n = 0; n < ENDPOINTS; n += 1) await api.endpoint(receiver.hook(`/${place}/${n}`));
  await preparing.stop();

  const keys = {};
  for (const [name, { path, body }] of Object.entries(WORKS)) {
    keys[name] = randomUUID();
    const server = await installation.start(["serve"], { ...env, BOTIX_FAIL_POINT: point, BOTIX_ROLES: "web" });
    const lost = new Api(server, key).post(path, body, { idempotencyKey: keys[name] }).then(
      (answer) => assert.fail(`it was answered (only a debug build has fail points): ${answer.status} ${answer.bytes}`),
      (error) => assert.match(String(error.cause ?? error), /other side closed|socket|ECONNRESET/i),
    );
    await eventually(`${name} is held at ${point}`, () => server.output.includes("held at a fail point") && server.output.includes(point), { every: 5 });
    await server.kill();
    await lost;
  }
  return { api, keys, place };
}

const retry = (api, name, idempotencyKey) => api.post(WORKS[name].path, WORKS[name].body, { idempotencyKey });

/** The retry's answer, once the dead process's capture lets it through; until then each answer must say so. */
function answered(api, name, idempotencyKey) {
  return eventually(`${name} is answered`, async () => {
    const answer = await retry(api, name, idempotencyKey);
    if (answer.status !== 409) return answer;
    assert.deepEqual([answer.json.code, answer.headers.get("retry-after")], ["IDEMPOTENCY_KEY_IN_PROGRESS", "5"]);
    // On SQLite there is nobody else who could be at work.
    if (databaseKind === "sqlite") throw new Error("a dead process holds the key");
    return null;
  }, { every: 100 });
}

async function leavesOneEffect(point, env = {}) {
  const { api, keys, place } = await killedAt(point, { ...env, BOTIX_IDEMPOTENCY_LEASE: "2s" });
  const server = await installation.start(["serve"], env);
  api.server = server;
  for (const [name, work] of Object.entries(WORKS)) {
    const first = await answered(api, name, keys[name]);
    assert.equal(first.status, work.status, `${name}: ${first.bytes}`);
    // Only what was committed can be replayed.
    assert.equal(first.headers.get("idempotent-replayed"), point === "before-answer" ? "1" : null, name);
    const again = await retry(api, name, keys[name]);
    assert.deepEqual([again.headers.get("idempotent-replayed"), again.bytes], ["1", first.bytes], name);
    assert.equal(again.headers.get("x-request-id"), first.json.request_id);

    const rows = await api.walk(work.list);
    assert.deepEqual(rows.map((each) => each.id), [first.json.data.id], `${name}: one effect`);
    const { json } = await api.get(`/requests/${first.json.request_id}`);
    assert.deepEqual([json.data.status_code, json.data.idempotency_outcome], [work.status, "executed"], name);
    const events = await eventually(`${work.event} is there`, async () => {
      const found = await api.walk(`/events?type=${work.event}`);
      return found.length > 0 && found;
    });
    assert.equal(events.length, 1, `${name}: one event`);
    const deliveries = await api.walk(`/webhooks/deliveries?event_id=${events[0].id}`);
    assert.equal(new Set(deliveries.map((each) => each.endpoint_id)).size, ENDPOINTS);
    assert.equal(deliveries.length, ENDPOINTS, `${name}: one delivery for each endpoint`);
  }
  assert.deepEqual((await api.walk("/catalog/items")).map((each) => each.sku).sort(), ["A-1", "A-2"]);
  const total = Object.keys(WORKS).length;
  assert.equal((await api.walk("/events")).length, total, "nothing else was announced");
  await eventually("each endpoint has each event", () =>
    Array.from({ length: ENDPOINTS }, (_, n) => receiver.at(`/${place}/${n}`)).every((got) => new Set(got.map((each) => each.json.id)).size === total));
  assert.equal(JSON.parse(await installation.cli("ledger")).balanced, true);
  await server.stop();
}

for (const point of POINTS) {
  test(`killed ${point}, the retry leaves one effect`, () => leavesOneEffect(point));
  test(`killed ${point} beside a Redis, the retry leaves one effect`, { skip: !redis && "needs PostgreSQL and Redis" }, () =>
    leavesOneEffect(point, { BOTIX_REDIS_URL: redis }));
}

test("until the dead process's lease ends, its key is in progress on PostgreSQL and free on SQLite", async () => {
  const { api, keys } = await killedAt("before-commit", { BOTIX_IDEMPOTENCY_LEASE: "1h" });
  api.server = await installation.start();
  for (const [name, work] of Object.entries(WORKS)) {
    const answer = await retry(api, name, keys[name]);
    if (databaseKind === "sqlite") {
      assert.deepEqual([answer.status, answer.headers.get("idempotent-replayed")], [work.status, null], name);
    } else {
      assert.deepEqual([answer.status, answer.json.code], [409, "IDEMPOTENCY_KEY_IN_PROGRESS"], name);
      assert.deepEqual(await api.walk(work.list), [], `${name}: nothing of the dead work is seen`);
      const other = await api.post(work.path, { ...work.body, more: true }, { idempotencyKey: keys[name] });
      assert.deepEqual([other.status, other.json.code], [409, "IDEMPOTENCY_KEY_REUSE_CONFLICT"], name);
    }
  }
  await api.server.stop();
});
