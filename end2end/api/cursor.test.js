// Contract section 6 over the list that grows fastest: the attempts, a thousand of them, while more are written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { suite } from "../harness/suite.js";
import { eventually, inParallel } from "../harness/wait.js";

const ROWS = 1_000;
let api;
let oldRows;

const botix = suite({
  prepare: async ({ project, receiver }) => {
    ({ api } = await project());
    await api.endpoint(receiver.hook("/many"));
    await inParallel(Array.from({ length: ROWS }), 16, (_, index) => api.event("load.tick", { index }));
    oldRows = await eventually("a thousand attempts are logged", async () => {
      const rows = await api.walk("/webhooks/attempts");
      return rows.length === ROWS && rows.map((each) => each.id);
    }, { within: 60_000, every: 250 });
  },
});

test("a walk by sevens yields each old row exactly once, in order, while new ones are written", async () => {
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) written += (await api.event("load.extra")).id ? 1 : 0;
  })();
  const rows = await api.walk("/webhooks/attempts", { limit: 7 });
  writing = false;
  await writer;
  assert.ok(written > 10, `only ${written} events were written meanwhile`);
  const old = new Set(oldRows);
  assert.deepEqual(rows.map((each) => each.id).filter((id) => old.has(id)), oldRows);
  assert.equal(new Set(rows.map((each) => each.id)).size, rows.length, "a row came twice");
});

test("pages carry the limit, and the last one says so even when it is exactly full", async () => {
  const filtered = "/webhooks/attempts?event_type=load.tick";
  const pages = [];
  await api.walk(filtered, { limit: 200, onPage: (page) => pages.push(page) });
  assert.deepEqual(pages.map((each) => each.data.length), [200, 200, 200, 200, 200]);
  assert.equal(pages.at(-1).has_more, false);
  assert.equal(pages.at(-1).next_cursor, null);
});

async function refused(query) {
  const answer = await api.get(`/webhooks/attempts?${query}`);
  assert.equal(answer.status, 400, `${query}: ${answer.bytes}`);
  assert.equal(answer.json.code, "INVALID_CURSOR");
  return answer.json.details.reason;
}

test("a cursor with any one bit flipped is refused, never a page", async () => {
  const { next_cursor: cursor } = (await api.get("/webhooks/attempts?cursor_limit=7")).json;
  const bytes = Buffer.from(cursor, "base64url");
  for (let at = 0; at < bytes.length; at += 5) {
    const flipped = Buffer.from(bytes);
    flipped[at] ^= 1 << at % 8;
    await refused(`cursor_limit=7&cursor=${flipped.toString("base64url")}`);
  }
});

test("a cursor used with another filter, another list, cut short or empty is refused with its reason", async () => {
  const { next_cursor: cursor } = (await api.get("/webhooks/attempts?cursor_limit=7")).json;
  assert.equal(await refused(`cursor_limit=7&status=delivered&cursor=${cursor}`), "filters_changed");
  assert.equal(await refused("cursor="), "malformed");
  assert.equal(await refused(`cursor=${cursor.slice(0, -9)}`), "malformed");
  await refused("cursor=junk");
  const elsewhere = await api.get(`/webhooks/deliveries?cursor_limit=7&cursor=${cursor}`);
  assert.equal(elsewhere.status, 400);
  assert.equal(elsewhere.json.details.reason, "wrong_list");
});

test("another project's cursor is refused", async () => {
  const { next_cursor: cursor } = (await api.get("/webhooks/attempts?cursor_limit=7")).json;
  const stranger = await botix.project();
  const answer = await stranger.api.get(`/webhooks/attempts?cursor_limit=7&cursor=${cursor}`);
  assert.equal(answer.status, 400);
  assert.equal(answer.json.code, "INVALID_CURSOR");
});

test("cursor_limit outside 1 to 200 is 422; a parameter that does not exist is 400 and named", async () => {
  for (const limit of ["0", "201", "-1", "many"]) {
    const answer = await api.get(`/webhooks/attempts?cursor_limit=${limit}`);
    assert.equal(answer.status, 422, limit);
    assert.ok(answer.json.details.fields.cursor_limit);
  }
  const unknown = await api.get("/webhooks/attempts?colour=red");
  assert.equal(unknown.status, 400);
  assert.match(unknown.json.details.reason, /colour/);
});
