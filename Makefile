# Every command that a person or CI runs.
#
#   make demo     builds what it needs and moves a million rows through columns, a database, messages, Python and HTTP
#   make serve    builds what it needs and serves the TodoMVC page and the browser of tables, and says where
#   make build    leaves the `demat` command in target/release/ and the Python package in .venv/
#   make dev      the Python package in .venv/, built in seconds and not for speed: edit, `make dev`, run one test
#   make test     everything that must pass: formatting, lints, types, licences, tests, fuzz corpus, benches as a check
#   make conformance  the official conformance tests of Protocol Buffers, required and recommended
#   make bench    Demat and its peers side by side, answers checked; a table, and a plot in bench/out/
#   make docs     the API documentation in target/doc/
#   make wheel    the Python package as a file, in target/wheels/
#   make web      the TodoMVC page of the package, by npm, in python/demat/web/; `build` and `wheel` do so, too
#   make lua      the Lua module for each interpreter that is there, in target/lua/, and its tests
#   make matrix   the conformance matrix of all formats, and docs/conformance.md anew from its lists
#   make stubs    writes the Python modules and stubs of the formats anew, from their table

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

DEMAT := target/release/demat
TOOLS := .tools
DENY_VERSION := 0.20.2
DENY := $(TOOLS)/bin/cargo-deny

# Python 3.11 or later; `make build PYTHON=python3.13` makes .venv/ of another one than `python3` is.
PYTHON := python3
VENV := .venv
# How the Python package is built: for the fastest code, or (`light`) nearly so in a third of the time.
PROFILE ?= wheel
IN_VENV := $(VENV)/bin/
# What is installed there, as of which requirements: what builds the package, and what checks and tests it.
BUILDER := $(VENV)/.builder
DEVELOPER := $(VENV)/.developer
SPARK := $(VENV)/.spark
WHEELS := target/wheels

# Projects beside the workspace share its folder of builds, and so what is compiled of the same crates.
SHARED := --target-dir target

# Lints what is compiled as it is compiled, instead of once more: for small crates over many others.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__

# The TodoMVC page: what it is made of, and where it comes to be.
WEB := web/todomvc
PAGE := python/demat/web/todomvc

.PHONY: help
help:
	@sed -n 's/^#   //p' Makefile

.PHONY: build
build: package
	cargo build --release --locked -p demat-cli

# As users get it, but editable: changes of its Python files count at once, those of Rust after another `make package`.
.PHONY: package
package: $(BUILDER) web
	env -u CONDA_PREFIX VIRTUAL_ENV=$(CURDIR)/$(VENV) $(IN_VENV)maturin develop --locked --quiet --profile $(PROFILE)

# The same, built quickly and with little optimisation, for development; `make package` restores the fast one.
.PHONY: dev
dev: $(BUILDER)
	env -u CONDA_PREFIX VIRTUAL_ENV=$(CURDIR)/$(VENV) $(IN_VENV)maturin develop --locked --quiet --profile quick

# With the interpreter given, cargo has nothing to compile that `package` has compiled before.
.PHONY: wheel
wheel: $(BUILDER) web
	@rm -rf $(WHEELS)
	$(IN_VENV)maturin build --locked --quiet --profile $(PROFILE) --interpreter $(IN_VENV)python --out $(WHEELS)
	@stat --format '%n: %s bytes' $(WHEELS)/*.whl

# Where npm is not there, or has no way to its registry, the package has the page that was built last, or none.
.PHONY: web
web:
	@if [ $(PAGE)/index.html -nt $(WEB)/package-lock.json ] && [ -z "$$(find $(WEB) -path '*/node_modules' -prune -o \
	    -type f -newer $(PAGE)/index.html -print)" ] && [ -d $(WEB)/node_modules ]; then exit 0; fi; \
	  if ! command -v npm >/dev/null; then echo "SKIPPED: npm is not there to build $(PAGE)"; exit 0; fi; \
	  if ! [ $(WEB)/node_modules/.package-lock.json -nt $(WEB)/package-lock.json ] \
	    && ! npm --prefix $(WEB) ci --ignore-scripts --no-audit --no-fund --silent; then \
	    echo "SKIPPED: npm could not fetch what $(PAGE) is built with"; exit 0; fi; \
	  npm --prefix $(WEB) run --silent build

