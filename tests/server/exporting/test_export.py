"""`croupier export`: tables of games, decisions, deals and bots, the same whatever the form and the source."""

import csv
import json
import shutil
import tracemalloc
from itertools import islice
from pathlib import Path

import pytest
from command_line import croupier
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.protocol.record import Played, read
from croupier.server import games
from croupier.server.exporting.columns import SCHEMA, state_columns
from croupier.server.exporting.files import write
from croupier.server.exporting.tables import TABLES
from croupier.server.finding.conditions import Query
from croupier.server.finding.search import Search
from croupier.server.records.files import read_records
from croupier.server.records.replay import Replay
from croupier.server.records.sent import Wire

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("export") / "cup"
    contest(folder, settings([bot("sloppy", "mixed", 5), *FOUR[1:]], deals=3, notes=True))
    return folder


def rows(folder, table, to, *words):
    """Return the rows of a table, from JSON lines."""
    path = to / f"{table}.jsonl"
    croupier("export", folder, "--table", table, "--to", path, *words)
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("table", TABLES)
def test_csv_has_what_json_lines_have(cup, tmp_path, table):
    """The same columns and values; lists are JSON, and a missing value is an empty cell."""
    croupier("export", cup, "--table", table, "--to", tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        listed = list(csv.DictReader(file))
    expected = rows(cup, table, tmp_path)
    assert len(listed) == len(expected) > 0
    for line, row in zip(listed, expected, strict=True):
        assert line.keys() == row.keys()
        for name, value in row.items():
            text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
            assert line[name].replace(" ", "") == text.replace(" ", "")


def test_games_are_those_that_find_lists(cup, tmp_path):
    """Scores, ranks and faults by seat, as `find --json` tells them by name."""
    out, _ = croupier("find", cup, "--json")
    exported = rows(cup, "games", tmp_path)
    assert any(any(row["faults"]) for row in exported)
    for row, game in zip(exported, json.loads(out)["games"], strict=True):
        assert row["schema"] == SCHEMA
        assert [row[name] for name in ("record", "deal", "decisions")] == [
            game[name] for name in ("record", "deal", "decisions")
        ]
        for name in ("scores", "ranks"):
            assert dict(zip(row["seating"], row[name], strict=True)) == game[name]
        faults = {name: kind for name, kind in zip(row["seating"], row["faults"], strict=True) if kind}
        assert faults == {fault["player"]: fault["kind"] for fault in game["faults"]}
        assert [bool(reason) for reason in row["reasons"]] == [bool(kind) for kind in row["faults"]]
        assert row["longest_ms"] == pytest.approx([game["thought"][name] for name in row["seating"]], abs=0.001)


def test_decisions_are_the_plays_of_the_records(cup, tmp_path):
    """Each play in the order of the record, among the legal ones; a fault has no play."""
    by_record = {}
    for row in rows(cup, "decisions", tmp_path):
        by_record.setdefault(row["record"], []).append(row)
    for record, decisions in by_record.items():
        path, _, number = record.rpartition(":")
        text = read_records(Path(path))[int(number) - 1].text
        played = [line for _, line in read(text) if isinstance(line, Played)]
        plays = [row for row in decisions if row["play"]]
        assert [(row["player"], row["play"]) for row in plays] == [
            (line.name, str(line).partition(f" {line.name} ")[2][:-1]) for line in played
        ]
        assert all(row["play"] in row["legal"] for row in plays)
        assert [row["number"] for row in decisions] == list(range(1, len(decisions) + 1))
        faulted = [row for row in decisions if row["fault"]]
        assert len(faulted) == text.count("\n(fault ")
        assert all((row["ms"] is not None) or row["stand_in"] for row in decisions)


@pytest.mark.parametrize("name", ["hearts", "skat-3", "doppelkopf", "jass", "sedma", "hearts-match"])
def test_the_fields_of_state_are_those_that_the_player_was_sent(name, tmp_path):
    """Column by column, as the JSON dialect writes STATE in the messages to the player on turn."""
    path = GOLDEN / f"{name}.record"
    replay = Replay(path.read_text())
    players = replay.game.players
    fields = {each.column.name: (each.attribute, each) for each in state_columns(type(replay.game).PAGE)}
    sent = {}
    for player in players:
        lines = Wire(Replay(path.read_text()), player, "json").lines()
        sent[player] = iter([asked["state"] for line in lines if "state" in (asked := json.loads(line))])
    for row in islice(rows(path, "decisions", tmp_path), 60):
        state = next(sent[row["player"]])
        for column, (attribute, _) in fields.items():
            assert row[column] == state.get(attribute.replace("_", "-")), column


def test_a_program_of_recycle_has_its_fields(tmp_path):
    """Cards, lists and choices are JSON; the rules come from the record."""
    croupier(
        "play", "recycle:kuhn-poker", "random", "random", "--deals", 2, "--record", tmp_path / "games", "--seed", "k"
    )
    decisions = rows(tmp_path / "games", "decisions", tmp_path)
    assert {row["game"] for row in decisions} == {"recycle"}
    assert all(row["state_program"] == "kuhn-poker" and row["state_choices"] for row in decisions)


def test_loose_records_have_the_same_decisions_and_deals(cup, tmp_path):
    """What a tournament alone knows is missing; everything else is equal."""
    shutil.copytree(cup / "records", tmp_path / "loose")
    for table in ("decisions", "deals"):
        both = [rows(folder, table, tmp_path) for folder in (cup, tmp_path / "loose")]
        for row in (*both[0], *both[1]):
            del row["record"]
            row.pop("ms", None)
        assert both[0] == both[1]
    assert [row["pairing"] for row in rows(tmp_path / "loose", "games", tmp_path)] == [None] * 12


def test_deals_are_listed_once_with_their_shuffles(cup, tmp_path):
    """Three deals in four seatings are three rows; a shuffle has every card."""
    deals = rows(cup, "deals", tmp_path)
    assert sorted(row["deal"] for row in deals) == [1, 2, 3]
    assert all(len(set(row["shuffles"][0]["cards"])) == 52 for row in deals)


def test_bots_have_their_versions_and_counts(cup, tmp_path):
    """Games, wins and faults add up to those of the games."""
    bots, played = rows(cup, "bots", tmp_path), rows(cup, "games", tmp_path)
    assert {row["name"]: row["version"] for row in bots} == {"sloppy": 1, "ben": 1, "cat": 1, "dan": 1}
    assert {row["games"] for row in bots} == {len(played)}
    assert sum(row["faults"] for row in bots) == sum(bool(kind) for row in played for kind in row["faults"])
    assert all(len(row["sha256"]) == 64 for row in bots)


def test_no_table_has_the_key(tmp_path):
    """Neither before the end of a tournament nor after it; shuffles are only those of games that were played."""
    crew = Here()
    crew.stop()
    run = contest(tmp_path / "cup", settings(deals=3), crew)
    secret = run.lineup.key.secret.hex()
    for table in TABLES:
        croupier("export", tmp_path / "cup", "--table", table, "--to", tmp_path / "t.jsonl", code=1)
        assert not (tmp_path / "t.jsonl").read_text()
    contest(tmp_path / "cup", settings(deals=3))
    for table in TABLES:
        croupier("export", tmp_path / "cup", "--table", table, "--to", tmp_path / "t.jsonl")
        assert secret not in (tmp_path / "t.jsonl").read_text()


@pytest.mark.parametrize("form", [".csv", ".jsonl"])
def test_length_needs_no_memory(tmp_path, form):
    """Games beyond the first 800 take less than 50 bytes each at the peak; in a list they would take a thousand."""
    contest(tmp_path / "cup", settings(deals=800), Here(pretend(times=((40, 13),))))
    peaks = []
    for most in (800, 800, 3200):  # the first fills caches
        found = islice(Search(Query((), ())).run([tmp_path / "cup"]), most)
        tracemalloc.start()
        assert write(TABLES["games"].rows(found, pytest.fail), tmp_path / f"games{form}") == most
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + 50 * 2400


def test_games_of_two_kinds_are_refused_together(tmp_path):
    """Their decisions have different columns; the call that works is named, and no file is left."""
    for name in ("hearts", "sedma"):
        shutil.copy(GOLDEN / f"{name}.record", tmp_path)
    to = tmp_path / "d.csv"
    _, errors = croupier("export", tmp_path, "--table", "decisions", "--to", to, code=2)
    assert "--where game=hearts" in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hearts.record", "sedma.record"]
    croupier("export", tmp_path, "--table", "decisions", "--to", to, "--where", "game=hearts")
    croupier("export", tmp_path, "--to", to)


def test_what_cannot_be_replayed_is_told_and_left_out(tmp_path):
    """A record with an illegal play has no decisions, not even those before it; the others have theirs."""
    text = (GOLDEN / "sedma.record").read_text()
    plays = [line for line in text.splitlines() if line.startswith("(play ")]
    (tmp_path / "bad.record").write_text(text.replace(plays[9], plays[8]))
    shutil.copy(GOLDEN / "sedma.record", tmp_path)
    _, errors = croupier("export", tmp_path, "--table", "decisions", "--to", tmp_path / "d.jsonl")
    assert {json.loads(line)["record"] for line in (tmp_path / "d.jsonl").read_text().splitlines()} == {
        str(tmp_path / "sedma.record")
    }
    assert "bad.record: line " in errors
    assert "Traceback" not in errors


def test_a_wrong_call_is_one_sentence(tmp_path, monkeypatch):
    """An ending that is no form, a folder that is not there, and Parquet without pyarrow."""
    _, errors = croupier("export", GOLDEN, "--to", tmp_path / "x.xlsx", code=2)
    assert "one of .parquet, .csv, .jsonl" in errors
    _, errors = croupier("export", GOLDEN, "--to", tmp_path / "not" / "x.csv", code=2)
    assert "No such file or directory" in errors
    monkeypatch.setattr("croupier.server.extras.missing", lambda extra: f"pip install {extra}")
    _, errors = croupier("export", GOLDEN, "--to", tmp_path / "x.parquet", code=2)
    assert "pip install columns" in errors


def test_every_game_that_comes_with_the_package_has_columns_of_state():
    """No two of a page have one name."""
    for game in games.BUNDLED:
        names = [each.column.name for each in state_columns(games.find(game).PAGE)]
        assert len(names) == len(set(names)) > 5
