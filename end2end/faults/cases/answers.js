// Answers that are HTTP, of every status class, and what they ask for.
import { answer } from "../server.js";

const says = (name, status, lines, body) => ({ name, play: (socket) => socket.end(answer(status, lines, body)) });
const raw = (name, text) => ({ name, play: (socket) => socket.end(Buffer.from(text, "latin1")) });

const asks = (value) => says(`429, \`Retry-After: ${value}\``, 429, [`Retry-After: ${value}`]);
/** A date on a whole second, in each of HTTP's three forms, so far ahead that only it can be the reason. */
const THEN = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_800_000);
const [day, date, month, year, time] = THEN.toUTCString().replace(",", "").split(" ");
const LONG_DAYS = { Sun: "Sunday", Mon: "Monday", Tue: "Tuesday", Wed: "Wednesday", Thu: "Thursday", Fri: "Friday", Sat: "Saturday" };
const asksFor = (form, value) => ({ ...says(`429, \`Retry-After\`: a time as ${form}`, 429, [`Retry-After: ${value}`]), at: THEN });

export const answers = [
  says("200", 200),
  raw("204", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
  says("299", 299),
  raw("103 and 100 before 200", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${answer(200)}`),
  says("301 with `Location`", 301, ["Location: http://127.0.0.1:9/"]),
  says("302 to a private address", 302, ["Location: http://169.254.169.254/latest/meta-data"]),
  says("304", 304, [], ""),
  says("307 with `Location`", 307, ["Location: http://127.0.0.1:9/"]),
  says("400", 400),
  says("401", 401),
  says("404", 404),
  says("408", 408),
  says("410", 410),
  says("429", 429),
  asks("120"),
  asksFor("IMF-fixdate", `${day}, ${date} ${month} ${year} ${time} GMT`),
  asksFor("RFC 850", `${LONG_DAYS[day]}, ${date}-${month}-${year.slice(2)} ${time} GMT`),
  asksFor("asctime", `${day} ${month} ${date.replace(/^0/, " ")} ${time} ${year}`),
  asks("Sun, 06 Nov 1994 08:49:37 GMT"),
  asks("0"),
  asks("-5"),
  asks("1.5"),
  asks("1e300"),
  asks("inf"),
  asks("soon"),
  asks("604800"),
  { ...asks("9".repeat(400)), name: "429, `Retry-After`: 400 digits" },
  says("500", 500),
  says("503, `Retry-After: 120`", 503, ["Retry-After: 120"]),
  says("599", 599),
  says("600", 600),
  says("999", 999),
];
