"""How commands are called: the game first, names in any case, one meaning an option, one form of errors."""

import os
import shlex
import subprocess
import sys

import click
import msgspec
import pytest
from command_line import croupier

from croupier.server.cli import COMMANDS, cli
from croupier.server.suggestions import did_you_mean

CROUPIER = [sys.executable, "-m", "croupier"]
OPTIONS = [
    (name, option.opts[0], option)
    for name in COMMANDS
    for option in cli.get_command(click.Context(cli), name).params
    if isinstance(option, click.Option)
]


@pytest.mark.parametrize(
    "words",
    [
        ["gops", "a=random", "b=random"],
        ["GOPS", "a=Random", "b=RANDOM"],
        ["recycle:gops", "a=random", "b=random"],
        ["recycle:Gops", "a=random", "b=random"],
        ["--game", "gops", "a=random", "b=random"],
    ],
)
def test_a_game_of_the_library_has_many_spellings_and_is_one_game(words, tmp_path):
    """With or without recycle:, in any case, as the first word or by --game: the commitment is the same."""
    asked = ["--seed", "a", "--deals", 1, "--commit", "--sandbox", "limits", "--out"]
    plain = croupier("tournament", "recycle:gops", "a=random", "b=random", *asked, tmp_path / "plain")[0]
    assert croupier("tournament", *words, *asked, tmp_path / "cup")[0] == plain


def test_a_built_in_game_wins_over_one_of_the_library():
    """The game of the library keeps its long name."""
    assert croupier("games", "hearts")[0].startswith("hearts: Four players")
    assert "Stages:" in croupier("games", "recycle:hearts")[0]


