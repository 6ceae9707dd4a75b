#!/usr/bin/env python3
"""The load and scale harness: real binary, real databases, real receiver; standard library only.

    bench/run.sh drain sqlite 50000
    bench/run.sh latency postgres
    bench/run.sh pages sqlite 1000000

Each command prints one JSON object. `bench/run.sh` provides nginx, wrk and a PostgreSQL with durable
settings; `bench/README.md` holds the results and how they were made.
"""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOTIX = os.environ.get("BOTIX_BENCH_BINARY", str(ROOT / "dist" / "botix"))
ENDPOINTS = 10


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Receiver:
    """nginx that answers 200 to everything: faster than anything that sends to it."""

    def __init__(self, folder):
        self.port = free_port()
        conf = folder / "nginx.conf"
        conf.write_text(
            f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
            "events { worker_connections 4096; }\n"
            f"http {{ access_log off; keepalive_requests 1000000000; client_body_temp_path {folder}/body;\n"
            f"proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;\n"
            f"scgi_temp_path {folder}/s;\n"
            f"server {{ listen 127.0.0.1:{self.port} backlog=4096; location / {{ return 200; }} }} }}\n"
        )
        self.process = subprocess.Popen(["nginx", "-c", str(conf), "-p", str(folder)])
        wait_for_port(self.port)

    def bare_rate(self, connections, seconds=5):
        """How many POSTs of a webhook's size a bare loop (wrk) gets answered in a second."""
        script = pathlib.Path(tempfile.mkstemp(suffix=".lua")[1])
        script.write_text('wrk.method = "POST"\nwrk.body = string.rep("x", 220)\n')
        out = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), f"http://127.0.0.1:{self.port}/"],
            capture_output=True, text=True, check=True,
        ).stdout
        script.unlink()
        return float(next(line.split(":")[1] for line in out.splitlines() if line.startswith("Requests/sec")))

    def stop(self):
        self.process.terminate()
        self.process.wait()


def wait_for_port(port, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise SystemExit(f"nothing listens on {port}")


class Database:
    """SQL beside the server, for filling in rows faster than any API would take them."""

    def __init__(self, kind, folder):
        self.kind, self.folder = kind, folder
        if kind == "postgres":
            self.url = os.environ["BOTIX_BENCH_POSTGRES_URL"]
            self.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
        else:
            self.file = folder / "botix.sqlite"
            self.url = f"sqlite://{self.file}"

    def run(self, sql):
        if self.kind == "postgres":
            command = ["psql", "-q", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.url, "-c", sql]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        with contextlib.closing(sqlite3.connect(self.file, timeout=60)) as db:
            rows = db.execute(sql).fetchall()
            db.commit()
            return ["|".join(str(v) for v in row) for row in rows]

    def series(self, count):
        """A table `s(n)` of 0 … count - 1, and how a number becomes the 26 characters of an id."""
        if self.kind == "postgres":
            return f"FROM generate_series(0::bigint, {count - 1}) AS s(n)", "lpad(n::text, 26, '0')", "convert_to('%s', 'UTF8')"
        rows = f"FROM (WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s LIMIT {count}) SELECT n FROM s)"
        return rows, "printf('%026d', n)", "CAST('%s' AS BLOB)"


class Server:
    def __init__(self, folder, database, roles="web,worker", **env):
        self.port = free_port()
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith("BOTIX_") and k != "DATABASE_URL"},
            "DATABASE_URL": database.url,
            "BOTIX_DATA_DIR": str(folder),
            "BOTIX_LISTEN": f"127.0.0.1:{self.port}",
            "BOTIX_SECRET_KEY": "bench-bench-bench-bench-bench-bench-bench",
            "BOTIX_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
            "BOTIX_RATE_LIMIT": "100000000",
            "BOTIX_ROLES": roles,
            "BOTIX_LOG": "error",
            **env,
        }

    def cli(self, *args):
        out = subprocess.run([BOTIX, *args], env=self.env, capture_output=True, text=True, check=True).stdout
        return json.loads(out) if out.startswith("{") else out

    def start(self):
        self.process = subprocess.Popen([BOTIX, "serve", "--migrate"], env=self.env)
        wait_for_port(self.port)
        return self

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) // 1024


