# One target for each thing a maintainer does. A bare `make` lists them.
.DEFAULT_GOAL := help

# The first Python that is new enough; set PYTHON=… to choose one yourself.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Where tools/labconfig is: it keeps nbgrader's menus, which are a teacher's, out of the learner's JupyterLab.
LABCONFIG := $(CURDIR)/tools$(addprefix :,$(JUPYTER_CONFIG_PATH))
# MODEL=no leaves the real language model out, of which one lesson makes use.
MODEL ?= yes
PROGRESS := --disable-pip-version-check --quiet

# A file of tests stays together: its tests share a page, a course folder or, in a notebook, a kernel.
SHARED_OUT := --dist loadfile --no-loadscope-reorder
# What `make quick` leaves to `make test`: browsers, graders, installs, PyTorch, the real model, processes that have to be
# stopped, the running of whole notebooks, and every one of the thousands of mistakes.
SLOW := $(addprefix tests/,browser test_against_torch.py test_attempts.py test_binder.py test_classroom.py test_collecting.py \
	test_grades.py test_grading.py test_invented.py test_mistakes.py test_pairs.py test_real_model.py \
	test_real_model_maths.py test_real_model_store.py test_running_notebooks.py test_speaking.py test_updates.py)

.PHONY: help lab quick test bench notebooks classroom grades class-report export lint checked

help: ## List these targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/'

lab: $(VENV)/lab ## Open the course in JupyterLab (MODEL=no: without the real language model)
ifneq ($(MODEL),no)
	@$(MAKE) --no-print-directory $(VENV)/model || echo "The course opens without the model. make lab MODEL=no does not ask."
endif
	@echo "Opening the course. Press Ctrl+C here to stop it."
	@JUPYTER_CONFIG_PATH="$(LABCONFIG)" $(BIN)/jupyter lab --ServerApp.root_dir=. notebooks/00_start_here.ipynb

quick: checked ## Check code and types, and run the quick tests: about a minute
	$(BIN)/python -m pytest -n 2 $(SHARED_OUT) tests mha_course $(addprefix --ignore=,$(SLOW))

test: checked ## Run every test and check every cell of every notebook
	$(BIN)/python -m pytest -n 3 $(SHARED_OUT)

bench: $(VENV)/torch $(VENV)/model ## Measure layer, training and real model against PyTorch's, the widgets, and the checks
	$(BIN)/python -u benchmarks/attention.py
	$(BIN)/python -u benchmarks/training.py
	$(BIN)/python -u benchmarks/widget.py
	$(BIN)/python -u benchmarks/checks.py
	$(BIN)/python -u benchmarks/model.py

notebooks: $(VENV)/test $(VENV)/model ## Say how long the lessons take, run all notebooks again and store their outputs
	$(BIN)/python tools/minutes.py notebooks/*.ipynb
	$(BIN)/python tools/run_notebooks.py notebooks/*.ipynb

classroom: $(VENV)/classroom ## Build what a teacher needs: copies, slides, a course folder for nbgrader
	@PYTHONPATH=tools $(BIN)/python -m classroom build/classroom

grades: $(VENV)/classroom ## Fill points into a platform's sheet: COURSE=folder LESSON=03_scaled_scores SHEET=file.csv
	@PYTHONPATH=tools $(BIN)/python -m classroom.grades "$(COURSE)" "$(LESSON)" "$(SHEET)" "$(COLUMN)"

class-report: $(VENV)/classroom ## Say where a class is stuck: HANDED_IN=folder, perhaps SINCE=2026-03-02 NAMES=yes
	@PYTHONPATH=tools $(BIN)/python -m classroom.report $(if $(filter yes,$(NAMES)),--names) \
		$(addprefix --since=,$(SINCE)) "$(HANDED_IN)" build/class_report

export: $(VENV)/classroom ## Write the lessons as pages that need no network, to read or to print
	@$(BIN)/python tools/export.py build/pages notebooks/*.ipynb

lint: $(VENV)/test ## Check and format the code, that of the notebooks included, and check its types
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

checked: $(VENV)/test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

$(VENV)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "This course needs Python 3.11 or newer, and none was found: install one from python.org."; exit 1; fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "This course needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version 2>&1)."; exit 1; }
	@echo "Making a private Python environment in $(VENV) (once) …"
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: on Debian or Ubuntu, install python3-venv."; exit 1; }
	@touch $@

$(VENV)/lab: $(VENV)/python requirements.txt pyproject.toml tools/overrides.json
	@echo "Installing JupyterLab and the course (once, a minute or two) …"
	@$(BIN)/python -m pip install $(PROGRESS) -e .
	@mkdir -p $(VENV)/share/jupyter/lab/settings && cp tools/overrides.json $(VENV)/share/jupyter/lab/settings/
	@touch $@

$(VENV)/model: $(VENV)/lab tools/model.txt tools/model.py
	@$(BIN)/python tools/model.py
	@touch $@

$(VENV)/classroom: $(VENV)/lab tools/classroom/requirements.txt
	@echo "Installing nbgrader and reveal.js (once) …"
	@$(BIN)/python -m pip install $(PROGRESS) -e '.[classroom]'
	@touch $@

$(VENV)/torch: $(VENV)/test tests/torch.txt
	@echo "Installing PyTorch, to compare with (once, a minute or more) …"
	@$(BIN)/python -m pip install $(PROGRESS) -r tests/torch.txt
	@touch $@

$(VENV)/test: $(VENV)/lab tests/requirements.txt tools/classroom/requirements.txt
	@echo "Installing the test tools (once) …"
	@$(BIN)/python -m pip install $(PROGRESS) -e '.[test]'
	@rm -rf .mypy_cache  # it remembers a package as missing that is there now
	@touch $@
