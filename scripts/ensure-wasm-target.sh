#!/usr/bin/env bash
# Makes the target wasm32-unknown-unknown usable with plain `cargo build --target ...`.
#
#   1. the active rustc already links for the target        -> nothing to do
#   2. `rustup target add` works (a machine with internet)  -> done
#   3. Debian/Ubuntu with apt: install the distribution's newest rustc, its std
#      sources and the matching lld, build std for the target once, put it into
#      that rustc's sysroot and register it with rustup as toolchain "distro"
#   4. otherwise: say what is missing, exit 1
#
# Prints only `export NAME=value` lines on stdout (messages go to stderr), so:
#     eval "$(scripts/ensure-wasm-target.sh)"
# Safe to run again: a finished step is recognised by a real compile, not by a file's presence.
set -euo pipefail

TARGET=wasm32-unknown-unknown
LINK_NAME=${WASM_TOOLCHAIN_NAME:-distro}      # name of the linked rustup toolchain
MIN_RUSTC=${WASM_MIN_RUSTC:-$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")}   # oldest rustc the project accepts

say() { printf 'ensure-wasm-target: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
ge() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }   # ge A B: A >= B
version_of() { "$@" --version 2>/dev/null | awk '{print $2}'; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# probe RUSTC...: does this rustc compile and link a cdylib for the target?
# (also catches a std left behind by an older rustc of the same sysroot)
probe() {
    printf '%s\n' '#[unsafe(no_mangle)] pub extern "C" fn f(n: u32) -> usize { let v: Vec<String> = (0..n).map(|i| i.to_string()).collect(); v.concat().len() }' >"$tmp/probe.rs"
    "$@" --edition 2021 --crate-type cdylib --crate-name probe -Copt-level=1 --target "$TARGET" \
        -o "$tmp/probe.wasm" "$tmp/probe.rs" >"$tmp/probe.log" 2>&1
}

# 1. -------------------------------------------------------------------------
if have rustc && probe rustc; then
    say "rustc $(version_of rustc) already has $TARGET"
    if [ -n "${RUSTUP_TOOLCHAIN:-}" ]; then printf 'export RUSTUP_TOOLCHAIN=%s\n' "$RUSTUP_TOOLCHAIN"; fi
    exit 0
fi
if have rustup && rustup toolchain list 2>/dev/null | awk '{print $1}' | grep -qx "$LINK_NAME" &&
   probe env RUSTUP_TOOLCHAIN="$LINK_NAME" rustc; then
    say "toolchain $LINK_NAME ($(version_of env RUSTUP_TOOLCHAIN="$LINK_NAME" rustc)) already has $TARGET"
    printf 'export RUSTUP_TOOLCHAIN=%s\n' "$LINK_NAME"
    exit 0
fi

# 2. -------------------------------------------------------------------------
# (left out where rustup is told not to download: RUSTUP_AUTO_INSTALL=0 or WASM_NO_RUSTUP_DOWNLOAD=1)
if have rustup && [ -z "${WASM_NO_RUSTUP_DOWNLOAD:-}" ] && [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ]; then
    if RUST_BACKTRACE=0 timeout "${WASM_RUSTUP_TIMEOUT:-180}" rustup target add "$TARGET" >"$tmp/rustup.log" 2>&1 && probe rustc; then
        say "rustup added $TARGET to $(version_of rustc)"
        exit 0
    fi
    say "rustup cannot add $TARGET here: $(grep -m1 -i '^error' "$tmp/rustup.log" || echo 'no answer in time')"
fi

# 3. -------------------------------------------------------------------------
have apt-get || die "this rustc has no std for $TARGET, and rustup cannot fetch it. Install a Rust toolchain with that target (rustup target add $TARGET) and run again."
if [ "$(id -u)" = 0 ]; then SUDO=(); elif have sudo; then SUDO=(sudo -n); else die "need root (or sudo) to install Debian packages"; fi
apt_get() { "${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" >"$tmp/apt.log" 2>&1 || { tail -n 20 "$tmp/apt.log" >&2; return 1; }; }
candidate() { apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ && $2 != "(none)" {print $2}' | sed 's/^[0-9]*://'; }

say "updating apt's lists"
apt_get update || say "apt-get update failed; going on with the lists at hand"

# Debian's newest rustc: "rustc-web" (backported for browsers, stable-security) or plain "rustc".
best='' best_v=0
for family in rustc-web rustc; do
    v=$(candidate "$family"); v=${v%%[+~-]*}
    if [ -n "$v" ] && ge "$v" "$best_v"; then best=$family best_v=$v; fi
done
[ -n "$best" ] || die "apt offers no rustc package"
ge "$best_v" "$MIN_RUSTC" || die "apt's newest rustc is $best_v; this project needs $MIN_RUSTC or newer"
case $best in
    rustc-web) pkgs=(rustc-web cargo-web rust-web-src rust-web-clippy rustfmt-web) ;;
    *)         pkgs=(rustc cargo rust-src rust-clippy rustfmt) ;;
esac
say "installing ${pkgs[*]} $best_v"
apt_get install -y --no-install-recommends "${pkgs[@]}" || die "apt could not install ${pkgs[*]}"

RUSTC=/usr/bin/rustc CARGO=/usr/bin/cargo
if ! [ -x $RUSTC ] || ! [ -x $CARGO ]; then die "no $RUSTC or $CARGO after the install"; fi
verbose=$($RUSTC -vV)
host=$(sed -n 's/^host: //p' <<<"$verbose")
hash=$(sed -n 's/^commit-hash: //p' <<<"$verbose")
llvm=$(sed -n 's/^LLVM version: \([0-9]*\).*/\1/p' <<<"$verbose")
sysroot=$($RUSTC --print sysroot)
library=$sysroot/lib/rustlib/src/rust/library
[ -f "$library/Cargo.lock" ] || die "no std sources under $library"

# the linker that rustc looks for is called rust-lld; lld of rustc's own LLVM is that program
if ! [ -x "/usr/lib/llvm-$llvm/bin/lld" ]; then
    say "installing lld-$llvm"
    apt_get install -y --no-install-recommends "lld-$llvm" || die "apt could not install lld-$llvm"
fi
"${SUDO[@]}" install -d "$sysroot/lib/rustlib/$host/bin"
"${SUDO[@]}" ln -sfn "/usr/lib/llvm-$llvm/bin/lld" "$sysroot/lib/rustlib/$host/bin/rust-lld"

if ! probe $RUSTC; then
    say "building std for $TARGET with rustc $best_v (about a minute, once)"
    mkdir -p "$tmp/std/src"
    printf '[package]\nname = "std-for-wasm"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "src/lib.rs"\n' >"$tmp/std/Cargo.toml"
    : >"$tmp/std/src/lib.rs"
    offline=()
    if [ -d "$library/vendor" ]; then     # the package brings std's own dependencies
        mkdir "$tmp/std/.cargo"; offline=(--offline)
        printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "%s"\n' "$library/vendor" >"$tmp/std/.cargo/config.toml"
    fi
    # as rustc's own build of std does: objects and bitcode (for LTO), paths not of this machine
    if ! (cd "$tmp/std" && env -u RUSTUP_TOOLCHAIN -u CARGO_BUILD_TARGET -u CARGO_ENCODED_RUSTFLAGS \
            RUSTC_BOOTSTRAP=1 RUSTC=$RUSTC CARGO=$CARGO CARGO_TARGET_DIR="$tmp/std/target" CARGO_INCREMENTAL=0 \
            RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=$(readlink -f "$sysroot/lib/rustlib/src/rust")=/rustc/$hash" \
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_LTO=off \
            $CARGO build "${offline[@]}" --release --target "$TARGET" -Z build-std=std,panic_abort,panic_unwind,proc_macro,test \
            >"$tmp/std.log" 2>&1); then
        tail -n 30 "$tmp/std.log" >&2
        die "building std for $TARGET failed"
    fi
    new="$tmp/std/lib"; mkdir "$new"
    find "$tmp/std/target/$TARGET/release/deps" -name 'lib*.rlib' ! -name 'libstd_for_wasm-*' -exec cp -t "$new" {} +
    dest="$sysroot/lib/rustlib/$TARGET/lib"
    "${SUDO[@]}" rm -rf "$dest"
    "${SUDO[@]}" install -d "$dest"
    "${SUDO[@]}" install -m 644 -t "$dest" "$new"/*.rlib
    probe $RUSTC || { cat "$tmp/probe.log" >&2; die "the std just built does not work"; }
fi

if have rustup; then
    rustup toolchain link "$LINK_NAME" "$sysroot" >&2 || die "rustup toolchain link failed"
    probe env RUSTUP_TOOLCHAIN="$LINK_NAME" rustc || { cat "$tmp/probe.log" >&2; die "toolchain $LINK_NAME does not work through rustup"; }
    printf 'export RUSTUP_TOOLCHAIN=%s\n' "$LINK_NAME"
else
    # shellcheck disable=SC2016
    printf 'export PATH=/usr/bin:%s\n' '$PATH'
fi
say "rustc $best_v now has $TARGET"
