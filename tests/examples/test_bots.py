"""The example bots: programs without our code that pass their check and beat chance, and the pages that show them."""

import re
import shlex
import subprocess
from pathlib import Path

import needs
import pytest
from command_line import croupier
from tables import children_left

from croupier.server import entries, games
from croupier.server.conformance import Asking, Demands, Examiner, Step
from croupier.server.deals import Key
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "bots"
DEALS = 30
HOW_TO = ROOT / "docs" / "how-to"
PAGE = "".join((HOW_TO / name).read_text() for name in ("bots.md", "bot-in-c.md"))


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Compile the C program without a warning."""
    program = tmp_path_factory.mktemp("built") / "bigmoney"
    strict = ["-O2", "-Wall", "-Wextra", "-Werror", "-std=c99"]
    subprocess.run(["cc", *strict, "-o", program, EXAMPLES / "bigmoney.c"], check=True)
    return program


def entry(name, built):
    """Enter an example by its file's name; ``classic`` is the C program in the other dialect."""
    match name:
        case "bigmoney.c":
            return entries.of_command([str(built())], "example")
        case "classic":
            return entries.of_command([str(built())], "example", "classic")
        case "underdog.js":
            return entries.of_command(["node", str(EXAMPLES / name)], "example")
    return entries.of_command(["sh", str(EXAMPLES / name)], "example")


# None is the bot itself, as its own partner
CASES = [
    pytest.param("bigmoney.c", "dominion", {}, ["random"], marks=needs.COMPILER),
    pytest.param("classic", "dominion", {"rules": "classic"}, ["random"], marks=needs.COMPILER),
    pytest.param("underdog.js", "hearts", {}, ["random"] * 3, marks=needs.program("node")),
    pytest.param("saver.sh", "sedma", {"rounds": "many"}, ["random", None, "random"], marks=needs.program("sh")),
]


@pytest.mark.parametrize(("name", "game", "options", "others"), CASES)
async def test_every_example_passes_its_check(name, game, options, others, tmp_path, request):
    """In C, JavaScript and a shell, in both dialects."""
    bot = entry(name, lambda: request.getfixturevalue("built"))
    found = await Examiner(Asking(bot, games.find(game), options, Demands(positions=100), tmp_path)).run()
    assert all(finding.passed for finding in found), [finding for finding in found if not finding.passed]


@pytest.mark.parametrize(("name", "game", "options", "others"), CASES)
async def test_every_example_beats_chance(name, game, options, others, tmp_path, request):
    """Whole games at one table with ours, without a fault, and won more often than not."""
    bot = entry(name, lambda: request.getfixturevalue("built"))
    seated = entries.distinct([bot, *(bot if other is None else entries.read(other) for other in others)])
    won = 0
    async with Table(seated, tmp_path) as table:
        for number in range(1, DEALS + 1):
            result = await table.play(games.find(game), options, Key.from_seed("examples").deal(number), Terms())
            assert not result.faults
            won += result.ranks[0] == 1
    assert won > DEALS / 2
    assert children_left() == []


def test_no_example_is_left_out():
    """Each file is among the cases."""
    assert {path.name for path in EXAMPLES.iterdir()} == {case.values[0] for case in CASES} - {"classic"}


def test_no_example_uses_our_code():
    """They are complete as they stand."""
    for path in EXAMPLES.iterdir():
        assert not re.search(r"import croupier|from croupier|croupier\.agents", path.read_text()), path


@pytest.mark.parametrize("code", re.findall(r"^```(?:c|js)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
def test_the_pages_show_the_examples_as_they_are(code):
    """Every block of C or JavaScript on the page stands so in an example."""
    assert any(code in path.read_text() for path in EXAMPLES.iterdir()), code


def test_the_page_names_every_step():
    """The table of steps is that of the program, in its order."""
    named = re.findall(r"^\| (\d+) ([^|]+?) \|", (HOW_TO / "check-a-bot.md").read_text(), re.MULTILINE)
    assert named == [(str(step.number), step.value) for step in Step]


@needs.COMPILER
@needs.program("node")
def test_the_commands_of_the_pages_work(tmp_path):
    """Every line of its shell blocks, exactly."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    lines = [
        line
        for code in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        for line in code.splitlines()
        if line.startswith(("cc ", "croupier "))
    ]
    assert len(lines) == 5
    for line in lines:
        program, *words = shlex.split(line)
        if program == "croupier":
            assert croupier(*words, cwd=tmp_path)[0]
        else:
            subprocess.run([program, *words], cwd=tmp_path, check=True, capture_output=True)
