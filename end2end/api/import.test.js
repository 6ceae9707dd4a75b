// 50,000 rows in one file: received in constant memory, worked off with progress, and each row once after a kill -9 in
// the middle of the upload's aftermath.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { eventually } from "../harness/wait.js";

const ROWS = 50_000;
const CSV = { "content-type": "text/csv" };
let installation;

before(async () => {
  installation = await Installation.create();
});
after(() => installation?.remove());

/** A file of `rows` rows, `width` bytes each or a little more; every thousandth is bad. */
function file(rows, width = 0) {
  const lines = ["sku,name,price,note"];
  const note = "n".repeat(width);
  for (let n = 0; n < rows; n += 1) lines.push(n % 1_000 === 999 ? `,nameless,1,${note}` : `SKU-${n},Item ${n},${n}.50,${note}`);
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** The most memory that a process has had resident so far, in MiB. */
function peak(server) {
  const [, kilobytes] = readFileSync(`/proc/${server.process.pid}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/);
  return Number(kilobytes) / 1_024;
}

test("an import survives kill -9 in the middle, with each row once", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  const idempotencyKey = randomUUID();
  const body = file(ROWS);
  const accepted = await api.post("/catalog/imports", body, { idempotencyKey, headers: CSV });
  assert.equal(accepted.status, 202, `${accepted.bytes}`);
  const path = `/catalog/imports/${accepted.json.data.id}`;
  const progress = await eventually("some rows are in, and not all", async () => {
    const seen = await api.read(path);
    return seen.done > 0 && seen;
  }, { every: 5 });
  await server.kill();
  assert.ok(progress.done + progress.failed < ROWS, "the kill came after the last row; nothing was tested");
  assert.deepEqual([progress.status, progress.total], ["running", ROWS]);

  api.server = await installation.start();
  const again = await api.post("/catalog/imports", body, { idempotencyKey, headers: CSV });
  assert.equal(again.headers.get("idempotent-replayed"), "1");
  assert.deepEqual(again.bytes, accepted.bytes);
  const ended = await eventually("the import ends", async () => {
    const seen = await api.read(path);
    return seen.finished_at && seen;
  }, { within: 120_000, every: 250 });
  assert.deepEqual([ended.status, ended.done, ended.failed], ["completed", ROWS - 50, 50]);
  assert.deepEqual(ended.errors[0], { line: 1_001, reason: "sku is required" });

  const items = await api.walk("/catalog/items");
  assert.equal(items.length, ROWS - 50);
  assert.equal(new Set(items.map((item) => item.sku)).size, ROWS - 50);
  assert.equal((await api.read("/catalog/imports")).length, 1);
  const events = await api.read("/events");
  assert.deepEqual(events.map((event) => event.type), ["catalog.import.completed"]);
  await api.server.stop();
});

test("a file of 50 MiB is never held whole in memory", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server, { name: "Large" });
  const small = await api.create("/catalog/imports", file(2_000, 1_000), { headers: CSV });
  await eventually("the small one ends", async () => (await api.read(`/catalog/imports/${small.id}`)).finished_at, { within: 60_000 });
  const before = peak(server);
  const body = file(ROWS, 1_000);
  assert.ok(body.length > 50_000_000);
  const large = await api.create("/catalog/imports", body, { headers: CSV });
  await eventually("the large one ends", async () => (await api.read(`/catalog/imports/${large.id}`)).finished_at, { within: 120_000, every: 250 });
  const grown = peak(server) - before;
  assert.ok(grown < 40, `${grown.toFixed(1)} MiB more for ${(body.length / 1_048_576).toFixed(0)} MiB of rows`);
  await server.stop();
});
