// lighthouse.mjs ORIGIN EMAIL PASSWORD PAGES: Lighthouse's scores for each of the pages ({name: path}), on a desktop and on a
// phone, as JSON. The browser itself is signed in, so that what a page asks for is asked by a visitor, too; every run begins
// with an empty cache.
import { library, signedIn } from "./browser.mjs";

const [origin, email, password, pages] = process.argv.slice(2);
const { default: lighthouse } = await library("lighthouse");
const { default: desktop } = await library("lighthouse/core/config/desktop-config.js");

const scores = {};
await signedIn(origin, email, password, async (browser, page) => {
  const port = Number(new URL(browser.wsEndpoint()).port);
  for (const [name, address] of Object.entries(JSON.parse(pages))) {
    for (const [form, config] of [["desktop", desktop], ["phone", undefined]]) {
      await (await page.createCDPSession()).send("Network.clearBrowserCache");
      const { lhr } = await lighthouse(origin + address, { port, disableStorageReset: true, logLevel: "error" }, config);
      const figures = Object.entries(lhr.categories).map(([key, { score }]) => [key, Math.round(score * 100)]);
      const failed = Object.values(lhr.audits).filter((audit) => audit.score !== null && audit.score < 0.9);
      scores[`${name}, ${form}`] = {
        ...Object.fromEntries(figures),
        shift: Number(lhr.audits["cumulative-layout-shift"].numericValue.toFixed(4)),
        failed: failed.map((audit) => audit.id),
      };
    }
  }
});
console.log(JSON.stringify(scores));