.PHONY: demo
demo: export PROFILE := light
demo: announced package
	@bash examples/demo.sh $(IN_VENV)demat $(IN_VENV)python

# At PORT, with the tasks kept in TASKS_DB.
.PHONY: serve
serve: export PROFILE := light
serve: export PORT ?= 8080
serve: export TASKS_DB ?= demo/tasks.db
serve: announced package
	@mkdir -p $(dir $(TASKS_DB))
	@exec $(IN_VENV)python examples/tasks.py

.PHONY: announced
announced:
	@[ -e target/light/libdemat_python.so ] || echo "Building the package takes about five minutes on two cores, once."

# With `--jobs 2` the package is built and tested beside the Rust code. What measures time comes last, by itself.
.PHONY: test test-rust test-python
test: test-rust test-python
	$(MAKE) growth

test-rust:
	$(MAKE) --jobs 1 lint unit conformance lua

test-python:
	$(MAKE) --jobs 1 python-test bench-test

# What the checks need, each compiled or fetched once; `make --jobs 3 tools package` fetches them while it compiles the package.
.PHONY: tools
tools: $(DENY) $(DEVELOPER) browser interpreters spark

# The benches, the example of a format and the Lua module are linted as their tests are built.
.PHONY: lint
lint: deny python-lint
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked
	cargo fmt --manifest-path bench/Cargo.toml --all --check
	cargo fmt --manifest-path examples/format/Cargo.toml --all --check
	cargo fmt --manifest-path lua/Cargo.toml --all --check

# What the types of the package promise its users is tested by `python-test`.
.PHONY: python-lint
python-lint: $(DEVELOPER)
	$(IN_VENV)ruff check .
	$(IN_VENV)ruff format --check .
	$(IN_VENV)mypy
	$(IN_VENV)pyright --project pyproject.toml

# Licences, bans and sources; the database of advisories is not asked, since builds may have no way to it.
.PHONY: deny
deny: $(DENY)
	$(DENY) check licenses bans sources

# Compiled once, and not for speed: it reads a few files.
$(DENY): export CARGO_PROFILE_DEV_DEBUG := 0
$(DENY):
	cargo install cargo-deny --debug --version $(DENY_VERSION) --locked --no-default-features --root $(TOOLS) --target-dir $(TOOLS)/target
	rm -rf $(TOOLS)/target

$(IN_VENV)python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"$(PYTHON) is Python {sys.version.split()[0]}; Demat \
	  needs 3.11 or later: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)

$(BUILDER): requirements-dev.txt | $(IN_VENV)python
	$(IN_VENV)python -m pip install --quiet --constraint requirements-dev.txt maturin
	@touch $@

$(DEVELOPER): requirements-dev.txt | $(BUILDER)
	$(IN_VENV)python -m pip install --quiet --requirement requirements-dev.txt
	@touch $@

# The fault tests place their faults with strace; where it can't be had they say that they were skipped.
.PHONY: strace
strace:
	@command -v strace >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq strace >/dev/null; } \
	  || echo "SKIPPED: strace is not there, and could not be installed; the fault tests will say so"

# The pages are tested in Chromium; where it can't be had the tests say that they were skipped.
# One after the other, as there is one lock for the system's packages.
.PHONY: browser
browser: | slowhttptest
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && { apt-get update -qq; apt-get install -y -qq chromium; } >/dev/null; } \
	  || echo "SKIPPED: chromium is not there, and could not be installed; the tests of the pages will say so"

