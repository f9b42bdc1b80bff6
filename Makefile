# Everything here works on a fresh clone with Python 3.10 or later, a C toolchain and Rust. `make` prints the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.done

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export NO_MKDOCS_2_WARNING := 1
export VIRTUAL_ENV := $(abspath $(VENV))
export PYO3_PYTHON := $(abspath $(BIN)/python)

RUST := $(shell find crates -path '*/target' -prune -o \( -name '*.rs' -o -name Cargo.toml \) -print) \
        Cargo.toml Cargo.lock .cargo/config.toml

# Tests run optimised, and with the checks of overflow and the assertions that a release leaves out. Level 1
# compiles in three quarters of the time of level 2.
TEST_PROFILE := CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build demo test test-rust test-python test-web-full check audit bench bench-web reproduce docs docs-serve serve screenshots wheel clean

help: ## print this list
	@echo "make <target>:"
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  %-14s %s\n", $$1, $$2 }'

build: $(DONE)/build ## set up .venv, build the release extension and install the package into it

demo: build ## build, then a guided tour in the terminal
	$(BIN)/kibitz demo

test: test-rust test-python ## all tests, Rust and Python

test-rust: ## the tests of the Rust crates
	$(TEST_PROFILE) cargo test --workspace --exclude kibitz-py

test-python: $(DONE)/test ## the tests of the Python package
	$(BIN)/python -m pytest -n 2 --dist loadgroup

test-web-full: $(DONE)/test ## every game of the web lab played to its end in a browser: ten minutes
	$(BIN)/python -m pytest tests/web/full.py

check: $(DONE)/check ## formatting, lints, types and stubs; changes nothing
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy docs/generate.py
	$(BIN)/python -m mypy.stubtest kibitz._core
	$(BIN)/bandit --quiet --recursive --skip B101 python/kibitz/web # asserts only tell mypy what it cannot see

audit: $(DONE)/check ## known vulnerabilities in what the package needs; asks the Python package index
	$(BIN)/pip-audit --strict --skip-editable

bench: $(DONE)/test ## measure the speed, beside OpenSpiel and other peers
	$(BIN)/kibitz bench

bench-web: $(DONE)/test ## five minutes of 50 idle and 10 playing visitors of the web lab
	$(BIN)/python benches/web_load.py

reproduce: build ## measure all published tables again, with a report in reproduction/
	$(BIN)/kibitz reproduce --all --scale standard --out reproduction

docs: $(DONE)/docs ## build the documentation into site/
	$(BIN)/mkdocs build --strict

serve: $(DONE)/web ## open the web lab on http://127.0.0.1:8080
	$(BIN)/kibitz serve

docs-serve: $(DONE)/docs ## serve the documentation on http://127.0.0.1:8000
	$(BIN)/mkdocs serve

screenshots: $(DONE)/test ## make the pictures of the web lab in docs/images again, from the real application
	$(BIN)/python docs/screenshots.py

wheel: $(DONE)/build ## build a wheel into dist/
	$(BIN)/maturin build --release --out dist

clean: ## remove everything that make has made, .venv included
	cargo clean
	rm -rf $(VENV) site dist python/kibitz/_core*.so docs/games docs/algorithms/[a-z]*.md
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find python tests docs examples benches -name __pycache__ -prune -exec rm -rf {} +

$(DONE)/tools:
	$(PYTHON) -m venv --upgrade-deps $(VENV) # the pip that comes with Python has known vulnerabilities
	$(BIN)/python -m pip install --quiet 'maturin>=1.8,<2'
	@mkdir -p $(DONE) && touch $@

$(DONE)/build: $(RUST) pyproject.toml | $(DONE)/tools
	$(BIN)/maturin develop --release
	@touch $@

# An extra of the package and what it needs. The extension is built already, so that this only installs.
$(DONE)/test $(DONE)/check $(DONE)/docs $(DONE)/web: pyproject.toml | $(DONE)/build
	$(BIN)/maturin develop --release --extras $(@F)
	@touch $@

# What needs an extra needs the newest extension too.
test-python test-web-full check bench bench-web docs docs-serve screenshots serve: $(DONE)/build
