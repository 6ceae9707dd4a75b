// Every hostile receiver against the real binary: what is recorded, what is stored, what follows, and that memory stays flat.
// docs/outcomes.md is the table of what happened here: `scripts/e2e.sh outcomes` writes it anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";

import { answers } from "../faults/cases/answers.js";
import { bodies } from "../faults/cases/bodies.js";
import { connections } from "../faults/cases/connections.js";
import { heads } from "../faults/cases/heads.js";
import { names } from "../faults/cases/names.js";
import { tls } from "../faults/cases/tls.js";
import { Certificates } from "../faults/certificates.js";
import { DnsServer } from "../faults/dns.js";
import { line, lineOf, withTable } from "../faults/outcome.js";
import { FaultServer, answer } from "../faults/server.js";
import { Installation } from "../harness/botix.js";
import { eventually } from "../harness/wait.js";

const PAGE = fileURLToPath(new URL("../../docs/outcomes.md", import.meta.url));
const MEGABYTE = 1024 * 1024;
/** What the kernel's buffers between two sockets take, and not what we read. */
const IN_FLIGHT = 16 * MEGABYTE;

let certificates, dns, installation, server, api, cases;
const started = [];

before(async () => {
  certificates = new Certificates();
  dns = await DnsServer.start();
  installation = await Installation.create({ env: { BOTIX_CONNECT_TIMEOUT: "1500ms", BOTIX_READ_TIMEOUT: "3s", BOTIX_EXTRA_CA_FILE: certificates.file } });
  server = await installation.start(["serve"], {}, dns?.runner);
  ({ api } = await installation.project(server));
  cases = [...answers, ...bodies, ...heads, ...connections, ...names(dns), ...tls(certificates)];
  for (const each of cases) {
    if (each.needs === "dns" && !dns) continue;
    each.server = await (each.start ?? (() => FaultServer.start(each)))();
    started.push(each.server);
    const url = each.server.url.replace(/^http(?=:)/, each.scheme ?? "http").replace(/^https(?=:)/, each.scheme ?? "https");
    each.endpoint = await api.endpoint(url, "fault.played");
  }
});
after(async () => {
  await installation?.remove();
  await Promise.all(started.map((each) => each.stop()));
  await dns?.stop();
  certificates?.remove();
});

/** The most memory that the process has held, in bytes. */
function peakMemory() {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)[1]) * 1024;
}

test("every answer comes to what docs/outcomes.md says, and memory stays flat", async (t) => {
  const calm = await FaultServer.start({ play: (socket) => socket.end(answer(200)) });
  started.push(calm);
  await api.endpoint(calm.url, "fault.none");
  await api.event("fault.none");
  await eventually("the calm one is delivered", () => calm.requests.length === 1);
  const before = peakMemory();

  const event = await api.event("fault.played", { amount: 1 });
  const played = cases.filter((each) => each.endpoint);
  const attempts = await eventually("every case has ended", async () => {
    const found = await api.walk(`/webhooks/attempts?event_id=${event.id}`);
    const missing = played.filter((each) => !found.some((attempt) => attempt.endpoint_id === each.endpoint.id));
    assert.deepEqual(missing.map((each) => each.name), []);
    return found;
  }, { within: 60_000, every: 200 });
  assert.equal(attempts.length, played.length, "one attempt each");
  const growth = peakMemory() - before;
  t.diagnostic(`memory: ${Math.round(before / MEGABYTE)} MB before, ${Math.round(growth / MEGABYTE)} MB more at the peak`);

  const page = readFileSync(PAGE, "utf8");
  const lines = [];
  for (const each of cases) {
    if (!each.endpoint) {
      lines.push(lineOf(page, each));
      continue;
    }
    const { id } = attempts.find((attempt) => attempt.endpoint_id === each.endpoint.id);
    const attempt = await api.read(`/webhooks/attempts/${id}?include=payload`);
    lines.push(line(each, attempt, await api.read(`/webhooks/endpoints/${each.endpoint.id}`)));
    await t.test(each.name, () => check(each, attempt));
  }
  if (process.env.UPDATE_OUTCOMES) writeFileSync(PAGE, withTable(page, lines));
  else assert.equal(withTable(page, lines), page, "docs/outcomes.md is out of date: scripts/e2e.sh outcomes");
  assert.ok(growth < 64 * MEGABYTE, `the process grew by ${growth} bytes`);
  assert.equal(JSON.parse(await installation.cli("ledger")).balanced, true);
});

/** What holds for each case beside its line in the table. */
function check(each, attempt) {
  assert.equal(attempt.attempt_number, 1);
  assert.ok(attempt.request_body.includes('"fault.played"'), "what was sent is recorded");
  assert.ok(Buffer.byteLength(attempt.response_body ?? "", "utf8") <= 3 * 4096, "no more than 4,096 bytes are stored");
  if (each.kept !== undefined) assert.equal(attempt.response_body, each.kept);
  if (each.header) assert.ok(JSON.stringify(attempt.response_headers).includes(JSON.stringify(each.header[1]).slice(1, -1)), JSON.stringify(attempt.response_headers));
  if (each.bounded) assert.ok(each.server.taken < IN_FLIGHT, `${each.server.taken} bytes were taken`);
  if (each.unsent) assert.deepEqual(each.server.requests, [], "nothing was sent");
}
