# Everything sets up .venv by itself; all that is needed is make and Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv/bin
SOAK_MINUTES ?= 10

.PHONY: run season test test-bridges test-browser check docs bench soak fuzz clean

run: .venv/ready
	$(VENV)/croupier tournament dominion smithy plan big-money miner --deals 30 --out out/run
	$(VENV)/croupier report out/run

season: .venv/ready
	$(VENV)/python examples/season/make.py out/season
	$(VENV)/croupier season out/season

# Five at a time: most tests wait for processes. None depends on which process gets a core, so none is tried again.
# TESTS names some of them, as make test TESTS=tests/docs does.
test: .venv/ready-test
	$(VENV)/python -m pytest --numprocesses 5 --dist worksteal $(TESTS)

test-bridges: .venv/ready-bridges
	$(VENV)/python -m pytest tests/agents/bridges tests/agents/test_compiled.py tests/agents/test_double_dummy.py \
		tests/agents/test_endgame.py tests/agents/test_moons.py tests/server/exporting tests/server/learning \
		tests/examples/test_learning.py --numprocesses 2

test-browser: .venv/ready-browser
	tests/browser/get
	$(VENV)/python -m pytest tests/browser --numprocesses 2 --dist loadscope

check: .venv/ready-check
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/python bench/rooms.py --check docs/pictures/rooms.svg
	$(VENV)/python bench/prose.py

docs: .venv/ready-docs
	rm -rf out/docs
	$(VENV)/python bench/manual.py out/docs

bench: .venv/ready
	$(VENV)/python -m bench

soak: .venv/ready-bridges
	SOAK_MINUTES=$(SOAK_MINUTES) $(VENV)/python -m pytest -m soak -v -o faulthandler_timeout=0
	$(MAKE) fuzz

fuzz: .venv/ready-fuzz
	$(VENV)/python tests/fuzz/readers.py -max_total_time=$$(($(SOAK_MINUTES) * 60))

clean:
	rm -rf .venv build dist *.egg-info

.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "croupier needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable .
	$(VENV)/python -m compileall -q protocol agents server
	touch $@

.venv/ready-test: .venv/ready
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

.venv/ready-browser: .venv/ready-test
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	touch $@

.venv/ready-bridges: .venv/ready-test
	$(VENV)/python -m pip install --quiet --disable-pip-version-check \
		--editable '.[llm,openspiel,rl,learn,onnx,columns,frames,solver]' \
		jass-kit==2.0.5 onnx==1.23.2
	touch $@

.venv/ready-check: .venv/ready
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable '.[check]'
	touch $@

.venv/ready-docs: .venv/ready
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

.venv/ready-fuzz: .venv/ready
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	touch $@
