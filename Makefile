# Targets for people who work on shlo. `make` lists them.

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
EXE := $(if $(filter Windows_NT,$(OS)),.exe)
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
IREE_PYTHON ?= $(BIN)/python
FIGURES := build/figures
DEMO := examples/transformer.mlir examples/transformer.npz

# The tests start hundreds of processes, each of which would compile all of shlo (1 second more) where this is set.
unexport PYTHONDONTWRITEBYTECODE

# uv takes a third of pip's time. It does not read pip's settings: where it finds no registry, pip installs.
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check uv \
	&& $(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[$(1)]' \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(1)]'

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types layers quick unit affected coverage docs conformance corpora format bench figures scorecards vsix web labextension wheel notebook e2e fuzz soak pictures version bump release-check newest newest-jax clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

$(BIN)/python$(EXE):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/it" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/tui: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,tui)
	@touch $@

$(VENV)/dev: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,dev)
	@touch $@ $(VENV)/tui

$(VENV)/notebook: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,all)
	@touch $@

$(VENV)/docs: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,docs)
	@touch $@ $(VENV)/dev $(VENV)/tui

$(VENV)/e2e: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,e2e)
	@touch $@ $(VENV)/docs $(VENV)/dev $(VENV)/tui

setup: $(VENV)/dev ## set up .venv with all that development needs

demo: $(VENV)/tui ## set up, run a transformer's loss and gradient lowered from JAX, and step through it
	$(BIN)/shlo check examples/transformer.mlir
	$(BIN)/shlo run $(DEMO) --time
	@if test -t 0 && test -t 1; then $(BIN)/shlo debug $(DEMO); else \
		echo "There is no terminal for the debugger's screen: the same by a script."; \
		printf 'next 3\nprint %%0\nback\ncontinue\n' | $(BIN)/shlo debug $(DEMO) --script -; fi

test: $(VENV)/dev ## run every check: style, types, layers, tests
	$(MAKE) --jobs=2 lint types layers unit  # pyright uses the time in which tests wait for processes

lint: $(VENV)/dev ## style and docstrings, with ruff
	$(BIN)/ruff check .
	$(BIN)/ruff check --preview --select DOC102,DOC202,DOC403 .  # what a docstring documents exists

types: $(VENV)/dev ## types, with pyright
	$(BIN)/pyright --pythonpath $(BIN)/python

layers: $(VENV)/dev ## who imports whom, with import-linter
	$(BIN)/lint-imports

quick: $(VENV)/dev ## the inner loop: tests without an oracle, a screen or long work
	PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(BIN)/pytest -p xdist -p pytest_timeout -p pytest_asyncio.plugin -n 2 \
		-m "not oracle and not screen and not slow" $(addprefix --ignore tests/,tui lsp kernel growth differential)

unit: $(VENV)/dev ## tests, with pytest (LONG=yes: those of tests/long_tests.py, too)
	$(BIN)/pytest -n 2 --dist worksteal $(if $(LONG),,--short)

affected: $(VENV)/dev ## the tests that the changes since BASE affect (default: where the branch left main)
	@mkdir -p build
	$(BIN)/python -m tests.affected $(BASE) > build/affected.txt
	test ! -s build/affected.txt || $(BIN)/pytest -n 2 --short --dist worksteal @build/affected.txt

vsix: $(VENV)/dev ## package the extension for VS Code, with the wheel in it (wants Node)
	$(MAKE) -C vscode-extension vsix PYTHON=$(CURDIR)/$(BIN)/python

web: ## build the views of tensors and graphs for web pages: web/dist (wants Node)
	$(MAKE) -C vscode-extension web

labextension: $(VENV)/e2e ## build the JupyterLab extension that goes into the wheel (wants Node)
	$(MAKE) -C shlo_kernel/labextension PYTHON=$(CURDIR)/$(BIN)/python

wheel: labextension web ## build dist/*.whl with the kernel and the JupyterLab extension in it (wants Node)
	SHLO_RELEASE=1 $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

version: ## print the version
	@sed -n 's/^__version__ = "\(.*\)"/\1/p' shlo/__init__.py

bump: $(VENV)/dev ## write a version wherever it is repeated: VERSION=0.2.0
	$(BIN)/python -m release.version $(VERSION)
	$(BIN)/python -m release.share

release-check: labextension web vsix ## build wheel, sdist and vsix, install each in a fresh environment, try each (wants Node)
	$(BIN)/python -m release.check

newest: $(VENV)/e2e ## put the newest versions of what shlo depends on into .venv, pre-releases too
	$(BIN)/python -m pip install --quiet --upgrade --pre jax jaxlib numpy scipy ml_dtypes textual pygls ipykernel jupyterlab

