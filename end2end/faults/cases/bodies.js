// Answers whose head is in order and whose body is hostile: the head decides, the first 4 KB are kept.
import { brotliCompressSync, gzipSync } from "node:zlib";

import { answer, drip } from "../server.js";

const MEGABYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(32 * MEGABYTES);
/** A gigabyte of zeros: a member of gzip may follow another. */
const GZIP_BOMB = Buffer.concat(Array(32).fill(gzipSync(ZEROS)));
const BROTLI_BOMB = brotliCompressSync(ZEROS);

const head = (...lines) => ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
const endless = (name, start) => ({
  name,
  bounded: true,
  play: (socket, server) => {
    socket.write(start);
    server.pour(socket, Buffer.alloc(65_536, "x"));
  },
});

export const bodies = [
  { name: "200, 4,096 bytes", kept: "y".repeat(4096), play: (socket) => socket.end(answer(200, [], "y".repeat(4096))) },
  { name: "200, 4,097 bytes", kept: "y".repeat(4096), play: (socket) => socket.end(answer(200, [], "y".repeat(4097))) },
  endless("200, a body of 8 GB", head("Content-Length: 8589934592")),
  endless("200, a body without end", head()),
  {
    name: "200, chunks without end",
    bounded: true,
    play: (socket, server) => {
      socket.write(head("Transfer-Encoding: chunked"));
      server.pour(socket, Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "x"), Buffer.from("\r\n")]));
    },
  },
  {
    name: "200, a body that drips",
    play: (socket) => {
      socket.write(head());
      drip(socket, ["x"], 100);
    },
  },
  { name: "200, the connection breaks in the body", kept: "half", play: (socket) => socket.end(`${head("Content-Length: 100")}half`) },
  { name: "200, gzip that unpacks to a gigabyte", play: (socket) => socket.end(answer(200, ["Content-Encoding: gzip"], GZIP_BOMB)) },
  { name: "200, Brotli that unpacks to 32 MB", play: (socket) => socket.end(answer(200, ["Content-Encoding: br"], BROTLI_BOMB)) },
  { name: "200, NUL and no UTF-8 in the body", kept: "a\0\ufffd\ufffdz", play: (socket) => socket.end(answer(200, [], Buffer.from("a\0\xff\xfez", "latin1"))) },
  { name: "200, chunks that are none", play: (socket) => socket.end(`${head("Transfer-Encoding: chunked")}zz\r\nno chunk\r\n`) },
  { name: "200, a chunk of 2^64 bytes", play: (socket) => socket.end(`${head("Transfer-Encoding: chunked")}10000000000000000\r\nx\r\n0\r\n\r\n`) },
  { name: "500, a body without end", bounded: true, play: (socket, server) => {
    socket.write("HTTP/1.1 500 X\r\n\r\n");
    server.pour(socket, Buffer.alloc(65_536, "x"));
  } },
];
