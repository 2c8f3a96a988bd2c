"""Starting: a bot is cheap to start, and what it reads is cheap to read."""

import subprocess
import sys

import pytest

from croupier.agents.bundled import ANY, BUNDLED, SEARCH, NoSuchBot, command, make, names

HEAVY = {
    "asyncio", "click", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "inspect", "json",
    "logging", "pathlib", "pickle", "re", "rich", "sexpdata", "socket", "subprocess", "tempfile", "trio", "typing",
}  # fmt: skip
"""What a bot does without: each costs about as much as all that it needs."""

STATE = (
    "((game dominion) (options (rules official) (turns 200)) (players ann bob) (phase buy) (turn 7) "
    "(supply (copper 46) (silver 30) (gold 25) (estate 8) (duchy 8) (province 8) (mine 10) (cellar 10) (market 10) "
    "(remodel 10) (smithy 9) (village 10) (woodcutter 10) (workshop 10) (militia 10) (moat 10)) (trash) (actions 0) "
    "(buys 1) (coins 4) (deck copper copper estate) (hand estate estate) (plays silver copper copper) (discards) "
    "(clock 1000))"
)
REQUEST = f"(request {STATE})\n".encode()


def loaded(program):
    """Return the modules that a program has loaded at its end beyond those of an empty one."""
    show = "; import sys; print(*sys.modules)"
    full, empty = (
        subprocess.run([sys.executable, "-c", text + show], capture_output=True, text=True, check=True).stdout.split()
        for text in (program, "pass")
    )
    return set(full) - set(empty)


@pytest.mark.parametrize("name", sorted({*BUNDLED} - {SEARCH}))
def test_a_bot_loads_little(name):
    """A bot that does not search starts without the server, and without any module that costs milliseconds."""
    modules = loaded(f"from croupier.agents import drive; from croupier.agents.bundled import make; make({name!r})")
    assert not {module for module in modules if module.startswith("croupier.server")}
    assert not modules & HEAVY


def test_a_bot_loads_little_when_it_plays():
    """Neither reading a request nor answering it loads anything heavy."""
    modules = loaded(
        "import os; os.dup2(os.open('/dev/null', os.O_RDONLY), 0); from croupier.agents.driver import respond; "
        "from croupier.agents.bundled import make; from croupier.protocol import notifications, sexp; "
        f"respond(make('smithy'), notifications.read(sexp.parse({REQUEST.decode().strip()!r})))"
    )
    assert "croupier.protocol.views.dominion" in modules
    assert not modules & HEAVY


def test_every_bundled_bot_can_be_made_and_started():
    """The table's modules and classes are there, and each row says its game and what the bot does."""
    for name, (game, _, kind, about) in BUNDLED.items():
        assert type(make(name)).__name__ == kind  # also of the one that needs the server
        assert name in names(game)
        assert about
        assert command(name)[-1] == name


def test_bots_are_listed_by_game():
    """Bots for any game play every game, those of a game only that one."""
    assert {name for name, row in BUNDLED.items() if row[0] == ANY} < set(names("dominion"))
    assert "smithy" in names("dominion")
    assert "smithy" not in names("hearts")
    assert "random" in names("recycle:war.gdl")


def test_an_unknown_bot_is_named_with_those_there_are():
    """A misspelled bot's name is answered with the valid ones."""
    with pytest.raises(NoSuchBot, match=r"no bundled bot smithers; .*smithy"):
        make("smithers")
