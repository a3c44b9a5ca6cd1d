# photocritic's front door. `make help` lists the targets.

# The first Python at hand that runs, is of a supported version, and can make environments.
SUITS = import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c '$(SUITS)' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
PRESET ?=
CORPUS ?=
JOBS ?=
REMOTE ?=
PREFECT_PORT ?= 4200
MLFLOW_PORT ?= 5000
SERVE_PORT ?= 5001
TEXTS ?= 1000000
IMAGES ?= 200000
COMMENTS ?= 200000
SEED ?= 1
PORTS = --prefect-port $(PREFECT_PORT) --mlflow-port $(MLFLOW_PORT)

export DVC_NO_ANALYTICS = true
export MLFLOW_DISABLE_TELEMETRY = true
export PREFECT_SERVER_ANALYTICS_ENABLED = false
export PREFECT_HOME ?= $(CURDIR)/.prefect
export GX_ANALYTICS_ENABLED = false
export HF_HUB_DISABLE_TELEMETRY = 1
export DO_NOT_TRACK = 1
export PYTHONHASHSEED = 0

.DEFAULT_GOAL := help
.PHONY: help run test lint format lock sbom audit spice flow server server-stop deploy serve ui bench faults fuzz clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | awk -F'\t' '{printf "  make %-11s %s\n", $$1, $$2}'

.venv/.synced: requirements.lock requirements-uv.lock
	@python="$(PYTHON)"; if [ -z "$$python" ]; then \
		echo "photocritic needs Python 3.11, 3.12 or 3.13 with venv: install one, or say make $(MAKECMDGOALS) PYTHON=<path>"; \
		exit 1; fi; test -x $(BIN)/python || $$python -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-uv.lock
	@# Compiled at once: where Python may not write bytecode, each of many processes would compile all that it imports.
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock
	@touch $@

.venv/.installed: .venv/.synced pyproject.toml
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m photocritic.report.plots_page
	@touch $@

# By the environment: a shell would read a path with a quote or a dollar in it as part of the command.
unexport PRESET CORPUS JOBS
run: export RUN_PRESET := $(value PRESET)
run: export RUN_CORPUS := $(value CORPUS)
# The sample is small enough for two stages at once.
run: export RUN_JOBS := $(or $(value JOBS),$(if $(value PRESET)$(value CORPUS),1,2))
run: .venv/.installed  ## Run the whole pipeline: make run [PRESET=name] [CORPUS=folder] [JOBS=stages at once]
	@$(BIN)/photocritic run --preset "$$RUN_PRESET" --corpus "$$RUN_CORPUS" --jobs "$$RUN_JOBS"

test: .venv/.installed  ## Run the tests
	@$(BIN)/python -m pytest

lint: .venv/.installed  ## Check form, types and layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/hadolint deploy/Dockerfile
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	@$(BIN)/shellcheck .ci/run deploy/start stages/run

format: .venv/.installed  ## Put the code in form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lock: .venv/.installed  ## Renew requirements.lock from pyproject.toml, and the pin of uv
	@echo uv | $(BIN)/uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --upgrade - \
		--output-file requirements-uv.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --extra dev \
		--python-version 3.11 --upgrade pyproject.toml --output-file requirements.lock

sbom: .venv/.installed  ## Write what is installed as CycloneDX: dist/sbom.json
	@mkdir -p dist
	@$(BIN)/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml --output-file dist/sbom.json $(BIN)/python

audit: .venv/.installed  ## Look the pinned packages up in a list of known vulnerabilities
	@$(BIN)/python -m tools.audit

spice: .venv/.installed  ## Fetch what the metric SPICE needs, with Maven (390 MB)
	@$(BIN)/python -m photocritic.metrics.spice_jars

flow: .venv/.installed  ## Run the pipeline as a Prefect flow, without a server
	@$(BIN)/python -m flows

server: .venv/.installed  ## Start Prefect's and MLflow's servers and a worker a pool: make server [REMOTE=s3://...]
	@$(BIN)/python -m flows.servers start $(PORTS) $(if $(REMOTE),--remote "$(REMOTE)")

server-stop: .venv/.installed  ## Stop exactly what make server has started
	@$(BIN)/python -m flows.servers stop

deploy: .venv/.installed  ## Tell Prefect's server which flows there are, with their schedules
	@PREFECT_API_URL=$${PREFECT_API_URL:-http://127.0.0.1:$(PREFECT_PORT)/api} $(BIN)/python -m flows.deploy

serve: .venv/.installed  ## Answer requests with the champion's captions, on loopback: make serve [SERVE_PORT=5001]
	@$(BIN)/photocritic serve --port $(SERVE_PORT)

ui: .venv/.installed  ## Compare runs in MLflow's pages
	$(BIN)/mlflow ui --backend-store-uri sqlite:///mlruns/mlflow.db --host 127.0.0.1 --uvicorn-opts "--http photocritic.web:GuardedProtocol"

bench: .venv/.installed  ## Measure against what one would use instead, into docs/benchmarks.md
	@$(BIN)/python -m bench

faults: .venv/.installed  ## Disturb the sample chain in many ways, and compare what the next run makes (docs/reliability.md)
	@$(BIN)/python -m tests.faults

fuzz: .venv/.installed  ## Damage files, images and comments: make fuzz [TEXTS=n] [IMAGES=n] [COMMENTS=n] [SEED=n]
	@$(BIN)/python -m tests.fuzz.texts --inputs $(TEXTS) --seed $(SEED) --processes 2
	@$(BIN)/python -m tests.fuzz.images --inputs $(IMAGES) --seed $(SEED)
	@$(BIN)/python -m tests.fuzz.comments --inputs $(COMMENTS) --seed $(SEED)

clean:  ## Stop the servers, and remove what runs have made, but not the installation
	@if [ -d .prefect/servers ]; then $(BIN)/python -m flows.servers stop; fi
	rm -rf data reports/plots reports/dvc_plots reports/data_docs reports/report.html checkpoints mlruns .prefect
