#!/usr/bin/env bash
# Finds or installs Redis's server for the tests and prints its path. Nothing is started here: with-services.sh runs a
# throw-away server of its own, and leaves any other alone.
source "$(dirname "$0")/lib.sh"

find_program() {
    local name
    for name in "${REDIS_SERVER:-}" redis-server valkey-server; do
        if [ -n "$name" ] && have "$name"; then command -v "$name"; return 0; fi
    done
    return 1
}

find_program || { apt_install redis-server; find_program || die "no redis-server found; set REDIS_SERVER=/path/to/it"; }
