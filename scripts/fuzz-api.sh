#!/usr/bin/env bash
# fuzz-api.sh [short|long]: holds a running server to its own OpenAPI document (openapi-spec-validator, schemathesis with all
# checks and its stateful phase), and a disciplined client to its promise on a bad network. `short` is a stage of make test,
# `long` is make fuzz-api.
source "$(dirname "$0")/lib.sh"
mode=${1:-long}
case $mode in short | long) ;; *) die "usage: fuzz-api.sh [short|long]" ;; esac

bin=$("$ROOT/scripts/ensure-python.sh")
[ -n "${E2E_BUILT:-}" ] || "$ROOT/scripts/build-dev.sh"
BOTIX_BINARY=${BOTIX_BINARY:-$ROOT/target/debug/botix}
export BOTIX_BINARY
unset DATABASE_URL
cd "$ROOT/end2end/python"
PATH=$bin:$PATH PYTHONDONTWRITEBYTECODE=1 exec python fuzz.py "$mode"
