"""What every measurement stands on: a real receiver, a real database, real processes; standard library only."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOTIX = os.environ.get("BOTIX_BENCH_BINARY", str(ROOT / "dist" / "botix"))
EXAMPLES = pathlib.Path(os.environ.get("BOTIX_BENCH_EXAMPLES", ROOT / "target" / "release" / "examples"))
SECRET = "bench-bench-bench-bench-bench-bench-bench"
ENDPOINTS = 10


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for_port(port, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise SystemExit(f"nothing listens on {port}")


def cpu_of(pid):
    """Seconds of CPU that a process has used, in user mode and in the kernel."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def others_share(began):
    """The share of the machine's CPU that was in use since `began` = (busy, total): tells a shared machine."""
    busy, total = machine_cpu()
    return round((busy - began[0]) / max(total - began[1], 1), 2)


def machine_cpu():
    ticks = [int(n) for n in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def wrk(url, connections, seconds, script, *args):
    """Runs wrk with a Lua script; answers a second and the 99th percentile in milliseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", file.name, url, "--", *args]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        raise SystemExit(f"wrk: {out}")
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    count = int(re.search(r"(\d+) requests in", out).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))
    return {"count": count, "rate": rate, "p99_ms": float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]}


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

    def wrk_rate(self, connections, seconds=5):
        """How many POSTs of a webhook's size a loop of C gets answered in a second."""
        script = 'wrk.method = "POST"\nwrk.body = string.rep("x", 220)\n'
        return wrk(f"http://127.0.0.1:{self.port}/", connections, seconds, script)["rate"]

    def bare_rate(self, concurrency, seconds=5):
        """How many webhooks the engine's own HTTP client gets answered in a second, with nothing around it; and
        the microseconds of CPU that each of them takes."""
        command = [EXAMPLES / "bare_loop", f"http://127.0.0.1:{self.port}/hook", str(concurrency), str(seconds)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        rate = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return rate, cpu / rate / seconds * 1e6

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Database:
    """SQL beside the server, for filling in rows faster than any API would take them."""

    def __init__(self, kind, folder, name="bench"):
        self.kind, self.folder = kind, folder
        if kind == "postgres":
            self.url = os.environ["BOTIX_BENCH_POSTGRES_URL"]
            self.run(f"DROP DATABASE IF EXISTS {name}")
            self.run(f"CREATE DATABASE {name}")
            self.postmaster = int(self.run("SELECT pg_read_file('postmaster.pid')")[0].split("\n")[0])
            self.url = self.url.rsplit("/", 1)[0] + f"/{name}"
        else:
            self.file = folder / f"{name}.sqlite"
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

    def cpu_seconds(self):
        """What the database's own processes have used, those that live now; SQLite's is the server's."""
        if self.kind == "sqlite":
            return 0.0
        used = 0.0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                pid, parent = int(stat.parent.name), int(stat.read_text().rsplit(")", 1)[1].split()[1])
                if self.postmaster in (pid, parent):
                    used += cpu_of(pid)
        return used


class Process:
    """A process under measurement."""

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def cpu_seconds(self):
        return cpu_of(self.process.pid)

    def memory_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) // 1024


class Server(Process):
    """The product."""

    def __init__(self, folder, database, roles="web,worker", **env):
        self.port = free_port()
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith("BOTIX_") and k != "DATABASE_URL"},
            "DATABASE_URL": database.url,
            "BOTIX_DATA_DIR": str(folder),
            "BOTIX_LISTEN": f"127.0.0.1:{self.port}",
            "BOTIX_SECRET_KEY": SECRET,
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


class Part(Process):
    """A part of the product, by itself: one of the crates' examples."""

    def __init__(self, name, database, *args):
        self.process = subprocess.Popen([EXAMPLES / name, database.url, SECRET, *args])


class Client:
    """One kept connection to the API."""

    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.key = key

    def call(self, method, path, body=None):
        return self.call_raw(method, path, body and json.dumps(body), str(uuid.uuid4()))

    def call_raw(self, method, path, body, key):
        headers = {"Authorization": f"Bearer {self.key}"}
        if body is not None:
            headers |= {"Idempotency-Key": key, "Content-Type": "application/json"}
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status >= 300:
            raise SystemExit(f"{method} {path}: {response.status} {answer}")
        return answer


class Tenant:
    """A migrated database with a project and an API key."""

    def __init__(self, kind, folder, name="bench"):
        self.database = Database(kind, folder, name)
        setup = Server(folder, self.database)
        setup.cli("migrate")
        self.project = setup.cli("project", "create", "--name", "bench")["id"]
        self.key = setup.cli("api-key", "create", "--project", self.project)["key"]


class Bench:
    """A folder, a receiver and a tenant, for the time of one measurement."""

    def __init__(self, kind):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="botix-bench-"))
        self.folder.chmod(0o755)
        self.receiver = Receiver(self.folder)
        self.kind = kind

    def __enter__(self):
        self.began = machine_cpu()
        tenant = Tenant(self.kind, self.folder)
        self.database, self.project, self.key = tenant.database, tenant.project, tenant.key
        return self

    def __exit__(self, *_):
        self.receiver.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def endpoints(self, port, count=ENDPOINTS, receiver=None):
        client = Client(port, self.key)
        url = f"http://127.0.0.1:{receiver or self.receiver.port}/hook"
        make = lambda n: client.call("POST", "/public/v1/webhooks/endpoints", {"url": f"{url}/{n}", "event_types": ["*"]})
        return [make(n)["data"]["id"] for n in range(count)]

    def backlog(self, count, receiver=None):
        """`count` events, each with a delivery that is due."""
        web = Server(self.folder, self.database, roles="web").start()
        endpoints = self.endpoints(web.port, receiver=receiver)
        web.stop()
        rows, number, blob = self.database.series(count)
        now = int(time.time() * 1e6) - count
        data = blob % '{"id":"con_00000000000000000000000000","phone":"+79990000000","name":"Ivan"}'
        self.database.run(
            "INSERT INTO btx_event (id, project_id, event_type, data, created_at) "
            f"SELECT 'evt_' || {number}, '{self.project}', 'contact.created', {data}, {now} + n {rows}"
        )
        case = " ".join(f"WHEN {n} THEN '{endpoint}'" for n, endpoint in enumerate(endpoints))
        self.database.run(
            "INSERT INTO btx_webhook_delivery (id, project_id, event_id, event_type, endpoint_id, request_id, cause, "
            "status, next_attempt_at, dead_letters_at, created_at, updated_at) "
            f"SELECT 'dlv_' || {number}, '{self.project}', 'evt_' || {number}, 'contact.created', "
            f"CASE n % {ENDPOINTS} {case} END, 'req_' || {number}, 'initial', 'pending', {now} + n, {now}, {now} + n, "
            f"{now} + n {rows}"
        )
