#!/bin/sh
# Builds the module for an interpreter, as `luarocks make` does: build.sh LUA
set -eu
cd "$(dirname "$0")"

lua=${1:-lua}
flavour=$("$lua" -e 'io.write(jit and "luajit" or _VERSION == "Lua 5.4" and "lua54" or _VERSION == "Lua 5.1" and "lua51" or "")')
[ -n "$flavour" ] || { echo "demat is for Lua 5.4, Lua 5.1 and LuaJIT" >&2; exit 1; }
cargo build --release --locked --features "$flavour" --target-dir "${CARGO_TARGET_DIR:-../target}"
mkdir -p build
cp "${CARGO_TARGET_DIR:-../target}/release/libdemat_lua.so" build/demat.so
