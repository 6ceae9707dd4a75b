// The inspector: what was received, byte for byte; a copy of what production was sent; signatures judged where the secret
// stays.
import { audited, expect, expectAccessible, expectNoSidewaysScroll, published, test } from "./fixtures.js";

/** An endpoint that refuses, an event that nobody should take for markup, and its attempt. */
async function refused(shop, botix) {
  const endpoint = await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/refuses`, 401), "order.paid");
  const event = await shop.api.event("order.paid", { note: '<img src=x onerror="alert(1)">', bidi: "\u202egnp.exe" });
  await expect.poll(async () => (await shop.api.read(`/webhooks/attempts?event_id=${event.id}`)).length).toBe(1);
  const [attempt] = await shop.api.read(`/webhooks/attempts?event_id=${event.id}`);
  return { endpoint, event, attempt };
}

test("what was sent is copied at one press, the same to the byte, and nothing else changes", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const { event, attempt } = await refused(shop, botix);
  await page.goto(`${shop.path}/webhooks/${attempt.id}`);
  await page.locator('form[action$="/redirect"]').getByRole("button").first().click();
  await expect(page).toHaveURL(/\/inspector\/bin_\w+\/cap_\w+/);
  const panel = page.getByRole("region", { name: words.detail });
  await expect(panel).toContainText(event.id);
  await expect(panel).toContainText('<img src=x onerror=');
  await expect(panel.getByText(words.bodyIdentical)).toBeVisible();
  await expect(panel.locator(`a[href$="/webhooks/${attempt.id}"]`).first()).toBeVisible();
  const sent = botix.receiver.at(`/${shop.id}/refuses`);
  expect(sent.length, "no second request was made").toBe(1);
  const file = await page.request.get(await panel.locator("a[download]").getAttribute("href"));
  expect(Buffer.compare(await file.body(), Buffer.from(sent[0].body))).toBe(0);
  expect(file.headers()["content-disposition"]).toContain("attachment");
  expect((await shop.api.read("/webhooks/deliveries")).length).toBe(1);
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("a signature is judged in the browser, and a wrong one says why", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled === false, "the secret must not leave the browser, so there is no form for it");
  const { endpoint, attempt } = await refused(shop, botix);
  await page.goto(`${shop.path}/webhooks/${attempt.id}`);
  await page.locator('form[action$="/redirect"]').getByRole("button").first().click();
  await expect(page).toHaveURL(/\/inspector\/bin_\w+\/cap_\w+/);
  const asked = [];
  page.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  const judged = async (secret) => {
    await page.locator("[data-secret]").fill(secret);
    await page.locator("[data-check-signature]").click();
    await expect(page.locator('[data-family="own"]')).toBeVisible();
  };
  await judged(endpoint.secret);
  for (const family of ["own", "standard"]) await expect(page.locator(`[data-family="${family}"] [data-said="right"]`)).toBeVisible();
  await judged("whsec_bm90IHRoZSBzZWNyZXQgb2YgdGhpcw==");
  await expect(page.locator('[data-family="own"] [data-said="unknown"]')).toBeVisible();
  await expect(page.locator('[data-family="own"] [data-said="right"]')).toBeHidden();
  expect(asked.filter((each) => each.includes(endpoint.secret.slice(6))), "the secret went nowhere").toEqual([]);
});

test("a bin shows what it received: any method, bytes that are no text, a scripted answer", async ({ signedIn: page, shop, words }) => {
  const bin = await shop.api.create("/inspector/bins", { name: "Касса", script: [{ status: 503, body: "later" }, { status: 200 }] });
  const answers = [];
  for (const method of ["PUT", "POST"]) answers.push(await fetch(`${bin.url}/hook?x=1`, { method, body: Buffer.from([0, 255, 254, 10]) }));
  expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  await page.goto(`${shop.path}/inspector/${bin.id}`);
  const rows = page.getByRole("table").getByRole("rowheader");
  await expect(rows).toHaveCount(2);
  await rows.last().getByRole("link").click();
  const panel = page.getByRole("region", { name: words.detail });
  await expect(panel).toContainText("00 ff fe 0a");
  await expect(panel).toContainText("PUT");
  const file = await page.request.get(await panel.locator("a[download]").getAttribute("href"));
  expect([...(await file.body())]).toEqual([0, 255, 254, 10]);
});

test("what is done to a bin is written down, without the secrets of an address", async ({ signedIn: page, shop, botix, words }) => {
  const event = await shop.api.event("order.paid", { amount: 1 });
  const endpoint = await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/rehearsed`), "order.shipped");
  await page.goto(`${shop.path}/inspector/new`);
  await page.locator("#name").fill("Касса");
  await page.getByRole("button", { name: words.createBin }).click();
  await expect(page).toHaveURL(/\/inspector\/bin_\w+$/);
  const bin = page.url().match(/bin_\w+/)[0];
  await page.goto(`${shop.path}/inspector/${bin}/edit`);
  await page.locator("#name").fill("Склад");
  await page.getByRole("button", { name: words.save }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Склад");
  await page.goto(`${shop.path}/inspector/${bin}/rehearse?event_id=${event.id}&endpoint_id=${endpoint.id}`);
  await page.locator('form[action$="/rehearse"]').getByRole("button").first().click();
  await expect.poll(async () => (await shop.api.read(`/inspector/bins/${bin}/captures`)).length).toBeGreaterThan(0);
  const [capture] = await shop.api.read(`/inspector/bins/${bin}/captures`);
  await page.goto(`${shop.path}/inspector/${bin}/${capture.id}/replay`);
  await page.locator('form[action$="/replay"] input[name="url"]').fill(`${botix.receiver.hook(`/${shop.id}/again`)}?token=hush`);
  await page.locator('form[action$="/replay"]').getByRole("button", { name: words.send }).click();
  await expect.poll(() => botix.receiver.at(`/${shop.id}/again?token=hush`).length).toBe(1);
  await page.goto(`${shop.path}/inspector/${bin}/delete`);
  await page.getByRole("button", { name: words.deleteForGood }).click();
  await expect(page).toHaveURL(`${shop.path}/inspector`);
  const { binMade, binChanged, rehearsed, replayed, binDeleted } = words.audited;
  expect(await audited(page, shop, words)).toEqual([binDeleted, replayed, rehearsed, binChanged, binMade]);
  const log = page.getByRole("table", { name: words.audit });
  await expect(log).toContainText("Склад");
  await expect(log, "a query may carry a secret").not.toContainText("hush");
});
