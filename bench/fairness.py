"""What hung receivers cost the others: the time from an event to its first attempt at healthy endpoints, with and without
one endpoint in five that hangs until the time-out and has a backlog. All are one project's, which is the hardest case."""

import socket
import threading
import time

from harness import Bench, Client, Server, others_share

ENDPOINTS, HUNG = 100, 20
RATE, SECONDS = 100, 20


class Silent:
    """Accepts connections and never answers."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.socket.getsockname()[1]
        self.held = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            self.held.append(self.socket.accept()[0])


def fill(bench, endpoints, count):
    """A backlog of first attempts, spread over the hung endpoints."""
    rows, number, blob = bench.database.series(count)
    now = int(time.time() * 1e6)
    bench.database.run(
        "INSERT INTO btx_event (id, project_id, event_type, data, created_at) "
        f"SELECT 'evt_' || {number}, '{bench.project}', 'backlog.one', {blob % '{}'}, {now} {rows}"
    )
    case = " ".join(f"WHEN {n} THEN '{endpoint}'" for n, endpoint in enumerate(endpoints))
    bench.database.run(
        "INSERT INTO btx_webhook_delivery (id, project_id, event_id, event_type, endpoint_id, request_id, cause, "
        "status, next_attempt_at, dead_letters_at, created_at, updated_at) "
        f"SELECT 'dlv_' || {number}, '{bench.project}', 'evt_' || {number}, 'backlog.one', "
        f"CASE n % {len(endpoints)} {case} END, 'req_' || {number}, 'initial', 'pending', {now}, {now}, {now}, {now} {rows}"
    )


def run(kind, backlog):
    """Percentiles of the healthy endpoints' lag; with a backlog, the hung ones hang."""
    with Bench(kind) as bench:
        silent = Silent()
        web = Server(bench.folder, bench.database, roles="web").start()
        client = Client(web.port, bench.key)
        ids = []
        for n in range(ENDPOINTS):
            port = silent.port if n < HUNG else bench.receiver.port
            body = {"url": f"http://127.0.0.1:{port}/{n}", "event_types": [f"bench.t{n}"]}
            ids.append(client.call("POST", "/public/v1/webhooks/endpoints", body)["data"]["id"])
        web.stop()
        if backlog:
            fill(bench, ids[:HUNG], backlog)
        server = Server(bench.folder, bench.database, BOTIX_READ_TIMEOUT="5s").start()
        client = Client(server.port, bench.key)
        # Without the hung ones, their events are not sent either: the healthy load is the same.
        targets = range(ENDPOINTS) if backlog else range(HUNG, ENDPOINTS)
        started, sent = time.monotonic(), 0
        while time.monotonic() - started < SECONDS:
            pause = started + sent / (RATE * len(targets) / ENDPOINTS) - time.monotonic()
            time.sleep(max(0, pause))
            client.call("POST", "/public/v1/events", {"type": f"bench.t{targets[sent % len(targets)]}", "data": {}})
            sent += 1
        time.sleep(2)
        hung = ", ".join(f"'{endpoint}'" for endpoint in ids[:HUNG])
        lags = bench.database.run(
            "SELECT a.requested_at - e.created_at FROM btx_webhook_attempt a JOIN btx_event e ON e.id = a.event_id "
            f"WHERE a.attempt_number = 1 AND a.endpoint_id NOT IN ({hung})"
        )
        server.stop()
        lags = sorted(int(lag) / 1000 for lag in lags)
        return {"events": len(lags), "p50_ms": round(lags[len(lags) // 2], 2), "p99_ms": round(lags[int(len(lags) * 0.99)], 2),
                "machine_busy": others_share(bench.began)}



def fairness(kind, backlog=10_000):
    """The healthy endpoints' p99 with and without hung ones beside them."""
    without, beside = run(kind, 0), run(kind, backlog)
    return {"bench": "fairness", "database": kind, "backlog": backlog, "without": without, "with_hung": beside,
            "p99_ratio": round(beside["p99_ms"] / without["p99_ms"], 2)}
