#!/bin/bash
# Runs the benches of the Lua module in each interpreter: run.sh CYCLES ROUNDS ROWS [FOLDER with twitter.json and
# others]
set -euo pipefail
cd "$(dirname "$0")"

root=$(cd ../.. && pwd)
for pair in lua5.4:lua54:lua5.4 lua5.1:lua51:lua5.1 luajit:luajit:luajit-2.1; do
    IFS=: read -r interpreter flavour headers <<<"$pair"
    if ! command -v "$interpreter" >/dev/null; then
        echo "SKIPPED: $interpreter is not there"
        continue
    fi
    mkdir -p "../out/lua/$flavour"
    # The floor is a module of its own.
    cc -O2 -shared -fPIC "-I/usr/include/$headers" floor.c -o "../out/lua/$flavour/floor.so" \
        || echo "SKIPPED: the floor could not be compiled"
    export LUA_CPATH="$root/target/lua/$flavour/?.so;$root/bench/out/lua/$flavour/?.so;;"
    "$interpreter" bench.lua "$1" "$2" ${4:+"$4"}
    "$interpreter" rows.lua "$3"
done
