#!/usr/bin/env bash
# bench/run.sh COMMAND DATABASE [COUNT]: one measurement (see bench.py). Without arguments: all of them.
# Installs nginx and wrk where Debian's packages can be installed; PostgreSQL runs with durable settings.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for tool in nginx wrk; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if [ ${#missing[@]} -gt 0 ]; then
    echo "bench: installing ${missing[*]}" >&2
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 ||
        { echo "bench: install ${missing[*]} and run again" >&2; exit 1; }
fi
[ -x "${BOTIX_BENCH_BINARY:-dist/botix}" ] || make build

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
    measure drain $database 50000
    measure latency $database
    measure pages $database 1000000
done
