// Contract section 8: the request on the wire, verified as a receiver would verify it, without any code of ours.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";

import { suite } from "../harness/suite.js";
import { eventually } from "../harness/wait.js";

const botix = suite();

async function received(path, publish) {
  const { api, id } = await botix.project();
  const endpoint = await api.endpoint(botix.receiver.hook(path));
  const event = await publish(api);
  const [request] = await eventually("the webhook arrives", () => botix.receiver.at(path).length > 0 && botix.receiver.at(path));
  return { api, projectId: id, endpoint, event, request };
}

test("the body and the headers are those of the contract", async () => {
  const { event, request, projectId } = await received("/wire", (api) => api.event("payment.succeeded", { amount: 1, note: "ёж" }));
  assert.equal(request.method, "POST");
  assert.deepEqual(Object.keys(request.json), ["id", "type", "timestamp", "project_id", "data"]);
  assert.equal(request.json.id, event.id);
  assert.equal(request.json.type, "payment.succeeded");
  assert.equal(request.json.project_id, projectId);
  assert.deepEqual(request.json.data, { amount: 1, note: "ёж" });
  assert.match(request.json.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(request.headers["content-type"], "application/json");
  assert.equal(request.headers["user-agent"], "BOTIX-Webhooks/1.1");
  assert.equal(request.headers["content-length"], String(request.body.length));
  assert.equal(request.headers["transfer-encoding"], undefined);
  assert.equal(request.headers["accept-encoding"], undefined);
  assert.equal(request.headers["x-botix-event"], "payment.succeeded");
  assert.match(request.headers["x-botix-request-id"], /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(request.headers["x-delivery-attempt"], "1");
});

test("X-Botix-Signature is what openssl makes of the secret as shown", async () => {
  const { endpoint, request } = await received("/hex", (api) => api.event("payment.succeeded", { amount: 2 }));
  assert.match(endpoint.secret, /^whsec_/);
  assert.equal(request.headers["x-botix-signature"], createHmac("sha256", endpoint.secret).update(request.body).digest("hex"));
});

test("the Standard Webhooks headers verify with the decoded secret", async () => {
  const { endpoint, event, request } = await received("/standard", (api) => api.event("payment.succeeded", { amount: 3 }));
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = request.headers;
  assert.equal(id, event.id);
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60);
  const key = Buffer.from(endpoint.secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(request.body).digest("base64");
  assert.ok(signature.split(" ").includes(`v1,${expected}`), signature);
});

test("a body over 64 KB goes out thin, and the whole event can be fetched", async () => {
  const data = { id: "order-17", text: "x".repeat(70_000) };
  const { api, event, request } = await received("/thin", (api) => api.event("order.created", data));
  assert.ok(request.body.length < 65_536);
  assert.deepEqual(request.json.data, { id: "order-17" });
  assert.equal(request.json.truncated, true);
  assert.deepEqual((await api.read(`/events/${event.id}`)).data, data);
});

test("creating a contact emits contact.created to those who subscribed to it, and to nobody else", async () => {
  const { api } = await botix.project();
  await api.endpoint(botix.receiver.hook("/contacts-only"), "contact.*");
  await api.endpoint(botix.receiver.hook("/payments-only"), "payment.succeeded");
  const contact = await api.create("/contacts", { phone: "+79991234567", name: "Анна" });
  const [request] = await eventually("contact.created arrives", () => botix.receiver.at("/contacts-only").length > 0 && botix.receiver.at("/contacts-only"));
  assert.equal(request.json.type, "contact.created");
  assert.equal(request.json.data.id, contact.id);
  assert.equal(botix.receiver.at("/payments-only").length, 0);
});
