// Who sees what and may do what: a viewer looks only, support staff look into every project.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";

import { BINARY } from "../harness/botix.js";
import { expect, published, test } from "./fixtures.js";

const PASSWORD = "correct horse battery staple";

async function signIn(page, botix, words, role, ...more) {
  const email = `${role}-${randomUUID()}@example.com`;
  const options = { env: botix.installation.env, input: `${PASSWORD}\n` };
  execFileSync(BINARY, ["user", "create", "--email", email, "--role", role, ...more], options);
  await page.goto("/developers/sign-in");
  await page.getByLabel(words.email, { exact: true }).fill(email);
  await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await expect(page).toHaveURL(/\/webhooks/);
}

test("a viewer looks and changes nothing", async ({ page, shop, botix, words }) => {
  const endpoint = await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/viewed`, 401), "order.paid");
  await published(shop, "order.paid");
  const [letter] = await shop.api.read("/webhooks/dead-letters");
  await signIn(page, botix, words, "viewer", "--project", shop.id);
  for (const path of ["/endpoints", `/endpoints/${endpoint.id}`, "/dead-letters", `/dead-letters/${letter.id}`]) {
    await page.goto(shop.path + path);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeAttached();
    for (const name of [words.newEndpoint, words.rotate, words.retry, words.sendTest, words.disable]) {
      await expect(page.getByRole("main").getByRole("button", { name, exact: true })).toHaveCount(0);
      await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toHaveCount(0);
    }
  }
  const headers = { origin: botix.server.url };
  const post = (path, form) => page.request.post(shop.path + path, { form, headers, maxRedirects: 0 });
  expect((await post("/endpoints/new", { url: "https://example.com", event_types: "*" })).status()).toBe(403);
  expect((await post(`/endpoints/${endpoint.id}/secret`, {})).status()).toBe(403);
  expect((await post("/api-keys/new", { name: "mine", scopes: "write" })).status()).toBe(403);
  expect((await post("/inspector/new", { name: "mine" })).status()).toBe(403);
  for (const [path, form] of [
    [`/endpoints/${endpoint.id}/enabled`, { enabled: "false" }],
    [`/endpoints/${endpoint.id}/test`, {}],
    ["/dead-letters/act", { do: "dismiss", id: letter.id }],
    ["/dead-letters/retry", { filters: "" }],
    ["/settings/act", { do: "rename", name: "Mine now" }],
  ]) {
    expect((await post(path, form)).headers().location, path).toContain("problem=forbidden");
  }
  const [now] = await shop.api.read("/webhooks/endpoints");
  expect([now.enabled, now.secret_rotated_at]).toEqual([true, null]);
  expect((await shop.api.read("/webhooks/deliveries")).length).toBe(1);
  expect((await shop.api.read("/webhooks/dead-letters")).length).toBe(1);
});

test("support staff find an id in whichever project it is", async ({ page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/helped`));
  const event = await published(shop, "order.created");
  await botix.installation.project(botix.server, { name: "А раньше других" });
  await signIn(page, botix, words, "support");
  await page.getByLabel(words.search, { exact: true }).fill(`Клиент пишет: ${event.id}`);
  await page.getByLabel(words.search, { exact: true }).press("Enter");
  await expect(page).toHaveURL(`${shop.path}/events/${event.id}`);
});

test("what staff open of a customer's is written down where its owner reads it", async ({ page, shop, botix, words }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/opened`, 401), "order.paid");
  const event = await published(shop, "order.paid");
  const [attempt] = await shop.api.read(`/webhooks/attempts?event_id=${event.id}`);
  const bin = await shop.api.create("/inspector/bins", { name: "Opened" });
  await fetch(bin.url, { method: "POST", body: "private" });
  const [capture] = await shop.api.read(`/inspector/bins/${bin.id}/captures`);
  await signIn(page, botix, words, "support");
  expect((await page.request.get(`${shop.path}/export/events.ndjson`)).status()).toBe(200);
  for (const path of [`/webhooks/${attempt.id}`, `/inspector/${bin.id}/${capture.id}`]) {
    expect((await page.goto(shop.path + path)).status()).toBe(200);
  }
  // What the open page asks for by itself would be refused, and complain.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/developers/sign-in");
  await page.getByLabel(words.email, { exact: true }).fill(shop.owner.email);
  await page.getByLabel(words.password, { exact: true }).fill(shop.owner.password);
  await page.getByRole("button", { name: words.signIn, exact: true }).click();
  await expect(page).toHaveURL(/\/webhooks/);
  await page.goto(`${shop.path}/settings`);
  const log = page.getByRole("main").getByRole("row").filter({ hasText: "support-" });
  await expect(log).toHaveCount(3);
  for (const id of [attempt.id, capture.id, "events.ndjson"]) await expect(log.locator(`[title="${id}"]`)).toHaveCount(1);
});
