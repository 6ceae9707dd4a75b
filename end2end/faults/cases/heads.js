// Heads that are hostile, or no HTTP at all.
import { drip } from "../server.js";

const raw = (name, text, more = {}) => ({ name, ...more, play: (socket) => socket.end(Buffer.from(text, "latin1")) });
const FILLER = `X-Filler: ${"f".repeat(1_000)}\r\n`;

export const heads = [
  raw("200, no UTF-8 in a header", "HTTP/1.1 200 OK\r\nX-Odd: a\xff\xfez\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", { header: ["x-odd", "a\ufffd\ufffdz"] }),
  raw("NUL in a header", "HTTP/1.1 200 OK\r\nX-Odd: a\0z\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
  raw("200, the same header twice", "HTTP/1.1 200 OK\r\nX-Odd: 1\r\nX-Odd: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
  raw("a header line without a colon", "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n"),
  raw("two different lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
  raw("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
  raw("two megabytes of headers", `HTTP/1.1 200 OK\r\n${FILLER.repeat(2_000)}\r\n`),
  raw("one header of two megabytes", `HTTP/1.1 200 OK\r\nX-Filler: ${"f".repeat(2_000_000)}\r\n\r\n`),
  raw("1,000 header lines", `HTTP/1.1 200 OK\r\n${"X-A: a\r\n".repeat(1_000)}\r\n`),
  {
    name: "headers without end",
    bounded: true,
    play: (socket, server) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      server.pour(socket, Buffer.from("X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(100)));
    },
  },
  {
    name: "100 without end",
    play: (socket, server) => server.pour(socket, Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(10))),
  },
  { name: "one byte of the head a second", play: (socket) => drip(socket, [..."HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"], 1_000) },
  { name: "one byte of the head now and then", play: (socket) => drip(socket, ["HTTP/1.1 200 OK\r\n", ..."X-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"], 200) },
  { name: "says nothing", play: () => {} },
  raw("closes without a word", ""),
  raw("closes in the middle of the head", "HTTP/1.1 200 OK\r\nX-Half"),
  raw("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"),
  raw("HTTP/0.9", "<html>hello</html>"),
  raw("HTTP/3.7", "HTTP/3.7 200 OK\r\n\r\n"),
  raw("a status that is no number", "HTTP/1.1 OK 200\r\n\r\n"),
  raw("a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"),
  raw("a status of 000", "HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n"),
  raw("101, another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
  { name: "a gigabyte that is no HTTP", bounded: true, play: (socket, server) => server.pour(socket, Buffer.alloc(65_536)) },
];
