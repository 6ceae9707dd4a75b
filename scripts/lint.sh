#!/usr/bin/env bash
# make lint: everything that judges the sources without running them. The compiler's warnings are errors here.
source "$(dirname "$0")/lib.sh"
need_rust
cd "$ROOT"
mkdir -p "$SITE"

clippy_browser() {
    local exports
    exports=$("$ROOT/scripts/ensure-wasm-target.sh")
    (
        eval "$exports"
        cargo clippy -p botix-frontend --lib --target "$WASM_TARGET" --target-dir "$FRONT_TARGET" -- -D warnings
    )
}

stage "format" cargo fmt --all --check
if have node; then
    stage "architecture: nobody imports upward" node scripts/lint/architecture.mjs
    stage "known kinds of failure: each has a test" node scripts/lint/known-kinds.mjs
    stage "dependencies: licences, sources, doubles" node scripts/lint/dependencies.mjs
else
    say "no Node.js: the architecture, the known kinds and the dependency rules were not checked"
fi
# The browser's crate turns on features that the server must not have, so the two are never built in one go.
stage "features: one build for server and tests" scripts/lint/one-build.sh
stage "clippy: server" cargo clippy --workspace --exclude botix-frontend --all-targets -- -D warnings
stage "clippy: server without traces" cargo clippy -p botix-server --no-default-features -- -D warnings
stage "clippy: browser" clippy_browser
[ -n "${STAGES_QUIET:-}" ] || stages_done
