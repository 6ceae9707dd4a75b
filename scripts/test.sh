#!/usr/bin/env bash
# make test: from a fresh clone to one verdict. Sets up what it needs (the WASM target, PostgreSQL, a browser), lints,
# builds the binary that `make run` would start, then runs the unit and contract suites on SQLite and PostgreSQL and the
# black-box and browser tests against that binary. Every stage is timed; the last line is the sum.
source "$(dirname "$0")/lib.sh"
need_rust
cd "$ROOT"
logs=$ROOT/target/test-logs
mkdir -p "$logs" "$SITE"
unset DATABASE_URL

if [ -z "${BOTIX_TEST_POSTGRES_URL:-}" ]; then
    # What comes from a package manager is fetched while the compiler works.
    "$ROOT/scripts/ensure-postgres.sh" >/dev/null
    exec "$ROOT/scripts/with-services.sh" "$0" "$@"
fi
{ "$ROOT/scripts/ensure-browser.sh" && "$ROOT/scripts/ensure-python.sh"; } >"$logs/browser-setup.log" 2>&1 &
browser_setup=$!

failed=0
# required: nothing after it makes sense when it fails. judged: the rest still runs, and the verdict is red.
required() { stage "$@" || { wait; verdict 1; }; }
judged() { stage "$@" || failed=1; }
logged() { local log=$logs/$1.log; shift; "$@" 2>&1 | tee "$log"; }

rust_tests() {
    if cargo nextest --version >/dev/null 2>&1; then
        logged rust cargo nextest run --workspace --exclude botix-frontend --no-fail-fast --status-level fail --final-status-level fail
    else
        logged rust cargo test --workspace --exclude botix-frontend --no-fail-fast --bins --lib --tests -- --quiet
    fi
}
api_document() { E2E_BUILT=1 logged api-document "$ROOT/scripts/fuzz-api.sh" short; }
kills() { BOTIX_BINARY=$ROOT/target/debug/botix logged "kills-$1" "$ROOT/scripts/soak.sh" "$1" kills 10; }
outage() { BOTIX_BINARY=$ROOT/target/debug/botix logged "outage-$1" "$ROOT/scripts/soak.sh" "$1" outage 5; }
first_load() { E2E_BUILT=1 logged first-load "$ROOT/scripts/e2e.sh" first-load; }
black_box() { E2E_BUILT=1 logged "$1" "$ROOT/scripts/e2e.sh" "$1"; }

# count WORD-PATTERN: the sum of the numbers that the runners printed beside it
count() {
    sed 's/\x1b\[[0-9;]*m//g' "$logs"/{rust,api-sqlite,api-postgres,api-document,browser}.log 2>/dev/null |
        awk -v word="$1" '
            /^ *Summary \[/ || /^test result:/ { for (i = 2; i <= NF; i++) { name = $i; gsub(/[^a-z]/, "", name); if (name == word) sum += $(i - 1) } }
            /^(# |ℹ )(pass|fail) / { if (($2 == "pass" && word == "passed") || ($2 == "fail" && word == "failed")) sum += $3 }
            /^ +[0-9]+ (passed|failed)( \(.*\))?$/ { if ($2 == word) sum += $1 }
            END { print sum + 0 }'
}
verdict() {
    stages_done
    printf '%5ds  in all\n%s passed, %s failed\n' "$SECONDS" "$(count passed)" "$(count failed)" >&2
    exit "$1"
}

rm -f "$logs"/{rust,api-sqlite,api-postgres,api-document,browser}.log
judged "lint" env STAGES_QUIET=1 "$ROOT/scripts/lint.sh"
# The site as it ships: the browser tests drive that one, and its size is held to its budget.
required "build the server and its site" "$ROOT/scripts/build-dev.sh" release
judged "unit and contract tests, SQLite and PostgreSQL" rust_tests
required "browser, Node and Python packages" wait $browser_setup
judged "API tests on SQLite" black_box api-sqlite
judged "API tests on PostgreSQL" black_box api-postgres
judged "random kills under load, SQLite" kills sqlite
judged "random kills under load, PostgreSQL" kills postgres
judged "the database goes and returns, SQLite" outage sqlite
judged "the database goes and returns, PostgreSQL" outage postgres
judged "API against its document, client on a bad network" api_document
judged "browser tests" black_box browser
judged "the first load within its budget" first_load
verdict $failed
