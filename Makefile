# make play and make test do all their own set-up: they need only Python 3.11+ and make.

PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
AUDIT := $(subst $(VENV),build/audit,$(BIN))
PYBABEL := $(BIN)/pybabel -q

.DEFAULT_GOAL := help
.PHONY: help play test lint unit bench accuracy train train-more soak-kill soak fuzz audit translations screenshots clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

play: $(VENV)/installed ## Serve the companion with a sample game; prints the address and a QR code
	$(BIN)/dungeon serve --demo $(ARGS)

test: lint unit ## Everything that must hold: style, types, tests (browser included)

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: $(VENV)/tested browser
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not browser and not alone" $(ARGS)
	$(BIN)/python -m pytest -m "browser or alone" $(ARGS)

.PHONY: browser
browser: $(VENV)/tested # Chromium for the browser tests, where it can be had
	@$(BIN)/python tests/browser/find_chromium.py

bench: $(VENV)/tested ## Measure how fast rooms, odds and scans are, as ratios within one run
	$(BIN)/python -m tests.bench.rooms
	$(BIN)/python -m tests.bench.odds
	$(BIN)/python -m tests.bench.scan

PICTURES := $(wildcard tests/pictures/rendered tests/pictures/touching tests/pictures/scenes ../shared/photos/rendered ../shared/photos/real)
accuracy: $(VENV)/tested ## Measure how well cubes are seen; the worst pictures are in build/accuracy.html
	@mkdir -p build
	$(BIN)/dungeon accuracy $(PICTURES) --steady --json build/accuracy.json --html build/accuracy.html $(ARGS)

train: $(VENV)/tested ## Render simulated tables and teach the scanner's networks anew (hours; see docs/training.md)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[simulation]"
	$(BIN)/python -m calibration.simulation build/tables --seed 1 --count 200
	$(BIN)/python -m calibration.simulation build/tables --seed 2001 --count 150
	$(BIN)/python -m calibration.simulation build/tables --seed 3001 --count 50 --touching 2
	$(BIN)/python -m calibration.simulation build/tables --seed 4001 --count 150 --touching 3
	$(BIN)/python -m calibration.simulation build/tables --seed 5001 --count 100 --glare
	$(BIN)/python -m calibration.simulation build/tables --seed 6001 --count 100 --cloth
	$(BIN)/python -m calibration.simulation build/tables --seed 7001 --count 100 --littered
	$(BIN)/python -m calibration.training build/tables

LESSON := --spotter-steps 3000 --judge-steps 6000 --variants 9
train-more: $(VENV)/tested # One more lesson: goes on from the weights in use, or from where it was cut off (SEED=n for another)
	$(BIN)/python -m calibration.training build/tables --on vision/weights \
		$(LESSON) --fastest 1e-3 --seed $(or $(SEED),3)

soak-kill: $(VENV)/tested ## Kill a busy server 500 times: nothing acknowledged is lost (KILLS=n for another number)
	KILLS=$(or $(KILLS),500) $(BIN)/python -m pytest tests/web/test_kill.py -q -s -k minus_nine

soak: $(VENV)/tested ## A full house for ten minutes, and photos that are read meanwhile (MINUTES=n for another time)
	@mkdir -p build
	@missed=0; \
	$(BIN)/python -m tests.soak.load --minutes $(or $(MINUTES),10) --json build/soak.json || missed=1; \
	$(BIN)/python -m tests.soak.load --photo --json build/soak-photo.json || missed=1; \
	exit $$missed

fuzz: $(VENV)/tested ## Wild events, forms, addresses, logs, pictures and tables (FUZZ_SECONDS=n for each kind, 60)
	$(BIN)/python -m tests.fuzz --seconds $(or $(FUZZ_SECONDS),60) $(ARGS)

audit: $(VENV)/installed ## Ask whether a package we need has a known weakness (needs the internet)
	@mkdir -p build
	$(BIN)/python -m pip freeze --exclude-editable > build/packages.txt
	$(PYTHON) -m venv build/audit && $(AUDIT)/python -m pip install --quiet pip-audit
	$(AUDIT)/pip-audit --strict --no-deps --disable-pip -r build/packages.txt

translations: $(VENV)/tested ## Collect new texts and compile the French ones
	$(PYBABEL) extract -F web/translations/babel.cfg -k say -k say_many:1,2 --no-location --sort-output --no-wrap \
		--project "Dungeon Companion" --copyright-holder "The Dungeon Companion authors" -o build.pot .
	$(PYBABEL) update -i build.pot -d web/translations -l fr --no-fuzzy-matching --ignore-obsolete --no-wrap
	$(PYBABEL) compile -d web/translations
	@rm build.pot

screenshots: $(VENV)/tested browser ## Take the pictures in docs/ anew
	$(BIN)/python -m docs.take_screenshots
	$(BIN)/dungeon rooms docs/examples/table.json --damage 2 --reserve key=1,shield=1 --picture docs/pictures/rooms.png
	$(BIN)/dungeon scan tests/pictures/rendered/table-900007.jpg --overlay docs/pictures/scan.jpg

clean: ## Remove what these commands made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/tested: $(VENV)/created pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@ $(VENV)/installed
