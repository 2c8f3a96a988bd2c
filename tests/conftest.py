"""What all tests share."""

import pytest

from croupier.server.deals import Key


@pytest.fixture
def key():
    """The same deals in every run."""
    return Key.seeded("tests")
