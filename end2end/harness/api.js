// A client of the public API, as thin as curl: it adds the key and an Idempotency-Key, and hands back everything it got.
import { randomUUID } from "node:crypto";
import assert from "node:assert/strict";

export class Api {
  constructor(server, key) {
    this.server = server;
    this.key = key;
  }

  /** One request. `body` is sent as JSON unless it is a string or a Buffer, which go as they are. */
  async request(method, path, { body, headers = {}, key = this.key } = {}) {
    const raw = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await fetch(`${this.server.url}/public/v1${path}`, {
      method,
      body: raw,
      redirect: "manual",
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(raw === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, json: parsed(bytes) };
  }

  get(path, options) {
    return this.request("GET", path, options);
  }

  post(path, body, { idempotencyKey = randomUUID(), headers = {}, ...rest } = {}) {
    const own = idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey };
    return this.request("POST", path, { body, headers: { ...own, ...headers }, ...rest });
  }

  /** Posts and insists on success; returns the object. */
  async create(path, body, options) {
    const answer = await this.post(path, body, options);
    assert.ok([200, 201, 202].includes(answer.status), `POST ${path}: ${answer.status} ${answer.bytes}`);
    return answer.json.data;
  }

  /** Gets and insists on success; returns the object or the rows. */
  async read(path) {
    const answer = await this.get(path);
    assert.equal(answer.status, 200, `GET ${path}: ${answer.status} ${answer.bytes}`);
    return answer.json.data;
  }

  /** Walks a list to its end, `onPage` after each page; returns all rows in order. */
  async walk(path, { limit = 200, onPage = () => {} } = {}) {
    const rows = [];
    for (let cursor = null, pages = 0; ; pages += 1) {
      assert.ok(pages < 10_000, `the walk over ${path} does not end`);
      const query = `${path.includes("?") ? "&" : "?"}cursor_limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
      const answer = await this.get(path + query);
      assert.equal(answer.status, 200, `GET ${path}${query}: ${answer.status} ${answer.bytes}`);
      rows.push(...answer.json.data);
      assert.equal(answer.json.has_more, answer.json.next_cursor !== null, "has_more and next_cursor disagree");
      await onPage(answer.json, pages);
      if (!answer.json.has_more) return rows;
      cursor = answer.json.next_cursor;
    }
  }

  /** Registers an endpoint for the given event types; the answer carries the secret. */
  endpoint(url, ...eventTypes) {
    return this.create("/webhooks/endpoints", { url, event_types: eventTypes.length > 0 ? eventTypes : ["*"] });
  }

  event(type, data = {}) {
    return this.create("/events", { type, data });
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
