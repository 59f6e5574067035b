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
test: lint unit fuzz-replay

.PHONY: lint
lint: deny
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked
	$(MAKE) -C bench check

# Licences, bans and sources; the database of advisories is not asked, since builds may have no way to it.
.PHONY: deny
deny: $(DENY)
	$(DENY) check licenses bans sources

# Compiled once; a few minutes.
$(DENY):
	cargo install cargo-deny --version $(DENY_VERSION) --locked --no-default-features --root $(TOOLS) --target-dir $(TOOLS)/target
	rm -rf $(TOOLS)/target

.PHONY: unit
unit:
	cargo test --workspace --all-features --locked

# The fuzz targets run over their corpus as plain programs; `cargo fuzz` explores further where it is installed.
.PHONY: fuzz-replay
fuzz-replay:
	cargo test --manifest-path fuzz/Cargo.toml --locked

.PHONY: bench
bench: build
	$(MAKE) -C bench run

.PHONY: docs
docs:
	cargo doc --workspace --no-deps --all-features --locked

.PHONY: clean
clean:
	rm -rf target $(TOOLS) fuzz/target bench/target bench/out demo
