"""What the tests of tournaments share."""

import pytest

from croupier.server.tournaments.playing.run import Run


@pytest.fixture(autouse=True)
def _closed_stores(monkeypatch):
    """Close the store of each run that a test has made, as the commands do; Python 3.13 warns of an open database."""
    begin, stores = Run.__init__, []

    def begin_and_note(run, *words, **how):
        begin(run, *words, **how)
        stores.append(run.store)

    monkeypatch.setattr(Run, "__init__", begin_and_note)
    yield
    for store in stores:
        store._db.close()
