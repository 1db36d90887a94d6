# One target for each thing a maintainer does. A bare `make` lists them.
.DEFAULT_GOAL := help

# The first Python that is new enough; set PYTHON=… to choose one yourself.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Where tools/labconfig is: it keeps nbgrader's menus, which are a teacher's, out of the learner's JupyterLab.
LABCONFIG := $(CURDIR)/tools$(addprefix :,$(JUPYTER_CONFIG_PATH))
# Which course lab, site, classroom and the rest are for: this one, or that in another folder, as its Makefile says.
IN := $(or $(COURSE_FOLDER),.)
# MODEL=no leaves the real language model out, of which one lesson makes use.
MODEL ?= yes
ifeq ($(MODEL),no)
export MHA_COURSE_MODEL ?= no
endif
# The proxy in front of a hub comes from npm, so no lock names it.
PROXY := configurable-http-proxy@5.3.0
# So does what checks the scripts; without Node.js they are not checked.
ESLINT := eslint@10.15.0 @eslint/js@10.0.1
CHECK_SCRIPTS := [ ! -e $(VENV)/eslint ] || $(BIN)/eslint --config tools/eslint.config.mjs mha_course tools
QUIET := --disable-pip-version-check --quiet
# Every package in the version that the tests ran with; LOCK= leaves that to pip, which takes the newest.
LOCK := -c tests/requirements.txt
# Optional, and half of the time that a server takes to start, and a second of all that reads notebooks.
FASTER = $(BIN)/python -m pip uninstall $(QUIET) --yes rfc3987-syntax
# Python compiles what it imports, which is little of all that is installed.
install = $(BIN)/python -m pip install $(QUIET) --no-compile $(LOCK) $(1) $(OR_SAY)
# What pip says without a network misleads: that there were no such versions.
OR_SAY = || { echo "The packages could not be fetched: is there a network, or a proxy to name (HTTPS_PROXY=…)?"; exit 1; }
# make lock UPGRADE=yes takes the newest of everything; without, what is locked already stays as it is.
UPGRADE := no
# yes: make test runs what takes minutes, too.
EVERYTHING := no
# What some tests need and not every machine can have; tests/parts.py says which tests.
PARTS := torch $(if $(filter yes,$(EVERYTHING)),hub) pyodide $(if $(filter-out no,$(MODEL)),model)
# How JupyterLab opens the course: errors alone are logged, so the address stays the last thing said; Ctrl+C asks nothing.
OPENING := --log-level=ERROR -y --ServerApp.root_dir=$(IN)
OPENING += --LabApp.default_url=/lab/tree/notebooks/$(notdir $(firstword $(sort $(wildcard $(IN)/notebooks/*.ipynb))))
# At first the lesson stands alone, the list of its sections a click away; then as the learner leaves it.
WORKSPACES := $(abspath $(or $(addsuffix /build,$(COURSE_FOLDER)),$(VENV)))/workspaces
OPENING += --LabApp.workspaces_dir=$(WORKSPACES)
# Jupyter asks root, as one is in most containers, whether that is meant; it then answers to this machine alone.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--ServerApp.allow_root=True --ServerApp.ip=127.0.0.1)
# Without a screen, Linux has at most a browser for the terminal, which hides the address.
NO_BROWSER := $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(BROWSER)$(filter-out Linux,$(shell uname)),,--no-browser)
# Says so, as long as nobody has set the address.
UNSET := $(PYTHON) tools/address.py
# Which lessons `make lessons` runs, each cell once; the real model may be missing.
LESSONS := notebooks

# A file of tests stays together: its tests share a page, a course folder or, in a notebook, a kernel.
SHARED_OUT := --dist loadfile --no-loadscope-reorder
# MHA_COURSE_TRIES=1 leaves out second tries, for whoever hunts what fails now and then; see tests/second_try.py.
TRIES := --tries=$(or $(MHA_COURSE_TRIES),2)
# What `make newest` leaves out of a run, besides what the run leaves out itself.
WITHOUT :=

.PHONY: help lab quick logic test lint notebooks bench blind film load classroom grades class-report site release address faces hub \
	lock newest pythons lessons new-course new-lesson exercise parts checked compiled

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: $(VENV)/lab ## Open the course in JupyterLab (MODEL=no: without the real language model)
ifneq ($(MODEL),no)
	@$(MAKE) --no-print-directory $(VENV)/model || echo "The course opens without the model. make lab MODEL=no does not try to fetch it."
endif
	@[ -e $(WORKSPACES) ] || { mkdir -p $(dir $(WORKSPACES)) && cp -r tools/workspaces $(WORKSPACES); }
	@echo "Opening the course. Press Ctrl+C here to stop it."
	@$(if $(AS_ROOT),echo "As you are root it answers to this machine alone: 127.0.0.1.")
	@JUPYTER_CONFIG_PATH="$(LABCONFIG)" $(BIN)/jupyter lab $(OPENING) $(AS_ROOT) $(NO_BROWSER)

quick: checked ## Check code and types, test the engine and changed lessons, and a few cases of everything else
	$(BIN)/python -m pytest --quick -m "not slow and not long and not minutes" -n 3 $(SHARED_OUT) $(TRIES)

logic: checked ## Check code and types, and run every test that needs Python alone
	$(BIN)/python -m pytest tests mha_course -m "not slow and not minutes" -n 2 $(SHARED_OUT) $(TRIES) $(addprefix --ignore=,$(WITHOUT))

test: $(VENV)/test $(VENV)/eslint ## Install all that the tests use, run the tests and check every cell of every notebook
	@$(MAKE) --no-print-directory -j 3 parts checked compiled
	$(BIN)/python -m pytest -n 4 $(SHARED_OUT) $(TRIES) $(if $(filter yes,$(EVERYTHING)),-m "not fewer")

lint: $(VENV)/test $(VENV)/eslint ## Check and format the code, notebooks and scripts included, and check its types
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy
	PYTHONPATH=tools $(BIN)/python -m authoring.texts
	$(CHECK_SCRIPTS)

notebooks: $(VENV)/test $(VENV)/model ## Say how long the lessons take, run all notebooks again and store their outputs
	$(BIN)/python tools/minutes.py $(IN)/notebooks/*.ipynb
	$(BIN)/python tools/run_notebooks.py $(IN)/notebooks/*.ipynb

bench: $(VENV)/torch $(VENV)/model ## Measure what docs/maintaining.md shows, or a part of it: ONLY="checks grading"
	$(if $(ONLY),,$(MAKE) site)
	$(BIN)/python benchmarks $(ONLY)

blind: $(VENV)/test ## Measure what the checks say of answers written without sight of them: ANSWERS="files", perhaps SEEDS=12
	$(BIN)/python tools/blind.py --seeds $(or $(SEEDS),1) $(ANSWERS)

film: $(VENV)/test $(VENV)/model ## Film a head that learns and a model that forgets, for the README: docs/film.gif
	$(BIN)/python tools/film.py

load: $(VENV)/test $(VENV)/hub ## Measure a hub on this machine alone: USERS=12 MINUTES=3 (KEEP=yes: for the handbook)
	$(BIN)/python benchmarks load --users $(or $(USERS),12) --minutes $(or $(MINUTES),3) \
		--file $(if $(filter yes,$(KEEP)),benchmarks,build)/load.json

new-course: $(VENV)/test ## Make a course of one lesson on another subject: FOLDER=../signals NAME=signals TITLE="Signals"
	@PYTHONPATH=tools $(BIN)/python -m authoring.new_course "$(FOLDER)" "$(NAME)" "$(TITLE)"

new-lesson: $(VENV)/test ## Make a small lesson that passes all tests, to be filled: NAME=running_mean TITLE="Running mean"
	@PYTHONPATH=tools $(BIN)/python -m authoring.new_lesson "$(NAME)" "$(TITLE)"

exercise: $(VENV)/test ## Write an exercise's cells into its lesson's notebook, from its record: NAME=running_mean.first
	@PYTHONPATH=tools $(BIN)/python -m authoring.exercise "$(NAME)"

classroom: $(VENV)/classroom ## Build what a teacher needs: copies, slides, quizzes, a course folder for nbgrader
	@PYTHONPATH=tools $(BIN)/python -m classroom $(IN)/build/classroom
	@$(UNSET)

grades: $(VENV)/classroom ## Fill points into a platform's sheet: COURSE=folder LESSON=03_scaled_scores SHEET=file.csv
	@PYTHONPATH=tools $(BIN)/python -m classroom.grades "$(COURSE)" "$(LESSON)" "$(SHEET)" "$(COLUMN)"

class-report: $(VENV)/classroom ## Say where a class is stuck: HANDED_IN=folder, perhaps SINCE=2026-03-02 NAMES=yes
	@PYTHONPATH=tools $(BIN)/python -m classroom.report $(if $(filter yes,$(NAMES)),--names) \
		$(addprefix --since=,$(SINCE)) "$(HANDED_IN)" $(IN)/build/class_report

site: $(VENV)/site ## Build the lessons as a website in build/site: to read, print, run. HUB=https://… links to a hub
	@$(if $(COURSE_FOLDER),true,$(MAKE) --no-print-directory $(VENV)/pyodide) || echo "So the live notebooks cannot be built."
	@PYTHONPATH=tools $(BIN)/python -m website $(addprefix --hub=,$(HUB)) $(IN)/build/site
	@$(UNSET)

release: $(VENV)/site $(VENV)/classroom $(VENV)/pyodide ## Build everything that is published for a version, in build/release, with hashes
	@PYTHONPATH=tools $(BIN)/python -m release build/release
	@$(UNSET)

address: ## Write the course's address into everything that names it: URL=https://github.com/owner/name, perhaps SITE=…
	@$(PYTHON) tools/address.py "$(URL)" "$(SITE)"

hub: $(VENV)/hub ## Install all that a hub needs, on the hub's own machine (MODEL=no: without the real language model)
ifneq ($(MODEL),no)
	@MHA_COURSE_MODEL_CACHE=hub/model $(BIN)/python tools/prepare_model.py
endif
	@$(BIN)/python -m compileall -q mha_course  # no student may write there, so every kernel would compile it anew
	@echo "The course is ready for a hub; hub/README.md says what comes next."
	@$(UNSET)

lock: build/uv ## Lock every package anew, after a change of pyproject.toml (UPGRADE=yes: in the newest versions)
	@$(COMPILE) --extra lab -o requirements.txt
	@$(COMPILE) --extra test --extra hub tests/torch.txt -c requirements.txt -o tests/requirements.txt
	@for python in 3.11 3.12 3.13 3.14; do for system in $(SYSTEMS); do \
		build/uv/bin/uv pip compile --quiet --only-binary :all: --python-version $$python --python-platform $$system \
			requirements.txt > /dev/null || { echo "A learner with Python $$python on $$system cannot install this."; exit 1; }; \
	done; done

newest: ## Try the newest version of everything instead of the locked ones, in build/newest
	rm -rf build/newest
	$(MAKE) VENV=build/newest LOCK= build/newest/test
	@build/newest/bin/python tools/lock.py
	$(MAKE) VENV=build/newest LOCK= WITHOUT=tests/test_lock.py logic lessons

pythons: ## Run all logic and all lessons in each Python that is found, in build/python3.*
	@for python in python3.11 python3.12 python3.13 python3.14; do \
		if ! $$python -c "" 2> /dev/null; then echo "$$python was not found, so it was not tried."; continue; fi; \
		echo "$$python:"; $(MAKE) PYTHON=$$python VENV=build/$$python logic lessons || failed="$$failed $$python"; \
	done; [ -z "$$failed" ] || { echo "Something failed in$$failed."; exit 1; }

lessons: $(VENV)/lessons ## Run every cell of the lessons and every example of the package: less than a minute
	$(BIN)/python -m pytest mha_course $(LESSONS) --ignore=notebooks/15_real_model.ipynb -k "not again"

# What cannot be installed ends nothing here: the tests say what was left out, or stop at once if it is required.
parts: $(VENV)/test
	@for part in $(PARTS); do $(MAKE) --no-print-directory $(VENV)/$$part || \
		echo "So the tests of this part ($$part) cannot run."; done

checked: $(VENV)/test $(VENV)/eslint
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(CHECK_SCRIPTS)

# Otherwise each of the four processes that test would compile all that the files of tests import.
compiled: $(VENV)/test
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --collect-only > /dev/null 2>&1 || true

$(VENV)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "This course needs Python 3.11 or newer, and none was found: install one from python.org."; exit 1; fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "This course needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version 2>&1)."; exit 1; }
	@echo "Making a private Python environment in $(VENV) (once) …"
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: on Debian or Ubuntu, install python3-venv."; exit 1; }
	@$(BIN)/python -m pip install $(QUIET) --upgrade pip $(OR_SAY)  # which needs half as long as the one that comes with Python 3.11
	@touch $@

$(VENV)/lab: $(VENV)/python requirements.txt pyproject.toml tools/overrides.json tools/server_config.py
	@echo "Installing JupyterLab and the course (once, a minute or two) …"
	@$(call install,-e '.[lab]')
	@mkdir -p $(VENV)/share/jupyter/lab/settings && cp tools/overrides.json $(VENV)/share/jupyter/lab/settings/
	@mkdir -p $(VENV)/etc/jupyter && cp tools/server_config.py $(VENV)/etc/jupyter/jupyter_server_config.py
	@touch $@

# What a lesson needs, and what runs it: a quarter of what the tests need.
$(VENV)/lessons: $(VENV)/python tests/requirements.txt pyproject.toml
	@$(call install,-e . ipykernel nbval)
	@touch $@

$(VENV)/model: $(VENV)/lab tools/model.txt tools/prepare_model.py
	@$(BIN)/python tools/prepare_model.py
	@touch $@

$(VENV)/hub: $(VENV)/lab tests/requirements.txt
	@npm --version > /dev/null 2>&1 && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { \
		echo "A hub needs Node.js 20 or newer, and npm: on Debian 13, apt install nodejs npm."; exit 1; }
	@echo "Installing JupyterHub and its proxy (once, half a minute) …"
	@$(call install,-e '.[hub]')
	@$(FASTER)
	@npm install --silent --no-fund --no-audit --no-update-notifier --global --prefix $(VENV) $(PROXY) || { \
		echo "npm could not fetch $(PROXY), the hub's proxy."; exit 1; }
	@touch $@

.PHONY: $(VENV)/pyodide
$(VENV)/pyodide: $(VENV)/pyodide/done

$(VENV)/pyodide/done: $(VENV)/python tools/website/live/fetch.py tools/website/live/pure.txt $(wildcard tools/website/live/bundled/*)
	@npm --version > /dev/null 2>&1 || { echo "Python for a web page comes from npm: on Debian, apt install nodejs npm."; exit 1; }
	@echo "Fetching Python for a web page (once, 40 MB, or 90 from the mirror) …"
	@rm -rf $(VENV)/pyodide
	@$(BIN)/python tools/website/live/fetch.py $(VENV)/pyodide
	@touch $@

$(VENV)/eslint: $(VENV)/python
	@if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(100 * a + b < 2019 ? 1 : 0)' \
			2> /dev/null; then \
		echo "Node.js 20.19 or newer was not found, so the scripts are not checked."; \
	else \
		npm install --silent --no-fund --no-audit --no-update-notifier --global --prefix $(VENV) $(ESLINT) && touch $@ || \
		echo "npm could not fetch ESLint, so the scripts are not checked."; fi

$(VENV)/classroom: $(VENV)/lab tests/requirements.txt
	@echo "Installing nbgrader and reveal.js (once) …"
	@$(call install,-e '.[classroom]')
	@touch $@

$(VENV)/site: $(VENV)/lab tests/requirements.txt
	@echo "Installing Sphinx and its theme (once) …"
	@$(call install,-e '.[site]')
	@touch $@

$(VENV)/torch: $(VENV)/test tests/torch.txt
	@echo "Installing PyTorch, to compare with (once, a minute or more; on Linux up to 2.7 GB to download) …"
	@$(call install,-r tests/torch.txt)
	@touch $@

$(VENV)/test: $(VENV)/lab tests/requirements.txt
	@echo "Installing the test tools (once) …"
	@$(call install,-e '.[test]')
	@$(FASTER)
	@rm -rf .mypy_cache  # it remembers a package as missing that is there now
	@touch $@

# On which a learner needs no compiler: every package that is locked has a ready-made build.
SYSTEMS := x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-pc-windows-msvc aarch64-apple-darwin \
	x86_64-apple-darwin

# One version of a package for every Python and system, so that the stored outputs are the same everywhere.
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" build/uv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--fork-strategy fewest --annotation-style line $(if $(filter yes,$(UPGRADE)),--upgrade) pyproject.toml

faces: ## Fetch the faces of the website and the slides anew, from npm
	@$(PYTHON) -m venv build/faces
	@build/faces/bin/python -m pip install $(QUIET) fonttools==4.68.0 brotli==1.2.1 $(OR_SAY)
	@build/faces/bin/python tools/faces

build/uv:
	@$(PYTHON) -m venv $@
	@$@/bin/python -m pip install $(QUIET) uv || { rm -r $@; exit 1; }
