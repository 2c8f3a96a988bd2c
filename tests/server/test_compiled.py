"""The modules of setup.py, which mypyc compiles for the compiled wheel: all of them are, or none is."""

import ast
import importlib
import weakref
from pathlib import Path
from random import Random

import pytest

from croupier.server import games
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice, Game
from croupier.server.games.hearts import Hearts
from croupier.server.games.sedma import Sedma
from croupier.server.games.tricks import TrickTaking

SETUP = Path(__file__).parents[2] / "setup.py"
LISTED = next(
    ast.literal_eval(node.value) for node in ast.parse(SETUP.read_text()).body if isinstance(node, ast.Assign)
)
MODULES = [importlib.import_module(f"croupier.{name.removesuffix('.py').replace('/', '.')}") for name in LISTED]
COMPILED = hasattr(Hearts, "__mypyc_attrs__")
NAMES = ("a", "b", "c", "d")


def test_all_modules_are_compiled_or_none():
    """What a trial or a half-built tree leaves behind would be neither."""
    assert {not module.__file__.endswith(".py") for module in MODULES} == {COMPILED}


@pytest.mark.parametrize("name", LISTED)
def test_nothing_compiled_is_a_cached_property(name):
    """To mypyc (2.4.1) it is a property like others, found anew each time."""
    assert "cached_property" not in (SETUP.parent / name).read_text()


class Kept(Hearts):
    """A game from outside, with a list and a word of its own."""

    def begin(self):
        self.noted, self.word = [self.number], "word"
        super().begin()


OWN = {Kept: ("noted", "word"), Sedma: ("stock",)}


@pytest.mark.parametrize("rules", [Hearts, Kept, Sedma])
def test_a_copy_has_all_that_the_game_has_and_lists_of_its_own(rules):
    """What is kept in a `__dict__`, in slots and in a compiled object."""
    game = rules(NAMES, {}, Dice(Random(1)))
    twin, before = game.copy(), str(game.view(game.turn))
    for name in ("players", "options", "turn", "phase", "hands", "trick", "tricks", "number", *OWN.get(rules, ())):
        assert getattr(twin, name) == getattr(game, name)
        assert not isinstance(getattr(game, name), list) or getattr(twin, name) is not getattr(game, name)
    while twin.turn is not None:
        twin.play(twin.turn, twin.sample(Random(2)))
    assert str(game.view(game.turn)) == before


def test_a_class_is_no_instance_of_another_for_having_the_same_base():
    """As it is where classes of one ABCMeta share what it remembers."""
    assert isinstance(Sedma(NAMES, {}, Dice(Random(1))), TrickTaking)
    assert not isinstance(Dominion(NAMES, {}, Dice(Random(1))), TrickTaking)
    assert not issubclass(Sedma, Hearts)


@pytest.mark.skipif(not COMPILED, reason="the pure one looks into the class too")
def test_what_a_compiled_game_keeps_in_its_objects_is_no_property():
    """It would be overlooked, and is refused."""
    with pytest.raises(TypeError, match=r"^Odd.void: a compiled game keeps it in each object: set it in __init__$"):

        class Odd(Hearts):
            @property
            def void(self):
                return "nobody counts"


def test_what_a_game_keeps_in_its_objects_may_be_set_in_its_class():
    """And in the class of one that is made from it, and differently in an object."""

    class Early(Hearts):
        void, last = "nobody counts", True

    class Later(Early):
        last = False

    early, later = (rules(NAMES, {}, Dice(Random(1))) for rules in (Early, Later))
    assert (early.void, early.last, later.void, later.last) == ("nobody counts", True, "nobody counts", False)
    early.void = None
    assert (early.void, early.copy().void, Early(NAMES, {}, Dice(Random(1))).void) == (None, None, "nobody counts")


@pytest.mark.skipif(COMPILED, reason="a compiled function has no mark")
def test_a_game_that_is_brought_is_asked_for_each_method_that_game_leaves_open():
    """They are listed, as what is compiled cannot tell."""
    assert {name for name in dir(Game) if hasattr(getattr(Game, name), "__isabstractmethod__")} == {
        name for name in games.NEEDED if name.islower()
    }


def test_a_game_bears_weak_references_or_refuses_them():
    """mypyc, for 3.11, has classes with a place for them that its garbage collection takes for its own."""
    for rules in (Hearts, Kept, Sedma):
        game = rules(NAMES, {}, Dice(Random(1)))
        if getattr(rules, "__weakrefoffset__", 0):
            seen = weakref.ref(game)
            assert seen() is game
            del game
            assert seen() is None
        else:
            with pytest.raises(TypeError):
                weakref.ref(game)


def test_the_page_says_what_make_does():
    """The two commands that install it are those of `make test-compiled`."""
    page, makefile = ((SETUP.parent / name).read_text("utf-8") for name in ("docs/compiled.md", "Makefile"))
    made = " ".join(makefile.replace("\\\n", " ").split())
    block = page.partition("```sh\n")[2].partition("```")[0]
    for line in block.splitlines():
        before, _, words = line.partition("pip install ")
        for word in [*before.split(), *words.replace(".[", ".[test,").split()]:
            assert word in made, word
