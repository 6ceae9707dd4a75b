// Somebody sends a number, a key or a whole e-mail; its story is found in seconds. Each test runs with JavaScript and without.
import { randomUUID } from "node:crypto";

import { expect, expectAccessible, expectNoSidewaysScroll, published, test } from "./fixtures.js";

/** A contact made under an idempotency key, whose event has been delivered; and the key used once more. */
async function aContact(shop, botix, { answers = [200] } = {}) {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/trace`, ...answers), "contact.created");
  const key = `order-${randomUUID()}`;
  const phone = `+7${String(Math.floor(Math.random() * 1e10)).padStart(10, "0")}`;
  const first = await shop.api.post("/contacts", { phone, name: "Anna <b>" }, { idempotencyKey: key });
  expect(first.status).toBe(201);
  await expect.poll(async () => (await shop.api.read(`/webhooks/attempts?request_id=${first.json.request_id}`)).length).toBe(1);
  const again = await shop.api.post("/contacts", { phone, name: "Anna <b>" }, { idempotencyKey: key });
  expect(again.headers.get("idempotent-replayed")).toBe("1");
  const other = await shop.api.post("/contacts", { phone, name: "Another" }, { idempotencyKey: key });
  expect(other.status).toBe(409);
  return { key, requestId: first.json.request_id, contact: first.json.data, replayId: again.headers.get("x-replay-request-id") };
}

async function search(page, words, text) {
  await page.getByLabel(words.search, { exact: true }).fill(text);
  await page.getByLabel(words.search, { exact: true }).press("Enter");
}

test("an idempotency key tells its state, its answer, its uses and what it made", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const { key, requestId, contact } = await aContact(shop, botix);
  await page.goto(`${shop.path}/idempotency`);
  await page.getByLabel(words.key, { exact: true }).fill(key);
  await page.getByLabel(words.key, { exact: true }).press("Enter");
  await expect(page).toHaveURL(`${shop.path}/idempotency?key=${key}`);
  const panel = page.getByRole("region", { name: words.detail });
  await expect(panel).toContainText(words.done);
  await expect(panel).toContainText(contact.id);
  await expect(panel.locator("del")).toHaveText(/^- +"name": "Anna <b>",?\n$/);
  await expect(panel.locator("ins")).toHaveText(/^\+ +"name": "Another",?\n$/);
  await expect(panel.locator("details", { hasText: words.storedAnswer }).getByText("Anna <b>")).toBeVisible();
  await expect(panel.locator("dl")).toContainText(/[0-9a-f]{64}/);
  await expect(panel.getByRole("link", { name: `${requestId.slice(0, 8)}…${requestId.slice(-6)}` })).toHaveAttribute("href", `${shop.path}/requests/${requestId}`);
  await expect.poll(async () => (await page.reload(), panel.getByRole("row").filter({ has: page.getByRole("rowheader") }).count())).toBe(3);
  await expect(panel).toContainText("contact.created");
  if (javaScriptEnabled !== false) await expectAccessible(page); // axe needs timers
  await expectNoSidewaysScroll(page);
});

test("a request_id tells the whole story, oldest first, and a webhook's own id tells its side", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const { key, requestId } = await aContact(shop, botix, { answers: [401, 200] });
  const [letter] = await shop.api.read("/webhooks/dead-letters");
  const retried = await shop.api.create(`/webhooks/deliveries/${letter.delivery_id}/retry`, {});
  await expect.poll(async () => (await shop.api.read(`/webhooks/attempts?request_id=${retried.request_id}`)).length).toBe(1);

  await search(page, words, requestId);
  await expect(page).toHaveURL(`${shop.path}/requests/${requestId}`);
  const steps = page.getByRole("main").getByRole("list").getByRole("listitem");
  await expect(steps).toHaveCount(8);
  const told = (await steps.allTextContents()).map((text) => text.replace(/^.*?UTC/, ""));
  expect(told[0]).toContain("/public/v1/contacts");
  expect(told[1]).toContain(key);
  expect(told[2]).toContain("contact.created");
  expect(told[4]).toContain("401");
  expect(told[7]).toContain("200");
  if (javaScriptEnabled !== false) await expectAccessible(page); // axe needs timers
  await expectNoSidewaysScroll(page);

  await search(page, words, letter.request_id);
  await expect(page).toHaveURL(`${shop.path}/requests/${letter.request_id}`);
  await expect(steps).toHaveCount(4);
  await expect(page.getByRole("main")).toContainText(`${requestId.slice(0, 8)}…`);
});

test("the log of requests is filtered in the address", async ({ signedIn: page, shop, words, javaScriptEnabled }) => {
  await shop.api.get("/contacts");
  await shop.api.post("/contacts", { phone: "wrong" });
  await page.goto(`${shop.path}/requests?status_code=4xx`);
  const rows = page.getByRole("table").getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect.poll(async () => (await page.reload(), rows.count())).toBe(1);
  await expect(rows).toContainText("VALIDATION_ERROR");
  await page.getByRole("link", { name: words.clearAll }).click();
  await expect(page).toHaveURL(`${shop.path}/requests`);
  await expect.poll(async () => (await page.reload(), rows.count())).toBeGreaterThan(1);
  if (javaScriptEnabled !== false) await expectAccessible(page); // axe needs timers
  await expectNoSidewaysScroll(page);
});

test("the search box takes an e-mail and tells of each id in it", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/search`));
  const event = await published(shop, "order.created");
  const [delivery] = await shop.api.read("/webhooks/deliveries");
  await page.goto(`${shop.path}/search`);
  await page.getByRole("main").getByRole("textbox").fill(`Добрый день!\nСобытие ${event.id} (доставка «${delivery.id.toLowerCase()}») не пришло.`);
  await page.getByRole("main").getByRole("button").click();
  await expect(page.getByRole("link", { name: event.id })).toHaveAttribute("href", `${shop.path}/events/${event.id}`);
  await expect(page.getByRole("link", { name: delivery.id })).toHaveAttribute("href", `${shop.path}/deliveries/${delivery.id}`);
  expect(page.url(), "what was pasted is in no address").not.toContain(event.id);
  if (javaScriptEnabled !== false) await expectAccessible(page); // axe needs timers
  await expectNoSidewaysScroll(page);
});

