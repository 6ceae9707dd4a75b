// The public libraries `standardwebhooks` and `svix`, for Node and for Python, take every delivery as it came, also while a
// secret is being rotated, and refuse what was tampered with. X-Botix-Signature is what openssl says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { suite } from "../harness/suite.js";
import { ACCEPTED, REJECTED, verdicts, withoutPython } from "../harness/verifiers.js";
import { eventually } from "../harness/wait.js";

const OVERLAP = 8_000;
const botix = suite({ env: { BOTIX_RETRY_SCHEDULE: "500ms,500ms,500ms,500ms", BOTIX_SECRET_OVERLAP: `${OVERLAP}ms` } });
const skip = withoutPython;

/** An endpoint of a fresh project, and what arrives there. */
async function endpoint(path, ...answers) {
  const { api } = await botix.project();
  const created = await api.endpoint(botix.receiver.hook(path, ...answers));
  const arrived = (count) => eventually(`${count} arrive`, () => botix.receiver.at(path).length >= count && botix.receiver.at(path));
  return { api, created, secret: created.secret, arrived };
}

const openssl = (secret, body) => execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], { input: body, encoding: "utf8" }).trim().split("= ")[1];

test("every delivery is accepted unchanged: plain, thin, odd text, a test, a second attempt, a manual retry", { skip }, async () => {
  const { api, created, secret, arrived } = await endpoint("/verified", 503, 200);
  const event = await api.event("payment.succeeded", { amount: 1.1, note: "ёж 🦔 \u2028 </script>" });
  await arrived(2);
  await api.event("payment.succeeded", { id: "order-1", text: "x".repeat(70_000) });
  await api.create("/contacts", { phone: "+79991230001", name: "Анна" });
  await api.create(`/webhooks/endpoints/${created.id}/test`, {});
  await arrived(5);
  const [delivery] = await api.read(`/webhooks/deliveries?event_id=${event.id}`);
  await api.create(`/webhooks/deliveries/${delivery.id}/retry`, {});
  const requests = await arrived(6);
  assert.deepEqual(new Set(requests.map((each) => each.headers["x-delivery-attempt"])), new Set(["1", "2"]));
  for (const [index, said] of verdicts(requests.map((each) => ({ ...each, secret }))).entries()) assert.deepEqual(said, ACCEPTED, requests[index].json.type);
  for (const each of requests) assert.equal(each.headers["x-botix-signature"], openssl(secret, each.body), "openssl dgst -sha256 -hmac");
});

test("a changed body, id or timestamp, an old or a missing one, and another's secret are rejected", { skip }, async () => {
  const [mine, other] = [await endpoint("/tampered"), await endpoint("/tampered-other")];
  await mine.api.event("payment.succeeded", { amount: 100 });
  const [{ headers, body }] = await mine.arrived(1);
  const { secret } = mine;
  const seconds = Number(headers["webhook-timestamp"]);
  const bent = (changed) => ({ secret, body, headers: { ...headers, ...changed } });
  const tampered = {
    "the body": { secret, headers, body: Buffer.from(body.toString("utf8").replace("100", "900")) },
    "a space at the end": { secret, headers, body: Buffer.concat([body, Buffer.from(" ")]) },
    "the id": bent({ "webhook-id": headers["webhook-id"].replace(/.$/, (last) => (last === "0" ? "1" : "0")) }),
    "the timestamp by a second": bent({ "webhook-timestamp": String(seconds + 1) }),
    "an old timestamp": bent({ "webhook-timestamp": String(seconds - 3_600) }),
    "a timestamp ahead": bent({ "webhook-timestamp": String(seconds + 3_600) }),
    "a bit of the signature": bent({ "webhook-signature": headers["webhook-signature"].replace(/^v1,./, (start) => (start.endsWith("A") ? "v1,B" : "v1,A")) }),
    "another version of the signature": bent({ "webhook-signature": headers["webhook-signature"].replace(/^v1/, "v2") }),
    "no signature": bent({ "webhook-signature": "" }),
    "another endpoint's secret": { secret: other.secret, headers, body },
  };
  const said = verdicts(Object.values(tampered));
  Object.keys(tampered).forEach((what, index) => assert.deepEqual(said[index], REJECTED, what));
  assert.deepEqual(verdicts([{ secret, headers, body }]), [ACCEPTED], "and the original is accepted");
  assert.notEqual(headers["x-botix-signature"], openssl(other.secret, body));
});

test("during a rotation the old secret and the new one verify, and after it the new one alone", { skip }, async () => {
  const { api, created, secret: old, arrived } = await endpoint("/rotated");
  await api.event("secret.before");
  await arrived(1);
  const rotated = await api.create(`/webhooks/endpoints/${created.id}/rotate-secret`, {});
  const ends = new Date(rotated.previous_secret_expires_at);
  assert.ok(ends - new Date(rotated.secret_rotated_at) === OVERLAP);
  await api.event("secret.during");
  const [before, during] = await arrived(2);
  assert.ok(Number(during.headers["webhook-timestamp"]) * 1_000 < ends, "this machine was too slow to send during the overlap");
  await eventually("the overlap has ended", () => Date.now() > ends.getTime());
  await api.event("secret.after");
  const [, , after] = await arrived(3);

  const by = (secret, request) => ({ ...request, secret });
  const said = verdicts([by(old, before), by(rotated.secret, before), by(old, during), by(rotated.secret, during), by(old, after), by(rotated.secret, after)]);
  assert.deepEqual(said, [ACCEPTED, REJECTED, ACCEPTED, ACCEPTED, REJECTED, ACCEPTED]);

  assert.equal(during.headers["x-botix-signature"], openssl(rotated.secret, during.body));
  assert.equal(during.headers["x-botix-signature-previous"], openssl(old, during.body));
  for (const each of [before, after]) assert.equal(each.headers["x-botix-signature-previous"], undefined);
  assert.equal(after.headers["x-botix-signature"], openssl(rotated.secret, after.body));
});
