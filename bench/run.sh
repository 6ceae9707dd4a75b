#!/usr/bin/env bash
# bench/run.sh COMMAND DATABASE [NUMBER…]: one measurement (see bench.py). Without arguments: all of them.
# Installs nginx and wrk where Debian's packages can be installed; PostgreSQL runs with durable settings.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONDONTWRITEBYTECODE=1

missing=()
for tool in nginx wrk; do command -v "$tool" >/dev/null || missing+=("$tool"); done
[ "${1:-}" != profile ] || command -v perf >/dev/null || missing+=(linux-perf)
if [ ${#missing[@]} -gt 0 ]; then
    echo "bench: installing ${missing[*]}" >&2
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 ||
        { echo "bench: install ${missing[*]} and run again" >&2; exit 1; }
fi
[ -x "${BOTIX_BENCH_BINARY:-dist/botix}" ] || make build
# What is compared with the product and never part of it: the bare loop, the engine alone, and the API whose idempotency
# layer can be switched off. BOTIX_BENCH_BUILT=1 takes them as they are.
[ -n "${BOTIX_BENCH_BUILT:-}" ] || cargo build --quiet --release -p botix-server -p botix-delivery -p botix-api \
    --features botix-api/bench --example bare_loop --example engine --example contacts

measure() {
    if [ "$2" = postgres ]; then
        DURABLE=1 scripts/with-services.sh bash -c \
            'BOTIX_BENCH_POSTGRES_URL=$BOTIX_TEST_POSTGRES_URL exec python3 bench/bench.py "$@"' bench "$@"
    else
        python3 bench/bench.py "$@"
    fi
}

if [ $# -gt 0 ]; then measure "$@"; exit; fi
for database in sqlite postgres; do
    for command in contacts pages drain flow latency fairness waiting idle profile; do measure $command $database; done
done
