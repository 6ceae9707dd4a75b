#!/usr/bin/env bash
# Finds or installs wasm-opt for release builds and prints its path. It comes from npm's binaryen, locked: what some
# distributions ship (108) makes modules that validate and then die in the page.
source "$(dirname "$0")/lib.sh"
npm_ci "$ROOT/scripts/wasm-opt"
echo "$ROOT/scripts/wasm-opt/node_modules/.bin/wasm-opt"
