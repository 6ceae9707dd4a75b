// The live stream behind Webhook Delivery: every attempt is told, none twice over one connection, and whoever comes back with
// the last id that they saw misses nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, test } from "node:test";

import { BINARY } from "../harness/botix.js";
import { execute } from "../harness/database.js";
import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const OWNER = { email: "owner@live.example", password: "correct horse battery staple" };
/** More than one look of the server takes. */
const MANY = 450;
/** Before any attempt. */
const BEGINNING = "1000000-00000000000000000000000000";

let project, headers;
const lines = [];
const context = suite({ prepare });
after(() => lines.forEach((line) => line.close()));

async function prepare({ installation, server, receiver }) {
  project = await installation.project(server);
  const create = ["user", "create", "--email", OWNER.email, "--project", project.id, "--role", "owner"];
  execFileSync(BINARY, create, { env: installation.env, input: `${OWNER.password}\n`, stdio: ["pipe", "ignore", "inherit"] });
  const form = { method: "POST", redirect: "manual", body: new URLSearchParams(OWNER), headers: { origin: server.url } };
  const answer = await fetch(`${server.url}/developers/sign-in`, form);
  headers = { cookie: answer.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ") };
  await project.api.endpoint(receiver.hook("/live"));
}

/** Follows the stream from a place on. */
async function follow(lastEventId) {
  const control = new AbortController();
  const more = lastEventId ? { "last-event-id": lastEventId } : {};
  const answer = await fetch(`${context.server.url}/developers/${project.id}/live?after=${BEGINNING}`, { headers: { ...headers, ...more }, signal: control.signal });
  assert.equal(answer.status, 200);
  const line = { ids: [], last: lastEventId, close: () => control.abort() };
  lines.push(line);
  const read = async () => {
    let text = "";
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const messages = text.split("\n\n");
      text = messages.pop();
      for (const message of messages) {
        const field = (name) => message.split("\n").find((each) => each.startsWith(`${name}:`))?.slice(name.length + 1).trim();
        if (!field("id")) continue;
        line.last = field("id");
        line.ids.push(...JSON.parse(field("data")).rows.map((row) => row.id));
      }
    }
  };
  read().catch(() => {});
  return line;
}

async function publish(count) {
  for (let sent = 0; sent < count; sent += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - sent) }, (_, n) => project.api.create("/events", { type: "live.tick", data: { n: sent + n } })));
  }
}

const attempts = async () => (await project.api.walk("/webhooks/attempts")).map((attempt) => attempt.id);

/** That `told` is what the log holds, nothing more and nothing less. */
async function holdsAll(told) {
  const [seen, logged] = [new Set(told), new Set(await attempts())];
  assert.deepEqual({ missed: [...logged].filter((id) => !seen.has(id)), invented: [...seen].filter((id) => !logged.has(id)) }, { missed: [], invented: [] });
}

const doubled = ({ ids }) => ids.filter((id, at) => ids.indexOf(id) !== at);

test("every attempt of a burst is told once, and one whose transaction commits late, too", async () => {
  const line = await follow();
  await publish(MANY);
  await eventually("the whole burst is told", () => line.ids.length >= MANY);
  await holdsAll(line.ids);

  // As if another replica had begun before the newest ones and committed after them.
  const [neighbour] = line.ids.slice(-20);
  const late = neighbour.slice(0, -1) + (neighbour.endsWith("0") ? "1" : "0");
  const columns = "project_id, delivery_id, event_id, event_type, endpoint_id, request_id, attempt_number, cause, url, status, requested_at, responded_at, request_headers, response_body_truncated, created_at";
  execute(context.installation, `INSERT INTO btx_webhook_attempt (id, ${columns}) SELECT '${late}', ${columns} FROM btx_webhook_attempt WHERE id = '${neighbour}'`);
  await eventually("the late one is told", () => line.ids.includes(late));
  assert.deepEqual(doubled(line), [], "none twice");
});

test("whoever comes back with the last id misses nothing", async () => {
  const before = await follow();
  await publish(MANY / 2);
  await eventually("some of it is told", () => before.ids.length > 100);
  before.close();
  const { last, ids } = before;
  await publish(MANY / 2);
  const again = await follow(last);
  const published = (await project.api.walk("/events")).length;
  // And the one that committed late.
  await eventually("all of it is told", () => new Set([...ids, ...again.ids]).size === published + 1);
  assert.deepEqual(doubled(again), [], "none twice over one connection");
  await holdsAll([...ids, ...again.ids]);
});
