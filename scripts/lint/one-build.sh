#!/usr/bin/env bash
# Fails when the tests would build a dependency with other features than the server does: every crate above it would then be
# compiled twice, and the tests would judge another binary than the one that runs. (A dev-dependency with an extra feature
# is enough to do it.)
source "$(dirname "$0")/../lib.sh"
cd "$ROOT"
features() { cargo tree "$@" --prefix none --format '{p} {f}' 2>/dev/null | sed 's/ (\*)$//' | sort -u; }

server=$(features -p botix-server --edges normal,build)
tests=$(features --workspace --exclude botix-frontend --edges normal,build,dev)
# Lines of the server's that the tests don't have in the same form.
differing=$(comm -23 <(echo "$server") <(echo "$tests"))
[ -z "$differing" ] || die "the tests build these with other features than the server: $differing"
say "server and tests share one build"
