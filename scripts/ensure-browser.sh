#!/usr/bin/env bash
# Finds or installs what the black-box tests need: Node's packages of end2end/ and a Chromium. Prints the browser's path.
# CHROMIUM=/path/to/chrome overrides the search. No browser is ever downloaded by a test tool.
source "$(dirname "$0")/lib.sh"

find_browser() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        if [ -n "$name" ] && have "$name"; then command -v "$name"; return 0; fi
    done
    return 1
}

have node || apt_install nodejs npm
at_least "$(node --version | tr -d v)" 20 || die "Node.js $(node --version) is too old for the tests, 20 or newer is needed"
npm_ci "$ROOT/end2end"
find_browser || { apt_install chromium fonts-liberation; find_browser || die "no Chromium found; set CHROMIUM=/path/to/it"; }
