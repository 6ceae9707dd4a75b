"""A webhook receiver: verifies, answers at once, de-duplicates, and orders by timestamp. Python 3.9 or newer, no packages.

    BOTIX_WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["BOTIX_WEBHOOK_SECRET"]
TOLERANCE = 5 * 60  # seconds

database = sqlite3.connect(os.environ.get("DATABASE", ":memory:"), check_same_thread=False, isolation_level=None)
database.execute("CREATE TABLE IF NOT EXISTS processed_events (event_id TEXT PRIMARY KEY)")
database.execute("CREATE TABLE IF NOT EXISTS contacts (id TEXT PRIMARY KEY, seen_until TEXT, data TEXT)")


def is_genuine(headers, body: bytes) -> bool:
    """Whether BOTIX sent this, and just now. `body` must be the bytes as they came, not JSON written anew."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Several while a secret is being rotated; one that fits is enough.
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in given)


def handle(event: dict) -> str:
    """Does the work once for each event, however often it arrives."""
    with database:  # one transaction: the mark and the work are kept together or not at all
        database.execute("BEGIN IMMEDIATE")
        inserted = database.execute("INSERT OR IGNORE INTO processed_events VALUES (?)", (event["id"],))
        if inserted.rowcount == 0:
            return "duplicate"
        if event["type"] in ("contact.created", "contact.updated"):
            # Deliveries overtake each other: an older event must not overwrite a newer one.
            database.execute(
                "INSERT INTO contacts VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE "
                "SET seen_until = excluded.seen_until, data = excluded.data WHERE seen_until < excluded.seen_until",
                (event["data"]["id"], event["timestamp"], json.dumps(event["data"])),
            )
        return "processed"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            self.answer(401)  # goes to the inbox at once: nobody retries a wrong signature
            return
        event = json.loads(body)
        print(handle(event), event["id"], flush=True)
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