def test_games_lists_the_library():
    """Each game by the name that plays it, with its seats."""
    listed = {game["game"]: game["seats"] for game in msgspec.json.decode(croupier("games", "--json")[0])["games"]}
    assert (listed["gops"], listed["recycle:hearts"], listed["hearts"]) == ([2], [4], [4])
    assert "gops" in croupier("games")[0]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["plya"], "play"),
        (["play", "heart", "random"], "hearts"),
        (["play", "gosp", "random"], "gops"),
        (["play", "recycle:gosp", "random"], "gops"),
        (["play", "hearts", "rndom"], "random"),
        (["play", "hearts", "humam"], "human"),
        (["play", "hearts", *["duck"] * 4, "-o", "pas=left"], "pass"),
        (["play", "hearts", *["duck"] * 4, "-o", "pass=lft"], "left"),
        (["play", "hearts", "duck", "--dealz", "3"], "--deals"),
        (["tournament", "hearst", "duck"], "hearts"),
        (["check", "hearst", "duck"], "hearts"),
        (["improve", "hearst", "duck", "random"], "hearts"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest(words, meant):
    """Commands, games, bots, options, and values of options."""
    assert f" (did you mean {meant}?)" in croupier(*words, code=2)[1]


def test_nothing_is_guessed_where_nothing_is_near():
    """A word without a likely meaning gets no suggestion."""
    assert did_you_mean("xyzzy", ["hearts", "skat"]) == ""


@pytest.mark.parametrize("words", [["check", "duck"], ["play", "duck", "duck"], ["tournament", "python x.py", "duck"]])
def test_a_bot_in_the_place_of_the_game_is_told_so(words):
    """The game comes first."""
    assert "is no game; the game comes first" in croupier(*words, code=2)[1]


def test_the_name_of_a_game_wins_over_a_file_of_that_name(tmp_path):
    """A bot or a program that is called like a game is ./NAME."""
    (tmp_path / "hearts").write_text("#!/bin/sh\n")
    (tmp_path / "hearts").chmod(0o755)
    assert "name the bots after the game" in croupier("check", "hearts", code=2, cwd=tmp_path)[1]
    assert croupier("games", "hearts", cwd=tmp_path)[0].startswith("hearts: Four players")
    assert "is not part of the language" in croupier("games", "./hearts", code=2, cwd=tmp_path)[1]
    said = croupier("check", "hearts", "./hearts", "--positions", 1, code=1, cwd=tmp_path)[0]
    assert "FAILED" in said


def test_terms_of_a_tournament_are_named_as_those_of_a_table(tmp_path):
    """What `play` takes, the manifest of a tournament has."""
    terms = {"bank": 70, "total": 900, "on_fault": "stand-in", "memory": "300M"}
    words = [str(word) for name, value in terms.items() for word in (f"--{name.replace('_', '-')}", value)]
    croupier("tournament", "gops", "random", "random", "--commit", "--out", tmp_path / "cup", *words)
    manifest = msgspec.json.decode((tmp_path / "cup" / "manifest.json").read_bytes())
    assert {name: manifest[name] for name in terms} == terms


OLDER = [
    ("replay", "--sent", "--wire"),
    ("replay", "--for", "--seat"),
    ("report", "--html", "--out"),
    ("find", "--games", "--first"),
    ("standings", "--neighbors", "--neighbours"),
    ("analyze", "--beside", "--against"),
    ("play", "--play-on", "--from"),
]


@pytest.mark.parametrize(("command", "name", "older"), OLDER)
def test_an_older_name_works_and_is_shown_nowhere(command, name, older):
    """What an option was called before is the same option. Neither the help nor a shell offers that name."""
    (option,) = [each for owner, shown, each in OPTIONS if (owner, shown) == (command, name)]
    assert option.opts == [name, older]
    assert f"  {older} " not in croupier(command, "--help")[0]
    called = cli.get_command(click.Context(cli), command)
    offered = [item.value for item in called.shell_complete(click.Context(called), "--")]
    assert name in offered
    assert older not in offered


def test_each_option_of_two_names_is_tried():
    """None is missing above."""
    assert {(command, *option.opts) for command, _, option in OPTIONS if option.opts[1:]} == set(OLDER)


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("play gops random random --record games", 0),
        ("tournament gops random random --deals 2 --out cup --sandbox limits", 0),
        ("improve gops random random --deals 2 --sandbox limits", 1),
        ("check gops random --positions 2", 0),
        ("play gops", 2),
    ],
)
def test_any_standard_stream_may_be_closed(words, code, closed, tmp_path):
    """A command does the same, and says what it can."""
    line = f"{shlex.join(CROUPIER)} {words} {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stdout + done.stderr


def test_no_file_gets_the_descriptor_of_a_closed_stream():
    """What is opened afterwards is no standard stream of a program that is started."""
    opens = "from croupier.server.standard_streams import open_closed; open_closed(); import os, sys;"
    shows = "sys.exit(os.open('/dev/zero', os.O_RDONLY) < 3 or sys.stdin.read() != '' or print('') or 0)"
    for closed in ("2>&-", ">&-", "<&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"exec {shlex.join([sys.executable, '-c', opens + shows])} {closed}"],
            stdin=subprocess.DEVNULL,
            check=False,
            env=os.environ,
        )
        assert done.returncode == 0, closed


