// A browser that is signed in to the dashboard, for the measurements that need one. Its library comes with Lighthouse, which
// bench/dashboard.py installs into the target folder.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const installed = createRequire(path.resolve("target/lighthouse/node_modules/lighthouse/package.json"));
export const library = (name) => import(pathToFileURL(installed.resolve(name)));

/** Calls `work(browser, page)` with a page of somebody who has signed in; the browser ends with it. */
export async function signedIn(origin, email, password, work) {
  const { default: puppeteer } = await library("puppeteer-core");
  const browser = await puppeteer.launch({ executablePath: process.env.CHROME_PATH, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/developers/sign-in`);
    await page.type("input[name=email]", email);
    await page.type("input[name=password]", password);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    return await work(browser, page);
  } finally {
    await browser.close();
  }
}
