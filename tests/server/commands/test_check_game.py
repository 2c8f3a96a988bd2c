"""croupier check-game GAME: the laws of all games, tried at one."""

import json
from random import Random

from command_line import croupier

from croupier.server.games import hearts
from croupier.server.games.game import Dice
from croupier.server.games.tricks import FIRST_DEAL
from croupier.server.laws import LAWS, sentence

FAST = ("-o", "pass=none")


def test_a_game_that_keeps_the_laws_passes():
    """Each law is a line, and the verdict the last."""
    out, _ = croupier("check-game", "sedma", "-o", "rounds=many")
    lines = out.splitlines()
    assert [line.split("ok      ")[1] for line in lines[:-1]] == [sentence(law) for law in LAWS]
    assert lines[-1] == f"sedma: keeps {len(LAWS)} laws"


def test_a_game_that_breaks_a_law_does_not(monkeypatch):
    """Exit status 1, the law, how it was broken, at which table and decision; the same in JSON."""
    monkeypatch.setattr(hearts.Hearts.WORLD, "lacking", lambda *_: 0)
    out, _ = croupier("check-game", "hearts", *FAST, code=1)
    assert "BROKEN  Every imagined deal could have led" in out
    assert "can follow suit" in out
    assert "4 players pass=none; in random game" in out
    found = json.loads(croupier("check-game", "hearts", *FAST, "--json", code=1)[0])
    assert found["game"] == "hearts"
    assert not found["passed"]
    broken = [law for law in found["laws"] if not law["passed"]]
    assert len(found["laws"]) == len(LAWS)
    assert broken
    assert all(law["detail"] in out for law in broken)


def test_a_law_that_cannot_be_tried_is_neither_kept_nor_broken(monkeypatch):
    """It has a line with the reason, and null in JSON; the exit status is that of the other laws."""
    whole = hearts.Hearts

    def dealt(self, cards):
        whole.deal_hands(self, Dice(Random()).shuffle(FIRST_DEAL, cards))

    monkeypatch.setattr(hearts, "Hearts", type("Hearts", (hearts.Hearts,), {"deal_hands": dealt}))
    out, _ = croupier("check-game", "hearts", *FAST, code=1)
    assert "UNTRIED Every deal that could be is imagined" in out
    assert "does not happen again with the same shuffles" in out
    assert f"of {len(LAWS)} could not be tried" in out.splitlines()[-1]
    found = json.loads(croupier("check-game", "hearts", *FAST, "--json", code=1)[0])
    assert None in [law["passed"] for law in found["laws"]]


def test_games_and_programs_are_told_apart(tmp_path):
    """A name is a game's before a program's of the library, which recycle:NAME is; a file is a program."""
    out = json.loads(croupier("check-game", "recycle:agram", "agram", "--json")[0])["games"]
    assert [document["program"] for document in out] == ["agram", "agram"]
    assert "-o is for a GAME" in croupier("check-game", "recycle:agram", "-o", "a=b", code=2)[1]
    assert "no option colour" in croupier("check-game", "hearts", "-o", "colour=red", code=2)[1]
