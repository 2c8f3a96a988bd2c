"""One browser for all tests here; where there is none they are skipped and say so."""

import pytest
from browser import lacking, started


@pytest.fixture(scope="session")
def chromium():
    """Start the browser once."""
    if missing := lacking():
        pytest.skip(f"no {', no '.join(missing)}: make test-browser gets what it can, and says what it cannot")
    with started() as browser:
        yield browser


@pytest.fixture
def browser(chromium):
    """Hand out the browser; whatever a test does, no page may complain on its console."""
    yield chromium
    assert chromium.errors() == []
