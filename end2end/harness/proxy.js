// A TCP proxy in front of the database: it can cut every connection and refuse new ones, or swallow all bytes and say nothing.
import { once } from "node:events";
import { connect, createServer } from "node:net";

export class Proxy {
  static async start(target) {
    const proxy = new Proxy();
    proxy.target = target;
    proxy.pairs = new Set();
    proxy.stalled = false;
    await proxy.#listen(0);
    proxy.port = proxy.server.address().port;
    return proxy;
  }

  /** The database goes away: what is open breaks, what is new is refused. */
  async cut() {
    this.server.close();
    this.#drop();
  }

  /** It hangs: connections stay and are taken, but no byte passes. */
  stall() {
    this.stalled = true;
    for (const pair of this.pairs) pair.forEach((socket) => socket.pause());
  }

  /** It is back. */
  async restore() {
    this.stalled = false;
    for (const pair of this.pairs) pair.forEach((socket) => socket.resume());
    if (!this.server.listening) await this.#listen(this.port);
  }

  async stop() {
    this.server.close();
    this.#drop();
  }

  async #listen(port) {
    this.server = createServer((near) => {
      const far = connect(this.target);
      const pair = [near, far];
      this.pairs.add(pair);
      near.on("data", (bytes) => far.write(bytes));
      far.on("data", (bytes) => near.write(bytes));
      const end = () => {
        pair.forEach((socket) => socket.destroy());
        this.pairs.delete(pair);
      };
      for (const socket of pair) socket.on("error", end).on("close", end);
      if (this.stalled) pair.forEach((socket) => socket.pause());
    });
    this.server.listen(port, "127.0.0.1");
    await once(this.server, "listening");
  }

  #drop() {
    for (const pair of this.pairs) pair.forEach((socket) => socket.destroy());
    this.pairs.clear();
  }
}