test("a miss says why", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/miss`));
  const event = await published(shop, "order.created");
  const slip = event.id.slice(0, -1) + (event.id.endsWith("0") ? "1" : "0");
  const cases = [
    [slip, event.id],
    [event.id.slice(0, -1), event.id],
    ["req_01BX5ZZKBKACTAV9WEVGEMMVRZ", words.missTooOld],
    [`evt_${"7".repeat(26)}`, words.missFuture],
    ["evt_01BX5ZZKBKACTAV9WEVG", words.missMalformed],
    ["no-such-key-anywhere", words.missUnknown],
  ];
  for (const [text, answer] of cases) {
    await search(page, words, text);
    await expect(page.getByRole("main")).toContainText(answer);
  }
  if (javaScriptEnabled !== false) await expectAccessible(page); // axe needs timers
});

test("an id of somebody else's project is told as one that does not exist", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const other = await botix.installation.project(botix.server, { name: "Чужой" });
  const theirs = await other.api.event("order.created", {});
  await search(page, words, theirs.id);
  await expect(page.getByRole("main")).toContainText(words.missUnknown);
  await expect(page.getByRole("main")).not.toContainText("Чужой");
  expect((await page.request.get(`${shop.path}/requests/${theirs.request_id ?? "req_01BX5ZZKBKACTAV9WEVGEMMVRZ"}`)).status()).toBe(404);
});

test("a curl line leads to its key", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const { key } = await aContact(shop, botix);
  await search(page, words, `curl -X POST ${botix.server.url}/public/v1/contacts -H 'Idempotency-Key: ${key}' -d '{}'`);
  await expect(page).toHaveURL(`${shop.path}/idempotency?key=${key}`);
});

test("event-matches-nothing: the event's page says that no endpoint subscribed to it", async ({ signedIn: page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/other`), "other.type");
  const unmatched = await shop.api.event("nobody.cares", { id: 1 });
  await page.goto(`${shop.path}/events/${unmatched.id}`);
  await expect(page.getByRole("region", { name: words.detail })).toContainText(words.noDeliveries);
  const matched = await published(shop, "other.type");
  await page.goto(`${shop.path}/events/${matched.id}`);
  await expect(page.getByRole("region", { name: words.detail })).not.toContainText(words.noDeliveries);
});
