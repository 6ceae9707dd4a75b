// What only a browser with JavaScript does: keys, picking a range on the chart, the viewer's own zone, back and forth.
import { expect, hydrated, published, test } from "./fixtures.js";

test("keys lead to the search and to the help, and can be switched off", async ({ signedIn: page, shop, words }) => {
  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  const box = page.getByLabel(words.search, { exact: true });
  await page.keyboard.press("Control+k");
  await expect(box).toBeFocused();
  await box.blur();
  await page.keyboard.press("/");
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("");
  await box.blur();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog");
  await expect(help).toBeVisible();
  await help.getByRole("button").click();
  await hydrated(page);
  await page.keyboard.press("?");
  await page.keyboard.press("/");
  await expect(help).toBeHidden();
  await expect(box).not.toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(box).toBeFocused();
});

test("a range is picked on the chart by mouse and by keys", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/range`));
  await published(shop, "order.created");
  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  const columns = page.getByRole("main").getByRole("figure").locator(".spans a");
  await expect(columns).toHaveCount(14);
  await columns.nth(11).hover();
  await page.mouse.down();
  await columns.nth(12).hover();
  await columns.nth(13).hover();
  await page.mouse.up();
  await expect(page).toHaveURL(/created_after=[^&]+&created_before=/);
  const picked = new URL(page.url()).searchParams;
  expect(Date.parse(picked.get("created_before")) - Date.parse(picked.get("created_after"))).toBe(3 * 86_400_000);

  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  await columns.nth(12).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(columns.nth(13)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/created_after=[^&]+&created_before=/);
  const keyed = new URL(page.url()).searchParams;
  expect(Date.parse(keyed.get("created_before")) - Date.parse(keyed.get("created_after"))).toBe(2 * 86_400_000);
  await page.getByRole("link", { name: words.clearAll }).click();
  await expect(page).toHaveURL(`${shop.path}/webhooks`);
});

test("the viewer's time zone is told once, and the next page is drawn in it", async ({ page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/zone`));
  await published(shop, "order.created");
  const told = page.waitForResponse((answer) => answer.url().endsWith("/developers/preferences"));
  await page.goto("/developers/sign-in");
  expect((await (await told).request().postData())).toBe("zone=180");
  await page.getByLabel(words.email, { exact: true }).fill(shop.owner.email);
  await page.getByLabel(words.password, { exact: true }).fill(shop.owner.password);
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-zone", "180");
  const time = page.getByRole("table", { name: words.attempts }).locator("time").first();
  await expect(time).toHaveText(/ago|^\d+ \w+, \d\d:/);
  const drawn = await page.request.get(`${shop.path}/webhooks`);
  const utc = new Date(await time.getAttribute("datetime"));
  expect(await drawn.text()).toContain(new Date(utc.getTime() + 180 * 60_000).toISOString().slice(11, 19));
});

test("back and forth lead through details without losing the list", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/back`));
  for (const type of ["order.created", "order.paid"]) await published(shop, type);
  await page.goto(`${shop.path}/webhooks`);
  await hydrated(page);
  await page.evaluate(() => (document.querySelector("table.list").sameList = true));
  const sameList = () => page.evaluate(() => document.querySelector("table.list").sameList === true);
  const rows = page.getByRole("table", { name: words.attempts }).getByRole("rowheader").getByRole("link");
  const panel = page.getByRole("region", { name: words.detail });
  await rows.nth(0).click();
  await expect(panel.getByRole("heading").first()).toBeVisible();
  const first = page.url();
  await rows.nth(1).click();
  await expect(page).not.toHaveURL(first);
  await expect(page.locator("tr.chosen")).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(first);
  await expect(panel).toContainText("order.paid");
  await page.goBack();
  await expect(panel).toHaveCount(0);
  await page.goForward();
  await expect(panel).toContainText("order.paid");
  expect(await sameList(), "the list was never drawn anew").toBe(true);
  await page.getByRole("navigation", { name: words.sections }).getByRole("link", { name: words.tabs.attempts }).click();
  await expect(panel).toHaveCount(0);
  expect(await sameList(), "the tab asks for a fresh list").toBe(false);
});