newest-jax: $(VENV)/dev ## put the newest JAX into .venv, pre-releases too, and show that it works
	$(BIN)/python -m pip install --quiet --upgrade --pre jax jaxlib numpy ml_dtypes
	$(BIN)/shlo doctor

notebook: $(VENV)/notebook ## set up and open the tour in JupyterLab
	$(BIN)/jupyter lab examples/tour.ipynb

e2e: $(VENV)/e2e ## drive VS Code, Neovim, Emacs, JupyterLab and the terminal (E2E_REQUIRED=1: all of them must be there; ONLY=core: one way through each)
	sh tests/e2e/run.sh $(BIN)/python $(addprefix -m ,$(ONLY))

HOURS ?= 1

fuzz: $(VENV)/dev ## give changed files and messages to what reads them: HOURS=8 (default: 1)
	$(BIN)/python -m tests.hardening --hours $(HOURS) --record

SCALE ?= 0.1

soak: $(VENV)/dev ## long and parallel work, and faults of the machine: SCALE=1 (default: 0.1)
	$(BIN)/python -m tests.hardening.soaks --scale $(SCALE) --record

conformance: $(VENV)/dev ## run the upstream suite: SUITE=<a checkout of openxla/stablehlo>
	$(BIN)/python -m tests.conformance $(SUITE)

corpora: $(VENV)/dev ## read, verify, print and run programs of public projects: DIR=<a folder of checkouts>
	$(BIN)/python -m tests.corpora $(DIR)

pictures: $(VENV)/e2e web ## draw the pictures of docs/views.md (wants Node and Chromium)
	$(BIN)/python -m docs.picture_views

coverage: $(VENV)/dev ## which lines of the kernels their tests run, at least 90 % of each module
	$(BIN)/pytest -n 2 tests/ops tests/kernels --cov=shlo/interpreter/kernels --cov-report=
	$(BIN)/python -m tests.kernel_coverage

docs: $(VENV)/docs ## write the generated pages and files, and build the documentation site: build/site
	$(BIN)/python docs/generate_ops.py
	$(BIN)/python docs/generate_constraints.py
	$(BIN)/python docs/generate_mistakes.py
	$(BIN)/python docs/generate_differences.py
	$(BIN)/python docs/generate_lsp.py
	$(BIN)/python docs/generate_dap.py
	$(BIN)/python docs/generate_accuracy.py
	$(BIN)/python docs/generate_speed.py
	$(BIN)/python docs/generate_fuzz.py
	$(BIN)/python -m docs.generate_json
	$(BIN)/python docs/generate_scorecards.py
	$(BIN)/python -m docs.generate_how_we_know
	$(BIN)/python -m release.share
	$(BIN)/python -m docs.public_api
	$(BIN)/python -m docs.site

scorecards: $(VENV)/dev ## what conform says of XLA, and of IREE where it is installed, as docs/scorecards.md
	$(BIN)/shlo conform --engine xla --level full --waivers xla-cpu -o build/scorecards/xla || test -e build/scorecards/xla/report.json
	$(BIN)/python docs/generate_scorecards.py --add "XLA on CPU" full build/scorecards/xla
	$(IREE_PYTHON) -c "import iree.compiler, iree.runtime" || \
		{ echo "for IREE: pip install iree-base-compiler iree-base-runtime; of another environment: make scorecards IREE_PYTHON=..."; exit 1; }
	$(BIN)/shlo conform --engine-command "$(IREE_PYTHON) examples/backends/run_iree.py" --level full --waivers iree \
		-o build/scorecards/iree || test -e build/scorecards/iree/report.json
	$(BIN)/python docs/generate_scorecards.py --add "IREE $$($(IREE_PYTHON) -c 'import importlib.metadata as m; print(m.version("iree-base-compiler"))') on CPU" full build/scorecards/iree

format: $(VENV)/dev ## lay the code out
	$(BIN)/ruff format .

bench: $(VENV)/dev ## compare the speed with jaxlib, XLA and NumPy
	for script in startup parse verify run arguments growth provenance scale answers; do $(BIN)/python benchmarks/$$script.py || exit 1; done
	$(BIN)/python benchmarks/engines.py
	$(BIN)/python benchmarks/debugger_continue.py --rounds 20
	$(BIN)/python benchmarks/recording.py 2000
	$(MAKE) figures

figures: $(VENV)/dev ## measure programs beside XLA, and name those slower than the time before: PROGRAMS=<some of them>
	@mkdir -p $(FIGURES)
	@test ! -e $(FIGURES)/latest.json || mv $(FIGURES)/latest.json $(FIGURES)/previous.json
	$(BIN)/python benchmarks/corpus.py --save $(FIGURES)/latest.json $(PROGRAMS)
	@test ! -e $(FIGURES)/previous.json || \
		$(BIN)/python benchmarks/compare.py $(FIGURES)/previous.json $(FIGURES)/latest.json

clean: ## remove .venv and what tools leave behind
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
