# Two commands set everything up: `make demo` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help demo serve test check unit test-llm docs lock bench clean
BIN := .venv/bin

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: ## build the demo warehouse, index it and answer five questions; no server, no key, no network after the install
	@services/environment.sh runtime
	@$(BIN)/data-agent demo

serve: ## the demo over HTTP, with the page at /
	@services/environment.sh runtime
	@$(BIN)/data-agent serve

test: check ## everything that CI runs: style, types, layers, all tests
	@$(BIN)/pytest -n 2 --dist loadfile -m "not llm"

check: ## style, types and layers only
	@services/environment.sh dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

unit: ## the fast tests only
	@services/environment.sh dev
	@$(BIN)/pytest tests/unit tests/architecture

test-llm: ## the questions that need a language model, on a small local one (fetched once, 1.1 GB)
	@services/environment.sh dev
	@$(BIN)/pytest -m llm tests

docs: ## regenerate the generated pages
	@services/environment.sh dev
	@$(BIN)/python -m docs.generate

bench: ## speed and memory, as ratios against a baseline of the same run
	@services/environment.sh dev
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

lock: ## pin the dependencies again (needs uv)
	@uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header -q -o requirements.lock
	@uv pip compile pyproject.toml --extra servers --extra build --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header -q -c requirements.lock -o requirements-servers.lock
	@uv pip compile pyproject.toml --extra dev --extra build --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header -q -c requirements.lock -o requirements-dev.lock

clean: ## remove what was built here (the virtual environment and the demo's data)
	rm -rf .venv .data .pytest_cache .mypy_cache .ruff_cache .hypothesis
