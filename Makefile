# Two commands are enough: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help run test check bench format lock clean

help:  ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

# The virtual environment is made anew whenever the pinned set of libraries changes.
$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@

run: $(VENV)/.installed  ## serve the companion with the simulated table on http://localhost:8000
	$(BIN)/companion

test: $(VENV)/.tested  ## run every test, the browser's included
	$(BIN)/python -m pytest

check: $(VENV)/.tested  ## style, types and the floors of the house
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.tested  ## print the figures of the README, measured on this machine
	$(BIN)/python -m tests.bench

format: $(VENV)/.tested  ## put the code into the agreed form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(VENV)/.tested  ## write the resolved set of libraries to constraints.txt
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) artefacts .pytest_cache .mypy_cache .ruff_cache .hypothesis
