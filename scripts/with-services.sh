#!/usr/bin/env bash
# with-services.sh CMD…: runs CMD beside a throw-away PostgreSQL and Redis on free loopback ports, then removes them.
#
# CMD sees BOTIX_TEST_POSTGRES_URL (a superuser of that server, who may create databases), BOTIX_TEST_REDIS_URL, and never
# DATABASE_URL: a test must say itself which database it wants, and no developer's own may be touched by accident.
# DURABLE=1 switches fsync and synchronous_commit on, for figures that are to be quoted.
source "$(dirname "$0")/lib.sh"

programs=$("$ROOT/scripts/ensure-postgres.sh")
redis=$("$ROOT/scripts/ensure-redis.sh")
folder=$(mktemp -d -t btx.XXXXXX) # short: a unix socket's path has at most 107 bytes
as=()
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
    chown postgres: "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups --)
fi
free_port() {
    node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})' 2>/dev/null ||
        python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'
}
port=$(free_port)
redis_port=$(free_port)
redis_pid=

postgres() { (cd / && "${as[@]}" "$programs/$1" "${@:2}"); }
cleanup() {
    [ -z "$redis_pid" ] || kill "$redis_pid" 2>/dev/null || true
    postgres pg_ctl -D "$folder/data" -m immediate -s stop 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

options="-p $port -k $folder -c listen_addresses=127.0.0.1 -c max_connections=300 -c shared_buffers=128MB"
[ "${DURABLE:-0}" = 1 ] || options="$options -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
postgres initdb -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; die "initdb failed"; }
postgres pg_ctl -D "$folder/data" -s -w -t 30 -l "$folder/data/log" -o "$options" start || { cat "$folder/data/log" >&2; die "PostgreSQL did not start"; }

(cd "$folder" && exec "${as[@]}" "$redis" --bind 127.0.0.1 --port "$redis_port" --save '' --appendonly no --daemonize no) >"$folder/redis.log" 2>&1 &
redis_pid=$!

unset DATABASE_URL
export BOTIX_TEST_REDIS_URL="redis://127.0.0.1:$redis_port"
export BOTIX_TEST_POSTGRES_URL="postgres://postgres@127.0.0.1:$port/postgres"
"$@"
