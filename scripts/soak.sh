#!/usr/bin/env bash
# soak.sh sqlite|postgres [KILLS]: kills the real binary at random moments under load and then counts (end2end/soak).
source "$(dirname "$0")/lib.sh"
database=${1:?usage: soak.sh sqlite|postgres [KILLS]}
kills=${2:-200}
if [ "$database" = postgres ] && [ -z "${BOTIX_TEST_POSTGRES_URL:-}" ]; then
    DURABLE=1 exec "$ROOT/scripts/with-services.sh" "$0" "$@"
fi
[ -n "${BOTIX_BINARY:-}" ] || "$ROOT/scripts/build-dev.sh"
BOTIX_BINARY=${BOTIX_BINARY:-$ROOT/target/debug/botix}
BOTIX_TEST_DATABASE=$database
export BOTIX_BINARY BOTIX_TEST_DATABASE
cd "$ROOT/end2end"
exec node soak/kills.js "$kills"
