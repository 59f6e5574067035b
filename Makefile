# Every command that a person or CI runs.
#
#   make demo     builds what it needs and copies a million records from format to format; says what moved, how fast
#   make build    leaves the `demat` command in target/release/
#   make test     everything that must pass: formatting, lints, licences, tests, fuzz corpus, benches as a check
#   make bench    Demat and its peers side by side, answers checked; a table, and a plot in bench/out/
#   make docs     the API documentation in target/doc/

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

DEMAT := target/release/demat
TOOLS := .tools
DENY_VERSION := 0.20.2
DENY := $(TOOLS)/bin/cargo-deny
RUFF_VERSION := 0.14.5
RUFF := $(TOOLS)/venv/bin/ruff

.PHONY: help
help:
	@sed -n 's/^#   //p' Makefile

.PHONY: build
build:
	cargo build --release --locked -p demat-cli

.PHONY: demo
demo: build
	@bash examples/demo.sh $(DEMAT)

.PHONY: test
test: lint unit fuzz-replay bench-test

.PHONY: lint
lint: deny $(RUFF)
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked
	cargo clippy --manifest-path fuzz/Cargo.toml --all-targets --locked -- -D warnings
	cargo clippy --manifest-path bench/Cargo.toml --all-targets --locked -- -D warnings
	cargo fmt --manifest-path bench/Cargo.toml --check
	$(RUFF) check bench
	$(RUFF) format --check bench

# Licences, bans and sources; the database of advisories is not asked, since builds may have no way to it.
.PHONY: deny
deny: $(DENY)
	$(DENY) check licenses bans sources

# Compiled once; a few minutes.
$(DENY):
	cargo install cargo-deny --version $(DENY_VERSION) --locked --no-default-features --root $(TOOLS) --target-dir $(TOOLS)/target
	rm -rf $(TOOLS)/target

$(RUFF):
	python3 -m venv $(TOOLS)/venv
	$(TOOLS)/venv/bin/pip install --quiet ruff==$(RUFF_VERSION)

# The fault tests place their faults with strace; where it can't be had they say that they were skipped.
.PHONY: strace
strace:
	@command -v strace >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq strace >/dev/null; } \
	  || echo "SKIPPED: strace is not there, and could not be installed; the fault tests will say so"

.PHONY: unit
unit: strace
	cargo test --workspace --all-features --locked

# The fuzz targets run over their corpus as plain programs; `cargo fuzz` explores further where it is installed.
.PHONY: fuzz-replay
fuzz-replay:
	cargo test --manifest-path fuzz/Cargo.toml --locked

# The harness itself: its own tests, its answers and its definitions.
.PHONY: bench-test
bench-test:
	cargo test --manifest-path bench/Cargo.toml --locked

.PHONY: bench
bench: build
	$(MAKE) -C bench run

.PHONY: docs
docs:
	cargo doc --workspace --no-deps --all-features --locked

.PHONY: clean
clean:
	rm -rf target $(TOOLS) fuzz/target bench/target bench/out demo
