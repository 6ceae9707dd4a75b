// No page of the dashboard and no list of the API reads a whole table: each statement that the server really executes for
// one is handed to the database, which says how it would go about it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { eventually } from "../harness/wait.js";

/** Tables of a few rows in all, or of a few in a project; reading them whole costs nothing. */
const SMALL = /btx_(project|member|user|session)\b/;

let installation, server, cookie, project, api;

before(async () => {
  installation = await Installation.create();
  server = await installation.start(["demo"], { BOTIX_ROLES: "web", BOTIX_LOG: "warn,store::sql=trace,botix::serve::housekeeping=debug" });
  const [, email] = server.output.match(/(\S+@\S+)/);
  const [, password] = server.output.match(/password\W+(\S+)/i);
  const key = server.output.match(/API key\s+(\S+)/)[1];
  const answer = await fetch(`${server.url}/developers/sign-in`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ email, password }),
    headers: { origin: server.url },
  });
  cookie = answer.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  project = (await fetch(`${server.url}/developers`, { redirect: "manual", headers: { cookie } })).headers.get("location").match(/prj_\w+/)[0];
  api = async (path) => (await (await fetch(`${server.url}/public/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json()).data;
  await eventually("the first round of retention has ended", () => server.output.includes("a round of retention has ended"));
});
after(() => installation?.remove());

test("no page of the dashboard reads a whole table", async () => {
  const [attempt] = await api("/webhooks/attempts");
  const [letter] = await api("/webhooks/dead-letters");
  const [request] = await api("/requests?method=POST");
  const filters = `status=dead_lettered&endpoint_id=${attempt.endpoint_id}&event_type=contact.created&response_status_code=5xx&error_code=read_timeout`;
  const pages = [
    ...["webhooks", `webhooks/${attempt.id}`, "webhooks?status=retrying", `webhooks?${filters}`, "webhooks?delivery_status=retrying", `webhooks?request_id=${attempt.request_id}`],
    ...["dead-letters", `dead-letters/${letter.id}`, "dead-letters?resolved=true", `dead-letters?endpoint_id=${letter.endpoint_id}`],
    ...["events", `events/${attempt.event_id}`, "endpoints", `endpoints/${attempt.endpoint_id}`, `deliveries/${attempt.delivery_id}`],
    ...["idempotency", "idempotency?key=order-1", "requests", "requests?method=POST&status_code=2xx", `requests/${request.id}`, `requests/${attempt.request_id}`],
  ];
  const found = new Set();
  for (const page of pages) await held(`/developers/${project}/${page}`, { cookie }, found);
  assert.equal([...found].join("\n"), "");
});

test("no list of the API reads a whole table", async () => {
  const key = server.output.match(/API key\s+(\S+)/)[1];
  const { paths } = await (await fetch(`${server.url}/public/v1/openapi.json`)).json();
  const lists = Object.keys(paths).filter((path) => paths[path].get?.parameters?.some(({ name, $ref }) => name === "cursor" || $ref?.endsWith("/cursor")) && !path.includes("{"));
  assert.ok(lists.length > 8, lists.join());
  const found = new Set();
  for (const path of [...lists, "/public/v1/idempotency-keys?key=order-1"]) await held(path, { authorization: `Bearer ${key}` }, found);
  assert.equal([...found].join("\n"), "");
});

/** Asks for a page and for the plan of each statement that it took; adds those that read a table through. */
async function held(path, headers, found) {
  const from = server.output.length;
  const answer = await fetch(server.url + path, { headers });
  assert.equal(answer.status, 200, path);
  await answer.text();
  const asked = server.output.slice(from).split("\n").filter((line) => line.includes("store::sql")).map((line) => line.match(/statement="(.*)"\s*$/)?.[1]);
  const statements = [...new Set(asked)].filter((text) => text && /^(SELECT|WITH)\b/.test(text)).map((text) => JSON.parse(`"${text}"`));
  assert.ok(statements.length > 0, `${path} was answered without a look`);
  const plans = databaseKind === "sqlite" ? planOnSqlite(statements) : planOnPostgres(statements);
  for (const [index, plan] of plans.entries()) {
    const whole = plan.filter((step) => step.includes("btx_") && !SMALL.test(step));
    if (whole.length > 0) found.add(`${path}: ${whole.join(", ")}\n${statements[index]}`);
  }
}

/** The steps that go through a table without an index. */
function planOnSqlite(statements) {
  const script = `
import json, re, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
plans = []
for text in json.load(sys.stdin):
    values = {number: None for number in re.findall(r"\\$(\\d+)", text)}
    rows = db.execute("EXPLAIN QUERY PLAN " + re.sub(r"\\$(\\d+)", r":\\1", text), values).fetchall()
    names = dict((alias, table) for table, alias in re.findall(r"(btx_\\w+)(?: AS)? (\\w+)", text))
    plans.append([row[3].replace("SCAN ", "SCAN " + names.get(row[3].split(" ")[1], "") + " ") for row in rows if row[3].startswith("SCAN") and " USING " not in row[3]])
print(json.dumps(plans))`;
  const file = join(installation.folder, "botix.db");
  return JSON.parse(execFileSync("python3", ["-c", script, file], { input: JSON.stringify(statements), encoding: "utf8" }));
}

/** The steps that read a table through: with that made dear, only what no index helps is planned so. */
function planOnPostgres(statements) {
  return statements.map((text) => {
    const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const nulls = count > 0 ? `(${Array(count).fill("NULL").join(", ")})` : "";
    const script = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE asked AS ${text}; EXPLAIN EXECUTE asked${nulls};`;
    const plan = execFileSync("psql", [installation.database.env.DATABASE_URL, "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", script], { encoding: "utf8" });
    return plan.split("\n").filter((step) => /Seq Scan on btx_/.test(step));
  });
}
