"""The help of each command: its purpose, an example that works, and options of one meaning in groups."""

import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import click
import pytest
from command_line import croupier

from croupier.server.cli import COMMANDS, cli
from croupier.server.commands.command import GROUPS

CROUPIER = [sys.executable, "-m", "croupier"]
RESULTS = Path(__file__).parents[3] / "examples" / "results"
PARSED = {"croupier watch cup"}
"""Examples that end by Ctrl-C alone: their words are read, and that is all."""


SEASON = """
deals = 1
rounds = 2
[[games]]
game = "skat"
""" + "".join(f'[[games.bots]]\nname = "bench-{number}"\nbuiltin = "random"\n' for number in range(3))
TWO_MEANINGS = {"--public": "the public text of a tournament, the public pages of a season"}
"""Options whose word is the usual one for two things."""

LONG = {"croupier review cup --for duck --out reviews": ["--playouts", "2"]}
"""Examples that take minutes as they stand, and what makes them shorter here."""


def loaded(name):
    """Return a command as it is called."""
    first, *rest = name.split()
    command = cli.get_command(click.Context(cli), first)
    return command.commands[rest[0]] if rest else command


def helped(name):
    """Return the help of a command."""
    return croupier(*name.split(), "--help")[0]


def examples(text):
    """Read the lines to copy out of a help."""
    return re.search(r"^Example:\n((?:  .*\n)+)", text, re.MULTILINE)[1].replace("\n  ", "\n").strip().splitlines()


NAMES = [*COMMANDS, *(f"{name} {own}" for name in COMMANDS for own in getattr(loaded(name), "commands", ()))]
"""The commands, and those that a command has of its own."""
OPTIONS = [(name, option) for name in NAMES for option in loaded(name).params if isinstance(option, click.Option)]
LINES = [line for name in COMMANDS for line in examples(helped(name))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with tables from elsewhere, in which the examples of `play` and `tournament` have been copied."""
    folder = tmp_path_factory.mktemp("examples")
    for name, kept in {"results.csv": "duplicate.csv", "games.pgn": "cutechess.pgn"}.items():
        (folder / name).write_bytes((RESULTS / kept).read_bytes())
    (folder / "autumn" / "submissions").mkdir(parents=True)
    (folder / "autumn" / "season.toml").write_text(SEASON)
    for line in examples(helped("play")) + examples(helped("tournament")):
        subprocess.run([*CROUPIER, *shlex.split(line)[1:]], cwd=folder, stdin=subprocess.DEVNULL, check=True)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_opens_with_the_purpose_and_an_example(name):
    """Then come the usage, and the options in their groups, to the last line."""
    text = helped(name)
    opening, _, rest = text.partition("\nUsage: croupier ")
    purpose, _, lines = opening.partition("\n\nExample:\n")
    assert " ".join(purpose.split()) == COMMANDS[name].summary
    assert all(line.startswith("  croupier ") for line in lines.strip("\n").splitlines())
    headings = [each for each in re.findall(r"^(\S.*):$", rest, re.MULTILINE) if each != "Commands"]
    assert headings == [group for group in GROUPS if group in headings]
    assert headings[-1] == "General"


def test_the_help_of_croupier_itself_opens_so_too():
    """A stranger sees first what it is, then a line to copy."""
    text = croupier("--help")[0]
    assert text.startswith("Referee card games between programs.\n\nExample:\n  croupier play ")
    assert croupier(*shlex.split(examples(text)[0])[1:])[0]
    shown = re.findall(r"^  ([a-z-]+)  ", text, re.MULTILINE)
    assert shown == list(COMMANDS)


@pytest.mark.parametrize("line", [line for line in LINES if line not in PARSED])
def test_an_example_works_as_it_stands(line, folder, tmp_path):
    """It needs nothing but tables from elsewhere, and what the examples of `play` and `tournament` leave behind.

    One that takes minutes is given a smaller budget.
    """
    words = shlex.split(line)
    if words[1] in {"new-bot", "check", "improve", "play", "tournament"}:  # they need not even that
        folder = tmp_path
    if words[1] == "check":
        croupier(*shlex.split(examples(helped("check"))[0])[1:], cwd=folder)
    piped = b""
    for part in line.split(" | "):
        call = [*CROUPIER, *shlex.split(part)[1:], *LONG.get(line, ())]
        done = subprocess.run(call, cwd=folder, input=piped, capture_output=True, check=False)
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), (done.stdout, done.stderr)
        piped = done.stdout


@pytest.mark.parametrize("line", sorted(PARSED))
def test_an_example_that_does_not_end_is_understood(line):
    """Its command takes its words."""
    _, name, *words = shlex.split(line)
    assert loaded(name).make_context(name, words).params


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_lacks_its_arguments_prints_its_examples(name):
    """A user who has just installed it can copy them. The exit status is 2."""
    if not any(isinstance(param, click.Argument) and param.required for param in loaded(name).params):
        return
    first, *lines = croupier(name, code=2)[1].splitlines()
    assert first == f"croupier {name}: it needs arguments, as in"
    assert [line.strip() for line in lines] == examples(helped(name))


def test_every_option_is_in_one_group():
    """No help leaves an option out, none shows it twice, and no group names one that nobody has."""
    placed = Counter(name for names in GROUPS.values() for name in names)
    assert set(placed.values()) == {1}
    assert set(placed) == {option.opts[0] for _, option in OPTIONS} | {"-h"}


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_shown_with_its_help(name):
    """By one name, and with a sentence."""
    text = "\n".join(part for part in helped(name).split("\n\n") if re.match(r"\S.*:\n", part))
    for option in (option for command, option in OPTIONS if command == name):
        assert len(re.findall(rf"^  {option.opts[0]}[ /\n]", text, re.MULTILINE)) == 1
        assert option.help.partition("  [")[0].endswith("."), option.help


@pytest.mark.parametrize("shown", sorted({option.opts[0] for _, option in OPTIONS} - TWO_MEANINGS.keys()))
def test_an_option_means_the_same_in_every_command(shown):
    """The first sentence of its help is the same, as are the kind of its value and the word for it."""
    uses = [(loaded(name), option) for name, option in OPTIONS if option.opts[0] == shown]
    said = {re.split(r"(?<=\.) ", option.help)[0] for _, option in uses}
    assert len(said) == 1, said
    assert len({option.make_metavar(click.Context(command)) for command, option in uses if not option.is_flag}) <= 1
    assert len({(option.is_flag, option.nargs, option.multiple) for _, option in uses}) == 1


def test_no_older_name_is_the_name_of_another_option_of_its_command():
    """Where a script has the older name, it goes on meaning what it meant."""
    for command in NAMES:
        names = Counter(name for each, option in OPTIONS if each == command for name in option.opts)
        assert set(names.values()) <= {1}, command
