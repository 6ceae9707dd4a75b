// A resolver of our own, so that a name can lead anywhere and change its mind. The tested process alone asks it: it gets an
// /etc/resolv.conf of its own in a mount namespace. Where that or port 53 is not to be had, `start` returns null.
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TYPES = { 1: "A", 28: "AAAA" };
const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

export class DnsServer {
  static async start() {
    const server = new DnsServer();
    server.address = `127.53.${randomInt(1, 255)}.${randomInt(1, 255)}`;
    server.names = new Map();
    server.queries = [];
    server.socket = createSocket("udp4");
    try {
      server.socket.bind(53, server.address);
      await once(server.socket, "listening");
    } catch {
      return null;
    }
    server.socket.on("message", (query, from) => {
      const reply = server.#reply(query);
      if (reply) server.socket.send(reply, from.port, from.address);
    });
    server.folder = mkdtempSync(join(tmpdir(), "botix-dns-"));
    const file = join(server.folder, "resolv.conf");
    writeFileSync(file, `nameserver ${server.address}\noptions timeout:1 attempts:1\n`);
    const own = process.getuid() === 0 ? [] : ["--user", "--map-root-user"];
    server.runner = ["unshare", ...own, "--mount", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file];
    try {
      execFileSync(server.runner[0], [...server.runner.slice(1), "true"], { stdio: "ignore" });
    } catch {
      await server.stop();
      return null;
    }
    return server;
  }

  /** What a name answers: a list of addresses, the name of an error, "silence", or a function of how often it was asked. */
  set(name, says) {
    this.names.set(name, says);
    return name;
  }

  asked(name, type = "A") {
    return this.queries.filter((each) => each.name === name && each.type === type).length;
  }

  async stop() {
    rmSync(this.folder, { recursive: true, force: true });
    this.socket.close();
    await once(this.socket, "close");
  }

  #reply(query) {
    const labels = [];
    let at = 12;
    for (; query[at] > 0; at += query[at] + 1) labels.push(query.toString("latin1", at + 1, at + 1 + query[at]));
    const [name, type, question] = [labels.join("."), TYPES[query.readUInt16BE(at + 1)], query.subarray(12, at + 5)];
    const times = this.asked(name, type);
    this.queries.push({ name, type });
    const given = this.names.get(name) ?? "NXDOMAIN";
    const says = typeof given === "function" ? given(times) : given;
    if (says === "silence") return null;
    const addresses = Array.isArray(says) ? says.filter((each) => each.includes(":") === (type === "AAAA")) : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (RCODES[says] ?? 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((each) => {
      const data = type === "A" ? Buffer.from(each.split(".").map(Number)) : v6(each);
      const record = Buffer.from([0xc0, 12, 0, type === "A" ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    return Buffer.concat([header, question, ...records]);
  }
}

function v6(text) {
  const [left, right] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::").map((part) => (part ? part.split(":") : []));
  const middle = right ? Array(8 - left.length - right.length).fill("0") : [];
  const groups = [...left, ...middle, ...(right ?? [])].map((group) => parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