class Client:
    """One kept connection to the API."""

    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.key = key

    def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}"}
        if body is not None:
            headers |= {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"}
        self.connection.request(method, path, body and json.dumps(body), headers)
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status >= 300:
            raise SystemExit(f"{method} {path}: {response.status} {answer}")
        return answer


class Bench:
    def __init__(self, kind):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="botix-bench-"))
        self.folder.chmod(0o755)
        self.database = Database(kind, self.folder)
        self.receiver = Receiver(self.folder)
        self.kind = kind

    def __enter__(self):
        setup = Server(self.folder, self.database)
        setup.cli("migrate")
        self.project = setup.cli("project", "create", "--name", "bench")["id"]
        self.key = setup.cli("api-key", "create", "--project", self.project)["key"]
        return self

    def __exit__(self, *_):
        self.receiver.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def endpoints(self, server):
        client = Client(server.port, self.key)
        url = f"http://127.0.0.1:{self.receiver.port}/hook"
        make = lambda n: client.call("POST", "/public/v1/webhooks/endpoints", {"url": f"{url}/{n}", "event_types": ["*"]})
        return [make(n)["data"]["id"] for n in range(ENDPOINTS)]


def drain(kind, count=50_000):
    """Deliveries a second while a backlog is worked off, beside a bare loop to the same receiver."""
    with Bench(kind) as bench:
        web = Server(bench.folder, bench.database, roles="web").start()
        endpoints = bench.endpoints(web)
        web.stop()
        rows, number, blob = bench.database.series(count)
        now = int(time.time() * 1e6)
        data = blob % '{"id":"con_00000000000000000000000000","phone":"+79990000000","name":"Ivan"}'
        bench.database.run(
            "INSERT INTO btx_event (id, project_id, event_type, data, created_at) "
            f"SELECT 'evt_' || {number}, '{bench.project}', 'contact.created', {data}, {now} + n {rows}"
        )
        case = " ".join(f"WHEN {n} THEN '{endpoint}'" for n, endpoint in enumerate(endpoints))
        bench.database.run(
            "INSERT INTO btx_webhook_delivery (id, project_id, event_id, event_type, endpoint_id, request_id, cause, "
            "status, next_attempt_at, dead_letters_at, created_at, updated_at) "
            f"SELECT 'dlv_' || {number}, '{bench.project}', 'evt_' || {number}, 'contact.created', "
            f"CASE n % {ENDPOINTS} {case} END, 'req_' || {number}, 'initial', 'pending', {now} + n, {now}, {now} + n, "
            f"{now} + n {rows}"
        )
        bare = bench.receiver.bare_rate(64)
        started = time.monotonic()
        worker = Server(bench.folder, bench.database, roles="web,worker").start()
        left = "SELECT COUNT(*) FROM btx_webhook_delivery WHERE status <> 'delivered'"
        memory = 0
        while int(bench.database.run(left)[0]):
            memory = max(memory, worker.memory_mb())
            time.sleep(0.25)
        seconds = time.monotonic() - started
        cpu = worker.cpu_seconds()
        attempts = int(bench.database.run("SELECT COUNT(*) FROM btx_webhook_attempt")[0])
        worker.stop()
        return {
            "bench": "drain", "database": kind, "deliveries": count, "attempts": attempts,
            "seconds": round(seconds, 2), "per_second": round(count / seconds),
            "bare_loop_per_second": round(bare), "share_of_bare": round(count / seconds / bare, 3),
            "cpu_us_per_delivery": round(cpu / count * 1e6), "memory_mb": memory,
        }


