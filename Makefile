# `make help` lists the targets. Everything runs from .venv, which is made and filled on first use.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SAMPLES := sample_bots/python
SAMPLES_NODE := $(if $(shell command -v node),sample_bots/javascript/greedy-js)
SAMPLES_CPP := $(if $(shell command -v g++),sample_bots/cpp/strong-cpp)

CORES ?= $(shell nproc)
# Many tests wait more than they work.
WORKERS ?= $(shell expr $(CORES) + 1)

# Compiled modules are kept: hundreds of processes are started by the tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help tools install demo serve test test-all quick check lint types laws unit slow everyone learning hostile figures kits packages docs goldens film bench soak soak-simulator fuzz ladder-soak guest lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "bullring needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Say: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "'$(PYTHON)' cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

install: $(INSTALLED) ## make .venv with the locked packages and the command bullring

demo: $(INSTALLED) ## watch a ladder of the sample bots for a minute
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && export BULLRING_HOME=$$home/home && \
		$(BIN)/bullring ladder init $$home/home --time 150ms && \
		$(BIN)/bullring ladder add $(SAMPLES)/random $(SAMPLES)/greedy $(SAMPLES)/montecarlo $(SAMPLES_NODE) $(SAMPLES_CPP) --allow-unsandboxed && \
		$(BIN)/bullring ladder add $(SAMPLES)/greedy --name greedy-2 --allow-unsandboxed && \
		$(BIN)/bullring ladder run --for 60s --anchor greedy --allow-unsandboxed && \
		echo "The home of this demo is removed now. Make your own: bullring ladder init FOLDER"

serve: $(INSTALLED) ## show a ladder of the sample bots in the browser, alive, until Ctrl-C
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && export BULLRING_HOME=$$home/sample-bots && \
		$(BIN)/bullring ladder init $$BULLRING_HOME --time 400ms && \
		$(BIN)/bullring ladder add $(SAMPLES)/random $(SAMPLES)/greedy $(SAMPLES)/montecarlo $(SAMPLES_NODE) --allow-unsandboxed && \
		$(BIN)/bullring ladder add $(SAMPLES)/montecarlo --name montecarlo-2 --allow-unsandboxed && \
		$(BIN)/bullring serve --run-with "--seats 4 --option deals=3 --jobs 1 --allow-unsandboxed"

tools: ## install what the tests need and the machine lacks (Debian, as root)
	@.ci/tools

test: tools $(INSTALLED) ## what must hold: check and unit, side by side (five minutes on two cores)
	@$(MAKE) --no-print-directory -j check unit

test-all: test kits slow learning ## everything: what CI runs

quick: lint types $(INSTALLED) ## what can be known in a minute: lint, types, and the quickest tests
	$(BIN)/pytest -q -n $(CORES) tests/arena/games/rules tests/arena/games/rulebook tests/arena/match/referee tests/arena/match/clock tests/arena/match/records \
		tests/arena/watching/display tests/arena/cells/bots tests/protocol tests/ladder/pairing tests/ladder/store tests/ladder/standings \
		tests/ladder/run/test_run.py

check: lint types laws ## lint, formatting, types and import laws

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(INSTALLED)
	$(BIN)/mypy

laws: $(INSTALLED)
	$(BIN)/lint-imports --no-logo

unit: $(INSTALLED) ## the tests alone
	$(BIN)/pytest -n $(WORKERS)

slow: tools packages fuzz ## what takes longer: all hostile bots, soaks, kills, fuzzing, random matches, installed packages
	BULLRING_COMPILE=1 $(BIN)/pytest -n $(WORKERS) -m slow
	BULLRING_THOROUGH=1 $(BIN)/pytest -n $(CORES) tests/arena/games/rules tests/protocol
	$(BIN)/python -m tests.arena.games.rules.soak --matches 20000

everyone: tools $(INSTALLED) ## the suites and the demo as an ordinary user (root makes one), and as everybody beside spinners
	@$(BIN)/python -m tests.everyone $(if $(SHARE),--share $(SHARE))

build/jax/.installed: requirements-jax.lock $(INSTALLED)
	rm -rf build/jax
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --target build/jax -r requirements-jax.lock
	@touch $@

learning: build/jax/.installed ## learn for a minute by each recipe, submit the bots to a ladder, and play them against greedy
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.train.learning

hostile: tools $(INSTALLED) ## play the hostile bots in every tier, and print who holds what
	$(BIN)/python -m tests.hostile

figures: $(INSTALLED) ## measure for a minute each what a busy machine does to starts and honest bots, and what freezing leaves
	$(BIN)/python -m tests.hostile.figures

kits: tools $(INSTALLED) ## install the toolchains of all kits, build and test each, play it in every tier and on a ladder
	@.ci/tools $$($(BIN)/python -m tests.kits.missing)
	BULLRING_ALL_KITS=1 $(BIN)/pytest -n $(CORES) tests/kits
	$(BIN)/python -m tests.kits

packages: $(INSTALLED) ## build wheel and sdist, install each into a fresh environment, and try it there
	@.ci/tools zsh fish
	$(BIN)/python -m tests.packages

docs: $(INSTALLED) ## make again what is generated: schema, vectors, tables, command line reference
	$(BIN)/python -m docgen

goldens: $(INSTALLED) ## write all golden files anew, to be read
	$(BIN)/python -m tests.goldens

film: $(INSTALLED) ## film strips of a match that is played, as its page shows it, in build/film
	$(BIN)/python -m tests.film

bench: $(INSTALLED) ## ratios against floors measured in the same run
	$(BIN)/python -m bench

soak: $(INSTALLED) ## random matches of all games, looked at after every step, SOAK_MATCHES of them (1000000)
	$(BIN)/python -m tests.arena.games.rules.soak --matches $(or $(SOAK_MATCHES),1000000)

soak-simulator: $(INSTALLED) ## play SIMULATED (100000) deals of each game in the simulator and again by the rules
	$(BIN)/python -m tests.arena.games.simulator.soak --deals $(or $(SIMULATED),100000)

fuzz: $(INSTALLED) ## fuzz the wire, guided by coverage, for FUZZ_SECONDS (60)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-fuzz.lock
	$(BIN)/python -m tests.protocol.fuzz.wire $(or $(FUZZ_SECONDS),60)

ladder-soak: tools $(INSTALLED) ## a ladder with hostile bots for SOAK_LADDER (5m), and one that is killed LADDER_KILLS (60) times
	LADDER_KILLS=$(or $(LADDER_KILLS),60) $(BIN)/pytest -m '' tests/ladder/run/test_kills.py
	SOAK_LADDER=$(or $(SOAK_LADDER),5m) $(BIN)/pytest -rP -m slow tests/soak

guest: $(INSTALLED) ## try systemd, cgroups of version 2 and Yama in a Debian guest under QEMU (as root)
	@.ci/tools qemu-system-x86_64:qemu-system-x86 debootstrap
	$(BIN)/python -m tests.guest

lock: $(INSTALLED) ## choose the newest versions of all packages (commit the result)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade \
		--group dev pyproject.toml -o requirements.lock
	echo jax | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade \
		-c requirements.lock --no-emit-package numpy - -o requirements-jax.lock
	echo atheris | $(BIN)/uv pip compile --quiet --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade - -o requirements-fuzz.lock

clean: ## remove what was made, .venv included
	rm -rf $(VENV) build dist bench/build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
