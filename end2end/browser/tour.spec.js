// The walk of docs/tour.md, on the product as `make run` starts it: a newcomer finds what fails, learns why, mends it and
// sends everything again. With TOUR_IMAGES=FOLDER it leaves the page's pictures there.
import { Installation } from "../harness/botix.js";
import { newDatabase } from "../harness/database.js";
import { eventually } from "../harness/wait.js";
import { expect, test } from "./fixtures.js";

const images = process.env.TOUR_IMAGES;

let installation;
let server;

test.beforeAll(async () => {
  installation = await Installation.create({ database: newDatabase("sqlite"), env: { BOTIX_SECRET_KEY: undefined } });
  server = await installation.start(["demo"]);
});

test.afterAll(() => installation?.remove());

test("from the first page to an empty group: what fails, why, until when, the very bytes, mended, sent again", async ({ page, context, words }) => {
  test.setTimeout(120_000);
  const printed = await eventually("the demo prints its login and its receiver", () => {
    const email = server.output.match(/\S+@\S+/)?.[0];
    const password = server.output.match(/password\W+(\S+)/i)?.[1];
    const receiver = server.output.match(/receiver\W+(http:\/\/127\.0\.0\.1:\d+)/i)?.[1];
    return email && password && receiver && { email, password, receiver };
  });
  let taken = 0;
  const picture = async (of = page) => {
    taken += 1;
    if (!images) return;
    await of.evaluate(() => document.fonts.ready);
    await of.evaluate(() => scrollTo(0, 0));
    await of.waitForTimeout(300);
    await of.screenshot({ path: `${images}/tour-${taken}.png` });
  };

  await page.goto(`${server.url}/developers/sign-in`);
  await page.getByLabel(words.email, { exact: true }).fill(printed.email);
  await page.getByLabel(words.password, { exact: true }).fill(printed.password);
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await expect(page.getByRole("table", { name: words.attempts })).toBeVisible();
  // Until when nothing is lost, before anything else.
  await expect(page.getByRole("main")).toContainText(words.nothingIsLost);
  const project = new URL(page.url()).pathname.replace(/\/webhooks.*/, "");
  await picture();

  // Which one fails: the list of endpoints says it in a word.
  await page.getByRole("navigation").getByRole("link", { name: words.tabs.endpoints }).first().click();
  await expect(page).toHaveURL(/\/endpoints$/);
  const row = page.getByRole("row").filter({ hasText: "/loyalty" });
  await expect(row).toContainText(words.failing);
  await row.getByRole("link").click();
  await expect(page.getByRole("region", { name: words.detail })).toContainText(words.health);
  await picture();

  // Why: one failed attempt, with what came back.
  await page.getByRole("region", { name: words.detail }).locator('a[href*="/webhooks?"]').last().click();
  await expect(page).toHaveURL(/\/webhooks\?.*whe_/);
  await page.getByRole("table", { name: words.attempts }).getByRole("link", { name: /./ }).first().click();
  const detail = page.getByRole("region", { name: words.detail });
  await expect(detail).toContainText("401");
  await picture();

  // The very bytes, in the inspector.
  await page.locator('form[action$="/redirect"]').getByRole("button").first().click();
  await expect(page).toHaveURL(/\/inspector\/bin_\w+\/cap_\w+/);
  await expect(page.getByText(words.bodyIdentical)).toBeVisible();
  await picture();

  // The receiver is mended: on its own page, by the button that a newcomer finds there.
  const receiver = await context.newPage();
  await receiver.goto(printed.receiver);
  const hook = receiver.locator("section", { hasText: "/loyalty" });
  await hook.locator('button[value="200"]').click();
  await expect(hook.locator('button[value="200"]')).toHaveAttribute("aria-pressed", "true");
  await picture(receiver);
  await receiver.close();

  // Its whole group, at once, and followed to its end. What changed shortly before it began stands beside it.
  await page.goto(`${server.url}${project}/dead-letters`);
  const group = page.getByRole("main").getByRole("listitem").filter({ hasText: "/loyalty" }).first();
  await expect(group).toContainText("401");
  await picture();
  await group.locator("a.button").click();
  const ask = page.locator('form[action$="/dead-letters/retry"]').getByRole("button");
  const many = Number((await ask.innerText()).match(/\d+/)[0]);
  expect(many).toBeGreaterThan(10);
  await picture();
  await ask.click();
  await expect(page).toHaveURL(/\/dead-letters\/jobs\/job_/);
  await expect.poll(() => page.getByRole("progressbar").getAttribute("value"), { timeout: 60_000 }).toBe(String(many));
  // The inbox beside it empties by itself.
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "/loyalty" })).toHaveCount(0);
  await picture();
  await page.goto(`${server.url}${project}/dead-letters`);
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "/loyalty" })).toHaveCount(0);
  await picture();
});
