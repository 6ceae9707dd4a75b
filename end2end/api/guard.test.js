// Contract section 8, "never sent to": literal addresses are refused when an endpoint is created, in every spelling; names are
// judged by the very address that is connected to. Here nothing private is allowed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { DnsServer } from "../faults/dns.js";
import { FaultServer, answer } from "../faults/server.js";
import { Api } from "../harness/api.js";
import { Installation } from "../harness/botix.js";
import { eventually } from "../harness/wait.js";

let installation, dns, server, api, key;
const loopback = { BOTIX_ALLOWED_PRIVATE_NETWORKS: "127.0.0.0/8,::1/128", BOTIX_ROLES: "web" };

before(async () => {
  dns = await DnsServer.start();
  installation = await Installation.create({ env: { BOTIX_ALLOWED_PRIVATE_NETWORKS: "", BOTIX_RETRY_SCHEDULE: "1s,1s", BOTIX_CONNECT_TIMEOUT: "2s", BOTIX_READ_TIMEOUT: "2s" } });
  server = await installation.start(["serve"], {}, dns?.runner);
  ({ api, key } = await installation.project(server));
});
after(async () => {
  await installation?.remove();
  await dns?.stop();
});

const SPELLINGS = {
  loopback: [
    "127.0.0.1", "127.255.255.254", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "0X7F.0.0.1", "0177.0.0.1", "017700000001", "2130706433", "127.0.0.1.",
    "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "[::1]", "[0:0:0:0:0:0:0:1]",
  ],
  "IPv4 in IPv6": ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:a9fe:a9fe]"],
  "NAT64, 6to4, Teredo": ["[64:ff9b::127.0.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]"],
  "link-local and metadata": ["169.254.0.1", "169.254.169.254", "0xa9fea9fe", "2852039166", "100.100.100.200", "192.0.0.192", "168.63.129.16", "[fe80::1]", "[fd00:ec2::254]"],
  "unspecified, shared, reserved": [
    "0.0.0.0", "0", "0.1.2.3", "100.64.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "4294967295",
    "[::]", "[2001:db8::1]", "[2001:2::1]", "[3fff::1]", "[ff02::1]", "[100::1]",
  ],
};

for (const [kind, hosts] of Object.entries(SPELLINGS)) {
  test(`${kind}: a literal address is refused in every spelling, when an endpoint is created and when it is changed`, async () => {
    const endpoint = await api.endpoint("https://example.com/hook", "guard.never");
    for (const host of hosts) {
      const url = `http://${host}:8080/hook`;
      const created = await api.post("/webhooks/endpoints", { url, event_types: ["*"] });
      assert.deepEqual([created.status, created.json.code], [422, "VALIDATION_ERROR"], url);
      assert.match(created.json.details.fields.url, /private, local or reserved/, url);
      const changed = await api.request("PATCH", `/webhooks/endpoints/${endpoint.id}`, { body: { url } });
      assert.equal(changed.status, 422, url);
    }
    assert.equal((await api.read(`/webhooks/endpoints/${endpoint.id}`)).url, "https://example.com/hook");
  });
}

test("public addresses are accepted, also inside NAT64 and 6to4", async () => {
  for (const host of ["8.8.8.8", "[2606:4700::1111]", "[64:ff9b::808:808]", "[2002:808:808::1]", "пример.рф"]) {
    assert.equal((await api.post("/webhooks/endpoints", { url: `https://${host}/`, event_types: ["guard.never"] })).status, 201, host);
  }
});

/** Waits until these endpoints' deliveries are blocked, each recorded as one attempt and one dead letter. */
async function areBlocked(api, eventType, count) {
  const attempts = await eventually("every delivery has ended", async () => {
    const found = await api.walk(`/webhooks/attempts?event_type=${eventType}`);
    assert.equal(found.length, count);
    return found;
  });
  for (const each of attempts) {
    assert.deepEqual([each.status, each.error_code, each.response_status_code, each.attempt_number], ["dead_lettered", "blocked_address", null, 1], each.url);
  }
  const letters = (await api.walk("/webhooks/dead-letters")).filter((each) => each.event_type === eventType);
  assert.deepEqual(letters.map((each) => [each.reason, each.last_error_code]), Array(count).fill(["blocked_address", "blocked_address"]));
}

