"""Notes of a tournament: how long each decision took, kept beside its records, and nowhere else."""

import re
from functools import partial

import pytest
from command_line import croupier
from contests import FOUR, bot, contest, settings

from croupier.server import games
from croupier.server.records import notes
from croupier.server.records.files import read_records
from croupier.server.records.replay import Replay

BOTS = [bot("sloppy", "mixed", 5), *FOUR[1:]]


@pytest.fixture(scope="module")
def cups(tmp_path_factory):
    """Play the same tournament with notes and without."""
    folder = tmp_path_factory.mktemp("notes")
    for name in ("with", "without"):
        contest(folder / name, settings(BOTS, deals=2, notes=name == "with"))
    return folder


def test_each_decision_has_its_time(cups):
    """Every question of every game that was answered has its seconds; the decisions of stand-ins have none."""
    for path in (cups / "with" / "records").iterdir():
        for piece in read_records(path):
            replay = Replay(piece.text, partial(games.find, near=[path.parent]))
            kept = notes.beside(replay, path)
            questions, asked = notes.Questions(replay), set()
            for step in replay.steps():
                if number := questions.number(step):
                    asked.add((replay.game.players[step.seat], number))
            assert kept.keys() == asked
            assert all(note.seconds is not None for note in kept.values())


def test_the_records_say_the_same(cups):
    """Notes are beside the records and never in them, and change no game."""
    texts = [
        [
            re.sub(r"\(time .*|\(manifest .*", "", piece.text)
            for path in sorted((cups / name / "records").iterdir())
            for piece in read_records(path)
        ]
        for name in ("with", "without")
    ]
    assert texts[0] == texts[1]
    assert not (cups / "without" / "notes").exists()


def test_replay_shows_them(cups):
    """The seconds stand at their decisions."""
    path = next((cups / "with" / "records").iterdir())
    out, _ = croupier("replay", f"{path}:1", "--show", "--notes")
    assert len(re.findall(r"\| \d+\.\d ms", out)) > 40
    out, _ = croupier("replay", f"{path}:1", "--show")
    assert " ms" not in out


def test_broken_notes_are_one_sentence(cups):
    """Whatever has written them."""
    path = next((cups / "with" / "records").iterdir())
    kept = cups / "with" / "notes" / f"{path.name.removesuffix('.records.gz')}.notes.gz"
    whole = kept.read_bytes()
    for broken in (b"no gzip", whole[: len(whole) // 2]):
        kept.write_bytes(broken)
        _, errors = croupier("replay", f"{path}:1", "--show", "--notes", code=2)
        assert "notes.gz" in errors
        assert errors.count("\n") == 1
    kept.write_bytes(whole)
