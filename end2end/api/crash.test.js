// kill -9 in the middle of a thousand deliveries: whatever was accepted arrives, and the log has no gap.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { after, before, test } from "node:test";

import { Installation } from "../harness/botix.js";
import { databaseKind } from "../harness/database.js";
import { publishUntilAccepted } from "../harness/publisher.js";
import { Receiver } from "../harness/receiver.js";
import { isWhole, reckon } from "../harness/reckoning.js";
import { eventually, inParallel, sleep } from "../harness/wait.js";

const EVENTS = 1_000;
let installation;
let receiver;

before(async () => {
  receiver = await Receiver.start();
  // The lease is both time-outs and ten seconds: short ones, so that the lost attempts are found while we wait.
  installation = await Installation.create({ env: { BOTIX_CONNECT_TIMEOUT: "500ms", BOTIX_READ_TIMEOUT: "1500ms", BOTIX_RETRY_SCHEDULE: "1s,1s,1s,1s" } });
});
after(async () => {
  await installation?.remove();
  await receiver?.stop();
});

test("every accepted event is delivered at least once, and attempt numbers are gapless", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  // Slow enough that some are always in flight; every tenth fails once.
  let count = 0;
  await api.endpoint(receiver.hook("/ledger", () => ({ status: ++count % 10 === 0 ? 503 : 200, delay: 20 })));

  const accepted = new Set();
  const publishing = inParallel(Array.from({ length: EVENTS }), 16, async (_, index) => accepted.add(await publishUntilAccepted([api], "load.tick", { index })));
  await eventually("a good part has arrived", () => receiver.ledger.length > EVENTS / 4, { within: 60_000, every: 5 });
  await server.kill();
  assert.ok(accepted.size < EVENTS, "the kill came after the last event; nothing was tested");

  // A key whose capture died with the process is in progress until its lease has run out.
  const restarted = await installation.start();
  api.server = restarted;
  await publishing;
  assert.equal(accepted.size, EVENTS);
  assert.equal((await api.walk("/events")).length, EVENTS, "an event was lost or made twice");
  const { interrupted } = await reckon({ installation, api, receiver, accepted });
  assert.ok(interrupted > 0, "the kill interrupted nothing that was in flight");
  await restarted.stop();
  isWhole(installation.folder);
});

test("SIGTERM lets what is in flight finish, and ends", async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  await api.endpoint(receiver.hook("/in-flight", { status: 200, delay: 700 }));
  const event = await api.event("load.last");
  await eventually("the request is in flight", () => receiver.at("/in-flight").length === 1, { every: 5 });
  const { code, signal } = await server.stop();
  assert.deepEqual([code, signal], [0, null], server.output);
  await sleep(50);
  api.server = await installation.start();
  const attempts = await api.read(`/webhooks/attempts?event_id=${event.id}`);
  assert.deepEqual(attempts.map((each) => each.status), ["delivered"]);
});

const noFile = databaseKind === "sqlite" ? false : "PostgreSQL's file is not ours";
test("file-handle-over-fork: the database's file is inherited by nobody", { skip: noFile }, async () => {
  const server = await installation.start();
  const { api } = await installation.project(server);
  await api.event("fork.tick");
  const proc = `/proc/${server.process.pid}`;
  const leadsTo = (fd) => {
    try {
      return readlinkSync(`${proc}/fd/${fd}`);
    } catch {
      return ""; // closed meanwhile
    }
  };
  const handles = readdirSync(`${proc}/fd`).filter((fd) => leadsTo(fd).startsWith(`${installation.folder}/`));
  assert.ok(handles.length > 0, "nothing of the data folder is open");
  const CLOSE_ON_EXEC = 0o2000000;
  for (const fd of handles) {
    const [, flags] = /^flags:\s+(\d+)$/m.exec(readFileSync(`${proc}/fdinfo/${fd}`, "utf8"));
    assert.ok(parseInt(flags, 8) & CLOSE_ON_EXEC, `${leadsTo(fd)} would be open in a child`);
  }
  const children = readdirSync(`${proc}/task`).map((thread) => readFileSync(`${proc}/task/${thread}/children`, "utf8"));
  assert.equal(children.join(""), "", "and there is no child");
  await server.stop();
  isWhole(installation.folder);
});