def latency(kind, rate=200, seconds=20):
    """From an accepted event to the beginning of its first attempt."""
    with Bench(kind) as bench:
        server = Server(bench.folder, bench.database).start()
        client = Client(server.port, bench.key)
        client.call("POST", "/public/v1/webhooks/endpoints",
                    {"url": f"http://127.0.0.1:{bench.receiver.port}/", "event_types": ["*"]})
        threads = 4

        def post():
            mine = Client(server.port, bench.key)
            start = time.monotonic()
            for n in range(rate * seconds // threads):
                time.sleep(max(0, start + n * threads / rate - time.monotonic()))
                mine.call("POST", "/public/v1/events", {"type": "bench.tick", "data": {"n": n}})

        workers = [threading.Thread(target=post) for _ in range(threads)]
        [worker.start() for worker in workers]
        [worker.join() for worker in workers]
        time.sleep(2)
        rows = bench.database.run(
            "SELECT a.requested_at - e.created_at FROM btx_webhook_attempt a JOIN btx_event e ON e.id = a.event_id "
            "WHERE a.attempt_number = 1"
        )
        memory = server.memory_mb()
        server.stop()
        waits = sorted(int(row) / 1000 for row in rows)
        at = lambda share: round(waits[int(len(waits) * share)], 2)
        return {"bench": "latency", "database": kind, "events": len(waits), "events_per_second": rate,
                "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": round(waits[-1], 2), "memory_mb": memory}


def pages(kind, count=1_000_000):
    """The list of attempts at depth 1 and 1,000, with so many rows."""
    with Bench(kind) as bench:
        server = Server(bench.folder, bench.database, roles="web").start()
        endpoint = bench.endpoints(server)[0]
        rows, number, blob = bench.database.series(count)
        step = 14 * 86_400 * 1_000_000 // count
        oldest = int(time.time() * 1e6) - 14 * 86_400 * 1_000_000 + 60_000_000
        # The time in each id is its row's time: ten Crockford characters of milliseconds.
        digits = "'0123456789ABCDEFGHJKMNPQRSTVWXYZ'"
        millis = f"(({oldest} + n * {step}) / 1000)"
        stamp = " || ".join(f"substr({digits}, CAST(({millis} / {32 ** k}) % 32 AS INTEGER) + 1, 1)" for k in range(9, -1, -1))
        tail = number.replace("26", "16")
        bench.database.run(
            "INSERT INTO btx_webhook_attempt (id, project_id, delivery_id, event_id, event_type, endpoint_id, request_id, "
            "attempt_number, cause, url, status, response_status_code, requested_at, responded_at, duration_ms, "
            "request_headers, response_headers, response_body, created_at) "
            f"SELECT 'att_' || {stamp} || {tail}, '{bench.project}', 'dlv_' || {number}, 'evt_' || {number}, "
            f"'contact.created', '{endpoint}', 'req_' || {number}, 1, 'initial', 'https://example.com/hook', "
            "CASE WHEN n % 20 = 0 THEN 'retrying' ELSE 'delivered' END, CASE WHEN n % 20 = 0 THEN 503 ELSE 200 END, "
            f"{oldest} + n * {step}, {oldest} + n * {step} + 40000, 40, {blob % '[]'}, {blob % '[]'}, {blob % 'ok'}, "
            f"{oldest} + n * {step} {rows}"
        )
        bench.database.run("ANALYZE")
        client = Client(server.port, bench.key)
        path = "/public/v1/webhooks/attempts?cursor_limit=20"

        def timed(url):
            samples = []
            for _ in range(50):
                start = time.perf_counter()
                answer = client.call("GET", url)
                samples.append((time.perf_counter() - start) * 1000)
            return round(statistics.median(samples), 2), round(sorted(samples)[47], 2), answer

        first, first_p95, answer = timed(path)
        for _ in range(998):
            answer = client.call("GET", f"{path}&cursor={answer['next_cursor']}")
        deep, deep_p95, _ = timed(f"{path}&cursor={answer['next_cursor']}")
        rare, rare_p95, _ = timed(path + "&status=retrying")
        server.stop()
        return {"bench": "pages", "database": kind, "rows": count,
                "page_1_ms": first, "page_1_p95_ms": first_p95, "page_1000_ms": deep, "page_1000_p95_ms": deep_p95,
                "filtered_page_1_ms": rare, "filtered_page_1_p95_ms": rare_p95}


if __name__ == "__main__":
    commands = {"drain": drain, "latency": latency, "pages": pages}
    if len(sys.argv) < 3 or sys.argv[1] not in commands or sys.argv[2] not in ("sqlite", "postgres"):
        raise SystemExit(__doc__)
    print(json.dumps(commands[sys.argv[1]](sys.argv[2], *map(int, sys.argv[3:]))))
