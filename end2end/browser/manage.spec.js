// Setting up and mending: endpoints are made here, and the inbox is emptied. Each test runs with JavaScript and without.
import { expect, expectAccessible, expectNoSidewaysScroll, published, test } from "./fixtures.js";

test("an endpoint is created with a secret that is shown once, rotated, disabled and enabled", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const hook = botix.receiver.hook(`/${shop.id}/made`);
  await page.goto(`${shop.path}/endpoints`);
  await page.getByRole("link", { name: words.newEndpoint }).click();
  await expect(page).toHaveURL(`${shop.path}/endpoints/new`);
  const panel = page.getByRole("region", { name: words.newEndpoint });
  await panel.getByLabel(words.url, { exact: true }).fill("ftp://example.com/x");
  await panel.getByLabel(words.otherTypes).fill("Order.Paid");
  await panel.getByRole("button", { name: words.createEndpoint }).click();
  await expect(panel.getByRole("alert")).toHaveCount(2);
  await expect(panel.getByLabel(words.url, { exact: true }), "what was typed is kept").toHaveValue("ftp://example.com/x");
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await panel.getByLabel(words.url, { exact: true }).fill(hook);
  await panel.getByLabel(words.otherTypes).fill("order.paid, payment.*");
  await panel.getByRole("button", { name: words.createEndpoint }).click();
  const secret = await panel.getByText(/^whsec_/).textContent();
  expect(page.url()).not.toContain("whsec_");
  const [made] = await shop.api.read("/webhooks/endpoints");
  expect(made.url).toBe(hook);
  expect(made.event_types).toEqual(["*", "order.paid", "payment.*"]);

  await panel.getByRole("link", { name: words.toEndpoint }).click();
  await expect(page).toHaveURL(`${shop.path}/endpoints/${made.id}`);
  await expect(page.getByText(/^whsec_/)).toHaveCount(0);
  await page.getByRole("link", { name: words.rotate }).click();
  await page.getByRole("button", { name: words.rotate }).click();
  const next = await page.getByText(/^whsec_/).textContent();
  expect(next).not.toBe(secret);
  const [rotated] = await shop.api.read("/webhooks/endpoints");
  expect(rotated.previous_secret_expires_at).not.toBeNull();

  await page.goto(`${shop.path}/endpoints/${made.id}`);
  await page.getByRole("button", { name: words.disable }).click();
  await expect(page.getByRole("button", { name: words.enable })).toBeVisible();
  expect((await shop.api.read(`/webhooks/endpoints/${made.id}`)).enabled).toBe(false);
  await page.getByRole("button", { name: words.enable }).click();
  await expect(page.getByRole("button", { name: words.disable })).toBeVisible();
});

test("a test goes to that endpoint only, and its delivery is shown", async ({ signedIn: page, shop, botix, words }) => {
  const endpoint = await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/tested`), "order.paid");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/other`), "*");
  await page.goto(`${shop.path}/endpoints/${endpoint.id}`);
  await page.getByRole("button", { name: words.sendTest }).click();
  await expect(page).toHaveURL(/\/deliveries\/dlv_/);
  await expect.poll(() => botix.receiver.at(`/${shop.id}/tested`).length).toBe(1);
  await expect.poll(async () => (await page.reload(), page.getByText(words.delivered, { exact: true }).count())).toBeGreaterThan(0);
  expect(botix.receiver.at(`/${shop.id}/other`)).toEqual([]);
});

