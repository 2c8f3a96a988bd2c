"""Fingerprints: when a changed file is noticed, and what was played before still counts."""

from __future__ import annotations

import gzip
import os
import shutil

import pytest
from contests import BOTS, FOUR, Here, contest, pretend, settings

from croupier.server import entries
from croupier.server.tournaments.entering import fingerprint as fingerprints
from croupier.server.tournaments.entering.enrolment import entry_of
from croupier.server.tournaments.entering.fingerprint import ProgramChanged, Watched, fingerprint
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.playing import batch


@pytest.fixture
def program(tmp_path):
    """Return a bot's file, which can be changed."""
    return shutil.copy(BOTS / "misfit.py", tmp_path / "bot.py")


@pytest.fixture
def ann(program):
    """Enter it."""
    return {"name": "ann", "command": ["python", str(program), "fair"]}


@pytest.fixture
def watched(ann):
    """Watch it."""
    entry = entry_of(settings([ann, *FOUR[1:]]).bots[0], "512M")
    return Watched([entry], {"ann": fingerprint(entry)})


def test_what_was_played_since_the_last_look_goes_with_a_changed_program(program, watched, monkeypatch):
    """One check serves many fast games; a change is reported when the next check is due, or demanded."""
    played, at = PackedGames(), [0.0]
    monkeypatch.setattr(fingerprints, "monotonic", lambda: at[0])

    def play(share):
        at[0] += share * fingerprints.LOOK
        played.append(len(played) + 1)
        watched.look(played, soon=True)

    watched.look(played)
    play(2)
    program.write_text("# other\n")
    play(0.5)
    play(0.4)
    assert played == [1, 2, 3]
    with pytest.raises(ProgramChanged) as changed:
        play(0.2)
    assert (changed.value.name, changed.value.games) == ("ann", [1])
    played += [2, 3]
    with pytest.raises(ProgramChanged):
        watched.look(played)
    assert played == [1]


def test_of_deals_that_are_played_at_once_those_before_a_change_are_kept(tmp_path, program, ann):
    """With their records, and none of a deal in which it came."""
    crew = Here(pretend())
    contest(tmp_path / "cup", settings([ann, *FOUR[1:]], deals=3, isolate="strict"), crew)
    deals = iter(range(3))

    def stopped():
        if next(deals) == 1:
            program.write_text(program.read_text() + "# other\n")
        return False

    with pytest.raises(ProgramChanged) as changed:
        batch.play(crew.jobs[0], stopped)
    games = changed.value.games
    assert [game.deal for game in games] == [crew.jobs[0].games[0][1]] * 4
    assert all(game.times for game in games)
    assert gzip.decompress(games.records).count(b"(record 1)") == 4


def test_a_file_that_is_only_touched_is_no_other_program(program, watched):
    """It is hashed again, and is the same."""
    assert watched.changed_entry() is None
    os.utime(program)
    assert watched.changed_entry() is None
    program.write_text("# other\n")
    assert watched.changed_entry() == "ann"


@pytest.mark.parametrize("name", ["key", "tournament.db", "records/0001.records.gz", "deal-1.record", "low.wire"])
def test_what_croupier_writes_is_no_bots_to_name(name, tmp_path):
    """A program in the same folder is; so is a file of that name elsewhere."""
    for path in (tmp_path / "cup" / name, tmp_path / "cup" / "bot.py", tmp_path / "bots" / name):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def refusal(*words):
        return fingerprints.blinding([entries.of_command(["python", *map(str, words)], "ann")], [tmp_path / "cup"])

    named = tmp_path / "cup" / name
    assert refusal(tmp_path / "cup" / "bot.py", named).startswith(f"ann names {named}, and what croupier writes")
    assert refusal(tmp_path / "cup" / "bot.py", tmp_path / "bots" / name) == ""
