#!/usr/bin/env bash
# e2e.sh [all|api-sqlite|api-postgres|browser|first-load|screenshots|outcomes] [ARGS…]: the black-box tests against the real binary, beside a
# throw-away PostgreSQL. Further arguments go to the runner, for example: scripts/e2e.sh browser --grep Retry
source "$(dirname "$0")/lib.sh"
what=${1:-all}
shift || true

if [ -z "${BOTIX_TEST_POSTGRES_URL:-}" ] && [ "$what" != screenshots ] && [ "$what" != first-load ] && [ "$what" != outcomes ]; then
    exec "$ROOT/scripts/with-services.sh" "$0" "$what" "$@"
fi
[ -n "${E2E_BUILT:-}" ] || "$ROOT/scripts/build-dev.sh"
CHROMIUM=$("$ROOT/scripts/ensure-browser.sh")
BOTIX_TEST_PYTHON=$("$ROOT/scripts/ensure-python.sh")/python # for the webhook libraries
BOTIX_BINARY=${BOTIX_BINARY:-$ROOT/target/debug/botix}
export CHROMIUM BOTIX_BINARY BOTIX_TEST_PYTHON
unset DATABASE_URL
cd "$ROOT/end2end"

api() {
    local database=$1
    shift
    BOTIX_TEST_DATABASE=$database node --test --test-reporter=spec "$@" api/*.test.js
}
browser() { npx --no-install playwright test "$@"; }

case $what in
all)
    code=0
    api sqlite || code=1
    api postgres || code=1
    browser "$@" || code=1
    exit $code
    ;;
api-*) api "${what#api-}" "$@" ;;
browser) browser "$@" ;;
first-load) node first-load.js "$@" ;;
screenshots)
    node screenshots.js "$@"
    TOUR_IMAGES=../docs/img npx playwright test --project=security browser/tour.spec.js # those of docs/tour.md
    ;;
outcomes) UPDATE_OUTCOMES=1 node --test api/faults.test.js ;; # writes docs/outcomes.md
*) die "usage: e2e.sh [all|api-sqlite|api-postgres|browser|first-load|screenshots|outcomes]" ;;
esac
