"""`croupier games`: what is printed is what the game says of itself."""

import subprocess
import sys

import pytest

from croupier.server import games


@pytest.mark.parametrize("game", games.BUNDLED)
def test_each_play_is_printed_whole(game):
    """Square brackets are part of a play's form, not markup."""
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "games", game],
        capture_output=True, text=True, timeout=60, check=True, env={"COLUMNS": "400"},
    )  # fmt: skip
    rules = games.find(game)
    for form, meaning in rules.PLAYS.items():
        assert form in done.stdout
        assert meaning in done.stdout
    for option in rules.OPTIONS.values():
        assert option.about in done.stdout
