"""What all tests share."""

import pytest

from croupier.server.deals import Key
from croupier.server.processes.sandbox import launch


@pytest.fixture
def key():
    """The same deals in every run."""
    return Key.seeded("tests")


@pytest.fixture
def mark(tmp_path):
    """What stands in the environment of no process but those that this test puts it into."""
    return f"<{tmp_path}>"


@pytest.fixture
def tight(monkeypatch):
    """Limits so low that a few processes, threads, files or bytes are too many: the tests take no machine either."""
    for limit, amount in {"TASKS": 32, "FILE_BYTES": 1 << 20, "FOLDER_BYTES": 8 << 20}.items():
        monkeypatch.setattr(launch, limit, amount)
