"""Starting: a bot is cheap to start, and what it reads is cheap to read."""

import os
import statistics
import subprocess
import sys
import time

import pytest

from croupier.agents.bundled import ANY, BUNDLED, NoSuchBot, command, make, names
from croupier.agents.driver import respond
from croupier.protocol import notifications
from croupier.protocol.sexp import Reader, write

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

CACHED = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
"""Python as it is by default, compiling a module only once: compiling ours anew at every start doubles the time."""


def loaded(program):
    """Return the modules that a program has loaded at its end beyond those of an empty one."""
    show = "; import sys; print(*sys.modules)"
    full, empty = (
        subprocess.run([sys.executable, "-c", text + show], capture_output=True, text=True, check=True).stdout.split()
        for text in (program, "pass")
    )
    return set(full) - set(empty)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bot_loads_little(name):
    """A bundled bot starts without the server, and without any module that costs milliseconds."""
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


def first_answer(argv):
    """Return the seconds from starting a process to its first line."""
    begun = time.perf_counter()
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=CACHED) as process:
        process.stdin.write(REQUEST)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"(")
        taken = time.perf_counter() - begun
        process.stdin.close()
    return taken


def empty_process():
    """Return the seconds that Python takes for nothing."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True, env=CACHED)
    return time.perf_counter() - begun


def test_the_first_answer_comes_soon():
    """A bot has answered within 2.5 times what an empty Python process takes."""
    first_answer(command("smithy"))
    pairs = [(first_answer(command("smithy")), empty_process()) for _ in range(15)]
    answer, nothing = (statistics.median(times) for times in zip(*pairs, strict=True))
    assert answer < 2.5 * nothing


def test_a_state_costs_tens_of_microseconds():
    """From a state's bytes to the reply's, an agent takes less than 60 microseconds of processor time for 400 bytes."""
    reader, agent = Reader(), make("smithy")

    def answered():
        (form,) = reader.feed(REQUEST)
        return f"{write(respond(agent, notifications.read(form)))}\n".encode()

    def once():
        begun = time.process_time()
        for _ in range(200):
            answered()
        return (time.process_time() - begun) / 200

    assert answered() == b"(buy smithy)\n"
    assert min(once() for _ in range(10)) < 60e-6 * len(REQUEST) / 400


def test_every_bundled_bot_can_be_made_and_started():
    """The table's modules and classes are there, and each row says its game and what the bot does."""
    for name, (game, _, kind, about) in BUNDLED.items():
        assert type(make(name)).__name__ == kind
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
    """Whoever misspells a bot is told the names."""
    with pytest.raises(NoSuchBot, match=r"no bundled bot smithers; .*smithy"):
        make("smithers")
