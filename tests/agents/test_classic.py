"""Agents as clients of the class server: a game begins and ends for them though nobody says so."""

import random
import re
from pathlib import Path

import pytest
from class_server import conversation, serve
from tables import FIRST_LINE

from croupier.agents.bundled import make
from croupier.agents.classic import ClassicGames
from croupier.agents.driver import respond
from croupier.protocol import notifications
from croupier.protocol.notifications import Request
from croupier.protocol.sexp import parse, write
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice

PAGE = Path(__file__).parents[2].joinpath("docs", "how-to", "class-server.md").read_text()
(WARY,) = re.findall(r"^```python dominion\n(#!.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TELLS = "Wary.ended = lambda self, scores: print('militias', self.militias, scores)\ndrive(wary)"
MINER = """#!/usr/bin/env python3
from croupier.agents import drive
from croupier.agents.dominion import Miner
drive(Miner())
"""


def executable(path, program):
    """Write a program that is run by its first line."""
    path.write_text(program.replace("#!/usr/bin/env python3\n", FIRST_LINE, 1))
    path.chmod(0o755)
    return path


def begun(names, seed, turns=12):
    return Dominion(names, {"rules": "classic", "turns": turns}, Dice(random.Random(seed)))


@pytest.mark.parametrize("newline", ["", "\n"])
def test_an_agent_plays_under_the_class_server(tmp_path, newline):
    """An executable with a memory: it hears of the militias of its game, whichever seat it has, and leaves in peace."""
    wary = executable(tmp_path / "wary.py", WARY.replace("drive(wary)", TELLS))
    miner = executable(tmp_path / "miner.py", MINER)
    game = begun(("0-wary", "1-miner", "2-wary"), 1)
    first, _, third = serve(game, [wary, miner, wary], newline)
    assert game.sides[1].owns["militia"] > 0
    assert first == third == f"militias {game.sides[1].owns['militia']} {{}}\n"


def sent(names, me, seed):
    """Return what one client is sent in a game between bundled bots."""
    game, bots = begun(names, seed), [make("miner"), make("smithy"), make("miner"), make("plan")]

    def replies():
        while True:
            attack, view = game.attack, game.view(game.turn)
            asked = notifications.Attacked(attack.play, names[attack.attacker], view) if attack else Request(view)
            yield write(respond(bots[game.turn], asked))

    lines = [line.split(" ", 2) for line in conversation(game, replies())]
    return [notifications.read(parse(text)) for name, way, text in lines if (name, way) == (me, ">")]


def told(*played):
    """Return what an agent is told of games, one after another in one process."""
    games = ClassicGames()
    return [note for game in played for line in game for note in games.feed(line)] + games.rest()


TABLES = [(2, 0), (3, 2), (2, 1), (4, 0), (4, 3), (3, 1), (2, 0)]


def test_each_game_is_told_whole_and_of_its_own():
    """Whatever seat comes after which: one process is told of each game what a process for it alone is told."""
    played = []
    for seed, (seats, seat) in enumerate(TABLES):
        names = tuple(f"{place}-bot" for place in range(seats))
        played.append(sent(names, names[seat], seed))
    alone = [told(game) for game in played]
    assert told(*played) == [note for game in alone for note in game]
    for game, notes in zip(played, alone, strict=True):
        assert [note.play[0] for note in notes if getattr(note, "name", "") == "table"] == ["start", "end"]
        assert [note for note in notes if getattr(note, "name", "") != "table"] == game


def test_a_start_shows_the_first_state():
    """What an agent is told first is the STATE that it is asked with first, also where others have played before."""
    start, *_ = told(sent(("0-a", "1-b"), "1-b", 1))
    view = start.play[1]
    assert view.me == "1-b"
    assert len(view.hand) == 5
    assert view.trash == ()


def test_a_server_without_indices_is_understood_as_far_as_may_be():
    """Where a name has no index before it, what is heard before another game's first question is the old game's."""
    game = sent(("a", "b"), "b", 1)
    notes = told(game, game)
    second = [place for place, note in enumerate(notes) if getattr(note, "play", ("",))[0] == "start"][1]
    assert isinstance(notes[second + 1], Request)


def test_nothing_is_told_of_no_game():
    """A process that is sent nothing is told nothing: no end without a start."""
    assert told() == []
