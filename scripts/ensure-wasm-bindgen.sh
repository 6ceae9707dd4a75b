#!/usr/bin/env bash
# Finds or installs the wasm-bindgen tool of exactly the version in Cargo.lock (another one refuses to work).
# Prints its path. A tool on PATH of the right version is used as it is; else one is built into target/tools: without
# optimisation, since that takes half a minute instead of several.
source "$(dirname "$0")/lib.sh"

version=$(locked_version wasm-bindgen)
home=$ROOT/target/tools
for tool in "$(command -v wasm-bindgen || true)" "$home/bin/wasm-bindgen"; do
    if [ -x "$tool" ] && [ "$("$tool" --version 2>/dev/null)" = "wasm-bindgen $version" ]; then
        echo "$tool"
        exit 0
    fi
done

say "building wasm-bindgen $version (half a minute, once)"
# Not --locked: the tool's own lock file pins a crate that has been withdrawn.
env -u RUSTUP_TOOLCHAIN -u CARGO_BUILD_TARGET CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
    cargo install wasm-bindgen-cli --version "$version" --debug --no-default-features --bin wasm-bindgen \
    --root "$home" --target-dir "$home/build" --quiet >&2 || die "wasm-bindgen $version could not be built"
rm -rf "$home/build"
echo "$home/bin/wasm-bindgen"
