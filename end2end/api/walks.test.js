// Contract section 6 for every list that the served document has: walked by pages of random size while rows come and go at
// random, each row that was there before the first page and stays is seen exactly once; and a cursor that is not exactly the
// list's own never gets a page. SEED repeats a run; WALKS says how many walks each list gets.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Dice } from "../harness/dice.js";
import { LISTS, worldOf } from "../harness/lists.js";
import { suite } from "../harness/suite.js";
import { eventually, inParallel } from "../harness/wait.js";

const WALKS = Number(process.env.WALKS ?? 2);
const ROWS = 40;
const dice = new Dice();
const PAGING = ["cursor", "cursor_limit", "pagination", "offset", "limit"];

let world, stranger, operations, lists;
const botix = suite({
  prepare: async ({ project, server, receiver }) => {
    world = await worldOf((await project()).api, receiver);
    stranger = await worldOf((await project({ name: "Stranger" })).api, receiver);
    const { paths } = await (await fetch(`${server.url}/public/v1/openapi.json`)).json();
    operations = Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path.replace("/public/v1", ""), methods]));
    const isList = ({ get }) => get?.parameters?.some((each) => each.name === "cursor");
    lists = Object.keys(operations).filter((path) => isList(operations[path]));
  },
});

/** A subtest for each list; a failure says how to have it again. */
const eachList = (what, work) =>
  test(what, async (t) => {
    for (const path of lists.filter((each) => LISTS[each])) {
      await t.test(path, async () => {
        try {
          await work(path, LISTS[path]);
        } catch (error) {
          error.message = `SEED=${dice.seed}: ${error.message}`;
          throw error;
        }
      });
    }
  });

const placeOf = (path, list, where = world) => list.path?.(where) ?? path;
const nameOf = (list) => list.name ?? ((row) => row.id);

/** Adds rows and waits until the list has them, which for what runs on takes a moment. */
async function fill(path, list, where, count) {
  const made = await inParallel(Array.from({ length: count }), 8, () => list.create(where));
  return eventually(`${path} has its rows`, async () => {
    const names = (await where.api.walk(placeOf(path, list, where))).map(nameOf(list));
    assert.deepEqual(made.filter((name) => !names.includes(name)), []);
    return names;
  }, { within: 30_000 });
}

async function page(path, list, query) {
  const answer = await world.api.get(`${placeOf(path, list)}?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, String(answer.bytes));
  assert.equal(answer.json.has_more, answer.json.next_cursor !== null);
  return answer.json;
}

function remover(path, list) {
  if (list.remove) return (row) => list.remove(world, row);
  const one = `${path}/{id}`;
  if (!operations[one]?.delete) return null;
  return async (row) => assert.equal((await world.api.request("DELETE", `${path}/${row.id}`)).status, 204);
}

test("every list of the document has its case here", () => {
  assert.deepEqual(lists.filter((path) => !LISTS[path]), []);
  assert.deepEqual(Object.keys(LISTS).filter((path) => !lists.includes(path)), [], "a case for a list that is gone");
});

eachList("every row that stays is seen exactly once, whatever comes and goes between the pages", async (path, list) => {
  const name = nameOf(list);
  const remove = remover(path, list);
  for (let walk = 0; walk < WALKS; walk += 1) {
    const before = new Set(await fill(path, list, world, walk === 0 ? ROWS : 5));
    const seen = [];
    const added = new Set();
    const gone = new Set();
    let known = [];
    // Some ten pages, however long the list has become.
    const largest = Math.min(200, Math.ceil(before.size / 5));
    for (let cursor = null; ; ) {
      const { data, next_cursor: next } = await page(path, list, { cursor_limit: dice.between(1, largest), ...(cursor && { cursor }) });
      for (const row of data) assert.ok(!gone.has(name(row)), `${name(row)} was removed before its page was asked for`);
      seen.push(...data);
      if (next === null) break;
      cursor = next;
      for (let n = dice.between(0, 2); n > 0; n -= 1) added.add(await list.create(world));
      if (!remove) continue;
      // The row that the cursor stands on goes, or one that has been seen, or one that is still to come.
      if (known.length === 0) known = await world.api.walk(placeOf(path, list));
      const left = known.filter((row) => !gone.has(name(row)) && before.has(name(row)));
      for (const row of new Set([dice.pick([data.at(-1), dice.pick(left)]), dice.pick(left)])) {
        if (!row || gone.has(name(row)) || !before.has(name(row)) || isNeeded(row)) continue;
        await remove(row);
        gone.add(name(row));
      }
    }
    const names = seen.map(name);
    assert.equal(new Set(names).size, names.length, "a row came twice");
    assert.deepEqual([...before].filter((each) => !gone.has(each) && !names.includes(each)), [], "a row that stayed was not seen");
    assert.deepEqual(names.filter((each) => added.has(each)), [], "a row that came during the walk was seen");
    const times = seen.map((row) => row.created_at);
    assert.deepEqual(times, times.toSorted().reverse(), "newest first");
    if (remove) assert.ok(gone.size > 0, "nothing was removed");
  }
});

/** What the other lists' rows hang on. */
const isNeeded = (row) => world.needed.has(row.id);

/** Every list's second page, as a cursor. */
const cursors = {};
test("each list hands out a cursor", async () => {
  for (const path of lists) {
    await fill(path, LISTS[path], stranger, 3);
    cursors[path] = (await page(path, LISTS[path], { cursor_limit: 2 })).next_cursor;
    assert.ok(cursors[path], path);
  }
});

async function refused(place, query, why) {
  const answer = await world.api.get(`${place}?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 400, `${why}: ${place}?${new URLSearchParams(query)} ${answer.bytes}`);
  assert.equal(answer.json.code, "INVALID_CURSOR", why);
  assert.equal(answer.json.data, undefined);
  return answer.json.details.reason;
}

