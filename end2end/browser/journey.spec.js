// The product's main job in a browser: something failed, its owner finds it, looks, presses Retry and sees it arrive.
import { expect, hydrated, published, test } from "./fixtures.js";

test("filter by status, open an attempt, Retry, and see the new attempt without a reload", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/fixed`, 401, 200), "payment.failed");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/fine`), "payment.succeeded");
  await published(shop, "payment.succeeded");
  const failed = await published(shop, "payment.failed");

  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  await page.evaluate(() => (globalThis.sameDocument = true));
  const rows = page.getByRole("table", { name: words.attempts }).getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(2);

  await page.getByRole("link", { name: words.deadLettered, exact: true }).first().click();
  await expect(page).toHaveURL(/[?&]status=dead_lettered/);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("payment.failed");

  await rows.first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/webhooks\/att_/);
  await expect(page.getByText(failed.id.slice(-6)).first()).toBeAttached();

  await page.getByRole("button", { name: words.retry, exact: true }).first().click();
  await expect.poll(() => botix.receiver.at(`/${shop.id}/fixed`).length).toBe(2);
  await expect(page.getByText(words.delivered, { exact: true }).first()).toBeAttached();
  await page.getByRole("link", { name: words.close }).first().click(); // on a phone it covers the page
  await page.getByRole("navigation", { name: words.sections }).getByRole("link", { name: words.tabs.attempts }).click();
  await expect(rows).toHaveCount(3);
  expect(await page.evaluate(() => globalThis.sameDocument), "the page was never reloaded").toBe(true);
});

test("a new attempt arrives by itself while the list is open", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/live`));
  await published(shop, "order.created");
  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  await page.evaluate(() => (globalThis.sameDocument = true));
  await published(shop, "order.paid");
  const table = page.getByRole("table", { name: words.attempts });
  const waiting = page.getByRole("button", { name: words.oneNew }).or(page.getByRole("link", { name: words.oneNew }));
  await expect(waiting.or(table.getByText("order.paid")).first()).toBeVisible();
  if (await waiting.isVisible()) await waiting.click();
  await expect(table.getByText("order.paid").first()).toBeVisible();
  expect(await page.evaluate(() => globalThis.sameDocument), "the page was never reloaded").toBe(true);
});

test("Retry in the inbox resolves the dead letter; pressed twice it makes one delivery", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/inbox`, 401, 200));
  await published(shop, "payment.failed");
  await page.goto(`${shop.path}/dead-letters`);
  await hydrated(page);
  const button = page.getByRole("button", { name: words.retry, exact: true }).first();
  await button.dblclick();
  await expect.poll(async () => (await shop.api.read("/webhooks/deliveries?trigger=manual&status=delivered")).length).toBe(1);
  expect((await shop.api.walk("/webhooks/deliveries?trigger=manual")).length).toBe(1);
  expect(await shop.api.read("/webhooks/dead-letters")).toEqual([]);
});

test("older pages are links that can be sent to a colleague", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/pages`));
  for (let index = 0; index < 55; index += 1) await shop.api.event("order.created", { index });
  await expect.poll(async () => (await shop.api.walk("/webhooks/attempts")).length).toBe(55);
  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  await page.getByRole("link", { name: words.older }).first().click();
  await expect(page).toHaveURL(/[?&]cursor=/);
  const rows = page.getByRole("table", { name: words.attempts }).getByRole("rowheader");
  await expect(rows.first()).toBeVisible();
  const seen = await rows.allTextContents();
  await page.goto(page.url());
  await expect(rows).toHaveText(seen);
});
