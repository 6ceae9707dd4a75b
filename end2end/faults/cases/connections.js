// Receivers that are not there, or leave.
import { spawn } from "node:child_process";
import { once } from "node:events";

import { freePort } from "../../harness/ports.js";

/** Listens and never accepts: the kernel answers the first two connections, and nobody the others. */
const NEVER_ACCEPTS = `
import socket, sys
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(0)
held = []
for _ in range(4):
    each = socket.socket()
    each.setblocking(False)
    each.connect_ex(listener.getsockname())
    held.append(each)
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
`;

async function neverAccepts() {
  const child = spawn("python3", ["-c", NEVER_ACCEPTS], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = await once(child.stdout.setEncoding("utf8"), "data");
  return { url: `http://127.0.0.1:${port.trim()}/`, stop: () => child.kill() };
}

export const connections = [
  { name: "nobody listens", start: async () => ({ url: `http://127.0.0.1:${await freePort()}/`, stop() {} }) },
  { name: "does not accept the connection", start: neverAccepts },
  { name: "resets the connection at once", greet: (socket) => socket.resetAndDestroy() },
  { name: "closes the connection at once", greet: (socket) => socket.end() },
  { name: "resets instead of an answer", play: (socket) => socket.resetAndDestroy() },
  { name: "resets in the middle of the head", play: (socket) => socket.write("HTTP/1.1 200 OK\r\nX-Half", () => setTimeout(() => socket.resetAndDestroy(), 100)) },
  { name: "the name does not exist", start: async () => ({ url: "http://no-such-host.invalid/", stop() {} }) },
];
