"""The pages on RECYCLE: their programs run, and they leave nothing out."""

import re
from pathlib import Path
from random import Random

import pytest
from tests.support.recycle import play_out

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.server.games.game import Dice
from croupier.server.games.recycle import library, load
from croupier.server.games.recycle.actions import ACTIONS
from croupier.server.games.recycle.check import problems
from croupier.server.games.recycle.describe import about
from croupier.server.games.recycle.game import game_of
from croupier.server.games.recycle.scope import BUILDERS

PAGES = Path(__file__).parents[4] / "docs" / "reference" / "recycle"
TUTORIAL = (PAGES / "tutorial.md").read_text()
PROGRAMS = re.findall(r"```recycle\n(.*?)```", TUTORIAL, re.DOTALL)
WHIST = PROGRAMS[-1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_of_the_tutorial_is_sound(program):
    """The checker has nothing to say."""
    assert problems(program.encode()) == []


def test_every_piece_of_the_tutorial_is_in_the_whole():
    """What is explained step by step is what the program has, except for layout and comments."""
    whole = "".join(WHIST.split())
    for piece in re.findall(r"```\n(\(.*?)```", TUTORIAL, re.DOTALL):
        assert "".join(re.sub(";;.*", "", piece).split()) in whole


def test_whist_has_forty_lines():
    """No more, without the remark that it begins with."""
    assert len(WHIST.strip().splitlines()) - 1 <= 40


def test_the_tutorial_is_the_library_s_whist():
    """Same deal, same plays, same scores."""
    for seed in range(20):
        one, other = (
            rules(list("abcd"), {}, Dice(Random(seed))) for rules in (game_of("whist", WHIST.encode()), load("whist"))
        )
        assert play_out(one, Random(seed)).scores() == play_out(other, Random(seed)).scores()


def test_the_tutorial_s_strategy_plays():
    """It finds the lowest card among the options."""
    (code,) = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)
    scope = {"__name__": "tutorial"}
    exec(code, scope)
    game = load("whist")(list("abcd"), {}, Dice(Random(1)))
    state = views.read(parse(str(game.view(0))))
    word, number = scope["Miser"]().tryPlay(state)
    assert word == "choose"
    ranks = scope["Miser"].RANKS
    played = [ranks.index(state.card(choice[2][1])["RANK"]) for choice in state.choices]
    assert played[number - 1] == min(played)


def test_every_word_of_the_language_is_explained():
    """Each form that the compiler reads stands in the reference."""
    syntax = (PAGES / "syntax.md").read_text()
    for head in [*BUILDERS, *ACTIONS]:
        if head not in ("nth", "names", "nth player", "nth team"):
            assert head in syntax, head


def test_every_game_of_the_library_has_its_line():
    """With its players and the sentence that its file begins with."""
    page = (PAGES / "library.md").read_text()
    for name in library():
        said = about(load(name).TEXT).split(": ", 1)[1]
        assert f"| `{name}` | {load(name).SEATS[0]} |" in page
        assert said[1:] in page