# Of the tests of many connections one is done by slowhttptest; where it can't be had it says that it was skipped.
.PHONY: slowhttptest
slowhttptest: | strace
	@command -v slowhttptest >/dev/null || { [ "$$(id -u)" = 0 ] && { apt-get update -qq; apt-get install -y -qq slowhttptest; } >/dev/null; } \
	  || echo "SKIPPED: slowhttptest is not there, and could not be installed; its test will say so"

# Spark is tested with the local one of pyspark, which is large and needs Java; where they can't be had its tests say that
# they were skipped.
.PHONY: spark
spark: requirements-spark.txt $(DEVELOPER)
	@if ! command -v java >/dev/null; then echo "SKIPPED: java is not there; the tests of Spark will say so"; exit 0; fi; \
	  if [ $(SPARK) -nt requirements-spark.txt ]; then exit 0; fi; \
	  if $(IN_VENV)python -m pip install --quiet --requirement requirements-spark.txt; then touch $(SPARK); \
	  else echo "SKIPPED: pyspark could not be installed; the tests of Spark will say so"; fi

# The native module has no tests in Rust: Python's are its own.
.PHONY: unit
unit: strace slowhttptest
	cargo test --workspace --exclude demat-python --all-features --locked
	$(LINTED) cargo test --manifest-path examples/format/Cargo.toml --workspace $(SHARED) --locked

# Modules and tests of a flavour whose interpreter can't be had are skipped, and say so. `LUA_PROFILE=release` builds for speed.
LUA_FLAVOURS := lua54 lua51 luajit
LUA_PROFILE ?= dev
.PHONY: lua
lua: interpreters
	@$(LINTED) bash lua/make.sh $(LUA_PROFILE) $(LUA_FLAVOURS)

# As the browser; after it, as there is one lock for the system's packages.
.PHONY: interpreters
interpreters: | browser
	@[ "$$(id -u)" != 0 ] || { command -v lua5.4 && command -v lua5.1 && command -v luajit; } >/dev/null \
	  || { apt-get update -qq; apt-get install -y -qq lua5.4 lua5.1 luajit lua-cjson; } >/dev/null || true

# The official conformance tests of Protocol Buffers, by a runner that npm has; where it can't be had they are skipped, and say so.
.PHONY: conformance
conformance:
	cargo test --workspace --exclude demat-python --all-features --locked --no-run --test matrix
	@$(PYTHON) conformance/run.py $(TOOLS) target/debug/demat-conformance

# Each case by each format, and from each to each other; `python-test` runs the same cases.
.PHONY: matrix
matrix:
	DEMAT_WRITE=1 cargo test --locked -p demat-conformance --test matrix

python-test bench-test growth: export PROFILE := light

# Three at a time on two cores, since servers, disks and browsers let them wait. The wheel is built once for this and `bench-test`.
.PHONY: python-test
python-test: package wheel browser spark $(DEVELOPER)
	$(IN_VENV)python -m pytest -n 3 --dist loadfile --ignore tests/python/complexity

# How the time of each verb grows with its input, in processor time; each file in one process.
.PHONY: growth
growth: package $(DEVELOPER)
	$(IN_VENV)python -m pytest -n 2 --dist worksteal tests/python/complexity

.PHONY: stubs
stubs: $(DEVELOPER)
	PYTHONPATH=python $(IN_VENV)python -m generate

# The fuzz targets run over their corpus as plain functions, which `unit` does, too; `cargo fuzz` explores further where it is
# installed.
.PHONY: fuzz-replay
fuzz-replay:
	cargo test --locked -p demat-fuzz

# The harness itself: its own tests, its answers and its definitions.
.PHONY: bench-test
bench-test: wheel
	$(LINTED) cargo test --manifest-path bench/Cargo.toml --workspace $(SHARED) --locked
	$(MAKE) -C bench test

.PHONY: bench
bench: build wheel
	$(MAKE) -C bench run

.PHONY: docs
docs:
	cargo doc --workspace --no-deps --all-features --locked

.PHONY: clean
clean:
	rm -rf target $(TOOLS) $(VENV) bench/target bench/out demo python/demat/*.so \
	  $(PAGE) $(WEB)/node_modules tests/web/out
