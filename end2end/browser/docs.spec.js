// The developer docs: pages that need no script and no sign-in, in each theme, language and width.
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./fixtures.js";

const PAGES = ["/docs", "/docs/api", "/docs/webhooks", "/docs/reliability", "/docs/error-codes", "/docs/migration-1.0-1.1", "/docs/changelog"];

for (const path of PAGES) {
  test(`${path} reads well and loads nothing from elsewhere`, async ({ page, botix, locale }) => {
    const foreign = [];
    page.on("request", (request) => new URL(request.url()).origin === botix.server.url || foreign.push(request.url()));
    const answer = await page.goto(path);
    expect(answer.status()).toBe(200);
    expect(answer.headers()["content-security-policy"]).toMatch(/default-src 'none'/);
    expect(answer.headers()["content-security-policy"]).not.toMatch(/script-src|unsafe/);
    await expect(page.locator("html")).toHaveAttribute("lang", locale.slice(0, 2));
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("script")).toHaveCount(0);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(foreign).toEqual([]);
  });
}

test("language and theme are chosen by links and remembered", async ({ page }) => {
  await page.goto("/docs/error-codes?lang=en");
  await page.getByRole("link", { name: "dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Receiving webhooks");
  await page.getByRole("link", { name: "ru", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Как принимать вебхуки");
});

test("an error's type leads to its explanation", async ({ page, shop }) => {
  const answer = await shop.api.get("/contacts/con_1", { headers: { accept: "application/problem+json" } });
  await page.goto(answer.json.type);
  await expect(page.locator(":target")).toContainText("RESOURCE_NOT_FOUND");
});
