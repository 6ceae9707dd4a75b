// What a first visit to Webhook Delivery loads over the wire, by the browser's own count, held to a budget: HTML, styles,
// script and module, from a site that was built for release (`build-dev.sh release`).
import { chromium } from "@playwright/test";

import config from "./playwright.config.js";
import { Installation } from "./harness/botix.js";
import { newDatabase } from "./harness/database.js";
import { eventually } from "./harness/wait.js";
import { wordsFor } from "./browser/words.js";

/** Bytes. */
const BUDGET = 220_000;

const installation = await Installation.create({ database: newDatabase("sqlite"), env: { BOTIX_SECRET_KEY: undefined } });
const browser = await chromium.launch(config.use.launchOptions);
try {
  const server = await installation.start(["demo"]);
  const login = await eventually("the demo prints its login", () => {
    const email = server.output.match(/\S+@\S+/)?.[0];
    const password = server.output.match(/password\W+(\S+)/i)?.[1];
    return email && password && { email, password };
  });
  const words = wordsFor("en-GB");
  const known = await browser.newContext({ baseURL: server.url, locale: "en-GB" });
  const page = await known.newPage();
  await page.goto("/developers/sign-in");
  await page.getByLabel(words.email, { exact: true }).fill(login.email);
  await page.getByLabel(words.password, { exact: true }).fill(login.password);
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await page.waitForURL(/\/webhooks/);

  // Signed in as before, with nothing in the cache.
  const context = await browser.newContext({ locale: "en-GB", storageState: await known.storageState() });
  const fresh = await context.newPage();
  const devtools = await context.newCDPSession(fresh);
  const loads = new Map();
  devtools.on("Network.responseReceived", ({ requestId, type, response }) => loads.set(requestId, { type, url: new URL(response.url).pathname, bytes: 0 }));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (loads.has(requestId)) loads.get(requestId).bytes = encodedDataLength;
  });
  await devtools.send("Network.enable");
  await fresh.goto(page.url());
  await fresh.waitForSelector("[data-hydrated]", { state: "attached" });
  await fresh.waitForLoadState("load");

  const parts = [...loads.values()].filter(({ type, bytes }) => type !== "EventSource" && bytes > 0);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { type, url, bytes } of parts) console.log(`${String(bytes).padStart(9)}  ${type.padEnd(10)} ${url.replace(/prj_\w+/, "prj_…")}`);
  console.log(`${String(total).padStart(9)}  bytes in all, of ${BUDGET}`);
  const module = parts.find(({ url }) => url.endsWith(".wasm"));
  if (!module) throw new Error("the module was not loaded: is there a site?");
  if (total > BUDGET) throw new Error(`the first load is ${total - BUDGET} bytes over its budget`);
} finally {
  await browser.close();
  await installation.remove();
}
