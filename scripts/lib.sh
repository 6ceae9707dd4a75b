# shellcheck shell=bash
# What every script here shares: where the project is, how to speak, how to install a distribution's package.
# Sourced, never run. Messages go to standard error, so that a script's standard output stays usable by others.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export ROOT
# The browser's half is built into a folder of its own: its build then runs beside the server's, without waiting for
# the lock on the target folder.
FRONT_TARGET=$ROOT/target/front
SITE=$ROOT/target/site
WASM_TARGET=wasm32-unknown-unknown
export FRONT_TARGET SITE WASM_TARGET

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
# at_least A B: version A is B or newer
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }

# locked_version CRATE: the version in Cargo.lock
locked_version() {
    awk -v name="$1" '$1 == "name" { found = ($3 == "\"" name "\"") } found && $1 == "version" { gsub(/"/, "", $3); print $3; exit }' "$ROOT/Cargo.lock"
}

# need_rust: one clear line when the compiler is missing or too old
need_rust() {
    local wanted found
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml")
    have cargo || die "no cargo found; install Rust $wanted or newer and run again"
    found=$(rustc --version | awk '{print $2}')
    at_least "$found" "$wanted" || die "rustc $found is too old, $wanted or newer is needed: run 'rustup update'"
}

# apt_install PACKAGE…: quietly; fails with one line where there is no apt or no root
apt_install() {
    local sudo=() log
    have apt-get || die "please install by your system's package manager, then run again: $*"
    if [ "$(id -u)" != 0 ]; then
        if have sudo && sudo -n true 2>/dev/null; then sudo=(sudo -n); else die "please run 'sudo apt-get install $*', then run again"; fi
    fi
    say "installing $*"
    log=$(mktemp)
    # Lists as they are first: an update is needed only where they are empty or stale.
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300)
    if ! "${apt[@]}" install -y --no-install-recommends "$@" >"$log" 2>&1; then
        "${apt[@]}" update >"$log" 2>&1 || true
        "${apt[@]}" install -y --no-install-recommends "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; rm -f "$log"; die "apt could not install $*"; }
    fi
    rm -f "$log"
}

# npm_ci FOLDER: the locked packages of that folder, only when its lock has changed since
npm_ci() {
    have node && have npm || die "Node.js 20 or newer with npm is needed for this step; the product itself does not need it"
    local stamp=$1/node_modules/.locked
    if ! cmp -s "$1/package-lock.json" "$stamp"; then
        say "installing the locked npm packages of ${1#"$ROOT"/}"
        (cd "$1" && npm ci --no-progress --loglevel=error >&2)
        cp "$1/package-lock.json" "$stamp"
    fi
}

# stage NAME CMD…: runs it under a heading and remembers how long it took; stages_done prints them all
STAGES=()
stage() {
    local name=$1 from=$SECONDS code=0
    shift
    printf '\n── %s\n' "$name" >&2
    "$@" || code=$?
    STAGES+=("$(printf '%5ds  %-9s %s' $((SECONDS - from)) "$([ $code = 0 ] && echo ok || echo FAILED)" "$name")")
    return $code
}
stages_done() { printf '\n' >&2; printf '%s\n' ${STAGES[@]+"${STAGES[@]}"} >&2; }
