"""The examples: one tournament file for each format, and all of them play."""

from __future__ import annotations

from pathlib import Path

import pytest
from contests import Here, contest

from croupier.server.tournaments import config
from croupier.server.tournaments.formats import FORMATS
from croupier.server.tournaments.results import standing
from croupier.server.tournaments.store import Store
from croupier.server.tournaments.verify import verify

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "tournaments").glob("*.toml"))
BRIEFLY = {"balanced": "rounds=1", "ladder": "rounds=2"}


def test_there_is_an_example_for_each_format():
    """Whoever looks for a format finds a file to copy."""
    assert {path.stem for path in EXAMPLES} == set(FORMATS)
    assert all(config.read(path).format == path.stem for path in EXAMPLES)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_plays(tmp_path, path):
    """Every example runs to its end, has a table of all its entries, and can be verified."""
    asked = config.read(path, ["deals=1", f"seed={path.stem}", BRIEFLY.get(path.stem, "workers=1")])
    assert contest(tmp_path, asked, Here()).complete
    store = Store(tmp_path)
    table = standing(store)
    assert {player.name for player in table.players} == {bot.name for bot in asked.bots}
    assert table.finished
    assert table.games
    assert not any(sum(player.faults.values()) for player in table.players)
    assert verify(store).valid
    store.close()
