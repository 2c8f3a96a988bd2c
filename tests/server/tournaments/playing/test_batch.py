"""A batch: what it plays is what each of its games alone would be, however long processes live."""

import gzip
import json
import pickle
import re
import subprocess
from types import SimpleNamespace

import msgspec
import pytest
from contests import BOTS, Here, contest, settings

from croupier.server.commands.standings import print_folder
from croupier.server.processes.control_group import MachineShort
from croupier.server.records.files import read_records
from croupier.server.table.faults import Fault, Kind, Outcome, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping import rows
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.playing import batch


def games(folder, lifetime):
    """Play a client that changes in the third game of a process; return what was played in each game."""
    client = {"name": "old", "command": ["python", "-S", "-E", str(BOTS / "remembering.py")], "dialect": "classic"}
    bots = [{**client, "lifetime": lifetime}, {"name": "smithy", "builtin": "smithy"}]
    asked = settings(bots, game="dominion", options={"rules": "classic", "turns": 2}, deals=3, sandbox="none")
    contest(folder, asked, Here())
    pieces = [piece for path in sorted((folder / "records").iterdir()) for piece in read_records(path)]
    return [re.findall(r"^\((?:play|defense|score) .*", piece.text, re.MULTILINE) for piece in pieces]


def test_a_memory_that_is_found_late_changes_no_game(tmp_path):
    """Its batch is played again, each game with a process of its own; where one process plays all, games are others."""
    auto, game, batch = (games(tmp_path / lifetime, lifetime) for lifetime in ("auto", "game", "batch"))
    assert auto == game != batch


GAME = PlayedGame(("a", "b"), 1, ("b", "a"), (1, 2), (2, 1), outcome=Outcome.FINISHED)


@pytest.mark.parametrize("short", [2, 3])
def test_a_batch_for_which_the_machine_is_too_short_is_played_again(short, monkeypatch):
    """All of it, from the beginning; the third time there is no hope."""
    tries = []

    async def play(job, _):
        tries.append(job)
        if len(tries) <= short:
            raise MachineShort(12, "no memory")
        return PackedGames([GAME, GAME])

    monkeypatch.setattr(batch, "_play", play)
    job = SimpleNamespace(notes=False)
    if short < batch.TRIES:
        assert [game.short for game in batch.play(job)] == ["no memory", ""]
    else:
        with pytest.raises(MachineShort, match="no memory"):
            batch.play(job)
    assert tries == [job] * 3


def test_the_time_that_was_given_back_is_kept(tmp_path):
    """By seat, beside why somebody committed a fault; what is no number of milliseconds is not shown."""
    game = GAME._replace(again=(0.0, 1.25))
    (row,) = rows.values([game], 1)
    kept = rows.game((*row[:3], *row[5:]))
    assert kept.again == (0.0, 1.25)
    assert not kept.void
    assert not kept.faults
    strange = [*row[:3], *row[5:]]
    strange[7] = msgspec.json.encode([(1, "again", "9" * 99), (0, "again", "-1")]).decode()
    assert rows.game(strange).again == ()


def test_games_are_written_together_as_one_by_one():
    """What a bot has said may have in it what some take for the end of a line."""
    said = Fault(Kind.CRASHED, "one\u2028two\x85three\x0bfour\r\nfive")
    faulty = GAME._replace(faults=(PlayerFault(1, said),), assisted=(0,), times=(((1, 2),), ()), luck=(0.5, -0.5))
    void = GAME._replace(scores=(), ranks=(), outcome=Outcome.VOID, void="nobody\u2029came", shadow=True, short="few")
    listed = rows.values([GAME, faulty, void], 7)
    assert [(row[3], row[4]) for row in listed] == [(7, 0), (7, 1), (7, 2)]
    assert [row[5:] for row in listed] == [rows.values([game], 1)[0][5:] for game in (GAME, faulty, void)]
    assert [rows.game((*row[:3], *row[5:])) for row in listed[:1]] == [GAME]
    assert json.loads(listed[1][9])[0] == [1, "crashed", said.why]
    assert [json.loads(text) for text in listed[1][7:9]] == [["", "crashed"], [True, False]]
    assert listed[2][5:9] == ("[]",) * 4
    assert json.loads(listed[2][9]) == [[-1, "void", void.void], [-1, "shadow", ""], [-1, "short", "few"]]
    assert rows.values([], 7) == []


def test_games_come_as_they_were_sent():
    """Pickling sends the records, and a tuple for each field."""
    games = PackedGames([GAME, GAME._replace(deal=2, seconds=0.25)], b"records")
    assert len(games.__reduce__()[1]) == 1 + len(GAME)
    there = pickle.loads(pickle.dumps(games))
    assert (there, there.records) == (games, b"records")
    assert pickle.loads(pickle.dumps(PackedGames())) == []


def test_parcels_that_are_joined_are_one_file_of_records(tmp_path):
    """It reads the same unpacked as cut into games; one without games adds nothing."""
    texts = [f"(record 1)\n(game hearts)\n(deal {deal} x)" for deal in (1, 2, 3)]
    games = [GAME._replace(deal=deal, record=(text,)) for deal, text in enumerate(texts, 1)]
    joined = PackedGames.join([PackedGames(games[:1]).pack(), PackedGames().pack(), PackedGames(games[1:]).pack()])
    assert joined == [game._replace(record=()) for game in games]
    (tmp_path / "all.records.gz").write_bytes(joined.records)
    assert [piece.text for piece in read_records(tmp_path / "all.records.gz")] == [f"{text}\n" for text in texts]
    assert (
        gzip.decompress(joined.records)
        == subprocess.run(["gzip", "-dc"], input=joined.records, capture_output=True, check=True).stdout
    )


def test_a_worker_packs_up_what_it_has_played(tmp_path):
    """The records; of thinking times their number in each bucket, and each of them only with notes."""
    for notes in (False, True):
        crew = Here()
        bots = [{"name": name, "builtin": "random"} for name in ("a", "b", "c", "d")]
        asked = settings(bots, game="hearts", deals=1, sandbox="none", notes=notes)
        contest(tmp_path / str(notes), asked, crew)
        games = batch.play(crew.jobs[0])
        lines = gzip.decompress(games.records).decode().splitlines()
        assert lines.count("(record 1)") == len(games) > 1
        assert "" not in lines
        for game in games:
            assert not game.record
            counted = [sum(number for _, number in times) for times in game.times]
            assert counted == [13] * 4
            assert [*map(len, game.thinking)] == (counted if notes else [])


def test_what_a_batch_was_played_again_for_is_told(tmp_path, monkeypatch, capsys):
    """In the log and under the table: once a batch, however many games it has; nobody's faults say it."""
    play, tries = batch._play, []

    async def scarce(job, stopped):
        tries.append(job)
        if len(tries) == 1:
            raise MachineShort(12, "this machine had no \x1b[31mmemory")
        return await play(job, stopped)

    monkeypatch.setattr(batch, "_play", scarce)
    bots = [{"name": name, "builtin": "random"} for name in ("a", "b", "c", "d")]
    contest(tmp_path, settings(bots, game="hearts", deals=2, sandbox="none"), Here())
    told = [
        event
        for event in map(json.loads, (tmp_path / "events.jsonl").read_text().splitlines())
        if event["event"] == "machine short"
    ]
    assert len(told) == 1
    assert told[0]["deal"] == tries[0].games[0][1]
    print_folder(tmp_path, as_json=False)
    shown = capsys.readouterr()
    assert "1 batch was played again, nobody blamed, at last because this machine had no ?[31mmemory" in shown.err
    assert not re.search("[1-9] (crashed|timeout)", shown.out)
