"""Measurements of the delivery engine."""

import os
import pathlib
import re
import socket
import subprocess
import threading
import time

from harness import Bench, Client, Part, Server, others_share, wrk

WAITING = "SELECT COUNT(*) FROM btx_webhook_delivery WHERE status <> 'delivered'"
# The same question, answered by two small indexes: what is asked four times a second must not be part of what is measured.
WAITS = (
    "SELECT EXISTS (SELECT 1 FROM btx_webhook_delivery WHERE next_attempt_at IS NOT NULL AND leased_until IS NULL) "
    "OR EXISTS (SELECT 1 FROM btx_webhook_delivery WHERE leased_until IS NOT NULL)"
)
# As many as the engine has under way at once with ten endpoints.
CONCURRENCY = 256


def until_drained(bench, process):
    """Waits until nothing waits any more; the most memory that was in use meanwhile."""
    memory = 0
    while bench.database.run(WAITS)[0] in ("1", "t"):
        memory = max(memory, process.memory_mb())
        time.sleep(0.25)
    return memory


def worker(bench):
    """The engine under measurement: the product's, or (BOTIX_BENCH_ENGINE=alone) without the rest of it."""
    if os.environ.get("BOTIX_BENCH_ENGINE") == "alone":
        return Part("engine", bench.database)
    return Server(bench.folder, bench.database).start()


def drain(kind, count=200_000):
    """Deliveries a second while a backlog is worked off, beside bare loops to the same receiver."""
    with Bench(kind) as bench:
        bench.backlog(count)
        bare, by_wrk = [bench.receiver.bare_rate(CONCURRENCY)], [bench.receiver.wrk_rate(64)]
        before = bench.database.cpu_seconds()
        started = time.monotonic()
        engine = worker(bench)
        memory = until_drained(bench, engine)
        seconds = time.monotonic() - started
        cpu, database_cpu = engine.cpu_seconds(), bench.database.cpu_seconds() - before
        attempts = int(bench.database.run("SELECT COUNT(*) FROM btx_webhook_attempt")[0])
        engine.stop()
        # Once more behind it: on a shared machine the yardstick moves, too.
        bare.append(bench.receiver.bare_rate(CONCURRENCY))
        by_wrk.append(bench.receiver.wrk_rate(64))
        rate, by_wrk = count / seconds, sum(by_wrk) / 2
        bare, bare_cpu = (sum(two) / 2 for two in zip(*bare))
        return {
            "bench": "drain", "database": kind, "deliveries": count, "attempts": attempts,
            "seconds": round(seconds, 2), "per_second": round(rate),
            "bare_loop_per_second": round(bare), "share_of_bare_loop": round(rate / bare, 3),
            "wrk_per_second": round(by_wrk), "share_of_wrk": round(rate / by_wrk, 3),
            "cpu_us_per_delivery": round(cpu / count * 1e6), "bare_loop_cpu_us": round(bare_cpu),
            "database_cpu_us_per_delivery": round(database_cpu / count * 1e6),
            "memory_mb": memory, "machine_busy": others_share(bench.began),
        }


def flow(kind, seconds=20):
    """Accepting events and delivering them at once, as fast as they are taken."""
    with Bench(kind) as bench:
        server = Server(bench.folder, bench.database).start()
        bench.endpoints(server.port, 1)
        script = (
            'wrk.method = "POST"\n'
            f'wrk.headers["Authorization"] = "Bearer {bench.key}"\nwrk.headers["Content-Type"] = "application/json"\n'
            "local n = 0\nfunction request()\n  n = n + 1\n"
            '  wrk.headers["Idempotency-Key"] = string.format("bench-%012d", n)\n'
            '  return wrk.format(nil, nil, nil, \'{"type":"bench.tick","data":{"n":\' .. n .. "}}")\nend\n'
        )
        started = time.monotonic()
        accepted = wrk(f"http://127.0.0.1:{server.port}/public/v1/events", 64, seconds, script)
        at_once = int(bench.database.run("SELECT COUNT(*) FROM btx_webhook_delivery WHERE status = 'delivered'")[0])
        memory = until_drained(bench, server)
        all_of_it = time.monotonic() - started
        total = int(bench.database.run("SELECT COUNT(*) FROM btx_webhook_delivery")[0])
        cpu = server.cpu_seconds()
        server.stop()
        return {
            "bench": "flow", "database": kind, "events": total, "accepted_per_second": round(accepted["rate"]),
            "accept_p99_ms": accepted["p99_ms"], "delivered_per_second_meanwhile": round(at_once / seconds),
            "accepted_and_delivered_per_second": round(total / all_of_it),
            "cpu_us_per_event": round(cpu / total * 1e6), "memory_mb": memory,
            "machine_busy": others_share(bench.began),
        }