eachList("another list's, another project's and another filter's cursor never gets a page", async (path, list) => {
  const place = placeOf(path, list);
  for (const other of lists.filter((each) => each !== path)) {
    assert.equal(await refused(place, { cursor: cursors[other] }, other), "wrong_list");
  }
  const theirs = await stranger.api.get(`${placeOf(path, list, stranger)}?cursor_limit=2`);
  assert.ok(theirs.json.next_cursor);
  await refused(place, { cursor: theirs.json.next_cursor }, "another project's");
  if (list.elsewhere) {
    const elsewhere = await world.api.get(`${list.elsewhere(world)}?cursor_limit=1`);
    await refused(place, { cursor: elsewhere.json.next_cursor }, "another path's");
  }
  const filters = operations[path].get.parameters.filter((each) => each.in === "query" && !PAGING.includes(each.name));
  for (const { name, schema, example } of filters) {
    const value = example ?? exampleOf(schema);
    const answer = await world.api.get(`${place}?${new URLSearchParams({ [name]: value })}`);
    assert.equal(answer.status, 200, `${name}=${value}: ${answer.bytes}`);
    assert.equal(await refused(place, { [name]: value, cursor: cursors[path] }, name), "filters_changed");
  }
});

/** Some value that the parameter accepts, and that is not its default. */
function exampleOf({ items, ...schema }) {
  const { type, examples, enum: words } = items ?? schema;
  return type === "boolean" ? "true" : (examples?.[0] ?? words?.[0] ?? "some");
}

eachList("a cursor that was cut, changed in any bit, or made up never gets a page", async (path, list) => {
  const place = placeOf(path, list);
  const cursor = cursors[path];
  const bytes = Buffer.from(cursor, "base64url");
  for (let n = 0; n < 16; n += 1) {
    const flipped = Buffer.from(bytes);
    flipped[dice.between(0, bytes.length - 1)] ^= 1 << dice.between(0, 7);
    await refused(place, { cursor: flipped.toString("base64url") }, "a flipped bit");
  }
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const at of [cursor.length - 1, ...Array.from({ length: 6 }, () => dice.between(0, cursor.length - 1))]) {
    const letter = dice.pick([...letters].filter((each) => each !== cursor[at]));
    await refused(place, { cursor: cursor.slice(0, at) + letter + cursor.slice(at + 1) }, `another letter at ${at}`);
  }
  for (const length of [0, 1, cursor.length - 1, dice.between(2, cursor.length - 2)]) await refused(place, { cursor: cursor.slice(0, length) }, `cut to ${length}`);
  for (const junk of [`${cursor}A`, `${cursor}=`, `A${cursor}`, cursor.toUpperCase(), "null", "{}"]) await refused(place, { cursor: junk }, "junk");
});

test("what a parameter does not accept is refused in words of ours, under its name", async () => {
  let refusals = 0;
  for (const path of lists) {
    for (const { name } of operations[path].get.parameters.filter((each) => each.in === "query")) {
      const { status, json } = await world.api.get(`${placeOf(path, LISTS[path])}?${name}=%21`);
      if (status === 200 || name === "cursor" || name === "pagination") continue;
      // The deprecated offset and limit are named with what replaces them.
      if (["offset", "limit"].includes(name)) continue;
      assert.equal(status, 422, `${path} ${name}: ${JSON.stringify(json)}`);
      assert.deepEqual(Object.keys(json.details.fields), [name]);
      assert.match(json.details.fields[name], /^must /, `${path} ${name}`);
      refusals += 1;
    }
  }
  assert.ok(refusals > 40, `only ${refusals} were refused`);
  const { status, json } = await world.api.get("/webhooks/attempts?include=payload");
  assert.equal(status, 400);
  assert.match(json.details.reason, /include.*\/webhooks\/attempts\/\{id\}\?include=payload/);
});
