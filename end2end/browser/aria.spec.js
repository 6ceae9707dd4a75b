// What a screen reader is told of the main pages: names, roles, order. Values that differ from run to run are patterns.
import { expect, hydrated, published, test } from "./fixtures.js";
import { eventually } from "../harness/wait.js";

test.beforeEach(async ({ signedIn, shop, botix }) => {
  await shop.api.endpoint(botix.receiver.hook(`/${shop.id}/refuses`, 401), "order.failed");
  shop.event = await published(shop, "order.failed");
  await eventually("the dead letter", async () => (await shop.api.read("/webhooks/dead-letters")).length > 0);
  void signedIn;
});

const open = async (page, path) => {
  await page.goto(path);
  await hydrated(page);
};

test("every page begins with a way past its head, and says where it is", async ({ page, shop }) => {
  await open(page, `${shop.path}/webhooks`);
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - link "Skip to content"
    - banner:
      - link "BOTIX Developers"
      - search:
        - searchbox "Find by id"
      - button "Keys"
      - form "Language":
        - button "ru"
        - button "en" [pressed]
      - form "Theme":
        - button "Light"
        - button "As the system" [pressed]
        - button "Dark"
      - navigation "Sections":
        - list:
          - listitem:
            - link "Webhook Delivery"
          - listitem:
            - link "Dead letters 1"
          - listitem:
            - link "Events"
          - listitem:
            - link "Endpoints"
          - listitem:
            - link "Idempotency"
          - listitem:
            - link "Requests"
          - listitem:
            - link "Inspector"
          - listitem:
            - link "API keys"
          - listitem:
            - link "Settings"
    - main
  `);
  await expect(page.getByRole("link", { name: "Webhook Delivery" })).toHaveAttribute("aria-current", "page");
});

test("Webhook Delivery: the chart, the filters and the table are told apart", async ({ page, shop }) => {
  await open(page, `${shop.path}/webhooks`);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Webhook Delivery" [level=1]
      - figure:
        - strong: 1 attempt
        - list:
          - listitem:
            - link "Dead-lettered 1"
        - navigation "Period":
          - link "24 h"
          - link "7 d"
          - link "14 d"
        - list "Attempts per day":
          - listitem:
            - link /^\\d+ \\w+ UTC. no attempts$/
      - navigation "Status":
        - link "All"
        - link "Delivered"
        - link "Retrying"
        - link "Dead-lettered"
        - link "Interrupted"
      - combobox "Endpoint"
      - combobox "Event"
      - combobox "HTTP"
      - combobox "What the delivery is now"
      - status: Live
      - table "Webhook delivery attempts, newest first":
        - rowgroup:
          - row "Status HTTP Event Endpoint Attempt Took When"
        - rowgroup:
          - row /^Dead-lettered 401 order\\.failed .+ 1 \\d+ ms/:
            - cell "Dead-lettered"
            - cell "401"
            - rowheader "order.failed":
              - link "order.failed"
      - paragraph:
        - link "CSV"
        - link "NDJSON"
  `);
  await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "24 h" }).click();
  await expect(page.getByRole("list", { name: "Attempts per hour" })).toBeVisible();
});

test("an attempt: what happened comes first, then what comes next, then the bytes", async ({ page, shop }) => {
  const [attempt] = await shop.api.read(`/webhooks/attempts?event_id=${shop.event.id}`);
  await open(page, `${shop.path}/webhooks/${attempt.id}`);
  await expect(page.getByRole("region", { name: "Details" })).toMatchAriaSnapshot(`
    - region "Details":
      - heading "Dead-lettered attempt 1 of 5" [level=2]
      - link "Close"
      - paragraph: /Answered 401 in \\d+ ms from 127\\.0\\.0\\.1/
      - paragraph: /The receiver refused the request/
      - heading "What happens next" [level=3]
      - paragraph:
        - link "Open"
      - button "Retry"
      - button "Redirect to webhook.botix.pro"
      - heading "All attempts of this delivery" [level=3]
      - table "All attempts of this delivery"
      - heading "Response" [level=3]
      - heading "Request" [level=3]
      - group: /Request body/
      - group: Raw
      - group: /Request headers/
      - group: Signature
      - group: As curl
      - heading "Facts" [level=3]
  `);
});

test("Dead letters: the causes come before the letters, and each button says what it is for", async ({ page, shop }) => {
  await open(page, `${shop.path}/dead-letters`);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Dead letters" [level=1]
      - heading "By cause" [level=2]
      - list:
        - listitem:
          - paragraph:
            - link /Rejected by the receiver · 401/
          - link "Retry 1"
      - navigation "Status":
        - link "Waiting"
        - link "Resolved"
      - combobox "Endpoint"
      - button "Retry selected"
      - button "Dismiss selected"
      - link /Retry all that match. 1/
      - table "Dead letters, newest first":
        - rowgroup:
          - row "Select Reason HTTP Event Endpoint When Action"
        - rowgroup:
          - row /order\\.failed/:
            - cell "Select order.failed":
              - checkbox "Select order.failed"
            - cell "Rejected by the receiver"
            - cell "Retry":
              - button "Retry"
  `);
});

test("a trace: one list, in the order in which it happened", async ({ page, shop }) => {
  await open(page, `${shop.path}/requests/${shop.event.request_id}`);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - paragraph:
        - link "Requests"
      - heading /^req_/ [level=1]
      - heading "What happened" [level=2]
      - list:
        - listitem:
          - time
          - code: /public/v1/events
          - code: "201"
        - listitem:
          - text: Idempotency key
        - listitem:
          - text: Event
          - code: order.failed
        - listitem:
          - text: /Delivery/
        - listitem:
          - text: /#1/
          - code: "401"
  `);
});