def latency(kind, rate=200, seconds=20):
    """From an accepted event to the beginning of its first attempt."""
    with Bench(kind) as bench:
        server = Server(bench.folder, bench.database).start()
        bench.endpoints(server.port, 1)
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
                "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": round(waits[-1], 2), "memory_mb": memory,
                "machine_busy": others_share(bench.began)}


def waiting(kind, count=100_000):
    """Memory and CPU while so many deliveries are due to a receiver that takes them and never answers."""
    with Bench(kind) as bench, socket.create_server(("127.0.0.1", 0), backlog=2048) as hung:
        bench.backlog(count, hung.getsockname()[1])
        worker = Server(bench.folder, bench.database).start()
        time.sleep(10)
        before, memory = worker.cpu_seconds(), 0
        for _ in range(20):
            time.sleep(1)
            memory = max(memory, worker.memory_mb())
        cpu = (worker.cpu_seconds() - before) / 20
        still = int(bench.database.run(WAITING)[0])
        worker.process.kill()
        worker.process.wait()
        return {"bench": "waiting", "database": kind, "waiting": still, "memory_mb": memory,
                "cpu_percent": round(cpu * 100, 2), "machine_busy": others_share(bench.began)}


def idle(kind, seconds=60):
    """CPU of a server that has an endpoint and nothing to do, in percent of one core."""
    with Bench(kind) as bench:
        server = Server(bench.folder, bench.database).start()
        bench.endpoints(server.port, 1)
        time.sleep(5)
        before, database_before = server.cpu_seconds(), bench.database.cpu_seconds()
        time.sleep(seconds)
        cpu, database_cpu = server.cpu_seconds() - before, bench.database.cpu_seconds() - database_before
        memory = server.memory_mb()
        server.stop()
        return {"bench": "idle", "database": kind, "seconds": seconds, "cpu_percent": round(cpu / seconds * 100, 2),
                "database_cpu_percent": round(database_cpu / seconds * 100, 2), "memory_mb": memory}


def profile(kind, count=100_000):
    """Where the CPU goes while a backlog is worked off: threads, and the functions that take most."""
    with Bench(kind) as bench:
        bench.backlog(count)
        data = bench.folder / "perf.data"
        worker = Part("engine", bench.database)
        recorder = subprocess.Popen(["perf", "record", "-q", "-F", "499", "-p", str(worker.process.pid), "-o", str(data)],
                                    stderr=subprocess.DEVNULL)
        until_drained(bench, worker)
        cpu = worker.cpu_seconds()
        worker.stop()
        recorder.wait()

        def shares(by, least):
            command = ["perf", "report", "-i", str(data), "--stdio", "-q", "-s", by, "--percent-limit", str(least)]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            return {" ".join(name.split()): float(share) for share, name in re.findall(r"^\s+([\d.]+)%\s+(.+)$", out, re.M)}

        keep = pathlib.Path(f"/tmp/botix-bench-{kind}.perf.data")
        keep.write_bytes(data.read_bytes())
        return {"bench": "profile", "database": kind, "deliveries": count, "cpu_us_per_delivery": round(cpu / count * 1e6),
                "by_thread": shares("comm", 1), "by_library": shares("dso", 1), "by_function": shares("symbol", 0.8),
                "kept": str(keep)}