test("an endpoint says how it fares, and where each of its events went", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const endpoint = await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/fares`, 200, 401, 503), "order.paid");
  await page.goto(`${shop.path}/endpoints/${endpoint.id}`);
  const panel = page.getByRole("region", { name: words.detail });
  const ledger = panel.getByRole("table", { name: words.ledger });
  const lines = async () => {
    const names = await ledger.getByRole("rowheader").allTextContents();
    expect(names).toEqual(words.ledgerLines);
    return (await ledger.getByRole("cell").allTextContents()).map(Number);
  };
  expect(await lines(), "nothing yet").toEqual([0, 0, 0, 0, 0, 0]);
  await expect(panel.getByText(words.failuresInARow)).toHaveCount(0);

  for (let index = 0; index < 3; index += 1) await published(shop, "order.paid");
  await shop.api.request("PATCH", `/webhooks/endpoints/${endpoint.id}`, { body: { enabled: false } });
  await shop.api.event("order.paid", { amount: 1 });
  await page.reload();
  expect(await lines(), "one in each place, and their sum").toEqual([1, 1, 1, 1, 0, 4]);
  const health = panel.locator("section").filter({ has: page.getByRole("heading", { name: words.health, exact: true }) });
  await expect(health).toContainText(words.ofThree);
  await expect(health.getByText(words.failuresInARow)).toBeVisible();
  await expect(health.getByRole("link", { name: "2", exact: true })).toBeVisible();
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await ledger.getByRole("link").nth(2).click();
  await expect(page).toHaveURL(/\/dead-letters\?endpoint_id=/);
});

test("a list with its filters is a file", async ({ signedIn: page, shop, botix }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/file`, 401, 200), "order.paid");
  await published(shop, "order.paid");
  await published(shop, "order.paid");
  await page.goto(`${shop.path}/webhooks?status=dead_lettered`);
  const href = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
  const csv = await page.request.get(href);
  expect(csv.headers()["content-disposition"]).toContain("attempts.csv");
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines.length).toBe(2);
  expect(lines[1]).toContain('"401"');
  const ndjson = await page.request.get((await page.getByRole("link", { name: "NDJSON" }).getAttribute("href")));
  expect((await ndjson.text()).trim().split("\n").map((line) => JSON.parse(line).status)).toEqual(["dead_lettered"]);
  expect((await page.request.get(href.replace(shop.id, "prj_01BX5ZZKBKACTAV9WEVGEMMVRZ"))).status()).toBe(404);
});

test("dead letters stand together by cause; a group is counted, sent again, and followed to its end", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/group`, 401, 401, 401, 200), "payment.failed");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/gone`, 404), "order.paid");
  for (let index = 0; index < 3; index += 1) await published(shop, "payment.failed");
  await published(shop, "order.paid");
  await page.goto(`${shop.path}/dead-letters`);
  const group = page.getByRole("main").getByRole("listitem").filter({ hasText: "/group" });
  await expect(group).toContainText("401");
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await group.locator("a.button").click();
  const ask = page.locator('form[action$="/dead-letters/retry"]').getByRole("button");
  await expect(ask).toContainText("3");
  await ask.click();
  await expect(page).toHaveURL(/\/dead-letters\/jobs\/job_/);
  await expect.poll(async () => (await shop.api.read("/webhooks/deliveries?status=delivered")).length).toBe(3);
  const bar = page.getByRole("progressbar");
  await expect.poll(async () => {
    if (javaScriptEnabled === false) await page.reload();
    return bar.getAttribute("value");
  }).toBe("3");
  if (javaScriptEnabled !== false) await expectAccessible(page);
  const left = await shop.api.read("/webhooks/dead-letters");
  expect(left.map((letter) => letter.last_response_status_code)).toEqual([404]);
});

test("those that are ticked are dismissed, and the dismissal is taken back on the page", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/tick`, 401), "payment.failed");
  for (let index = 0; index < 3; index += 1) await published(shop, "payment.failed");
  await page.goto(`${shop.path}/dead-letters`);
  const ticks = page.getByRole("main").getByRole("checkbox");
  await ticks.nth(0).check();
  await ticks.nth(2).check();
  await page.getByRole("button", { name: words.dismiss, exact: true }).click();
  await expect(ticks).toHaveCount(1);
  await page.getByRole("button", { name: words.undo, exact: true }).click();
  await expect(ticks).toHaveCount(3);
  expect(await shop.api.read("/webhooks/dead-letters?resolved=true")).toEqual([]);
});

test("an endpoint that fails says until when nothing is lost, and is told from the others in the list", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/down`, 503), "payment.failed");
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/well`), "payment.failed");
  await published(shop, "payment.failed");
  for (const path of ["/webhooks", "/dead-letters"]) {
    await page.goto(shop.path + path);
    await expect(page.getByRole("main")).toContainText(words.nothingIsLost);
    await page.getByText(words.byTheHour).click();
    await expect(page.locator(".failing tbody tr")).toHaveText([/\d\d:00.*1$/]);
  }
  await page.goto(`${shop.path}/endpoints`);
  await expect(page.getByRole("row").filter({ hasText: words.failing })).toHaveText(/\/down/);
  await page.goto(`${shop.path}/dead-letters`);
  await page.getByRole("link", { name: words.oneWaiting }).click();
  await expect(page).toHaveURL(/delivery_status=retrying/);
});
