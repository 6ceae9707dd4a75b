// What only a browser with JavaScript does: keys, and picking a range on the chart.
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
