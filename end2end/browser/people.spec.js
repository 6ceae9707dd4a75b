// What an owner does with the project itself: keys for its programs, people, the work of many retries; and that the audit log
// has all of it.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";

import { BINARY } from "../harness/botix.js";
import { audited, expect, expectAccessible, expectNoSidewaysScroll, published, test } from "./fixtures.js";

test("a key is made, shown once, opens what it may, and opens nothing once it is revoked", async ({ signedIn: page, shop, words, javaScriptEnabled }) => {
  await page.goto(`${shop.path}/api-keys`);
  await page.getByRole("link", { name: words.newKey }).click();
  const panel = page.getByRole("region", { name: words.newKey });
  await panel.getByLabel(words.keyName, { exact: true }).fill("Касса <b>");
  await panel.locator('input[value="write"]').uncheck();
  await panel.locator('select[name="days"]').selectOption("30");
  await panel.getByRole("button", { name: words.createKey }).click();
  const key = (await panel.getByText(/^btx_live_/).textContent()).trim();
  expect(page.url()).not.toContain(key);
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect((await shop.api.get("/contacts", { key })).status).toBe(200);
  expect((await shop.api.post("/contacts", { phone: "+79990000001" }, { key })).status, "it may only read").toBe(403);

  await panel.getByRole("link", { name: words.toKeys }).click();
  await expect(page).toHaveURL(`${shop.path}/api-keys`);
  const row = page.getByRole("main").getByRole("row").filter({ hasText: "Касса <b>" });
  await expect(row).toHaveCount(1);
  expect(await page.content(), "it is shown once").not.toContain(key);
  await row.getByRole("link").click();
  await page.getByRole("button", { name: words.revokeNow }).click();
  await expect(row).toContainText(words.keyRevoked);
  await expect(row.getByRole("link")).toHaveCount(0);
  expect((await shop.api.get("/contacts", { key })).status).toBe(401);
  expect(await audited(page, shop, words)).toEqual([words.audited.keyRevoked, words.audited.keyMade]);
  expect(await page.content()).not.toContain(key);
});

test("an owner names the project, lets somebody in, gives another role and takes it away again", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  const guest = `guest-${randomUUID()}@example.com`;
  const theirOwn = await botix.installation.project(botix.server, { name: "Elsewhere" });
  execFileSync(BINARY, ["user", "create", "--email", guest, "--project", theirOwn.id], { env: botix.installation.env, input: "correct horse battery staple\n" });
  await page.goto(`${shop.path}/settings`);
  const main = page.getByRole("main");
  await main.getByLabel(words.projectName).fill("Лавка «У дома»");
  await main.getByRole("button", { name: words.save }).click();
  await expect(page.getByRole("banner")).toContainText("Лавка «У дома»");

  const rows = main.getByRole("table", { name: words.members }).getByRole("row");
  const theirs = rows.filter({ hasText: guest });
  await main.getByLabel(words.email, { exact: true }).fill(guest);
  await main.getByRole("button", { name: words.addMember }).click();
  await expect(theirs.getByRole("combobox")).toHaveValue("developer");
  await theirs.getByRole("combobox").selectOption("viewer");
  await theirs.getByRole("button", { name: words.changeRole }).click();
  await page.goto(`${shop.path}/settings`);
  await expect(theirs.getByRole("combobox"), "the role was stored").toHaveValue("viewer");
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await theirs.locator("summary").click();
  await theirs.getByRole("button", { name: words.removeNow }).click();
  await expect(theirs).toHaveCount(0);

  const own = rows.filter({ hasText: shop.owner.email });
  await own.locator("summary").click();
  await own.getByRole("button", { name: words.removeNow }).click();
  await expect(main.getByText(words.lastOwner)).toBeVisible();
  await expect(own, "a project is never without an owner").toHaveCount(1);
  const { renamed, added, changed, removed } = words.audited;
  expect(await audited(page, shop, words)).toEqual([removed, changed, added, renamed]);
});

/** Dead letters at an endpoint whose answer `now` says from then on. */
async function refused(shop, botix, count) {
  const says = { now: 401 };
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/many`, () => says.now), "payment.failed");
  for (let index = 0; index < count; index += 1) await published(shop, "payment.failed");
  return says;
}

async function retryAll(page, shop) {
  await page.goto(`${shop.path}/dead-letters/retry`);
  await page.locator('form[action$="/dead-letters/retry"]').getByRole("button").click();
  await expect(page).toHaveURL(/\/jobs\/job_/);
  return page.url().match(/job_\w+/)[0];
}

test("a bulk retry is called off: what was sent stays sent, the rest stays in the inbox", async ({ signedIn: page, shop, botix, words }) => {
  const says = await refused(shop, botix, 12);
  says.now = { status: 200, delay: 8_000 }; // the job waits for its first ten before it goes on
  const id = await retryAll(page, shop);
  await expect.poll(async () => (await shop.api.read(`/webhooks/retry-jobs/${id}`)).done).toBe(10);
  await page.getByRole("button", { name: words.cancelRest }).click();
  const panel = page.getByRole("main").getByRole("region").filter({ has: page.getByRole("progressbar") });
  await expect(panel.getByText(words.jobCancelled, { exact: true })).toBeVisible();
  await expect(panel.getByRole("progressbar")).toHaveAttribute("value", "10");
  await expect(page.getByRole("button", { name: words.cancelRest })).toHaveCount(0);
  const job = await shop.api.read(`/webhooks/retry-jobs/${id}`);
  expect([job.status, job.done]).toEqual(["cancelled", 10]);
  expect((await shop.api.read("/webhooks/dead-letters")).length).toBe(2);
  expect(await audited(page, shop, words)).toEqual([words.audited.cancelled, words.audited.bulk]);
});

test("a bulk retry stops by itself when the endpoint takes none of the first ten, and says so", async ({ signedIn: page, shop, botix, words, javaScriptEnabled }) => {
  await refused(shop, botix, 13);
  const id = await retryAll(page, shop);
  await expect.poll(async () => (await shop.api.read(`/webhooks/retry-jobs/${id}`)).status).toBe("stopped");
  if (javaScriptEnabled === false) await page.reload();
  await expect(page.getByRole("main").getByText(words.jobStopped, { exact: true })).toBeVisible();
  await expect(page.getByRole("progressbar"), "what was left behind is no progress").toHaveAttribute("value", "10");
  expect(botix.receiver.at(`/${shop.id}/many`).length, "three were never sent").toBe(13 + 10);
  if (javaScriptEnabled !== false) await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
