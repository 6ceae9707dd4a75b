#!/usr/bin/env bash
# build-site.sh [dev|release]: makes target/site, what the browser loads: pkg/botix.{js,wasm,css} and public/.
#
# dev:     as fast as possible; the debug server reads the folder from disk at run time
# release: small (profile wasm-release, wasm-opt -Oz), each text and WASM file with a brotli copy beside it; the release
#          server carries the folder inside
source "$(dirname "$0")/lib.sh"
mode=${1:-dev}
case $mode in
dev) profile=wasm-dev ;;
release) profile=wasm-release ;;
*) die "usage: build-site.sh [dev|release]" ;;
esac

need_rust
exports=$("$ROOT/scripts/ensure-wasm-target.sh")
bindgen=$("$ROOT/scripts/ensure-wasm-bindgen.sh")

say "compiling the browser's half ($profile)"
(
    eval "$exports"
    cd "$ROOT"
    cargo build -p botix-frontend --lib --target "$WASM_TARGET" --target-dir "$FRONT_TARGET" --profile "$profile"
)

# The glue is made anew only when the module has changed: unoptimised as the tool is, that takes seconds.
module=$FRONT_TARGET/$WASM_TARGET/$profile/frontend.wasm
stamp=$ROOT/target/site.stamp
now="$(cksum <"$0") $mode $(cksum <"$module") $("$bindgen" --version)"
mkdir -p "$SITE/pkg"
if [ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || ! [ -f "$SITE/pkg/botix.wasm" ]; then
    say "making the glue"
    rm -f "$stamp"
    rm -rf "${SITE:?}" && mkdir -p "$SITE/pkg"
    # Names of functions would be two thirds of an unoptimised module.
    "$bindgen" --target web --no-typescript --out-name botix --out-dir "$SITE/pkg" --remove-name-section "$module"
    # Leptos asks for botix.wasm (see .cargo/config.toml), wasm-bindgen writes botix_bg.wasm.
    mv "$SITE/pkg/botix_bg.wasm" "$SITE/pkg/botix.wasm"
    if [ $mode = release ]; then
        say "shrinking the module"
        "$("$ROOT/scripts/ensure-wasm-opt.sh")" -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-reference-types \
            --enable-multivalue --enable-sign-ext --enable-mutable-globals --strip-debug --strip-producers \
            "$SITE/pkg/botix.wasm" -o "$SITE/pkg/botix.opt.wasm"
        mv "$SITE/pkg/botix.opt.wasm" "$SITE/pkg/botix.wasm"
    fi
    echo "$now" >"$stamp"
fi

"$ROOT/scripts/bundle-css.sh" >"$SITE/pkg/botix.css"
cp -R "$ROOT/public/." "$SITE/"

if [ $mode = release ]; then
    node "$ROOT/scripts/precompress.mjs" "$SITE"
fi
