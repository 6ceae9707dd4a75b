// Contract section 5 under a storm: of 200 simultaneous requests with one key exactly one executes; fifty times in one process
// on SQLite and in two on PostgreSQL, ten times in one on PostgreSQL and in two that share a Redis beside it. STORM_ROUNDS says
// how often for all of them.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";

const rounds = (usual) => Number(process.env.STORM_ROUNDS ?? usual);
const AT_ONCE = 200;
const redis = process.env.BOTIX_TEST_REDIS_URL;
let installation;

before(async () => (installation = await Installation.create()));
after(() => installation?.remove());

async function storm(processes, times, env = {}) {
  const servers = [];
  for (let n = 0; n < processes; n += 1) servers.push(await installation.start(["serve"], env));
  const project = await installation.project(servers[0]);
  const clients = servers.map((server) => new Api(server, project.key));
  for (let round = 0; round < times; round += 1) {
    const contact = { phone: `+7999${String(1_000_000 + round)}`, name: "Анна" };
    const idempotencyKey = randomUUID();
    const send = (_, n) => clients[n % processes].post("/contacts", contact, { idempotencyKey });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, send));
    const executed = answers.filter((each) => each.status === 201 && !each.headers.get("idempotent-replayed"));
    assert.equal(executed.length, 1, `round ${round}: ${answers.map((each) => each.status)}`);
    for (const each of answers) {
      if (each.status === 201) assert.deepEqual(each.bytes, executed[0].bytes, "a replay is the first answer, byte for byte");
      else assert.equal(each.json.code, "IDEMPOTENCY_KEY_IN_PROGRESS");
    }
    const replay = await clients.at(-1).post("/contacts", contact, { idempotencyKey });
    assert.deepEqual([replay.headers.get("idempotent-replayed"), replay.bytes], ["1", executed[0].bytes]);
  }
  assert.equal((await clients[0].walk("/contacts")).length, times);
  assert.equal((await clients[0].walk("/events?type=contact.created")).length, times);
  await Promise.all(servers.map((server) => server.stop()));
}

test("one process executes once", () => storm(1, rounds(databaseKind === "sqlite" ? 50 : 10)));

test("two processes on one PostgreSQL execute once", { skip: databaseKind !== "postgres" && "needs PostgreSQL" }, () =>
  storm(2, rounds(50)));

test("two processes that share a Redis, too, execute once", { skip: (databaseKind !== "postgres" || !redis) && "needs PostgreSQL and Redis" }, () =>
  storm(2, rounds(10), { BOTIX_REDIS_URL: redis }));
