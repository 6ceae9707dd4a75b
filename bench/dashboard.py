"""The dashboard over a long history: how long the server takes for each page, and what Lighthouse says of the main ones."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time
import urllib.parse

from api import fill_attempts
from harness import BOTIX, Bench, Server, others_share

EMAIL, PASSWORD = "owner@bench.example", "correct horse battery staple"
HOUR = 3_600_000_000


def fill(bench, count, endpoints):
    """`count` events with a delivery and an attempt each; every 20th is still retrying, every 100th a dead letter."""
    fill_attempts(bench, endpoints[0], count)
    blob = bench.database.series(1)[2]
    run, project = bench.database.run, bench.project
    # By the last digit of the row's number.
    spread = " ".join(f"WHEN '{digit}' THEN '{endpoints[digit % len(endpoints)]}'" for digit in range(10))
    spread = f"CASE substr(delivery_id, 30, 1) {spread} END"
    run(f"UPDATE btx_webhook_attempt SET endpoint_id = {spread}")
    data = blob % '{"id":"con_00000000000000000000000000","phone":"+79990000000","name":"Ivan"}'
    run(
        "INSERT INTO btx_event (id, project_id, event_type, data, created_at) "
        f"SELECT event_id, project_id, event_type, {data}, created_at - 1000 FROM btx_webhook_attempt"
    )
    now = int(time.time() * 1e6)
    run(
        "INSERT INTO btx_webhook_delivery (id, project_id, event_id, event_type, endpoint_id, request_id, cause, status, "
        "attempts_count, rungs_taken, last_attempt_at, next_attempt_at, dead_letters_at, created_at, updated_at) "
        "SELECT delivery_id, project_id, event_id, event_type, endpoint_id, request_id, 'initial', status, 1, 1, created_at, "
        f"CASE WHEN status = 'retrying' THEN {now + 20 * HOUR} END, CASE WHEN status = 'retrying' THEN {now + 24 * HOUR} END, "
        "created_at - 1000, created_at FROM btx_webhook_attempt"
    )
    run(
        "INSERT INTO btx_webhook_dead_letter (id, project_id, delivery_id, event_id, event_type, endpoint_id, request_id, "
        "reason, last_response_status_code, created_at) SELECT 'dlq_' || substr(id, 5), project_id, delivery_id, event_id, "
        "event_type, endpoint_id, request_id, 'rejected', 401, created_at FROM btx_webhook_attempt "
        "WHERE delivery_id LIKE '%00'"
    )
    run(
        "INSERT INTO btx_attempt_hour (project_id, hour, endpoint_id, status, count) "
        f"SELECT project_id, created_at - created_at % {HOUR}, endpoint_id, status, COUNT(*) FROM btx_webhook_attempt "
        f"WHERE project_id = '{project}' GROUP BY 1, 2, 3, 4"
    )
    run("ANALYZE")


class Visitor:
    """Somebody who has signed in, over one kept connection."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.headers = {"Origin": f"http://127.0.0.1:{server.port}", "Accept": "text/html"}
        form = urllib.parse.urlencode({"email": EMAIL, "password": PASSWORD})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request("POST", "/developers/sign-in", form, self.headers | kind)
        answer = self.connection.getresponse()
        answer.read()
        cookies = [value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
        if not cookies:
            raise SystemExit(f"sign-in: {answer.status}")
        self.headers["Cookie"] = "; ".join(cookies)

    def get(self, path):
        start = time.perf_counter()
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}")
        return (time.perf_counter() - start) * 1000, body


@contextlib.contextmanager
def prepared(bench, count, roles="web"):
    """The history, a server (without an engine), and an owner; the server ends with the measurement, however that ends."""
    server = Server(bench.folder, bench.database, roles=roles)
    create = [BOTIX, "user", "create", "--email", EMAIL, "--project", bench.project, "--role", "owner"]
    subprocess.run(create, env=server.env, input=PASSWORD + "\n", text=True, check=True, capture_output=True)
    server.start()
    try:
        endpoints = bench.endpoints(server.port, 5)
        fill(bench, count, endpoints)
        yield server, endpoints
    finally:
        server.stop()


