"""What all tests share."""

import os

import pytest
from hypothesis import settings

from croupier.server.deals import Key
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import launch

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")  # a busy machine is no failure

QUICK = {"agents", "games", "laws", "protocol", "records"}
"""Folders of tests that hardly start a process."""


def pytest_collection_modifyitems(items):
    """Begin the share of each worker of pytest-xdist with tests that wait for processes: none ends alone with them."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    slow, quick = [], []
    for item in items:
        (slow if QUICK.isdisjoint(item.path.parts) else quick).append(item)
    items[:] = [
        item
        for worker in range(workers)
        for tests in (slow, quick)
        for item in tests[len(tests) * worker // workers : len(tests) * (worker + 1) // workers]
    ]


def pytest_runtest_setup(item):
    """Skip a test of a level of the sandbox that does not work here."""
    for level in sandbox.Level:
        if item.get_closest_marker(level.value) and (why := sandbox.problem(level)):
            pytest.skip(why)


@pytest.fixture
def key():
    """The same deals in every run."""
    return Key.from_seed("tests")


@pytest.fixture
def mark(tmp_path):
    """What stands in the environment of no process but those that this test puts it into."""
    return f"<{tmp_path}>"


@pytest.fixture
def tight(monkeypatch):
    """Limits so low that a few processes, threads, files or bytes are too many: the tests take no machine either."""
    for limit, amount in {"TASKS": 32, "FILE_BYTES": 1 << 20, "FOLDER_BYTES": 8 << 20}.items():
        monkeypatch.setattr(launch, limit, amount)
