#!/usr/bin/env bash
# make build: dist/botix, one executable that needs nothing beside it; the site and the migrations are inside.
source "$(dirname "$0")/lib.sh"
need_rust

"$ROOT/scripts/build-site.sh" release
cd "$ROOT"
# The files are embedded while the server's crate compiles, which cargo cannot see; so that crate is always compiled anew.
touch server/src/main.rs
env -u RUSTUP_TOOLCHAIN cargo build --release -p botix-server
mkdir -p dist
cp target/release/botix dist/botix
strip dist/botix 2>/dev/null || true
say "dist/botix: $(du -h dist/botix | cut -f1)"