def one_of(bench, visitor, list_path, prefix):
    """The path of the first row of a list."""
    body = visitor.get(f"{list_path}")[1].decode()
    return f"{list_path}/" + body.split(f"{list_path}/{prefix}")[1].join([prefix, ""]).split('"')[0].split("?")[0]


def ssr(kind, count=1_000_000, calls=60):
    """The server's time for each page of the dashboard, p50 and p95 in milliseconds (goal: p95 of 25)."""
    with Bench(kind) as bench, prepared(bench, count) as (server, endpoints):
        visitor, base = Visitor(server), f"/developers/{bench.project}"
        attempt = one_of(bench, visitor, f"{base}/webhooks", "att_")
        letter = one_of(bench, visitor, f"{base}/dead-letters", "dlq_")
        event = one_of(bench, visitor, f"{base}/events", "evt_")
        request = one_of(bench, visitor, f"{base}/requests", "req_")
        pages = {
            "attempts": f"{base}/webhooks", "attempts, failed": f"{base}/webhooks?response_status_code=5xx",
            "attempts, one endpoint": f"{base}/webhooks?endpoint_id={endpoints[0]}", "attempt": attempt,
            "inbox": f"{base}/dead-letters", "dead letter": letter, "events": f"{base}/events", "event": event,
            "endpoints": f"{base}/endpoints", "endpoint": f"{base}/endpoints/{endpoints[0]}",
            "requests": f"{base}/requests", "trace": request, "idempotency": f"{base}/idempotency",
            "inspector": f"{base}/inspector", "keys": f"{base}/api-keys", "settings": f"{base}/settings",
        }
        took = {}
        for name, path in pages.items():
            visitor.get(path)
            samples = sorted(visitor.get(path)[0] for _ in range(calls))
            took[name] = [round(statistics.median(samples), 1), round(samples[int(len(samples) * 0.95) - 1], 1)]
        return {"bench": "ssr", "database": kind, "rows": count, "p50_p95_ms": took,
                "worst_p95_ms": max(p95 for _, p95 in took.values()), "machine_busy": others_share(bench.began)}


def in_a_browser(script, *arguments):
    """What a script of ours that drives a browser prints."""
    tool = pathlib.Path("target/lighthouse")
    if not (tool / "node_modules/.bin/lighthouse").exists():
        tool.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", str(tool), "lighthouse@12"], check=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    command = ["node", f"bench/{script}.mjs", *(str(argument) for argument in arguments)]
    run = subprocess.run(command, env=os.environ | {"CHROME_PATH": chromium}, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)


def lighthouse(kind, count=1_000_000):
    """Lighthouse's four scores for the main pages, on a desktop and on a phone, and the layout shift."""
    with Bench(kind) as bench, prepared(bench, count) as (server, _):
        visitor, base = Visitor(server), f"/developers/{bench.project}"
        pages = {"attempts": f"{base}/webhooks", "trace": one_of(bench, visitor, f"{base}/requests", "req_"),
                 "inbox": f"{base}/dead-letters"}
        scores = in_a_browser("lighthouse", f"http://127.0.0.1:{server.port}", EMAIL, PASSWORD, json.dumps(pages))
        return {"bench": "lighthouse", "database": kind, "rows": count, "scores": scores, "machine_busy": others_share(bench.began)}


def live(kind, count=20_000, seconds=60):
    """An open list while so many attempts arrive: how fast it answers somebody at work, and what it holds in the end."""
    with Bench(kind) as bench, prepared(bench, 1_000, roles="web,worker") as (server, _):
        found = in_a_browser("live", server.port, EMAIL, PASSWORD, bench.project, bench.key, count, seconds)
        return {"bench": "live", "database": kind, "attempts": count, **found, "machine_busy": others_share(bench.began)}
