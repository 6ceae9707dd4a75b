// The frame of an API test file: one installation, one running server, one receiver, all gone at the end.
import { after, before } from "node:test";

import { Installation } from "./botix.js";
import { Receiver } from "./receiver.js";

/** Filled before the first test of the file: `installation`, `server`, `receiver`, and `project()` for a fresh project; then `prepare` runs. */
export function suite({ env = {}, prepare = async () => {} } = {}) {
  const context = {};
  before(async () => {
    context.receiver = await Receiver.start();
    context.installation = await Installation.create({ env });
    context.server = await context.installation.start();
    context.project = (options) => context.installation.project(context.server, options);
    await prepare(context);
  });
  after(async () => {
    await context.installation?.remove();
    await context.receiver?.stop();
  });
  return context;
}
