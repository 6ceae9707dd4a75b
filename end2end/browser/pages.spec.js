// Every page once, in each theme, language and width: axe finds nothing, nothing sticks out, the console is empty.
import { expect, expectAccessible, expectNoSidewaysScroll, hydrated, published, test } from "./fixtures.js";

test("the sign-in page", async ({ page, shop }) => {
  await page.goto("/developers/sign-in");
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("every page of a project", async ({ signedIn: page, shop, botix }) => {
  test.slow(); // one page after the other, each with axe
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/rejects`, 401), "payment.failed");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/unwell`, { status: 503, body: "<b>unwell</b> ".repeat(400) }), "payment.refunded");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/fine`), "payment.succeeded");
  const event = await published(shop, "payment.succeeded");
  await published(shop, "payment.refunded");
  await published(shop, "payment.failed");
  const attempts = await shop.api.read("/webhooks/attempts");
  const [letter] = await shop.api.read("/webhooks/dead-letters");
  const [endpoint] = await shop.api.read("/webhooks/endpoints");
  const bin = await shop.api.create("/inspector/bins", { name: "Касса <b>", script: [{ status: 503 }, { status: 200 }] });
  for (const body of ['{"a": [1, "<script>alert(1)</script>"]}', Buffer.from([0, 255, 10])]) {
    await fetch(bin.url, { method: "POST", body, headers: { "content-type": "application/json", "x-odd": "<i>odd</i>" } });
  }
  const [capture] = await shop.api.read(`/inspector/bins/${bin.id}/captures`);

  const paths = [
    "/webhooks",
    "/webhooks?status=delivered",
    "/webhooks?status=interrupted", // nothing matches
    ...attempts.map((each) => `/webhooks/${each.id}`),
    "/dead-letters",
    `/dead-letters/${letter.id}`,
    "/events",
    `/events/${event.id}`,
    `/deliveries/${letter.delivery_id}`,
    "/endpoints",
    `/endpoints/${endpoint.id}`,
    "/endpoints/new",
    `/endpoints/${endpoint.id}/secret`,
    "/idempotency",
    "/requests",
    `/requests/${event.request_id}`,
    `/requests/${letter.request_id}`,
    "/dead-letters/retry",
    "/search",
    "/inspector",
    "/inspector/new",
    `/inspector/${bin.id}`,
    `/inspector/${bin.id}/edit`,
    `/inspector/${bin.id}/delete`,
    `/inspector/${bin.id}/${capture.id}`,
    `/inspector/${bin.id}/${capture.id}/compare`,
    `/inspector/${bin.id}/${capture.id}/replay`,
    "/api-keys",
    "/api-keys/new",
    `/api-keys/${shop.keyId}/revoke`,
    "/settings",
  ];
  for (const path of paths) {
    await test.step(path, async () => {
      const answer = await page.goto(shop.path + path);
      expect(answer.status()).toBe(200);
      await hydrated(page);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  }
});

test("a project in which nothing has happened yet", async ({ signedIn: page, shop }) => {
  for (const path of ["/webhooks", "/dead-letters", "/events", "/endpoints", "/idempotency", "/requests", "/inspector", "/api-keys", "/settings"]) {
    await page.goto(shop.path + path);
    await hydrated(page);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
});
