// Contract section 4 for every operation of the document, whichever there are: without a key, without the scope, and with a
// key of another project nothing is told, not even by what is done to answer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { eventually } from "../harness/wait.js";

let installation, stranger, operations;
const keys = {};

before(async () => {
  installation = await Installation.create();
  // The seeded project has objects of every kind, in every state. Nothing is sent: the audit is about who asks.
  const server = await installation.start(["demo"], { BOTIX_ROLES: "web" });
  keys.owner = server.output.match(/API key\s+(\S+)/)[1];
  const bin = await new Api(server, keys.owner).create("/inspector/bins", { name: "Audited" });
  await fetch(bin.url, { method: "POST", body: "captured" });
  stranger = await installation.project(server, { name: "Stranger" });
  keys.stranger = stranger.key;
  for (const scope of ["read", "write"]) {
    keys[scope] = JSON.parse(await installation.cli("api-key", "create", "--project", stranger.id, "--scopes", scope)).key;
  }
  const { json } = await new Api(server, null).get("/openapi.json");
  operations = Object.entries(json.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ path: path.replace("/public/v1", ""), method: method.toUpperCase(), ...each })),
  );
  assert.ok(operations.length > 20);
});
after(() => installation?.remove());

/** Calls an operation as it is documented. */
function call({ method, requestBody }, path, key) {
  const [contentType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = media?.example;
  const body = example === undefined || typeof example === "string" ? example : JSON.stringify(example);
  const headers = { ...(method === "GET" ? {} : { "idempotency-key": crypto.randomUUID() }), ...(contentType ? { "content-type": contentType } : {}) };
  return stranger.api.request(method, path, { body, headers, key });
}

/** The path with a made-up id of the right kind. */
const madeUp = ({ path, parameters }) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => parameters.find((each) => each.name === name).schema.examples?.[0] ?? "nobody-s-key");

/** The path with the id of an object that the seeded project has, or null when it has none. */
async function real({ path }) {
  const [list, rest] = path.split(/\/\{\w+\}/);
  const answer = await stranger.api.get(`${list}${list.endsWith("dead-letters") ? "?resolved=false" : ""}`, { key: keys.owner });
  const row = answer.json?.data?.[0];
  if (!row) return null;
  const below = `${list}/${row.id ?? encodeURIComponent(row.key)}${rest}`;
  if (!path.endsWith("/captures/{capture_id}")) return below;
  const [capture] = (await stranger.api.get(below, { key: keys.owner })).json.data;
  return `${below}/${capture.id}`;
}

const masked = (answer) => String(answer.bytes).replaceAll(/\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|nobody-s-key/g, "ID");

test("without a valid key every operation answers 401", async () => {
  for (const operation of operations) {
    for (const key of [null, "btx_live_0000000000000000000000000000000000000000"]) {
      const answer = await call(operation, madeUp(operation), key);
      assert.deepEqual([answer.status, answer.json.code], [401, "UNAUTHORIZED"], operation.operationId);
    }
  }
});

test("without the scope every operation answers 403 and says which one is missing", async () => {
  for (const operation of operations) {
    const [scope, other] = operation.method === "GET" ? ["read", "write"] : ["write", "read"];
    assert.deepEqual(operation.security, [{ apiKey: [scope] }], operation.operationId);
    const answer = await call(operation, madeUp(operation), keys[other]);
    assert.deepEqual([answer.status, answer.json.code, answer.json.details.required_scope], [403, "FORBIDDEN", scope], operation.operationId);
  }
});

test("another project's object is answered like one that does not exist, by every operation", async () => {
  let tried = 0;
  for (const operation of operations.filter((each) => each.path.includes("{"))) {
    const path = await real(operation);
    if (path === null) continue;
    tried += 1;
    if (operation.method === "GET" && !path.startsWith("/idempotency-keys")) {
      assert.equal((await call(operation, path, keys.owner)).status, 200, `${operation.operationId}: its owner sees it`);
    }
    const [foreign, missing] = [await call(operation, path, keys.stranger), await call(operation, madeUp(operation), keys.stranger)];
    assert.deepEqual([foreign.status, foreign.json.code], [404, "RESOURCE_NOT_FOUND"], `${operation.operationId} ${path}: ${foreign.bytes}`);
    assert.equal(masked(foreign).replaceAll(path.split("/").at(2), "ID"), masked(missing).replaceAll("nobody-s-key", "ID"), operation.operationId);
  }
  assert.ok(tried > 10, `only ${tried} operations could be tried`);
});

test("no list shows a row of another project", async () => {
  for (const operation of operations.filter((each) => each.method === "GET" && !each.path.includes("{"))) {
    const ids = async (key) => (await call(operation, `${operation.path}?cursor_limit=200`, key)).json.data.map((each) => each.id ?? each.key);
    const own = new Set(await ids(keys.owner));
    assert.deepEqual((await ids(keys.stranger)).filter((id) => own.has(id)), [], operation.operationId);
  }
});

test("somebody else's object is looked for by the very statements that look for one that does not exist", async () => {
  // What takes the same steps takes the same time. The log shows what is asked of the database, without a value.
  await stranger.api.server.stop();
  const watched = await installation.start(["serve"], { BOTIX_ROLES: "web", BOTIX_LOG: "warn,store::sql=trace,botix::serve::housekeeping=debug" });
  stranger.api.server = watched;
  // The broom's statements would stand among those of a request.
  await eventually("the first round of retention has ended", () => watched.output.includes("a round of retention has ended"));
  let tried = 0;
  for (const operation of operations.filter((each) => each.path.includes("{"))) {
    const path = await real(operation);
    if (path === null) continue;
    const foreign = await statements(watched, () => call(operation, path, keys.stranger));
    const missing = await statements(watched, () => call(operation, madeUp(operation), keys.stranger));
    assert.ok(foreign.length > 0, operation.operationId);
    assert.deepEqual(foreign, missing, operation.operationId);
    tried += 1;
  }
  assert.ok(tried > 10, `only ${tried} operations could be tried`);
});

/** The statements that a request has the server execute; what is asked beside requests (the log of
 * requests, a key's last use, the copying of SQLite's log), left out. */
async function statements(server, request) {
  const marker = `nothing-${crypto.randomUUID()}`;
  const before = server.output.length;
  assert.equal((await request()).status, 404);
  // An unknown key of its own: when its statement is in the log, everything before it is.
  await stranger.api.get(`/idempotency-keys?key=${marker}`, { key: keys.stranger });
  const end = /FROM btx_idempotency WHERE key = /;
  const lines = () => server.output.slice(before).split("\n").filter((line) => line.includes("store::sql"));
  await eventually("the log is written", () => end.test(lines().join("\n")), { every: 2 });
  const asked = lines().map((line) => line.slice(line.indexOf("statement=")).trim());
  const own = asked.slice(0, asked.findIndex((line) => end.test(line)));
  return own.filter((line) => !/ btx_request |last_used|"BEGIN|"COMMIT|"SET LOCAL|SAVEPOINT job|PRAGMA wal_checkpoint/.test(line));
}
