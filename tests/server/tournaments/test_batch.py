"""A batch: what it plays is what each of its games alone would be, however long processes live."""

import re

from contests import BOTS, Here, contest, settings

from croupier.server.records.files import read_records


def games(folder, lifetime):
    """Play a client that changes in the third game of a process; return what was played in each game."""
    client = {"name": "old", "command": ["python", "-S", "-E", str(BOTS / "remembering.py")], "dialect": "classic"}
    bots = [{**client, "lifetime": lifetime}, {"name": "smithy", "builtin": "smithy"}]
    asked = settings(bots, game="dominion", options={"rules": "classic", "turns": 2}, deals=3, sandbox="none")
    contest(folder, asked, Here())
    pieces = [piece for path in sorted((folder / "records").iterdir()) for piece in read_records(path)]
    return [re.findall(r"^\((?:play|defense|score) .*", piece.text, re.MULTILINE) for piece in pieces]


def test_a_memory_that_is_found_late_changes_no_game(tmp_path):
    """Its batch is played again, each game with a process of its own; where one process plays all, games are others."""
    auto, game, batch = (games(tmp_path / lifetime, lifetime) for lifetime in ("auto", "game", "batch"))
    assert auto == game != batch
