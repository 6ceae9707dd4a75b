// Whatever is sent to the dashboard's forms by hand (nothing, half of it, the wrong type, noise) is its sender's
// mistake or is sent back to a page; it is never a fault of ours.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { BINARY } from "../harness/botix.js";
import { suite } from "../harness/suite.js";

let cookie, project, endpoint;
const botix = suite({
  prepare: async ({ installation, server, project: fresh, receiver }) => {
    project = await fresh();
    endpoint = await project.api.endpoint(receiver.hook("/half"));
    const login = { email: "owner@example.com", password: "correct horse battery staple" };
    execFileSync(BINARY, ["user", "create", "--email", login.email, "--project", project.id, "--role", "owner"], { env: installation.env, input: `${login.password}\n` });
    const answer = await send(server, "/developers/sign-in", "application/x-www-form-urlencoded", String(new URLSearchParams(login)));
    assert.equal(answer.status, 303, await answer.text());
    cookie = answer.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
    assert.ok(cookie);
  },
});

const send = (server, path, type, body, method = "POST") =>
  fetch(server.url + path, {
    method,
    redirect: "manual",
    body: method === "GET" ? undefined : body,
    headers: { origin: server.url, ...(type && { "content-type": type }), ...(cookie && { cookie }) },
  });

const places = () => {
  const own = `/developers/${project.id}`;
  const forms = ["search", "retry", "dead-letters/act", "endpoints/new", ...["secret", "test", "enabled"].map((each) => `endpoints/${endpoint.id}/${each}`)];
  return ["/developers/preferences", ...forms.map((each) => `${own}/${each}`), "/developers/sign-in"];
};

test("a form that is empty, of the wrong type or noise is never a fault of ours", async () => {
  const form = "application/x-www-form-urlencoded";
  const bodies = [[form, ""], [form, "id"], [form, "id=1&id=2&page=%ff"], ["application/json", "{}"], ["application/json", "["], ["text/plain", "id=1"], [undefined, randomBytes(64)], [form, randomBytes(64)], ["multipart/form-data; boundary=x", "--x"]];
  for (const path of places()) {
    for (const [type, body] of bodies) {
      const answer = await send(botix.server, path, type, body);
      const text = await answer.text();
      assert.ok(answer.status < 500, `${path} ${type} ${body}: ${answer.status} ${text.slice(0, 300)}`);
      assert.doesNotMatch(text, /panicked|\.rs:|serde|deseriali/i, path);
    }
  }
});
