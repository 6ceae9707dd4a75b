// The public verifiers, each as its own authors ship it: `verdicts` asks all four about the same webhooks.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as standardwebhooks from "standardwebhooks";
import * as svix from "svix";

const PYTHON = process.env.BOTIX_TEST_PYTHON ?? fileURLToPath(new URL("../../target/python/bin/python", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../python/verify.py", import.meta.url));

/** Why the Python libraries can't be asked; scripts/e2e.sh sees to it that they can. */
export const withoutPython = !existsSync(PYTHON) && "scripts/ensure-python.sh has not been run";

/** For each of `[{secret, headers, body}]`, what each library says: `{"node svix": "accepted", …}`. */
export function verdicts(webhooks) {
  const said = webhooks.map((each) => ({
    "node standardwebhooks": inNode(standardwebhooks, each),
    "node svix": inNode(svix, each),
  }));
  for (const library of ["standardwebhooks", "svix"]) {
    const lines = webhooks.map(({ secret, headers, body }) => JSON.stringify({ library, secret, headers, body: body.toString("base64") }));
    const { status, stdout, stderr } = spawnSync(PYTHON, [SCRIPT], { input: `${lines.join("\n")}\n`, encoding: "utf8" });
    if (status !== 0) throw new Error(`verify.py ended with ${status}: ${stderr}`);
    stdout.trim().split("\n").forEach((word, index) => (said[index][`python ${library}`] = word));
  }
  return said;
}

function inNode({ Webhook, WebhookVerificationError }, { secret, headers, body }) {
  try {
    new Webhook(secret).verify(body, headers);
    return "accepted";
  } catch (error) {
    if (error instanceof WebhookVerificationError) return "rejected";
    throw error;
  }
}

const all = (word) => ({ "node standardwebhooks": word, "node svix": word, "python standardwebhooks": word, "python svix": word });
export const ACCEPTED = all("accepted");
export const REJECTED = all("rejected");
