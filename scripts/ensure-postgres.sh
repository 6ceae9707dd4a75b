#!/usr/bin/env bash
# Finds or installs PostgreSQL's server programs for the tests and prints their folder. Nothing is started here:
# with-services.sh runs a throw-away server of its own, and leaves any other alone.
source "$(dirname "$0")/lib.sh"

find_programs() {
    local candidate
    for candidate in "${POSTGRES_BIN:-}" "$(have pg_config && pg_config --bindir || true)" \
        "$(have postgres && dirname "$(readlink -f "$(command -v postgres)")" || true)" \
        $(printf '%s\n' /usr/lib/postgresql/*/bin /usr/local/opt/postgresql*/bin /opt/homebrew/opt/postgresql*/bin | sort -Vr); do
        if [ -n "$candidate" ] && [ -x "$candidate/initdb" ] && [ -x "$candidate/pg_ctl" ]; then echo "$candidate"; return 0; fi
    done
    return 1
}

find_programs || { apt_install postgresql postgresql-client; find_programs || die "no initdb and pg_ctl found; set POSTGRES_BIN to their folder"; }