def test_the_audit_hash_comes_last_and_is_what_verify_takes(tmp_path):
    """The command that checks it is written beside it, and passes."""
    words = ["gops", "random", "random", "--deals", 2, "--sandbox", "limits", "--out", "cup"]
    for command in ("tournament", "improve"):
        done = subprocess.run(
            [*CROUPIER, command, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        hashed, check = done.stderr.splitlines()[-2:]
        assert hashed.startswith("audit hash of this tournament: ")
        found = shlex.split(check.partition("check it: ")[2])
        assert croupier(*found[1:], cwd=tmp_path)[0].splitlines()[2] == f"audit hash: {hashed.rpartition(' ')[2]}"
        words[-1] = "other"


NUMBERS = [each for each in OPTIONS if each[2].type.name in {"integer range", "float range", "integer", "float"}]
CHOICES = [each for each in OPTIONS if isinstance(each[2].type, click.Choice)]


def refused(command, name, option, value):
    """Return what a command says of a value that an option cannot have."""
    values = [value] + ["1"] * (option.nargs - 1)
    words = ["one", "two"] if command in {"play", "new-bot"} else ["one"]
    return croupier(command, *words, name, *values, code=2)[1]


@pytest.mark.parametrize(("command", "name", "option"), [each for each in OPTIONS if not each[2].is_flag])
def test_an_option_without_a_value_is_named(command, name, option):
    """A value that is empty is none, and neither is the option after it."""
    for value in ("", name):
        said = refused(command, name, option, value)
        assert f"croupier {command}: {name}: its value is missing: write " in said
        assert f"; see croupier {command} --help" in said


@pytest.mark.parametrize(("command", "name", "option"), NUMBERS)
@pytest.mark.parametrize("value", ["zehn", "-1.5x", "nan", "inf"])
def test_what_is_no_number_is_told_what_to_write(command, name, option, value):
    """The option, the value, and which numbers it takes."""
    assert f"croupier {command}: {name} {value}: write " in refused(command, name, option, value)


@pytest.mark.parametrize(("command", "name", "option"), [each for each in NUMBERS if each[2].type.min is not None])
def test_a_number_out_of_its_range_is_told_the_range(command, name, option):
    """A negative number is below all of them."""
    said = refused(command, name, option, "-1")
    assert f"croupier {command}: {name} -1: write " in said
    assert "or more" in said or " above 0" in said or " from " in said


@pytest.mark.parametrize(("command", "name", "option"), CHOICES)
def test_a_word_that_is_no_choice_is_told_the_choices(command, name, option):
    """All of them, and the nearest."""
    said = refused(command, name, option, "xyzzy")
    assert f"{name} xyzzy: write one of {', '.join(option.type.choices)}" in said
    longest = max(option.type.choices, key=len)
    if len(longest) > 3:
        assert f"(did you mean {longest}?)" in refused(command, name, option, longest[:-1] + "x" + longest[-1:])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--time", "10s"], "--time 10s: write milliseconds, a whole number, 0 or more; 10s is 10000"),
        (["--bank", "1.5min"], "--bank 1.5min: write milliseconds, a whole number, 0 or more; 1.5min is 90000"),
        (["--memory", "512MB"], "--memory 512MB: write an amount such as 512M or 2G"),
        (["--memory=-1G"], "--memory -1G: write an amount such as 512M or 2G"),
        (["--show=yes"], "--show=yes: it takes no value: write --show"),
        (["--record", "pyproject.toml"], "--record pyproject.toml: that is a file; name a folder"),
        (["-o", "pass"], "-o pass: write it as option=value; `croupier games hearts` lists the options"),
        (["-o", "=left"], "-o =left: write it as option=value"),
        (["-o", "score-to=many"], "score-to takes a whole number from"),
    ],
)
def test_a_value_is_refused_in_one_form(words, said):
    """What was wrong, where, and what to do; a time with a unit is told what it is without one."""
    assert f"croupier play: {said}" in croupier("play", "hearts", *["duck"] * 4, *words, code=2)[1]


def test_a_command_that_lacks_its_argument_says_how_it_is_called():
    """As with an option that lacks its value."""
    assert (
        "croupier standings: DIR is missing: write croupier standings [OPTIONS] DIR"
        in croupier("standings", "--json", code=2)[1]
    )


@pytest.mark.parametrize("change", ["margin=inf", "margin=nan", "sprt=[0, inf]"])
def test_a_tournament_takes_finite_bounds_only(change, tmp_path):
    """An infinite one could not be written down, and the folder not be read again."""
    words = ["tournament", "hearts", *["duck"] * 4, "--out", tmp_path / "cup", "--set", change]
    assert change.partition("=")[0] in croupier(*words, code=2)[1]
    assert not (tmp_path / "cup").exists()