test("literal-ip-bypasses-resolver: an address that was allowed once is judged again when something is sent, a test or a retry too", async () => {
  const receiver = await FaultServer.start({ play: (socket) => socket.end(answer(200)) });
  const open = await installation.start(["serve"], loopback);
  const lenient = new Api(open, key);
  const endpoints = [];
  for (const host of ["127.0.0.1", "127.1", "[::ffff:127.0.0.1]", "localhost"]) endpoints.push(await lenient.endpoint(`http://${host}:${receiver.port}/`, "guard.literal"));
  await open.stop();
  await api.event("guard.literal");
  await areBlocked(api, "guard.literal", endpoints.length);
  await api.create(`/webhooks/endpoints/${endpoints[0].id}/test`, {});
  await areBlocked(api, "webhook.test", 1);
  const [letter] = (await api.walk("/webhooks/dead-letters")).filter((each) => each.event_type === "guard.literal");
  const again = await api.create(`/webhooks/dead-letters/${letter.id}/retry`, {});
  await eventually("the retry is blocked, too", async () => (await api.read(`/webhooks/deliveries/${again.id}`)).status === "dead_lettered");
  assert.deepEqual(receiver.requests, [], "nothing was sent");
  await receiver.stop();
});

const ADDRESSES = [
  "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.0.0.192", "192.168.0.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "255.255.255.255",
  "::", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "2001:0:4136:e378:8000:63bf:80ff:fffe", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
];
const noResolver = () => !dns && "needs a mount namespace and port 53";

test("a name is accepted, and blocked when it leads to any of those addresses, or to several", async (t) => {
  if (noResolver()) return t.skip(noResolver());
  const names = [...ADDRESSES.map((each) => [each]), ["10.0.0.1", "10.0.0.2"], ["192.168.0.1", "::1"]];
  for (const [index, addresses] of names.entries()) await api.endpoint(`http://${dns.set(`n${index}.example.com`, addresses)}:8080/`, "guard.name");
  await api.event("guard.name");
  await areBlocked(api, "guard.name", names.length);
});

test("a name is asked for once an attempt: what it changes to between check and connect is never connected to", async (t) => {
  if (noResolver()) return t.skip(noResolver());
  const allowed = await FaultServer.start({ play: (socket) => socket.end(answer(503)) });
  const trap = await FaultServer.start({ address: "127.0.0.2", port: allowed.port, play: (socket) => socket.end(answer(200)) });
  const own = await Installation.create({ env: { BOTIX_ALLOWED_PRIVATE_NETWORKS: "127.0.0.1/32", BOTIX_RETRY_SCHEDULE: "1s,1s" } });
  try {
    const { api } = await own.project(await own.start(["serve"], {}, dns.runner));
    const name = dns.set("changes.example.com", (asked) => (asked === 0 ? ["127.0.0.1"] : ["127.0.0.2"]));
    await api.endpoint(`http://${name}:${allowed.port}/`);
    await api.event("guard.changes");
    const attempts = await eventually("it has ended", async () => (await api.read("/webhooks/dead-letters")).length === 1 && (await api.walk("/webhooks/attempts")).reverse());
    assert.deepEqual(attempts.map((each) => [each.response_status_code, each.error_code, each.remote_ip]), [[503, null, "127.0.0.1"], [null, "blocked_address", null]]);
    assert.equal(dns.asked(name), 2);
    assert.equal(allowed.requests.length, 1);
    assert.deepEqual(trap.requests, [], "nothing was sent where the name led later");
  } finally {
    await own.remove();
    await Promise.all([allowed.stop(), trap.stop()]);
  }
});
