// Publishes events as a careful client does: each with one key until it is accepted, whatever dies in between.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import { sleep } from "./wait.js";

/** One event, sent through `apis` in turn until one of them accepts it; returns its id. `unless()` gives up. */
export async function publishUntilAccepted(apis, type, data, { unless = () => false } = {}) {
  const idempotencyKey = randomUUID();
  for (let tries = 0; !unless(); tries += 1) {
    const answer = await apis[tries % apis.length].post("/events", { type, data }, { idempotencyKey }).catch(() => null);
    if (answer?.status === 201) return answer.json.data.id;
    assert.ok(answer === null || [409, 503].includes(answer.status), `${answer?.status} ${answer?.bytes}`);
    await sleep(50);
  }
  return null;
}
