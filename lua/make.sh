#!/bin/bash
# Builds the module for flavours of Lua, and runs its tests: lua/make.sh PROFILE FLAVOUR...
#
# The module of a flavour comes to be in target/lua/FLAVOUR/demat.so. A flavour without an interpreter is only built.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=$1
shift
folder=$([ "$profile" = dev ] && echo debug || echo "$profile")
declare -A interpreters=([lua54]=lua5.4 [lua51]=lua5.1 [luajit]=luajit)
# The test of the formats' names asks the command, where it is built.
for command in target/debug/demat target/release/demat; do
    [ -x "$command" ] && export DEMAT="${DEMAT:-$PWD/$command}"
done

for flavour in "$@"; do
    cargo build --manifest-path lua/Cargo.toml --target-dir target --profile "$profile" --features "$flavour" \
        --locked --quiet
    mkdir -p "target/lua/$flavour"
    # Moved into place, since an interpreter may have the former one loaded.
    cp "target/$folder/libdemat_lua.so" "target/lua/$flavour/demat.so.new"
    mv "target/lua/$flavour/demat.so.new" "target/lua/$flavour/demat.so"
    interpreter=${interpreters[$flavour]}
    if ! command -v "$interpreter" >/dev/null; then
        echo "SKIPPED: $interpreter is not there, and could not be installed; the module was built and not tested"
        continue
    fi
    LUA_CPATH="$PWD/target/lua/$flavour/?.so;;" "$interpreter" lua/tests/run.lua lua/tests
    LUA_CPATH="$PWD/target/lua/$flavour/?.so;;" "$interpreter" lua/tests/pages.lua docs/lua lua/README.md
done
