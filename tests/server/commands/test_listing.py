"""`croupier games`: what is printed is what the game says of itself."""

import pytest
from command_line import croupier

from croupier.server import games


@pytest.mark.parametrize("game", games.BUNDLED)
def test_each_play_is_printed_whole(game, monkeypatch):
    """Square brackets are part of a play's form, not markup."""
    monkeypatch.setenv("COLUMNS", "400")
    out, _ = croupier("games", game)
    rules = games.find(game)
    for form, meaning in rules.PLAYS.items():
        assert form in out
        assert meaning in out
    for option in rules.OPTIONS.values():
        assert option.about in out
