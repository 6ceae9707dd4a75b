#!/usr/bin/env bash
# soak.sh sqlite|postgres [kills|outage] [COUNT]: under load, kills the real binary COUNT times at random moments, or takes
# its database away for COUNT seconds; and then counts (end2end/soak).
source "$(dirname "$0")/lib.sh"
usage="usage: soak.sh sqlite|postgres [kills|outage] [COUNT]"
database=${1:?$usage}
what=${2:-kills}
case $what in
kills) count=${3:-200} ;;
outage) count=${3:-60} ;;
*) die "$usage" ;;
esac
if [ "$database" = postgres ] && [ -z "${BOTIX_TEST_POSTGRES_URL:-}" ]; then
    DURABLE=1 exec "$ROOT/scripts/with-services.sh" "$0" "$@"
fi
[ -n "${BOTIX_BINARY:-}" ] || "$ROOT/scripts/build-dev.sh"
BOTIX_BINARY=${BOTIX_BINARY:-$ROOT/target/debug/botix}
BOTIX_TEST_DATABASE=$database
export BOTIX_BINARY BOTIX_TEST_DATABASE
cd "$ROOT/end2end"
exec node "soak/$what.js" "$count"
