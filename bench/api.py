"""Measurements of the public API."""

import statistics
import time

from harness import Bench, Client, Part, Server, Tenant, free_port, others_share, wait_for_port, wrk

# Connections at once.
CONNECTIONS = 16
PATH = "/public/v1/contacts"

# Every request a new contact under a new key; `first` keeps rounds apart.
FRESH = """
local n = tonumber(%(first)d)
wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer %(key)s"
wrk.headers["Content-Type"] = "application/json"
function request()
  n = n + 1
  wrk.headers["Idempotency-Key"] = string.format("2f1c4a7e-bench-%%015d", n)
  return wrk.format(nil, nil, nil, string.format('{"phone":"+79%%011d","name":"Ivan Petrov","email":"i@example.com"}', n))
end
"""
# The first `known` of them again, one after the other.
AGAIN = FRESH.replace("n = n + 1", "n = n + 1\n  if n > %(first)d + %(known)d then n = %(first)d + 1 end")
KNOWN = 2_000
STEP = 10_000_000


class Side:
    """The API with the layer on or off, on a database of its own."""

    def __init__(self, kind, folder, layer, subscribed):
        self.tenant = Tenant(kind, folder, f"layer_{layer}")
        self.database = self.tenant.database
        self.port = free_port()
        self.server = Part("contacts", self.database, f"127.0.0.1:{self.port}", layer)
        wait_for_port(self.port)
        self.rounds = 0
        if subscribed:
            Client(self.port, self.tenant.key).call(
                "POST", "/public/v1/webhooks/endpoints", {"url": "http://example.com/hook", "event_types": ["*"]})

    def cpu_seconds(self):
        return self.server.cpu_seconds() + self.database.cpu_seconds()

    def load(self, seconds, script=FRESH, first=None):
        self.rounds += 1
        first = self.rounds * STEP if first is None else first
        script = script % {"key": self.tenant.key, "first": first, "known": KNOWN}
        before = self.cpu_seconds()
        done = wrk(f"http://127.0.0.1:{self.port}{PATH}", CONNECTIONS, seconds, script)
        return {**done, "cpu_us": (self.cpu_seconds() - before) / done["count"] * 1e6}

    def fill(self):
        """The keys that are replayed: sent slowly once, by the bodies that wrk repeats."""
        client = Client(self.port, self.tenant.key)
        for n in range(1, KNOWN + 1):
            body = {"phone": f"+79{n:011d}", "name": "Ivan Petrov", "email": "i@example.com"}
            client.call_raw("POST", PATH, compact(body), f"2f1c4a7e-bench-{n:015d}")


def compact(body):
    pairs = ",".join(f'"{name}":"{value}"' for name, value in body.items())
    return "{" + pairs + "}"


def contacts(kind, subscribed=1, rounds=9):
    """`POST /contacts` with the idempotency layer on and off, and replays, in turns; the median of the rounds' ratios."""
    with Bench(kind) as bench:
        on, off = (Side(kind, bench.folder, layer, subscribed) for layer in ("on", "off"))
        on.fill()
        seconds = 2
        on.load(seconds), off.load(seconds)
        taken = {"on": [], "off": [], "replay": []}
        for n in range(rounds):
            turns = [("on", lambda: on.load(seconds)), ("off", lambda: off.load(seconds)),
                     ("replay", lambda: on.load(seconds, AGAIN, 0))]
            for name, turn in turns[n % 3:] + turns[:n % 3]:
                taken[name].append(turn())
        on.server.stop(), off.server.stop()

        def ratio(of, to, what):
            return round(statistics.median(a[what] / b[what] for a, b in zip(taken[of], taken[to])), 3)

        middle = lambda name, what: round(statistics.median(one[what] for one in taken[name]), 2)
        return {
            "bench": "contacts", "database": kind, "endpoints": subscribed, "rounds": rounds, "connections": CONNECTIONS,
            "per_second_on": middle("on", "rate"), "per_second_off": middle("off", "rate"),
            "per_second_replay": middle("replay", "rate"),
            "p99_ms_on": middle("on", "p99_ms"), "p99_ms_off": middle("off", "p99_ms"),
            "p99_ms_replay": middle("replay", "p99_ms"),
            "cpu_us_on": middle("on", "cpu_us"), "cpu_us_off": middle("off", "cpu_us"),
            "cpu_us_replay": middle("replay", "cpu_us"),
            "time_ratio": ratio("off", "on", "rate"), "p99_ratio": ratio("on", "off", "p99_ms"),
            "cpu_ratio": ratio("on", "off", "cpu_us"),
            "replay_time_ratio": ratio("on", "replay", "rate"), "replay_cpu_ratio": ratio("replay", "on", "cpu_us"),
            "machine_busy": others_share(bench.began),
        }


def fill_attempts(bench, endpoint, count):
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


def pages(kind, count=5_000_000, depth=5_000):
    """The list of attempts at depth 1 and deep in it, in turns; the median of the rounds' ratios."""
    with Bench(kind) as bench:
        server = Server(bench.folder, bench.database, roles="web").start()
        fill_attempts(bench, bench.endpoints(server.port, 1)[0], count)
        client = Client(server.port, bench.key)
        path = "/public/v1/webhooks/attempts?cursor_limit=20"
        answer = client.call("GET", path)
        for _ in range(depth - 2):
            answer = client.call("GET", f"{path}&cursor={answer['next_cursor']}")
        urls = {"first": path, "deep": f"{path}&cursor={answer['next_cursor']}", "filtered": f"{path}&status=retrying"}

        def timed(url, calls=20):
            samples, cpu = [], server.cpu_seconds() + bench.database.cpu_seconds()
            for _ in range(calls):
                start = time.perf_counter()
                client.call("GET", url)
                samples.append((time.perf_counter() - start) * 1000)
            return statistics.median(samples), (server.cpu_seconds() + bench.database.cpu_seconds() - cpu) / calls

        rounds = [{name: timed(url) for name, url in urls.items()} for _ in range(30)]
        server.stop()
        middle = lambda name: round(statistics.median(one[name][0] for one in rounds), 2)
        cpu = lambda name: sum(one[name][1] for one in rounds) / len(rounds)
        return {"bench": "pages", "database": kind, "rows": count, "depth": depth,
                "page_1_ms": middle("first"), "deep_page_ms": middle("deep"), "filtered_page_1_ms": middle("filtered"),
                "time_ratio": round(statistics.median(one["deep"][0] / one["first"][0] for one in rounds), 3),
                "cpu_ratio": round(cpu("deep") / cpu("first"), 3), "cpu_us_page_1": round(cpu("first") * 1e6),
                "cpu_us_deep_page": round(cpu("deep") * 1e6), "machine_busy": others_share(bench.began)}
