#!/usr/bin/env bash
# make dev: the seeded dashboard, rebuilt and reloaded on every change, by cargo-leptos. The tool is built once when it is
# missing (about four minutes); all other targets do without it.
source "$(dirname "$0")/lib.sh"
need_rust
exports=$("$ROOT/scripts/ensure-wasm-target.sh")
PATH=$(dirname "$("$ROOT/scripts/ensure-wasm-bindgen.sh")"):$ROOT/target/tools/bin:$PATH

if ! cargo leptos --version >/dev/null 2>&1; then
    say "building cargo-leptos (about four minutes, once)"
    CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo install cargo-leptos --version 0.3.11 --locked --ignore-rust-version \
        --debug --features no_downloads --root "$ROOT/target/tools" --target-dir "$ROOT/target/tools/build"
    rm -rf "$ROOT/target/tools/build"
fi

# The browser's half may need another toolchain than the server's (ensure-wasm-target.sh); the server keeps the usual one.
LEPTOS_BIN_CARGO_COMMAND="cargo +$(rustup show active-toolchain 2>/dev/null | awk '{print $1}')"
[ "$LEPTOS_BIN_CARGO_COMMAND" != "cargo +" ] || LEPTOS_BIN_CARGO_COMMAND=cargo
export LEPTOS_BIN_CARGO_COMMAND
eval "$exports"
cd "$ROOT"
exec cargo leptos watch "$@" -- demo
