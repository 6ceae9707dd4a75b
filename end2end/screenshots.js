// Takes the README's screenshots from the real product: `botix demo`, signed in with the login it prints, into docs/img/.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { chromium } from "@playwright/test";

import config from "./playwright.config.js";
import { Installation } from "./harness/botix.js";
import { newDatabase } from "./harness/database.js";
import { eventually } from "./harness/wait.js";
import { wordsFor } from "./browser/words.js";

const folder = fileURLToPath(new URL("../docs/img/", import.meta.url));
await mkdir(folder, { recursive: true });

const installation = await Installation.create({ database: newDatabase("sqlite"), env: { BOTIX_SECRET_KEY: undefined } });
const browser = await chromium.launch(config.use.launchOptions);
try {
  const server = await installation.start(["demo"]);
  const login = await eventually("the demo prints its login", () => {
    const email = server.output.match(/\S+@\S+/)?.[0];
    const password = server.output.match(/password\W+(\S+)/i)?.[1];
    return email && password && { email, password };
  });
  await shoot(server, login, { locale: "en-GB", colorScheme: "light" }, "light", ["attempt", "dead-letters"]);
  await shoot(server, login, { locale: "ru-RU", colorScheme: "dark" }, "dark-ru", ["attempts"]);
  await shoot(server, login, { locale: "ru-RU", colorScheme: "light", viewport: { width: 390, height: 844 } }, "phone-ru", ["dead-letters"]);
} finally {
  await browser.close();
  await installation.remove();
}

async function shoot(server, login, look, suffix, wanted) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 }, deviceScaleFactor: 2, timezoneId: "Europe/Moscow", ...look });
  const page = await context.newPage();
  const words = wordsFor(look.locale);
  await page.goto("/developers/sign-in");
  await page.getByLabel(words.email, { exact: true }).fill(login.email);
  await page.getByLabel(words.password, { exact: true }).fill(login.password);
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await page.waitForURL(/\/webhooks/);
  await settled(page);
  if (wanted.includes("attempts")) await page.screenshot({ path: `${folder}attempts-${suffix}.png` });

  await page.goto(`${new URL(page.url()).pathname}?status=dead_lettered`);
  await settled(page);
  const opened = await page.getByRole("table", { name: words.attempts }).getByRole("link", { name: /./ }).first().getAttribute("href");
  await page.goto(opened);
  await settled(page);
  if (wanted.includes("attempt")) await page.screenshot({ path: `${folder}attempt-${suffix}.png` });

  // On a phone an open attempt covers the tabs.
  await page.goto(new URL(page.url()).pathname.replace(/\/webhooks\/.*/, "/dead-letters"));
  await settled(page);
  if (wanted.includes("dead-letters")) await page.screenshot({ path: `${folder}dead-letters-${suffix}.png` });
  await context.close();
}

/** Hydrated, fonts in, nothing moving. */
async function settled(page) {
  await page.waitForSelector("[data-hydrated]", { state: "attached" });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
}
