"""``croupier tournament`` and ``croupier standings`` as people and scripts use them."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from contextlib import closing

import pytest
from click.testing import CliRunner
from command_line import croupier
from contests import FOUR, Here, bot, contest, document, pretend, settings

from croupier.server.cli import cli
from croupier.server.commands.tournament import _announce
from croupier.server.deals import Key
from croupier.server.records.files import read_records
from croupier.server.table.faults import Outcome
from croupier.server.tournaments.entering.founding import settings_of
from croupier.server.tournaments.keeping.progress import Advance
from croupier.server.tournaments.keeping.store import Store

FILE = """
game = "hearts"
deals = 1
workers = 1
seed = "file"
[options]
pass = "none"
[[bots]]
name = "ann"
builtin = "duck"
[[bots]]
name = "ben"
builtin = "random"
[[bots]]
name = "cat"
builtin = "random"
[[bots]]
name = "dan"
builtin = "random"
"""


def call(*words):
    """Call the command line; return its result, whose status is in ``return_value``."""
    return CliRunner().invoke(cli, list(map(str, words)), standalone_mode=False)


@pytest.fixture
def file(tmp_path):
    """Write a tournament file."""
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    return path


def test_a_file_is_played_into_a_folder_of_its_name(file):
    """Without --out the folder is the file without .toml; one JSON document and nothing else is printed."""
    result = call("tournament", file, "--json")
    table = json.loads(result.stdout)
    assert result.return_value == 0
    assert (table["game"], table["games"], table["finished"], table["ranked_by"]) == ("hearts", 4, True, "mean")
    assert {"name", "games", "mean", "low", "high", "wins", "strength", "faults", "status"} <= set(table["players"][0])
    assert json.loads(call("standings", file.with_suffix(""), "--json").stdout) == table


def test_the_key_is_committed_to_before_anything_is_played(file):
    """--commit prints the SHA-256 of a key that the tournament then has; the public text may follow."""
    first = call("tournament", file, "--commit")
    assert len(first.stdout.strip()) == 64
    again = json.loads(call("tournament", file, "--commit", "--public", "3 11 24", "--json").stdout)
    assert again["commitment"] == first.stdout.strip()
    with closing(Store(file.with_suffix(""))) as store:
        assert store.counts() == (0, 0)


def test_without_a_game_there_is_a_sentence_and_no_table(file):
    """Of players, and of neighbors; the JSON has the same shape as ever."""
    commitment = call("tournament", file, "--commit").stdout.strip()
    first, *others = call("standings", file.with_suffix("")).stdout.splitlines()
    assert first == "No game has been played."
    assert "┃" not in "".join(others)
    assert call("standings", file.with_suffix(""), "--neighbors").stdout == "No game has been played.\n"
    table = json.loads(call("standings", file.with_suffix(""), "--json").stdout)
    assert (table["commitment"], table["games"], len(table["players"])) == (commitment, 0, 4)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "bots.0.core=2"], "there is no key core"),
        (["--set", "bots.9.cores=2"], "there is no 9"),
        (["--format", "league"], "is not one of"),
        (["-o", "pass=up"], "pass is one of"),
        (["--set", "seats=5"], "is played by 4, not by 5"),
        (["--set", 'bots.0.builtin="smithee"'], "no bundled bot is called smithee"),
        (["--set", 'bots.0.builtin="smithy"'], "smithy does not play hearts"),
        (["--set", "bots.0.dialect=classic"], "ann: the classic dialect is Dominion's"),
    ],
)
def test_a_wrong_call_is_one_sentence(file, words, said):
    """Whatever is wrong is said without a traceback, with status 2; no folder is left of it."""
    result = CliRunner().invoke(cli, ["tournament", str(file), *words])
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output
    assert not file.with_suffix("").exists()


@pytest.mark.parametrize("words", [[], ["--commit"]])
def test_of_a_tournament_that_is_refused_nothing_is_left(file, words):
    """Neither a key nor a database; what somebody else put into its folder stays, as does a tournament once begun."""
    cup = file.with_suffix("")
    cup.mkdir()
    theirs = ["lib.py", "lock", "manifest.json"]
    for name in theirs:
        (cup / name).write_text("")
    (program := file.with_name("bot.py")).write_text("from cup import lib\n")
    refused = FILE.replace('builtin = "duck"', f"command = ['python', '{program}']")
    limits = ("--set", "sandbox=limits")
    file.write_text(refused)
    result = call("tournament", file, *limits, *words)
    assert "cup holds lib.py, which ann imports" in str(result.exception)
    assert sorted(path.name for path in cup.iterdir()) == theirs
    file.write_text(FILE)
    assert call("tournament", file, *limits, "--commit").return_value == 0
    begun = {path.name for path in cup.iterdir()}
    assert "key" in begun
    file.write_text(refused)
    assert call("tournament", file, *limits, *words).exception
    assert begun <= {path.name for path in cup.iterdir()}


@pytest.mark.parametrize("seed", ["a\\b", "it's", "5", 'say "x"', "true"])
def test_a_word_of_the_command_line_means_the_same_with_a_file_and_without(file, tmp_path, seed):
    """It is laid over the file as it is, not read as TOML: one seed, one key."""
    bots = ["ann=duck", "ben=random", "cat=random", "dan=random"]
    one = call("tournament", file, "--seed", seed, "--commit").stdout
    other = call("tournament", "--game", "hearts", *bots, "--out", tmp_path / "b", "--seed", seed, "--commit").stdout
    keys = [
        json.loads((folder / "manifest.json").read_text())["key"] for folder in (file.with_suffix(""), tmp_path / "b")
    ]
    assert keys == [Key.from_seed(seed).commitment] * 2
    assert one != other


def test_a_bundled_bot_is_spoken_to_as_it_was_entered(tmp_path):
    """In the other dialects too, and the records say so."""
    words = ("classic:miner", "json:smithy", "--out", tmp_path, "--deals", 1, "-o", "turns=1")
    call("tournament", "--game", "dominion", *words)
    (path,) = (tmp_path / "records").iterdir()
    assert [piece.text.count("\n(classic miner)\n(json smithy)\n") for piece in read_records(path)] == [1, 1]


def test_an_option_of_the_command_line_lies_over_the_files_own(file):
    """Those of the file that it does not name stay."""
    call("tournament", file, "-o", "score-to=50", "--deals", 1)
    with closing(Store(file.with_suffix(""))) as store:
        asked = settings_of(store)
    assert {key: str(value) for key, value in asked.options.items()} == {"pass": "none", "score-to": "50"}


@pytest.mark.parametrize("command", ["standings", "report", "verify"])
def test_reading_a_tournament_loads_nothing_that_plays(tmp_path, command):
    """Neither trio, nor the workers, nor what plays a batch."""
    contest(tmp_path, settings(FOUR, deals=1), Here(pretend()))
    program = f"import sys; from croupier.server.cli import cli; cli.main([{command!r}, {str(tmp_path)!r}, '--json'])"
    listed = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {program}"
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=False)
    loaded = done.stderr.splitlines()[-1].split()
    assert "croupier.server.tournaments.keeping.store" in loaded
    assert not {"trio", "multiprocessing.connection"}.intersection(loaded)
    assert not {
        f"croupier.server.tournaments.{name}" for name in ("workers", "playing.batch", "playing.run")
    }.intersection(loaded)


def test_what_is_no_tournament_is_said_to_be_none(tmp_path):
    """A wrong folder is a wrong call."""
    result = CliRunner().invoke(cli, ["standings", str(tmp_path)])
    assert result.exit_code == 2
    assert "is no tournament's folder" in result.output


def test_the_table_is_there_as_comma_separated_values(tmp_path):
    """A row a player, best first, a column a kind of fault."""
    contest(tmp_path, settings(FOUR, deals=2), Here())
    rows = list(csv.DictReader(io.StringIO(call("standings", tmp_path, "--csv").stdout)))
    means = [float(row["mean"]) for row in rows]
    assert means == sorted(means)
    assert {"name", "games", "low", "high", "timeout", "crashed"} <= set(rows[0])


def test_swiss_shows_what_it_ranks_by(tmp_path):
    """Match points stand in the terminal, CSV and JSON; how many games there are is known before."""
    bots = [bot(f"b{number}", "first") for number in range(8)]
    run = contest(tmp_path, settings(bots, format="swiss", rounds=2, deals=1), Here(pretend()))
    assert run.lineup.schedule.planned_games() == run.progress.games == 16
    points = [player["points"] for player in document(tmp_path)["players"]]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 2 * 2 * 6
    rows = list(csv.DictReader(io.StringIO(call("standings", tmp_path, "--csv").stdout)))
    assert [float(row["points"]) for row in rows] == points
    assert "match points" in call("standings", tmp_path).stdout


def test_the_values_have_every_number_of_the_document(tmp_path):
    """Rank, strength with its interval, thinking times, faults, their causes and the differences."""
    contest(tmp_path, settings(FOUR, deals=2), Here(pretend(lambda name, deal: -26 if name == "ann" else deal)))
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(call("standings", tmp_path, "--csv").stdout))}
    assert [int(row["rank"]) for row in rows.values()] == [1, 2, 3, 4]
    assert rows["ann"]["crashed"] == "8"
    assert rows["ann"]["causes"] == "8 crashed: pretended"
    assert float(rows["ann"]["minus ben"]) == -float(rows["ben"]["minus ann"]) == 24.5
    assert not any("{" in value for row in rows.values() for value in row.values())
    assert float(rows["ben"]["strength"]) > float(rows["ann"]["strength"])
    assert rows["ben"]["strength_low"] == rows["ben"]["strength_high"] == ""  # of two sets nobody knows
    assert "deals 1 to 2 (8 games): ann: crashed: pretended" in call("standings", tmp_path).stdout
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    faults = [event for event in events if event["event"] == "fault"]
    assert [(event["player"], event["kind"], event["why"]) for event in faults] == [("ann", "crashed", "pretended")] * 8


def test_games_that_count_for_nobody_are_told_with_why(tmp_path):
    """They are in no mean; a reason that the referee gave is kept."""

    def void(job, stopped):
        played = pretend()(job, stopped)
        played[:] = [
            game if game.deal == 1 else game._replace(scores=(), ranks=(), outcome=Outcome.VOID, void="it went round")
            for game in played
        ]
        return played

    contest(tmp_path, settings(FOUR, deals=2), Here(void))
    assert document(tmp_path)["void"] == {"it went round": 4}
    assert document(tmp_path)["games"] == 4
    assert "4 games count for nobody: it went round" in call("standings", tmp_path).stdout


def test_who_stops_early_says_why(tmp_path):
    """How many pairs are different, and how many as good as alike."""
    said = []
    bots = [bot(name) for name in ("ann", "bert", "carla", "daniel")]
    contest(tmp_path, settings(bots, deals=3000, until_sure=True), Here(pretend()), say=said.extend)
    assert said == ["sure: of 6 pairs 6 are different, 0 differ by less than the margin"]


def test_few_sets_are_said_to_be_few(tmp_path):
    """Two sets have no interval, and the table says so."""
    contest(tmp_path, settings(FOUR, deals=2), Here())
    assert "too few sets" in call("standings", tmp_path).stdout


def test_progress_is_shown_on_a_terminal_only(file):
    """A person sees games done, their rate, faults and the leader; a script sees nothing of it."""
    program = [sys.executable, "-m", "croupier", "tournament", str(file)]
    ours, theirs = pty.openpty()
    plain = os.environ | {"COLUMNS": "110", "NO_COLOR": "1"}
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=theirs, env=plain) as process:
        os.close(theirs)
        shown = "".join(_read(ours))
    os.close(ours)
    assert process.returncode == 0
    assert "4/4" in shown
    assert "/s  0 faults" in shown
    assert " leads" in shown
    assert croupier("tournament", file, "--deals", "2")[1].startswith("audit hash of this tournament: ")


def _read(terminal):
    """Yield what is written to a terminal until nobody writes any more."""
    while True:
        try:
            yield os.read(terminal, 1 << 16).decode(errors="replace")
        except OSError:
            return


def test_neighbours_are_counted(tmp_path):
    """Six deals at a table of four seat everybody right after everybody else equally often, and it can be seen."""
    contest(tmp_path, settings(deals=6), Here(pretend()))
    names = ["ann", "ben", "cat", "dan"]
    table = json.loads(call("standings", tmp_path, "--neighbors", "--json").stdout)["neighbors"]
    assert table == {one: {other: 8 for other in names if other != one} for one in names}
    assert "right after the row" in call("standings", tmp_path, "--neighbors").stdout


def test_a_long_tournament_says_how_long_it_is_where_there_is_no_bar(capsys):
    """Before its first game."""
    for advance in (Advance(200, 5600), Advance(201, 5600, fresh=1), Advance(0, 999), Advance(0, None)):
        _announce(advance)
    assert capsys.readouterr().err == "5,600 games are planned, 200 are played\n"
