// What every browser test stands on: a server of the worker's own with a project, an owner who can sign in and a receiver;
// a page that fails its test on anything unwanted in the console; axe.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { test as base, expect } from "@playwright/test";

import { BINARY, Installation } from "../harness/botix.js";
import { Receiver } from "../harness/receiver.js";
import { eventually } from "../harness/wait.js";
import { wordsFor } from "./words.js";

export { expect };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const test = base.extend({
  /** One installation a worker: starting it costs more than the tests. */
  botix: [
    async ({}, use) => {
      const receiver = await Receiver.start();
      const installation = await Installation.create();
      const server = await installation.start();
      await use({ receiver, installation, server });
      await installation.remove();
      await receiver.stop();
    },
    { scope: "worker" },
  ],

  /** A project of this test's own, with its owner. */
  shop: async ({ botix }, use) => {
    const project = await botix.installation.project(botix.server, { name: "Магазин" });
    const owner = { email: `owner-${randomUUID()}@example.com`, password: "correct horse battery staple" };
    execFileSync(BINARY, ["user", "create", "--email", owner.email, "--project", project.id, "--role", "owner"], {
      env: botix.installation.env,
      input: `${owner.password}\n`,
    });
    await use({ ...project, owner, path: `/developers/${project.id}` });
  },

  baseURL: async ({ botix }, use) => use(botix.server.url),

  words: async ({ locale }, use) => use(wordsFor(locale)),

  /** A page on which silence is a condition of every test. */
  page: async ({ page, javaScriptEnabled }, use) => {
    const complaints = [];
    page.on("console", (message) => {
      // With JavaScript off Chromium itself notes that the module which the page announces was never used.
      if (javaScriptEnabled === false && message.text().includes("was preloaded using link preload but not used")) return;
      complaints.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    page.on("response", (response) => {
      if (response.status() >= 500) complaints.push(`${response.status()} from ${response.url()}`);
    });
    if (javaScriptEnabled !== false) {
      await page.addInitScript(() =>
        document.addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`)),
      );
    }
    await use(page);
    expect(complaints, "the console is empty").toEqual([]);
  },

  /** Signs the owner of `shop` in and lands on the attempts. */
  signedIn: async ({ page, shop, words }, use) => {
    await page.goto("/developers/sign-in");
    await page.getByLabel(words.email, { exact: true }).fill(shop.owner.email);
    await page.getByLabel(words.password, { exact: true }).fill(shop.owner.password);
    await page.getByRole("button", { name: words.signIn, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${shop.path}/webhooks`));
    await use(page);
  },
});

/** Publishes one event and waits until `count` attempts at it are logged. */
export async function published(shop, type, count = 1) {
  const event = await shop.api.event(type, { amount: 4200 });
  await eventually(`${count} attempts at ${type}`, async () => (await shop.api.read(`/webhooks/attempts?event_id=${event.id}`)).length >= count);
  return event;
}

/** What the audit log in the settings says was done, newest first. */
export async function audited(page, shop, words) {
  await page.goto(`${shop.path}/settings`);
  const rows = page.getByRole("table", { name: words.audit }).locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  return rows.locator("td:nth-child(3)").allTextContents();
}

/** WASM has taken over: the app says so itself. */
export const hydrated = (page) => page.waitForSelector("[data-hydrated]", { state: "attached" });

/** Accessibility of the page as it stands, by axe's WCAG rules and its best practices. */
export async function expectAccessible(page) {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map((each) => `${each.id}: ${each.help}\n    ${each.nodes.map((node) => `${node.target.join(" ")}  ${node.failureSummary?.split("\n")[1]?.trim() ?? ""}`).join("\n    ")}`);
  });
  expect(violations.join("\n"), "axe finds nothing").toBe("");
}

/** Nothing sticks out sideways: a phone scrolls in one direction. */
export async function expectNoSidewaysScroll(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(content, "the page is no wider than the window").toBeLessThanOrEqual(window);
}
