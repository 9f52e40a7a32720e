# Every target makes and reuses .venv; nothing else is needed than Python 3.11 or newer, make and a package registry.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test check soundness fuzz bench bench-changes agreement kills pairs record docs pages lock clean
.PHONY: demo-environment test-environment docs-environment lock-environment

# The first interpreter that is new enough; `make PYTHON=... demo` chooses another.
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$candidate && break; done)
PY := .venv/bin/python
# Two workers, each with a Spark session of its own; the tests of a file, which share what they start, stay together.
PYTEST := $(PY) -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder

# A PYTHONPATH of the caller would be searched before the locked packages.
unexport PYTHONPATH PYTHONHOME

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: demo-environment ## the main job: a mistake that leaves a chart blank, explained; a chart of millions of rows, on Spark
	@$(PY) scripts/demo.py

test: check ## everything: `make check`, then all tests, those on Spark included
	$(PYTEST)

check: test-environment ## format, lint, strict types, architecture, generated docs up to date
	$(PY) -m ruff format --check
	$(PY) -m ruff check
	$(PY) -m mypy
	$(PY) -m pytest -q tests/architecture

soundness: test-environment ## a million random runs of the calculus against its theorem
	PYTHONPATH=src:tests $(PY) -m soundness --runs 1000000

# Vega's parsers answer through node; VEGA_HOME is a folder where `npm install vega` was run.
SEED ?= 1
fuzz: test-environment ## broken specs, programs of the calculus and (make VEGA_HOME=DIR fuzz) expressions, at random; SEED=N
	PYTHONPATH=src:tests $(PY) -m fuzzing.specs --count 20000 --seed $(SEED)
	PYTHONPATH=src:tests $(PY) -m checker.agreement --count 100000 --seed $(SEED)
	@if [ -n "$(VEGA_HOME)" ] && command -v node >/dev/null; then \
		PYTHONPATH=src:tests $(PY) -m fuzzing.expressions --count 100000 --seed $(SEED) --vega-home "$(VEGA_HOME)"; \
	else echo "expressions: not compared with Vega's parser, which needs node and VEGA_HOME=DIR, a folder with node_modules/vega"; fi

# VegaFusion and DuckDB are no part of the product: without them the others are timed alone.
ROWS ?= 10000000
bench: test-environment ## charts over parquet, timed beside hand-written PySpark, VegaFusion and DuckDB; ROWS=N, ARGS="--turns 3"
	@$(PY) -m pip install -qq --no-input --disable-pip-version-check vegafusion==2.0.3 duckdb==2.0.0 || true
	$(PY) benchmarks/pipeline.py --rows $(ROWS) $(ARGS)

bench-changes: test-environment ## 1,000 changes on a live chart over 1 and 10 million rows, timed beside a run of the whole; ARGS="--steps 900"
	$(PY) benchmarks/changes.py $(ARGS)

agreement: test-environment ## Spark = reference (= Vega: make VEGA_HOME=DIR agreement): 3000 random pipelines, 1000 laws, 1000 tables, the corpus; SEED=N
	PYTHONPATH=src:tests $(PY) -m engines.agreement --count 3000 --laws 1000 --expressions 20000 --tables 1000 --seed $(SEED) $(if $(VEGA_HOME),--vega-home "$(VEGA_HOME)")
	@if [ -d "$${SHELIAK_SHARED:-../shared}/corpus" ]; then PYTHONPATH=src:tests $(PY) -m engines.corpus; \
	else echo "corpus: not run, it is not beside the repository"; fi

KILLS ?= 100
kills: test-environment ## a stream that is killed KILLS=N times, at named points and at random, comes to the same end; SEED=N
	PYTHONPATH=src:tests $(PY) -m streams.kills --kills $(KILLS) --seed $(SEED)

PAIRS ?= 1000
pairs: test-environment ## live specs on Spark = runs from scratch = reference (= Vega: make VEGA_HOME=DIR pairs), after every pulse; PAIRS=N SEED=N
	PYTHONPATH=src:tests $(PY) -m changes.spark_campaign --count $(PAIRS) --seed $(SEED) $(if $(VEGA_HOME),--vega-home "$(VEGA_HOME)") $(ARGS)

record: test-environment ## golden rows and values recorded anew from Vega: make VEGA_HOME=DIR record
	@test -n "$(VEGA_HOME)" || { echo "record needs node and VEGA_HOME=DIR, a folder with node_modules/vega" >&2; exit 1; }
	PYTHONPATH=src:tests $(PY) -m fuzzing.transforms --count 8 --seed $(SEED) --vega-home "$(VEGA_HOME)" --record tests/transforms/recorded.jsonl
	PYTHONPATH=src:tests $(PY) -m fuzzing.expressions --count 4000 --seed $(SEED) --vega-home "$(VEGA_HOME)" --record tests/expressions/recorded.jsonl
	PYTHONPATH=src:tests $(PY) -m fuzzing.evaluation --count 4000 --seed $(SEED) --vega-home "$(VEGA_HOME)" --record tests/expressions/evaluated.jsonl
	PYTHONPATH=src:tests $(PY) -m fuzzing.page_rows --vega-home "$(VEGA_HOME)" tests/transforms/*.md
	PYTHONPATH=src:tests $(PY) -m reference.record --vega-home "$(VEGA_HOME)"

docs: test-environment docs-environment ## write the generated pages of docs/, and make the site build/site of all pages
	$(PY) scripts/generate_docs.py
	$(PY) scripts/documentation.py

pages: test-environment ## run the commands that pages show, and write what they print and draw into the pages
	$(PY) scripts/pictures.py
	PYTHONPATH=src:tests $(PY) -m docs.record

lock: lock-environment ## write requirements/*.txt anew; ARGS=--upgrade takes newer versions
	$(PY) scripts/lock.py $(ARGS)

clean: ## remove the environment and everything that tools left behind
	rm -rf .venv .venv-docs .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist spark-warehouse metastore_db derby.log
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

demo-environment test-environment docs-environment lock-environment: %-environment:
	@test -n "$(PYTHON)" || { echo "Sheliak needs Python 3.11 or newer, and none was found on the PATH" >&2; exit 1; }
	@$(PYTHON) scripts/environment.py $*
