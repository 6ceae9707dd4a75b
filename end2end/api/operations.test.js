// Contract sections 1, 10 and 11: what an operator sees.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";

import { BINARY } from "../harness/botix.js";
import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const run = promisify(execFile);
const botix = suite();

test("alive, ready and measured", async () => {
  for (const path of ["/healthz", "/readyz"]) assert.equal((await fetch(botix.server.url + path)).status, 200, path);
  const { api } = await botix.project();
  await api.endpoint(botix.receiver.hook("/measured"));
  await api.event("load.tick");
  await eventually("the metrics count an attempt", async () => {
    const text = await (await fetch(`${botix.server.url}/metrics`)).text();
    return /^botix_\w*attempt\w*(\{[^}]*\})? [1-9]/m.test(text);
  });
});

test("every metric that alerts, dashboard and guide name is there", async () => {
  const { api } = await botix.project();
  await api.endpoint(botix.receiver.hook("/named"));
  await api.event("load.tick");
  await eventually("it arrives", () => botix.receiver.at("/named").length === 1);
  const files = ["alerts.yml", "dashboard.json", "operations.md"].map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"));
  const named = new Set(files.join().match(/botix_[a-z_]+/g).map((name) => name.replace(/_bucket$/, "")));
  // What counts failures only exists once there is one.
  named.delete("botix_request_log_dropped_total");
  assert.ok(named.size >= 9, [...named].join());
  await eventually("all are reported", async () => {
    const text = await (await fetch(`${botix.server.url}/metrics`)).text();
    assert.deepEqual([...named].filter((name) => !new RegExp(`^${name}(_count)?(\\{[^}]*\\})? `, "m").test(text)), []);
    return true;
  });
});

test("what the command line creates works at once beside a running server", async () => {
  const project = JSON.parse(await botix.installation.cli("project", "create", "--name", "Второй"));
  assert.match(project.id, /^prj_/);
  const key = JSON.parse(await botix.installation.cli("api-key", "create", "--project", project.id));
  assert.match(key.id, /^key_/);
  assert.match(key.key, /^btx_live_/);
  const answer = await fetch(`${botix.server.url}/public/v1/contacts`, { headers: { authorization: `Bearer ${key.key}` } });
  assert.equal(answer.status, 200);
});

test("a wrong value stops the start with one line that names variable, value and what is accepted", async () => {
  const wrong = { BOTIX_READ_TIMEOUT: "soon", BOTIX_LISTEN: "nowhere", BOTIX_RETRY_SCHEDULE: "1m,later", BOTIX_ALLOWED_PRIVATE_NETWORKS: "10/999" };
  for (const [name, value] of Object.entries(wrong)) {
    const ended = await run(BINARY, ["serve"], { env: { ...botix.installation.env, [name]: value }, timeout: 10_000 }).then(
      () => assert.fail(`serve started with ${name}=${value}`),
      (error) => error,
    );
    assert.ok(ended.code > 0, `${name}: ${ended.message}`);
    const lines = ended.stderr.trim().split("\n");
    assert.equal(lines.length, 1, ended.stderr);
    assert.ok(lines[0].includes(name) && lines[0].includes(value), lines[0]);
  }
});

test("errors of the command line go to standard error with a non-zero exit", async () => {
  const ended = await run(BINARY, ["api-key", "create", "--project", "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV"], { env: botix.installation.env }).then(
    () => assert.fail("a key for a project that does not exist"),
    (error) => error,
  );
  assert.ok(ended.code > 0);
  assert.equal(ended.stdout, "");
  assert.notEqual(ended.stderr, "");
});

test("botix --help lists the commands and every variable", async () => {
  const { stdout } = await run(BINARY, ["--help"]);
  for (const word of ["serve", "demo", "migrate", "project", "api-key", "user"]) assert.ok(stdout.includes(word), word);
});
