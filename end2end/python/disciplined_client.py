"""The five rules of a client that does not break in production, as their article puts them: an idempotency key for each
logical operation, errors parsed by their code, lists walked by cursor, a time-out on every call, and retries of the right
things only, with jitter. Run against the server through a network that loses one answer in three."""

import collections
import concurrent.futures
import random
import time
import uuid

import requests

from botix import running
from lossy_proxy import losing_answers

TIMEOUT = (5, 30)
TRIES = 12
# The article's seconds, so that a run takes seconds and not an hour.
PACE = 0.01


class ApiError(Exception):
    """An answer in the form of contract section 3. Branch on `code`."""

    def __init__(self, status, body):
        self.status, self.code = status, body.get("code", "UNKNOWN")
        self.details, self.request_id = body.get("details") or {}, body.get("request_id")
        super().__init__(f"{self.code}: {body.get('message', '')} ({self.request_id})")


class Client:
    """One instance for a process, not one for a request."""

    def __init__(self, url, key):
        self.url, self.session = f"{url}/public/v1", requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"
        self.session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=16, max_retries=0))
        self.counts = collections.Counter()

    def call(self, method, path, **arguments):
        for attempt in range(TRIES):
            try:
                response = self.session.request(method, self.url + path, timeout=TIMEOUT, **arguments)
            except (requests.ConnectionError, requests.Timeout):
                self.counts["lost"] += 1
                time.sleep(min(PACE * 2**attempt, 30) * (1 + random.random()))
                continue
            self.counts["replayed"] += response.headers.get("Idempotent-Replayed") == "1"
            if response.status_code < 400:
                return response.json() if response.content else None
            error = ApiError(response.status_code, response.json())
            if error.status == 429 or error.code == "IDEMPOTENCY_KEY_IN_PROGRESS":
                wait = int(response.headers.get("Retry-After", 5))
                time.sleep(wait * (1 + random.random() * 0.3))
            elif error.status in (502, 503, 504):
                time.sleep(min(PACE * 2**attempt, 30) * (1 + random.random()))
            else:
                raise error
        raise RuntimeError(f"retries exhausted: {method} {path}")

    def create_contact(self, phone, name):
        # One key for the operation; each retry of it sends the same.
        key = {"Idempotency-Key": str(uuid.uuid4())}
        return self.call("POST", "/contacts", headers=key, json={"phone": phone, "name": name})["data"]

    def walk(self, path, **filters):
        cursor = None
        while True:
            page = self.call("GET", path, params={**filters, "cursor_limit": 100, **({"cursor": cursor} if cursor else {})})
            yield from page["data"]
            if not page["has_more"]:
                return
            cursor = page["next_cursor"]


def prove(count):
    """Creates `count` contacts over the bad network; exactly `count` exist after it, with one event each."""
    with running() as server, losing_answers(server.url) as (url, network):
        client = Client(url, server.key)
        phones = [f"+7999{n:07}" for n in range(count)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            created = list(pool.map(lambda phone: client.create_contact(phone, "Anna"), phones))
        assert [each["phone"] for each in created] == phones, "each call got its own contact back"
        ids = {each["id"] for each in created}
        assert len(ids) == count, f"{len(ids)} distinct contacts were returned"
        existing = list(client.walk("/contacts"))
        assert len(existing) == count and {each["id"] for each in existing} == ids, f"{len(existing)} contacts exist"
        events = list(client.walk("/events", type="contact.created"))
        assert len(events) == count, f"{len(events)} events were published"
        assert network["dropped"] > count / 10 and client.counts["replayed"] > count / 10, (network, client.counts)
        refuses(client, "VALIDATION_ERROR", lambda: client.create_contact("7", "Anna"))
        refuses(client, "RESOURCE_CONFLICT", lambda: client.create_contact(phones[0], "Anna"))
        refuses(client, "RESOURCE_NOT_FOUND", lambda: client.call("GET", "/contacts/con_7"))
        return f"{count} contacts, {network['dropped']} answers lost, {client.counts['replayed']} replayed, none doubled"


def refuses(client, code, operation):
    """What can't succeed is not tried again, however often the network loses the answer."""
    try:
        operation()
    except ApiError as error:
        assert error.code == code and error.request_id.startswith("req_"), error
        return
    raise AssertionError(f"{code} was expected")
