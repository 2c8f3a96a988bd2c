"""The pages for authors in Python: every program on them plays whole games, every name on them exists."""

import random
import re
from pathlib import Path

import pytest

import croupier.agents
from croupier.agents import Agent, dominion
from croupier.agents.driver import respond
from croupier.agents.random_bot import Random
from croupier.protocol.notifications import Attacked, Request, Update
from croupier.protocol.sexp import parse
from croupier.server.games import find
from croupier.server.games.game import Defended, Dice, Told

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = ("agents", "compose-hooks", "dominion-agents", "test-an-agent", "class-server")
PAGE = "".join((HOW_TO / f"{name}.md").read_text() for name in PAGES)
BLOCKS = re.findall(r"^```python (\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROGRAMS = [pytest.param(game, code, id=f"{game}-{place}") for place, (game, code) in enumerate(BLOCKS)]


def driven(code, monkeypatch):
    """Run a program of the page and return the agents that it drives."""
    agents = []
    monkeypatch.setattr(croupier.agents, "drive", agents.append)
    exec(compile(code, "docs/how-to", "exec"), {"__name__": "__main__"})
    return agents


def play_out(game, agents):
    """Play a game between agents, telling each what a referee would."""

    def tell(notification, *seats):
        for seat in seats:
            respond(agents[seat], notification)

    everyone = range(len(agents))
    for seat in everyone:
        tell(Update("table", ("start", parse(str(game.view(seat))))), seat)
    while (seat := game.turn) is not None:
        name, view = game.players[seat], game.view(seat)
        attack = game.attack
        asked = Attacked(attack.play, game.players[attack.attacker], view) if attack else Request(view)
        play = respond(agents[seat], asked)
        game.check(seat, play)
        if not attack:
            tell(Update(name, game.public(seat, play)), *[other for other in everyone if other != seat])
        for news in game.play(seat, play):
            match news:
                case Told(said):
                    tell(Update("table", said), *everyone)
                case Defended():
                    pass
    return game.scores()


@pytest.mark.parametrize(("game", "code"), PROGRAMS)
def test_every_program_on_the_pages_plays_whole_games(game, code, monkeypatch):
    """Each example is a whole program whose agent plays only legal cards to the end."""
    agents = driven(code, monkeypatch)
    if game == "test":
        return
    (agent,) = agents
    rules = find(game)
    seats = max(rules.SEATS)
    for seed in range(5):
        table = [agent, *[Random(random.Random(seed)) for _ in range(seats - 1)]]
        playing = rules([f"p{seat}" for seat in range(seats)], {}, Dice(random.Random(seed)))
        assert len(play_out(playing, table)) == seats


def test_the_pages_have_programs():
    """No change of a page's form may leave its programs untested."""
    assert len(BLOCKS) == PAGE.count("```python") >= 7


def test_every_name_in_the_tables_exists():
    """Hooks are methods of Agent, building blocks names of the Dominion module."""
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    for word in re.findall(r"`(\w+)", " ".join(rows)):
        assert hasattr(Agent, word) or hasattr(dominion, word)


def test_every_hook_and_block_is_on_a_page():
    """What an author may use or override is told."""
    for hook in vars(Agent):
        assert hook.startswith("_") or f"`{hook}(" in PAGE
    for name, block in vars(dominion).items():
        if callable(block) and block.__module__ == dominion.__name__ and name[0].islower():
            assert f"`{name}" in PAGE
