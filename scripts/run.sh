#!/usr/bin/env bash
# make run: from a fresh clone to the seeded dashboard. The server and the browser's half compile side by side, neither
# optimised; nothing a first page does not need is installed. Arguments go to `botix demo`.
source "$(dirname "$0")/lib.sh"

"$ROOT/scripts/build-dev.sh"
cd "$ROOT"
exec target/debug/botix demo "$@"
