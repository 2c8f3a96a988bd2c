"""A batch: what it plays is what each of its games alone would be, however long processes live."""

import json
import re

import msgspec
import pytest
from contests import BOTS, Here, contest, settings

from croupier.server.commands.standings import print_folder
from croupier.server.processes.control_group import MachineShort
from croupier.server.records.files import read_records
from croupier.server.table.faults import Outcome
from croupier.server.table.played import PlayedGame
from croupier.server.tournaments import batch, rows


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
        return [GAME, GAME]

    monkeypatch.setattr(batch, "_play", play)
    if short < batch.TRIES:
        assert [game.short for game in batch.play("job")] == ["no memory", ""]
    else:
        with pytest.raises(MachineShort, match="no memory"):
            batch.play("job")
    assert tries == ["job"] * 3


def test_the_time_that_was_given_back_is_kept(tmp_path):
    """By seat, beside why somebody committed a fault; what is no number of milliseconds is not shown."""
    game = GAME._replace(again=(0.0, 1.25))
    row = rows.values(game, 1, 0)
    kept = rows.game((*row[:3], *row[5:]))
    assert kept.again == (0.0, 1.25)
    assert not kept.void
    assert not kept.faults
    strange = [*row[:3], *row[5:]]
    strange[7] = msgspec.json.encode([(1, "again", "9" * 99), (0, "again", "-1")]).decode()
    assert rows.game(strange).again == ()


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
