#!/usr/bin/env bash
# build-dev.sh [dev|release]: the unoptimised server (target/debug/botix) and its site (target/site), built side by side: what `make run` starts and
# what the black-box tests drive. Does nothing, in a second or two, when nothing has changed.
source "$(dirname "$0")/lib.sh"
need_rust
mkdir -p "$SITE"
from=$SECONDS

# prefixed NAME CMD…: two builds talk at once, so each line says whose it is
prefixed() {
    local name=$1 line
    shift
    "$@" 2>&1 | while IFS= read -r line; do printf '%s │ %s\n' "$name" "$line"; done >&2
}

cd "$ROOT"
prefixed server env -u RUSTUP_TOOLCHAIN cargo build -p botix-server &
server=$!
code=0
prefixed "site  " "$ROOT/scripts/build-site.sh" "${1:-dev}" || code=$?
wait $server || code=$?
[ $code = 0 ] || die "the build failed; the messages are above"
say "server and site are ready ($((SECONDS - from)) s)"
