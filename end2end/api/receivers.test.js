// The receivers that the guide shows, run as they stand there against real signed deliveries.
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "node:test";

import { freePort } from "../harness/ports.js";
import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const botix = suite();
const run = promisify(execFile);
const example = (name) => fileURLToPath(new URL(`../../crates/api/src/docs/examples/${name}`, import.meta.url));
const missing = (program) => spawnSync(program, ["--version"]).status !== 0 && `${program} is not installed`;

const RECEIVERS = [
  { name: "Python", program: "python3", command: () => [example("receiver.py")] },
  { name: "Node", program: "node", command: () => [example("receiver.mjs")] },
  { name: "PHP", program: "php", command: (port) => ["-S", `127.0.0.1:${port}`, example("receiver.php")] },
];

for (const { name, program, command } of RECEIVERS) {
  test(`the ${name} receiver verifies, works once for each event, and refuses what is forged`, { skip: missing(program) }, async () => {
    const { api } = await botix.project();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { secret } = await api.endpoint(url, "contact.*");
    const folder = mkdtempSync(join(tmpdir(), "botix-receiver-"));
    const env = { ...process.env, BOTIX_WEBHOOK_SECRET: secret, PORT: String(port), DATABASE: join(folder, "events.sqlite") };
    const receiver = spawn(program, command(port), { env });
    let output = "";
    for (const stream of [receiver.stdout, receiver.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    try {
      await eventually("the receiver listens", async () => (await fetch(url, { method: "POST", body: "{}" })).status === 401);
      await api.create("/contacts", { phone: "+79991230001", name: "Анна" });
      const [event] = await api.read("/events");
      const delivery = await eventually("it is delivered", async () => {
        const [found] = await api.read("/webhooks/deliveries");
        return found?.status === "delivered" && found;
      });
      assert.match(output, new RegExp(`processed ${event.id}`));

      await api.create(`/webhooks/deliveries/${delivery.id}/retry`, {});
      await eventually("the repetition is recognised", () => output.includes(`duplicate ${event.id}`));
      assert.equal(output.split(`processed ${event.id}`).length, 2, "the work was done once");

      const [attempt] = await api.read("/webhooks/attempts");
      const { request_headers, request_body } = await api.read(`/webhooks/attempts/${attempt.id}?include=payload`);
      const post = (headers, body) => fetch(url, { method: "POST", headers: { ...request_headers, ...headers }, body });
      delete request_headers["Content-Length"];
      assert.equal((await post({}, request_body)).status, 204, "what was sent is accepted");
      assert.equal((await post({}, request_body.replace("Анна", "Инна"))).status, 401, "a changed body is not");
      const old = String(Number(request_headers["webhook-timestamp"]) - 3_600);
      assert.equal((await post({ "webhook-timestamp": old }, request_body)).status, 401, "nor is an old one");

      const { stdout } = await run("sh", [example("try.sh"), url], { env: { ...process.env, BOTIX_WEBHOOK_SECRET: secret } });
      assert.equal(stdout, "204\n204\n", "try.sh signs as the server does");
      assert.match(output, /processed evt_01KSQ4ZP7V8M3F6T2X9BCDEHJK[\s\S]*duplicate evt_01KSQ4ZP7V8M3F6T2X9BCDEHJK/);
    } finally {
      receiver.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
