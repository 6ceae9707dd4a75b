// A server without manners: it reads one request and then does to the bare connection whatever a case wants.
import { once } from "node:events";
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export class FaultServer {
  /**
   * `play(socket, server)` runs when a request has been read whole; `greet(socket)` as soon as somebody connects, instead.
   * `tls` are the options of a TLS server.
   */
  static async start({ play, greet, tls, address = "127.0.0.1", port = 0 }) {
    const server = new FaultServer();
    server.requests = [];
    server.taken = 0;
    server.sockets = new Set();
    const accept = (socket) => {
      server.sockets.add(socket);
      // The other side hangs up in the middle of most cases.
      socket.setMaxListeners(0);
      socket.on("error", () => {}).on("close", () => server.sockets.delete(socket));
      if (greet) greet(socket);
      else server.#read(socket, play);
    };
    server.listener = tls ? createTlsServer(tls, accept).on("tlsClientError", () => {}) : createServer(accept);
    server.listener.listen(port, address);
    await once(server.listener, "listening");
    server.port = server.listener.address().port;
    server.url = `http${tls ? "s" : ""}://${address}:${server.port}/`;
    return server;
  }

  #read(socket, play) {
    let bytes = Buffer.alloc(0);
    const take = (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/^content-length: (\d+)$/im.exec(bytes.subarray(0, end).toString("latin1"))?.[1] ?? 0);
      if (bytes.length < end + 4 + length) return;
      socket.off("data", take);
      socket.resume();
      this.requests.push(bytes);
      play(socket, this);
    };
    socket.on("data", take);
  }

  /** Writes `piece` for as long as the other side takes it; `taken` counts the bytes. */
  async pour(socket, piece) {
    while (!socket.destroyed) {
      this.taken += piece.length;
      if (!socket.write(piece)) await new Promise((go) => socket.once("drain", go).once("close", go));
    }
  }

  async stop() {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, "close");
  }
}

/** Writes a piece each time so many milliseconds have passed. */
export function drip(socket, pieces, pause) {
  let at = 0;
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(pieces[at++ % pieces.length])), pause);
}

/** A whole answer with these header lines and this body. */
export function answer(status, lines = [], body = "ok") {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} X`, ...lines, `Content-Length: ${bytes.length}`, "Connection: close", "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}
