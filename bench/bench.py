#!/usr/bin/env python3
"""The load and scale harness: real binary, real databases, real receiver; standard library only.

    bench/run.sh contacts sqlite              the idempotency layer on and off, and replays
    bench/run.sh pages postgres 5000000       a list page at depth 1 and 5,000
    bench/run.sh ssr postgres 1000000         the server's time for each page of the dashboard
    bench/run.sh lighthouse sqlite            Lighthouse's scores of the main pages
    bench/run.sh live sqlite                  an open list while 20,000 attempts arrive in a minute
    bench/run.sh drain sqlite 200000          a backlog, beside bare loops
    bench/run.sh flow postgres                accepting and delivering at once
    bench/run.sh latency sqlite               from an event to its first attempt
    bench/run.sh fairness sqlite              the same at healthy endpoints, beside hung ones with a backlog
    bench/run.sh waiting sqlite 100000        memory with a backlog to a hung receiver
    bench/run.sh idle sqlite                  CPU of an engine without work
    bench/run.sh profile sqlite               where a delivery's CPU goes

Each command prints one JSON object. `bench/run.sh` provides nginx, wrk and a PostgreSQL with durable
settings; `bench/README.md` holds the results and how they were made.
"""

import json
import sys

from api import contacts, pages
from dashboard import lighthouse, live, ssr
from engine import drain, flow, idle, latency, profile, waiting
from fairness import fairness

COMMANDS = {f.__name__: f for f in (contacts, pages, ssr, lighthouse, live, drain, flow, latency, fairness, waiting, idle, profile)}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS or sys.argv[2] not in ("sqlite", "postgres"):
        raise SystemExit(__doc__)
    print(json.dumps(COMMANDS[sys.argv[1]](sys.argv[2], *map(int, sys.argv[3:]))))
