// The list of events: narrowed by type and period, and taken away as a file.
import { expect, test } from "./fixtures.js";

test("events are narrowed by their type, which a chip takes off again", async ({ signedIn: page, shop }) => {
  const paid = await shop.api.event("order.paid", { amount: 4200 });
  const made = await shop.api.event("order.created", { amount: 4200 });
  await page.goto(`${shop.path}/events`);
  const rows = page.locator("table.list tbody tr");
  await expect(rows).toHaveCount(2);
  const field = page.locator("input[name=type]");
  await field.fill("order.paid");
  await field.press("Enter");
  await expect(page).toHaveURL(/[?&]type=order\.paid/);
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/events/${paid.id}\\?.*type=order\\.paid`));
  await expect(rows).toHaveCount(1);
  await page.goto(`${shop.path}/events?type=order.paid`);
  await page.locator("a.chip.on").click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(`${shop.path}/events`);
  await page.goto(`${shop.path}/events?type=nobody.sends.this`);
  await expect(page.locator(".empty")).toBeVisible();
  await page.locator(".empty a.button").click();
  await expect(rows.first()).toContainText(made.type);
});

test("the events that are shown can be taken away, as lines of JSON and as a table", async ({ signedIn: page, shop }) => {
  const paid = await shop.api.event("order.paid", { note: "a, \"b\"\nc", sum: "=1+1" });
  await shop.api.event("order.created", {});
  await page.goto(`${shop.path}/events?type=order.paid`);
  const links = await page.locator("p.export a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
  expect(links.map((link) => link.split("?")[0].split("/").at(-1))).toEqual(["events.csv", "events.ndjson"]);
  const [table, lines] = await Promise.all(links.map(async (link) => page.request.get(link)));
  const rows = (await lines.text()).trim().split("\n").map((line) => JSON.parse(line));
  expect(rows.map(({ id, type, data }) => ({ id, type, data }))).toEqual([{ id: paid.id, type: "order.paid", data: { note: "a, \"b\"\nc", sum: "=1+1" } }]);
  expect(table.headers()["content-type"]).toContain("text/csv");
  const [names, row] = (await table.text()).trim().split("\r\n");
  expect(names.split(",")).toEqual(expect.arrayContaining(['"id"', '"type"', '"data"', '"created_at"']));
  expect(row).toContain(paid.id);
  expect((await page.request.get(`${shop.path}/export/events.csv?created_after=yesterday`)).status()).toBe(400);
});
