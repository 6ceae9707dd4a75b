// A webhook receiver: verifies, answers at once, de-duplicates, and orders by timestamp. Node.js 20 or newer, no packages.
//
//     BOTIX_WEBHOOK_SECRET=whsec_… PORT=4000 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const KEY = Buffer.from(process.env.BOTIX_WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
const TOLERANCE = 5 * 60; // seconds

// In production both are tables, written in one transaction with the work itself.
const processed = new Set();
const contacts = new Map();

/** Whether BOTIX sent this, and just now. `body` must be the bytes as they came, not JSON written anew. */
function isGenuine(headers, body) {
  const sentAt = headers["webhook-timestamp"] ?? "";
  if (!/^\d+$/.test(sentAt) || Math.abs(Date.now() / 1000 - Number(sentAt)) > TOLERANCE) return false;
  const digest = createHmac("sha256", KEY).update(`${headers["webhook-id"]}.${sentAt}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${digest}`);
  // Several while a secret is being rotated; one that fits is enough.
  return (headers["webhook-signature"] ?? "").split(" ").some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Does the work once for each event, however often it arrives. */
function handle(event) {
  if (processed.has(event.id)) return "duplicate";
  processed.add(event.id);
  if (event.type === "contact.created" || event.type === "contact.updated") {
    // Deliveries overtake each other: an older event must not overwrite a newer one.
    const known = contacts.get(event.data.id);
    if (!known || known.timestamp < event.timestamp) contacts.set(event.data.id, event);
  }
  return "processed";
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end(); // goes to the inbox at once: nobody retries a wrong signature
    return;
  }
  const event = JSON.parse(body);
  console.log(handle(event), event.id);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 4000), "127.0.0.1");
