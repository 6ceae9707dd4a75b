// kill -9 at each named point of an attempt's life (store::fail_point), and in retention. Whatever the moment: every accepted
// event ends delivered, the attempt under way is in the log as interrupted, and nothing is sent twice but what was in flight.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { publishUntilAccepted } from "../harness/publisher.js";
import { Receiver } from "../harness/receiver.js";
import { balances, isWhole, reckon } from "../harness/reckoning.js";
import { eventually, inParallel, sleep } from "../harness/wait.js";

const EVENTS = 24;
// The lease is both time-outs and ten seconds: all points wait for theirs side by side.
const SHORT = { BOTIX_CONNECT_TIMEOUT: "300ms", BOTIX_READ_TIMEOUT: "2500ms", BOTIX_RETRY_SCHEDULE: "1s,1s,1s,1s", BOTIX_IDEMPOTENCY_LEASE: "3s" };
const HELD = /held at a fail point/;

const POINTS = [
  // What is checked the moment it has died: what had arrived, what had been acknowledged.
  { at: "after-claim", died: ({ arrived }) => assert.equal(arrived, 0, "nothing had been sent"), duplicates: 0 },
  { at: "after-claim:3", died: () => {} },
  { at: "after-connect", died: () => {} },
  { at: "before-record", died: ({ acknowledged }) => assert.ok(acknowledged > 0, "the 2xx was there"), duplicates: 1 },
  { at: "in-record", died: ({ acknowledged }) => assert.ok(acknowledged > 0, "the 2xx was there"), duplicates: 1 },
  { at: "in-record:3", died: ({ acknowledged }) => assert.ok(acknowledged > 0, "the 2xx was there"), duplicates: 1 },
  { at: "after-record", died: ({ acknowledged }) => assert.ok(acknowledged > 0, "the 2xx was there") },
];

async function world(work) {
  const receiver = await Receiver.start();
  const installation = await Installation.create({ env: SHORT });
  try {
    await work(installation, receiver);
  } finally {
    await installation.remove();
    await receiver.stop();
  }
}

/** Publishes, kills when `moment` has come, starts again without the point and reckons. */
async function killed({ env = {}, answer, moment }) {
  let outcome;
  await world(async (installation, receiver) => {
    const server = await installation.start(["serve"], env);
    const { api } = await installation.project(server);
    await api.endpoint(receiver.hook("/point", answer));
    const publishing = inParallel(Array.from({ length: EVENTS }), 4, (_, index) => publishUntilAccepted([api], "point.tick", { index }));
    await eventually("the moment has come", () => moment(server, receiver), { every: 5 });
    await sleep(200); // what else is under way goes on as far as it can
    await server.kill();
    const died = { arrived: receiver.ledger.length, acknowledged: receiver.acknowledged().size };
    api.server = await installation.start();
    const accepted = new Set(await publishing);
    outcome = { died, ...(await reckon({ installation, api, receiver, accepted, within: 45_000 })) };
    await api.server.stop();
    isWhole(installation.folder);
  });
  return outcome;
}

describe("kill -9", { concurrency: 3 }, () => {
  for (const { at, died, duplicates } of POINTS) {
    test(`${at}: nothing is lost, and the log shows it`, async () => {
      const outcome = await killed({ env: { BOTIX_FAIL_POINT: at }, answer: { status: 200, delay: 5 }, moment: (server) => HELD.test(server.output) });
      died(outcome.died);
      if (!at.startsWith("after-record")) assert.ok(outcome.interrupted > 0, "the attempt under way is shown as interrupted");
      // An answer that came after its time-out, on a machine that is busy, is no fault of the kill.
      if (duplicates === 0) assert.ok(outcome.duplicates <= outcome.late, `${outcome.duplicates} duplicates, ${outcome.late} late answers`);
      if (duplicates > 0) assert.ok(outcome.duplicates >= duplicates, "what was answered and not recorded is sent again");
    });
  }

  test("after the request: a receiver that has read it and not answered yet gets it again", async () => {
    let slow = true;
    const answer = () => ({ status: 200, delay: slow ? 2_000 : 0 });
    const moment = (_, receiver) => receiver.ledger.length >= 4 && !(slow = false);
    const outcome = await killed({ answer, moment });
    assert.ok(outcome.died.arrived > 0);
    assert.ok(outcome.interrupted > 0);
  });

  test("in-retention: the broom that died is taken up again, and what still waits is sent", async () => {
    await world(async (installation, receiver) => {
      const first = await installation.start();
      const { api } = await installation.project(first);
      await api.endpoint(receiver.hook("/kept", 200), "kept.tick");
      await api.endpoint(receiver.hook("/waits", { status: 429, headers: { "retry-after": "15" } }, 200), "waits.tick");
      for (let index = 0; index < EVENTS; index += 1) await api.event("kept.tick", { index });
      const waiting = await api.event("waits.tick");
      await eventually("all were attempted", async () => (await api.walk("/webhooks/attempts")).length === EVENTS + 1);
      await first.stop();

      const brief = { BOTIX_ATTEMPT_RETENTION: "1s" };
      const second = await installation.start(["serve"], { ...brief, BOTIX_FAIL_POINT: "in-retention" });
      await eventually("it is swept", () => HELD.test(second.output), { within: 20_000 });
      await second.kill();
      api.server = await installation.start(["serve"], brief);
      await eventually("the rest is swept", async () => (await api.walk("/webhooks/attempts?event_type=kept.tick")).length === 0, { within: 30_000 });
      await eventually("what waited is sent", () => receiver.acknowledged().has(waiting.id), { within: 30_000 });
      await eventually("and has ended", async () => (await api.read("/webhooks/deliveries?status=pending,retrying")).length === 0);
      const deliveries = await api.walk("/webhooks/deliveries");
      assert.deepEqual(deliveries.map((each) => each.status), Array(EVENTS + 1).fill("delivered"), "deliveries outlive their log");
      assert.equal(receiver.at("/kept").length, EVENTS, "nothing was sent again");
      installation.env = { ...installation.env, ...brief };
      await balances(installation);
      await api.server.stop();
      isWhole(installation.folder);
    });
  });
});
