// lighthouse.mjs ORIGIN EMAIL PASSWORD PAGES: Lighthouse's scores for each of the pages ({name: path}), on a desktop and on a
// phone, as JSON. The browser signs in itself, so that what a page asks for is asked by a signed-in visitor, too; every run
// begins with an empty cache.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

// Installed into the target folder by bench/dashboard.py.
const library = createRequire(path.resolve("target/lighthouse/node_modules/lighthouse/package.json"));
const from = (name) => import(pathToFileURL(library.resolve(name)));
const { default: lighthouse } = await from("lighthouse");
const { default: desktop } = await from("lighthouse/core/config/desktop-config.js");
const { default: puppeteer } = await from("puppeteer-core");

const [origin, email, password, pages] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: process.env.CHROME_PATH, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.goto(`${origin}/developers/sign-in`);
  await page.type("input[name=email]", email);
  await page.type("input[name=password]", password);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);

  const scores = {};
  const port = Number(new URL(browser.wsEndpoint()).port);
  for (const [name, address] of Object.entries(JSON.parse(pages))) {
    for (const [form, config] of [["desktop", desktop], ["phone", undefined]]) {
      await (await page.createCDPSession()).send("Network.clearBrowserCache");
      const { lhr } = await lighthouse(origin + address, { port, disableStorageReset: true }, config);
      const figures = Object.entries(lhr.categories).map(([key, { score }]) => [key, Math.round(score * 100)]);
      const failed = Object.values(lhr.audits).filter((audit) => audit.score !== null && audit.score < 0.9);
      scores[`${name}, ${form}`] = {
        ...Object.fromEntries(figures),
        shift: Number(lhr.audits["cumulative-layout-shift"].numericValue.toFixed(4)),
        failed: failed.map((audit) => audit.id),
      };
    }
  }
  console.log(JSON.stringify(scores));
} finally {
  await browser.close();
}
