// Contract section 6: the keys that sign cursors rotate. The previous one still verifies; a retired one has expired. And the
// old mode of 1.0 before and after its sunset, as configured.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { inParallel } from "../harness/wait.js";

const [OLD, NEW] = ["the-old-secret-key-0123456789abcdef0", "the-new-secret-key-0123456789abcdef0"];
let installation, project;

/** The same installation under other settings, one process at a time. */
async function under(env, work) {
  const server = await installation.start(["serve"], env);
  project.api.server = server;
  await work(project.api);
  await server.stop();
}

before(async () => {
  installation = await Installation.create({ env: { BOTIX_SECRET_KEY: OLD } });
  project = await installation.project(null);
});
after(() => installation?.remove());

test("a walk goes on over a rotation of the key, and ends when the key is retired", async () => {
  let begun;
  await under({}, async (api) => {
    await inParallel(Array.from({ length: 6 }), 3, (_, n) => api.create("/contacts", { phone: `+7999111000${n}`, name: "Анна" }));
    begun = (await api.get("/contacts?cursor_limit=2")).json;
  });
  let continued;
  await under({ BOTIX_SECRET_KEY: NEW, BOTIX_SECRET_KEY_PREVIOUS: OLD }, async (api) => {
    continued = await api.get(`/contacts?cursor_limit=2&cursor=${begun.next_cursor}`);
    assert.equal(continued.status, 200, String(continued.bytes));
    const seen = new Set([...begun.data, ...continued.json.data].map((each) => each.id));
    assert.equal(seen.size, 4, "the page is the next one");
  });
  await under({ BOTIX_SECRET_KEY: NEW }, async (api) => {
    const retired = await api.get(`/contacts?cursor_limit=2&cursor=${begun.next_cursor}`);
    assert.equal(retired.status, 400);
    assert.deepEqual([retired.json.code, retired.json.details], ["INVALID_CURSOR", { reason: "expired" }]);
    const last = await api.get(`/contacts?cursor_limit=2&cursor=${continued.json.next_cursor}`);
    assert.deepEqual([last.status, last.json.data.length, last.json.has_more], [200, 2, false]);
  });
});

test("pages by offset come with their notice until the sunset, and are refused from then on", async () => {
  await under({ BOTIX_OFFSET_SUNSET: "2999-12-31" }, async (api) => {
    const page = await api.get("/contacts?pagination=offset&offset=1&limit=2");
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("x-api-notice"), "pagination=offset deprecated, migrate by 2999-12-31");
    assert.match(page.headers.get("deprecation"), /^@\d+$/);
    assert.equal(page.headers.get("sunset"), "Tue, 31 Dec 2999 00:00:00 GMT");
    assert.match(page.headers.get("link"), /migration-1\.0-1\.1>; rel="deprecation"/);
    const document = await api.get("/openapi.json");
    assert.ok(JSON.stringify(document.json.paths["/public/v1/contacts"].get.parameters).includes('"offset"'));
    assert.equal((await api.get("/contacts?pagination=offset&offset=10001")).status, 422);
  });
  await under({ BOTIX_OFFSET_SUNSET: "2020-01-01" }, async (api) => {
    for (const query of ["pagination=offset", "offset=1", "limit=2"]) {
      const refused = await api.get(`/contacts?${query}`);
      assert.deepEqual([refused.status, refused.json.code], [400, "MALFORMED_REQUEST"], query);
      assert.match(refused.json.details.reason, /migration-1\.0-1\.1/);
    }
    const document = await api.get("/openapi.json");
    assert.ok(!JSON.stringify(document.json).includes('"offset"'), "what has ended is not in the document");
  });
});
