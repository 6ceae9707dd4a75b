#!/usr/bin/env bash
# Makes the target wasm32-unknown-unknown usable with plain `cargo build --target …`. Each step is tried only when the one
# before does not do, and judged by a real compile, not by a file's presence:
#
#   1. the active rustc links for the target already, or the toolchain that step 3 once made does
#   2. `rustup target add` (left out where rustup is told not to download: RUSTUP_AUTO_INSTALL=0)
#   3. Debian and Ubuntu: the distribution's newest rustc, its std sources and the matching lld; std is built for the target
#      once, put into that rustc's sysroot, and the whole is linked as rustup toolchain "distro"
#   4. one line that says what is missing
#
# Prints only `export NAME=value` lines on standard output:  eval "$(scripts/ensure-wasm-target.sh)"
source "$(dirname "$0")/lib.sh"

LINK_NAME=${WASM_TOOLCHAIN_NAME:-distro}
MIN_RUSTC=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# probe RUSTC…: does this rustc compile and link a cdylib for the target? (It also notices a std left by an older rustc.)
probe() {
    echo '#[unsafe(no_mangle)] pub extern "C" fn f(n: u32) -> usize { let v: Vec<String> = (0..n).map(|i| i.to_string()).collect(); v.concat().len() }' >"$tmp/probe.rs"
    "$@" --edition 2021 --crate-type cdylib --crate-name probe -Copt-level=1 --target "$WASM_TARGET" \
        -o "$tmp/probe.wasm" "$tmp/probe.rs" >"$tmp/probe.log" 2>&1
}

# 1. What is there already?
if have rustc && probe rustc; then
    [ -z "${RUSTUP_TOOLCHAIN:-}" ] || echo "export RUSTUP_TOOLCHAIN=$RUSTUP_TOOLCHAIN"
    exit 0
fi
if have rustup && rustup toolchain list 2>/dev/null | awk '{print $1}' | grep -qx "$LINK_NAME" &&
    probe env RUSTUP_TOOLCHAIN="$LINK_NAME" rustc; then
    echo "export RUSTUP_TOOLCHAIN=$LINK_NAME"
    exit 0
fi

# 2. rustup, on a machine that may download.
if have rustup && [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ]; then
    say "adding $WASM_TARGET by rustup"
    if timeout 180 rustup target add "$WASM_TARGET" >"$tmp/rustup.log" 2>&1 && probe rustc; then exit 0; fi
    say "rustup cannot: $(grep -m1 -i '^error' "$tmp/rustup.log" || echo 'no answer in time')"
fi

# 3. The distribution's compiler.
have apt-get || die "this rustc has no std for $WASM_TARGET, and rustup cannot fetch it: run 'rustup target add $WASM_TARGET' where it can, then again"
if [ "$(id -u)" = 0 ]; then sudo=(); elif have sudo && sudo -n true 2>/dev/null; then sudo=(sudo -n); else die "need root (or sudo) to install the distribution's rustc for $WASM_TARGET"; fi
say "updating apt's lists"
"${sudo[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update >/dev/null 2>&1 || say "apt-get update failed; going on with the lists at hand"

# Debian's newest rustc is called rustc-web (kept fresh for browsers, in stable-security), or plain rustc.
candidate() { apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ && $2 != "(none)" {print $2}' | sed 's/^[0-9]*://; s/[+~-].*//'; }
best='' best_version=0
for family in rustc-web rustc; do
    version=$(candidate "$family")
    if [ -n "$version" ] && at_least "$version" "$best_version"; then best=$family best_version=$version; fi
done
[ -n "$best" ] || die "apt offers no rustc package"
at_least "$best_version" "$MIN_RUSTC" || die "apt's newest rustc is $best_version; this project needs $MIN_RUSTC or newer"
case $best in
rustc-web) apt_install rustc-web cargo-web rust-web-src rust-web-clippy ;;
*) apt_install rustc cargo rust-src rust-clippy ;;
esac

RUSTC=/usr/bin/rustc CARGO=/usr/bin/cargo
verbose=$($RUSTC -vV)
host=$(sed -n 's/^host: //p' <<<"$verbose")
hash=$(sed -n 's/^commit-hash: //p' <<<"$verbose")
llvm=$(sed -n 's/^LLVM version: \([0-9]*\).*/\1/p' <<<"$verbose")
sysroot=$($RUSTC --print sysroot)
library=$sysroot/lib/rustlib/src/rust/library
[ -f "$library/Cargo.lock" ] || die "no std sources under $library"

# rustc looks for a linker called rust-lld; the lld of its own LLVM is that program.
[ -x "/usr/lib/llvm-$llvm/bin/lld" ] || apt_install "lld-$llvm"
"${sudo[@]}" install -d "$sysroot/lib/rustlib/$host/bin"
"${sudo[@]}" ln -sfn "/usr/lib/llvm-$llvm/bin/lld" "$sysroot/lib/rustlib/$host/bin/rust-lld"

if ! probe $RUSTC; then
    say "building std for $WASM_TARGET with rustc $best_version (half a minute, once)"
    mkdir -p "$tmp/std/src"
    printf '[package]\nname = "std-for-wasm"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "src/lib.rs"\n' >"$tmp/std/Cargo.toml"
    : >"$tmp/std/src/lib.rs"
    offline=()
    if [ -d "$library/vendor" ]; then # the package brings std's own dependencies
        mkdir "$tmp/std/.cargo"
        offline=(--offline)
        printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "%s"\n' "$library/vendor" >"$tmp/std/.cargo/config.toml"
    fi
    # As rustc's own build of std does it: objects and bitcode (for LTO), and no paths of this machine inside.
    (
        cd "$tmp/std"
        env -u RUSTUP_TOOLCHAIN -u CARGO_BUILD_TARGET -u CARGO_ENCODED_RUSTFLAGS \
            RUSTC_BOOTSTRAP=1 RUSTC=$RUSTC CARGO=$CARGO CARGO_TARGET_DIR="$tmp/std/target" CARGO_INCREMENTAL=0 \
            RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=$(readlink -f "$sysroot/lib/rustlib/src/rust")=/rustc/$hash" \
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_LTO=off \
            $CARGO build "${offline[@]}" --release --target "$WASM_TARGET" -Z build-std=std,panic_abort,panic_unwind,proc_macro,test
    ) >"$tmp/std.log" 2>&1 || { tail -n 30 "$tmp/std.log" >&2; die "building std for $WASM_TARGET failed"; }
    destination=$sysroot/lib/rustlib/$WASM_TARGET/lib
    "${sudo[@]}" rm -rf "$destination"
    "${sudo[@]}" install -d "$destination"
    find "$tmp/std/target/$WASM_TARGET/release/deps" -name 'lib*.rlib' ! -name 'libstd_for_wasm-*' \
        -exec "${sudo[@]}" install -m 644 -t "$destination" {} +
    probe $RUSTC || { cat "$tmp/probe.log" >&2; die "the std just built does not work"; }
fi

if have rustup; then
    rustup toolchain link "$LINK_NAME" "$sysroot" >&2 || die "rustup toolchain link failed"
    probe env RUSTUP_TOOLCHAIN="$LINK_NAME" rustc || { cat "$tmp/probe.log" >&2; die "toolchain $LINK_NAME does not work through rustup"; }
    echo "export RUSTUP_TOOLCHAIN=$LINK_NAME"
else
    # shellcheck disable=SC2016
    echo 'export PATH=/usr/bin:$PATH'
fi
say "rustc $best_version now has $WASM_TARGET"
