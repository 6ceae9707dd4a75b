#!/usr/bin/env bash
# Prints the one style sheet. style/main.css names its parts in order, `@import "tokens.css" layer(tokens);`, and each part
# is put where it is named; without a main.css the parts follow by name. `cargo leptos watch` bundles the same file.
source "$(dirname "$0")/lib.sh"
cd "$ROOT/style"

if ! [ -f main.css ]; then
    LC_ALL=C
    for part in *.css; do [ -f "$part" ] && cat "$part"; done
    exit 0
fi
awk '
    match($0, /^@import +(url\()?"[^"]+"\)?/) {
        name = $0; sub(/^[^"]*"(\.\/)?/, "", name); sub(/".*/, "", name)
        layer = ""
        if (match($0, /layer\([a-z.-]+\)/)) layer = substr($0, RSTART + 6, RLENGTH - 7)
        if (layer != "") print "@layer " layer " {"
        read = 0
        while ((status = (getline line < name)) > 0) { print line; read = 1 }
        if (status < 0) { print "bundle-css: style/main.css imports " name ", which does not exist" > "/dev/stderr"; exit 1 }
        close(name)
        if (layer != "") print "}"
        next
    }
    { print }
' main.css
