// The same job by links and forms alone, with JavaScript switched off.
import { expect, published, test } from "./fixtures.js";

test("filter, open, Retry and see the new attempt, without JavaScript", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/plain`, 401, 200), "payment.failed");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/fine`), "payment.succeeded");
  await published(shop, "payment.succeeded");
  await published(shop, "payment.failed");

  await page.goto(`${shop.path}/webhooks`);
  const rows = page.getByRole("table", { name: words.attempts }).getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: words.deadLettered, exact: true }).first().click();
  await expect(page).toHaveURL(/[?&]status=dead_lettered/);
  await expect(rows).toHaveCount(1);

  await rows.first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/webhooks\/att_/);
  await page.getByRole("button", { name: words.retry, exact: true }).first().click();
  await expect.poll(() => botix.receiver.at(`/${shop.id}/plain`).length).toBe(2);
  await expect.poll(async () => (await shop.api.read("/webhooks/attempts?trigger=manual")).length).toBe(1);
  await page.goto(`${shop.path}/webhooks`);
  await expect(rows).toHaveCount(3);
});

test("Retry in the inbox, without JavaScript", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/inbox`, 401, 200));
  await published(shop, "payment.failed");
  await page.goto(`${shop.path}/dead-letters`);
  await page.getByRole("button", { name: words.retry, exact: true }).first().click();
  await expect.poll(async () => (await shop.api.read("/webhooks/deliveries?trigger=manual&status=delivered")).length).toBe(1);
  expect(await shop.api.read("/webhooks/dead-letters")).toEqual([]);
});

test("the search box leads from an id to its page", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/search`));
  const event = await published(shop, "order.created");
  await page.getByLabel(words.search).fill(event.id);
  await page.getByLabel(words.search).press("Enter");
  await expect(page).toHaveURL(`${shop.path}/events/${event.id}`);
});

test("a wrong password is refused with a sentence and without an address that tells it", async ({ page, shop, words }) => {
  await page.goto("/developers/sign-in");
  await page.getByLabel(words.email, { exact: true }).fill(shop.owner.email);
  await page.getByLabel(words.password, { exact: true }).fill("wrong");
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(page.url()).not.toContain("example.com");
});

test("the time zone is remembered without JavaScript", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/zone`));
  await published(shop, "order.created");
  await page.goto(`${shop.path}/webhooks`);
  const time = page.getByRole("table", { name: words.attempts }).locator("time").first();
  await expect(time).toContainText("UTC");
  const utc = new Date(await time.getAttribute("datetime"));
  await page.getByLabel(words.account).first().click();
  await page.getByLabel(words.timeZone).selectOption("330");
  await page.locator(".zones button").click();
  await expect(page).toHaveURL(`${shop.path}/webhooks`);
  await expect(time).toContainText("UTC+5:30");
  await expect(time).toContainText(new Date(utc.getTime() + 330 * 60_000).toISOString().slice(11, 19));
});
