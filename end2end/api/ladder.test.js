// Contract section 8: what each kind of answer leads to, with the ladder shortened to seconds.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { freePort } from "../harness/ports.js";
import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const botix = suite({ env: { BOTIX_RETRY_SCHEDULE: "1s,2s,3s,4s" } });

/** Publishes one event to one endpoint of a fresh project; returns how to look at what became of it. */
async function deliver(path, ...answers) {
  const { api } = await botix.project();
  const endpoint = await api.endpoint(botix.receiver.hook(path, ...answers));
  const event = await api.event("payment.succeeded", { amount: 4200 });
  return {
    api,
    endpoint,
    event,
    received: () => botix.receiver.at(path),
    attempts: async () => (await api.read(`/webhooks/attempts?event_id=${event.id}`)).reverse(),
    delivery: async () => (await api.read(`/webhooks/deliveries?event_id=${event.id}`))[0],
    deadLetters: () => api.read("/webhooks/dead-letters"),
    settled: (status, within = 20_000) =>
      eventually(`the delivery is ${status}`, async () => {
        const [delivery] = await api.read(`/webhooks/deliveries?event_id=${event.id}`);
        assert.equal(delivery.status, status);
        return delivery;
      }, { within }),
  };
}

// Mostly waiting: side by side, each in a project of its own.
describe("the ladder", { concurrency: true }, () => {
  test("a receiver that always answers 500 gets five attempts on the ladder, then one dead letter", async () => {
    const run = await deliver("/always-500", 500);
    const delivery = await run.settled("dead_lettered");
    const attempts = await run.attempts();
    assert.deepEqual(attempts.map((each) => each.attempt_number), [1, 2, 3, 4, 5]);
    assert.deepEqual(attempts.map((each) => each.status), ["retrying", "retrying", "retrying", "retrying", "dead_lettered"]);
    assert.deepEqual(attempts.map((each) => each.trigger), ["initial", "automatic", "automatic", "automatic", "automatic"]);
    assert.ok(attempts.every((each) => each.response_status_code === 500 && each.error_code === null));
    assert.equal(delivery.attempts_count, 5);

    const received = run.received();
    assert.equal(received.length, 5);
    const gaps = received.slice(1).map((each, index) => (each.at - received[index].at) / 1000);
    for (const [index, gap] of gaps.entries()) {
      assert.ok(gap >= index + 1 - 0.05 && gap < index + 2, `gap ${index + 1} of the ladder is ${gap} s`);
    }

    const letters = await run.deadLetters();
    assert.equal(letters.length, 1);
    assert.equal(letters[0].reason, "attempts_exhausted");
    assert.equal(letters[0].last_response_status_code, 500);
    assert.equal(letters[0].delivery_id, delivery.id);
  });

  test("503, 503, 200 makes three attempts and is delivered", async () => {
    const run = await deliver("/third-time", 503, 503, 200);
    const delivery = await run.settled("delivered");
    assert.deepEqual((await run.attempts()).map((each) => [each.attempt_number, each.status, each.response_status_code]), [
      [1, "retrying", 503],
      [2, "retrying", 503],
      [3, "delivered", 200],
    ]);
    assert.equal(delivery.next_attempt_at, null);
    assert.deepEqual(await run.deadLetters(), []);
  });

  test("each attempt carries the same bytes and request id, and its own number", async () => {
    const run = await deliver("/same-bytes", 503, 503, 200);
    const delivery = await run.settled("delivered");
    const received = run.received();
    assert.deepEqual(received.map((each) => each.headers["x-delivery-attempt"]), ["1", "2", "3"]);
    for (const each of received) {
      assert.deepEqual(each.body, received[0].body);
      assert.equal(each.headers["x-botix-request-id"], delivery.request_id);
      assert.equal(each.headers["webhook-id"], run.event.id);
    }
  });

  test("401 is one attempt and a dead letter at once", async () => {
    const run = await deliver("/rejects", { status: 401, body: "who are you?" });
    await run.settled("dead_lettered", 5_000);
    assert.equal((await run.attempts()).length, 1);
    const letters = await run.deadLetters();
    assert.equal(letters.length, 1);
    assert.equal(letters[0].reason, "rejected");
    assert.equal(letters[0].last_response_status_code, 401);
  });

  test("429 with Retry-After: 2 is tried again at 2 s, not at the table's 1 s", async () => {
    const run = await deliver("/slow-down", { status: 429, headers: { "retry-after": "2" } }, 200);
    await run.settled("delivered");
    const [first, second] = run.received();
    const gap = (second.at - first.at) / 1000;
    assert.ok(gap >= 1.95 && gap < 3, `the second attempt came after ${gap} s`);
  });

  test("429 with a Retry-After that is no time follows the table", async () => {
    const run = await deliver("/nonsense", { status: 429, headers: { "retry-after": "soon" } }, 200);
    await run.settled("delivered");
    const [first, second] = run.received();
    const gap = (second.at - first.at) / 1000;
    assert.ok(gap >= 0.95 && gap < 1.9, `the second attempt came after ${gap} s`);
  });

  test("a redirect is not followed but retried", async () => {
    const target = botix.receiver.hook("/redirect-target", 200);
    const run = await deliver("/redirects", { status: 302, headers: { location: target } }, 200);
    await run.settled("delivered");
    assert.equal(botix.receiver.at("/redirect-target").length, 0);
    assert.deepEqual((await run.attempts()).map((each) => each.response_status_code), [302, 200]);
  });

  test("410 goes to the inbox and disables the endpoint, visibly", async () => {
    const run = await deliver("/gone", 410);
    await run.settled("dead_lettered", 5_000);
    assert.equal((await run.api.read(`/webhooks/endpoints/${run.endpoint.id}`)).enabled, false);
  });

  test("a refused connection is retried under its own name", async () => {
    const { api } = await botix.project();
    await api.endpoint(`http://127.0.0.1:${await freePort()}/nobody`);
    const event = await api.event("payment.failed");
    await eventually("the attempt is logged as refused", async () => {
      const attempts = await api.read(`/webhooks/attempts?event_id=${event.id}&error_code=connection_refused`);
      return attempts.length > 0 && attempts.every((each) => each.response_status_code === null);
    });
  });

  test("the attempt's log keeps request, answer and timing", async () => {
    const run = await deliver("/logged", { status: 200, headers: { "x-receiver": "yes" }, body: "thanks ".repeat(1000) });
    await run.settled("delivered");
    const [{ id }] = await run.attempts();
    const attempt = await run.api.read(`/webhooks/attempts/${id}?include=payload`);
    const [received] = run.received();
    assert.equal(attempt.request_body, received.body.toString("utf8"));
    assert.equal(attempt.response_body.length, 4096);
    assert.equal(attempt.response_body_truncated, true);
    const headers = JSON.stringify(attempt.response_headers).toLowerCase();
    assert.ok(headers.includes("x-receiver"), headers);
    assert.equal(attempt.remote_ip, "127.0.0.1");
    assert.ok(attempt.duration_ms >= 0);
  });
});
