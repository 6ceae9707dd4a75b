// A webhook receiver with a ledger: a real HTTP server whose answers are scripted by path, and which remembers every
// request to the byte, with the moment it arrived.
import { createServer } from "node:http";
import { once } from "node:events";

import { sleep } from "./wait.js";

export class Receiver {
  static async start() {
    const receiver = new Receiver();
    receiver.ledger = [];
    receiver.hooks = new Map();
    receiver.http = createServer((request, response) => receiver.#receive(request, response).catch(() => response.destroy()));
    receiver.http.keepAliveTimeout = 60_000;
    receiver.http.listen(0, "127.0.0.1");
    await once(receiver.http, "listening");
    receiver.url = `http://127.0.0.1:${receiver.http.address().port}`;
    return receiver;
  }

  /**
   * A new path with its answers, one a request, the last one for ever: a status, or `{status, headers, body, delay}`, or a
   * function of the request that returns either. Returns the URL to register.
   */
  hook(path, ...answers) {
    this.hooks.set(path, { answers: answers.length > 0 ? answers : [200], count: 0 });
    return this.url + path;
  }

  /** What arrived at a path, in order of arrival. */
  at(path) {
    return this.ledger.filter((each) => each.path === path);
  }

  /** The ids of the events that were answered with a 2xx. */
  acknowledged() {
    return new Set(this.ledger.filter((each) => each.answered >= 200 && each.answered < 300).map((each) => each.json?.id));
  }

  async stop() {
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, "close");
  }

  async #receive(request, response) {
    const entry = { path: request.url, method: request.method, headers: request.headers, rawHeaders: request.rawHeaders, at: Date.now() };
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    entry.body = Buffer.concat(chunks);
    entry.json = parsed(entry.body);
    this.ledger.push(entry);

    const hook = this.hooks.get(request.url) ?? { answers: [200], count: 0 };
    const scripted = hook.answers[Math.min(hook.count++, hook.answers.length - 1)];
    const chosen = typeof scripted === "function" ? scripted(entry) : scripted;
    const { status, headers = {}, body = "", delay = 0 } = typeof chosen === "number" ? { status: chosen } : chosen;
    if (delay > 0) await sleep(delay);
    response.writeHead(status, headers);
    response.end(body);
    entry.answered = status;
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
