// Contract section 9: what comes from outside stays text, and strangers see nothing.
import { expect, hydrated, published, test } from "./fixtures.js";

test("markup from a payload, a header or an answer never becomes markup", async ({ signedIn: page, shop, botix }) => {
  const evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script></script>\u202e";
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/evil`, { status: 401, headers: { "x-evil": "<img src=x onerror=alert(1)>" }, body: evil }));
  await shop.api.event("payment.failed", { note: evil });
  await expect.poll(async () => (await shop.api.read("/webhooks/attempts")).length).toBe(1);
  const [attempt] = await shop.api.read("/webhooks/attempts");
  await page.goto(`${shop.path}/webhooks/${attempt.id}`);
  await hydrated(page);
  await expect(page.locator("img[src=x]")).toHaveCount(0);
  expect(await page.title()).not.toContain("owned");
});

test("the policy of every page allows our own script only", async ({ signedIn: page, shop }) => {
  const answer = await page.goto(`${shop.path}/webhooks`);
  const policy = answer.headers()["content-security-policy"];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'wasm-unsafe-eval'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).not.toContain("unsafe-inline");
  await hydrated(page);
  expect(await page.locator("[style]").count()).toBe(0);
});

test("a stranger is sent to the sign-in, and another project's owner sees nothing of this one", async ({ page, signedIn, shop, botix, browser }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/mine`));
  await published(shop, "order.created");
  const stranger = await (await browser.newContext({ baseURL: botix.server.url })).newPage();
  await stranger.goto(`${shop.path}/webhooks`);
  await expect(stranger).toHaveURL(/sign-in/);
  const other = await botix.installation.project(botix.server, { name: "Чужой" });
  expect((await page.request.get(`/developers/${other.id}/webhooks`)).status()).toBe(404);
  await stranger.context().close();
});

test("a form posted from another site is refused", async ({ signedIn: page, shop, botix }) => {
  const cookies = (await page.context().cookies()).map((each) => `${each.name}=${each.value}`).join("; ");
  const answer = await fetch(`${botix.server.url}/developers/sign-out`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookies, origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
  });
  expect(answer.status).toBe(403);
  await page.goto(`${shop.path}/webhooks`);
  await expect(page).toHaveURL(/webhooks/);
});
