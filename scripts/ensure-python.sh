#!/usr/bin/env bash
# Makes the Python environment of the tests in target/python, with exactly the packages of end2end/python/requirements.txt,
# by pip's ordinary client. Prints its bin folder. Does nothing when the list has not changed.
source "$(dirname "$0")/lib.sh"

wanted=$ROOT/end2end/python/requirements.txt
home=$ROOT/target/python
have python3 || apt_install python3 python3-venv
if ! cmp -s "$wanted" "$home/.locked"; then
    say "installing the locked Python packages of end2end/python"
    rm -rf "$home"
    python3 -m venv "$home" >&2 || { apt_install python3-venv; python3 -m venv "$home" >&2; }
    "$home/bin/pip" install --quiet --no-input --disable-pip-version-check --requirement "$wanted" >&2 ||
        { rm -rf "$home"; die "pip could not install $wanted"; }
    cp "$wanted" "$home/.locked"
fi
echo "$home/bin"
