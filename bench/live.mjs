// live.mjs PORT EMAIL PASSWORD PROJECT KEY COUNT SECONDS: so many attempts in so many seconds beside an open Webhook Delivery, on
// which somebody is at work and whose line is cut once, half-way. Prints what a browser calls the interaction to next paint,
// what the page holds, and whether the newest rows are those of the log.
import { readFileSync } from "node:fs";

import { Proxy } from "../end2end/harness/proxy.js";
import { signedIn } from "./browser.mjs";

const [port, email, password, project, key, count, seconds] = process.argv.slice(2);
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const proxy = await Proxy.start(Number(port));
const origin = `http://127.0.0.1:${proxy.port}`;
const api = `http://127.0.0.1:${port}/public/v1`;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** An event each time its turn has come, a few hundred under way at most. */
async function publish() {
  const [began, under] = [performance.now(), new Set()];
  for (let n = 0; n < count; n += 1) {
    const early = began + (n * seconds * 1000) / count - performance.now();
    if (early > 5) await sleep(early);
    if (under.size >= 200) await Promise.race(under);
    const body = JSON.stringify({ type: "bench.tick", data: { n } });
    const sent = fetch(`${api}/events`, { method: "POST", body, headers: { ...headers, "idempotency-key": `live-${n}` } });
    const done = sent.then(async (answer) => {
      await answer.arrayBuffer();
      under.delete(done);
      if (answer.status !== 201) throw new Error(`an event was answered ${answer.status}`);
    });
    under.add(done);
  }
  await Promise.all(under);
  return (performance.now() - began) / 1000;
}

/** The newest rows of the log, as the page would show them. */
async function newest(most) {
  const ids = [];
  for (let cursor = ""; ids.length < most; ) {
    const answer = await (await fetch(`${api}/webhooks/attempts?cursor_limit=200${cursor}`, { headers })).json();
    ids.push(...answer.data.map((attempt) => attempt.id));
    if (!answer.has_more) break;
    cursor = `&cursor=${answer.next_cursor}`;
  }
  return ids.slice(0, most);
}

const megabytes = (pid) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;

await signedIn(origin, email, password, async (browser, page) => {
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${origin}/developers/${project}/webhooks`);
  await page.waitForSelector("html[data-hydrated]");
  await page.evaluate(() => {
    globalThis.took = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) {
        if (interactionId) globalThis.took.set(interactionId, Math.max(duration, globalThis.took.get(interactionId) ?? 0));
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  });
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter((each) => each.type === "renderer").map((each) => each.id);
  const weight = () => Math.max(...renderers.map(megabytes));

  const before = weight();
  let [working, interactions] = [true, 0];
  const published = publish().finally(() => (working = false));
  const cut = sleep((seconds * 1000) / 2).then(async () => {
    await proxy.cut();
    await sleep(2_000);
    await proxy.restore();
  });
  while (working) {
    // Somebody who looks at what is new, opens the search, types, and goes back.
    await page.keyboard.press("/");
    await page.keyboard.type("evt_01", { delay: 40 });
    await page.keyboard.press("Escape");
    for (let left = 6; left > 0; left -= 1) await page.keyboard.press("Backspace");
    await page.evaluate(() => document.activeElement?.blur());
    const bar = await page.$(".fresh-bar button");
    if (bar) await bar.click().catch(() => {});
    interactions += 1;
    await sleep(700);
  }
  const took = await published;
  await cut;

  const wanted = await newest(500);
  const shown = () => page.$$eval("tbody[data-rows] tr[data-id]", (rows) => rows.map((row) => row.dataset.id));
  let rows = [];
  for (const until = performance.now() + 30_000; performance.now() < until && rows[0] !== wanted[0]; await sleep(500)) {
    await (await page.$(".fresh-bar button"))?.click().catch(() => {});
    rows = await shown();
  }
  const paints = await page.evaluate(() => [...globalThis.took.values()].sort((a, b) => a - b));
  const { Nodes } = await page.metrics();
  console.log(JSON.stringify({
    attempts_per_second: Math.round(count / took), rounds_of_work: interactions, interactions_over_16_ms: paints.length,
    inp_ms: paints[Math.max(0, paints.length - 1 - Math.floor(interactions / 50))] ?? 0, worst_ms: paints.at(-1) ?? 0,
    rows: rows.length, missed: wanted.slice(0, rows.length).filter((id) => !rows.includes(id)).length, doubled: rows.length - new Set(rows).size,
    nodes: Nodes, renderer_mb: [Math.round(before), Math.round(weight())], errors,
  }));
});
await proxy.stop();
