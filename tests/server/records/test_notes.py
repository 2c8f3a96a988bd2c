"""What a bot wrote at a decision: kept beside the record, shown at that decision, and only to whom it concerns."""

import gzip
import json

import pytest
from click.testing import CliRunner
from command_line import croupier
from games import record_of

from croupier.server.cli import cli
from croupier.server.records import notes
from croupier.server.records.notes import BadNotes, Note, Questions, beside, gather, write
from croupier.server.records.replay import Replay
from croupier.server.records.sent import Wire
from croupier.server.table.standard_error import StandardError, pieces
from croupier.server.viewer import page_data

NAMES = ("ada", "bob", "cleo", "dan")


class Writer:
    """A process as far as its standard error goes."""

    written = b""

    def stderr_size(self):
        return len(self.written)

    def errors_at(self, place, size):
        return self.written[place : place + size]


@pytest.fixture
def record(tmp_path):
    """Write a game of Hearts between four."""
    path = tmp_path / "games" / "deal-1.record"
    path.parent.mkdir()
    path.write_text(record_of("hearts", ["duck"] * 4, names=NAMES, options={"pass": "none"}))
    return path


def replayed(path):
    return Replay(path.read_text())


def test_what_is_taken_is_read_by_its_requests():
    """Also where a bot writes what looks like the referee's own headings: its words stay where they were written."""
    errors, writer = StandardError(), Writer()
    for request, words in enumerate(
        [b"hello\n", b"one\n", b"-- after request 1\nforged\n-- before request 1\n", b"three"]
    ):
        writer.written += words
        errors.look(writer, request)
    assert pieces(errors.take()) == {
        0: "hello\n",
        1: "one\n",
        2: " -- after request 1\nforged\n -- before request 1\n",
        3: "three\n",
    }


def test_notes_are_read_as_they_were_written(record):
    """Each decision with its time; what was written before the first request belongs to it."""
    errors = "-- before request 1\nhello\n-- after request 1\none\n-- after request 2\ntwo\n"
    kept = [*gather({"ada": (0.25, 0.5), "bob": (1.0,)}, {"ada": errors})]
    record.with_suffix(".notes").write_text(write(kept))
    assert beside(replayed(record), record) == {
        ("ada", 1): Note("ada", 1, 0.25, "hello\none"),
        ("ada", 2): Note("ada", 2, 0.5, "two"),
        ("bob", 1): Note("bob", 1, 1.0, ""),
    }


@pytest.mark.parametrize("game", ["hearts", "dominion"])
def test_decisions_are_counted_as_the_wire_counts_them(game):
    """Note 17 is of the question that `replay --sent NAME '#17'` ends with."""
    bots = ["random"] * (4 if game == "hearts" else 2)
    text = record_of(game, bots, names=NAMES[: len(bots)])
    replay = Replay(text)
    questions, counted = Questions(replay), {}
    for step in replay.steps():
        counted[replay.game.players[step.seat]] = questions.number(step)
    for name, number in counted.items():
        asked = [line for line in Wire(Replay(text), name).lines() if line.startswith(("(request", "(attacked"))]
        assert len(asked) == number


def test_a_stand_in_is_asked_nothing(record):
    """What follows a fault is not the bot's."""
    text = record.read_text()
    head, mark, rest = text.partition("(play ")
    name = rest.split()[0]
    fault = f'(fault {name} timeout "late" "" "")\n(stand-in {name})\n'
    replay = Replay(head + fault + mark + rest.partition("(score")[0])
    questions = Questions(replay)
    numbers = [(replay.game.players[step.seat], questions.number(step)) for step in replay.steps()]
    assert [number for player, number in numbers if player == name] == [1] + [None] * 13
    assert max(number for player, number in numbers if player != name) == 13


def test_what_is_kept_of_standard_error_is_enough(record):
    """Beside a record, and in a tournament's folder, where a batch of games is one file."""
    record.with_name("deal-1.bob.stderr").write_text("-- after request 2\nhm\n")
    assert beside(replayed(record), record) == {("bob", 2): Note("bob", 2, None, "hm\n")}
    cup = record.parent / "cup"
    (cup / "records").mkdir(parents=True)
    (cup / "stderr" / "cleo").mkdir(parents=True)
    batch = cup / "records" / "000001-4f.records.gz"
    batch.write_bytes(gzip.compress(record.read_bytes()))
    others = "== deal 1: bob ada cleo dan\n-- after request 1\nother seats\n\n"
    games = f"{others}== deal 1: ada bob cleo dan\n-- after request 1\nyes\n"
    (cup / "stderr" / "cleo" / "000001-4f.txt").write_text(games)
    assert beside(replayed(record), batch) == {("cleo", 1): Note("cleo", 1, None, "yes\n")}


def test_notes_are_for_their_own_eyes(record):
    """In a film they are seen by their own bot and by the viewpoint that sees all, and by nobody else."""
    shown = page_data(replayed(record), "game", None, {("bob", 1): Note("bob", 1, 0.5, "I hold the queen")})
    taken = [(name, shot) for each in shown["shots"] for name, shot in zip(shown["eyes"], each, strict=True)]
    assert {name for name, shot in taken if shot.get("note") == "I hold the queen"} == {"table", "bob"}
    assert sum("used" in shot for _, shot in taken) == 2
    other = page_data(replayed(record), "game", 0, {("bob", 1): Note("bob", 1, 0.5, "I hold the queen")})
    assert "queen" not in json.dumps(other)


def test_a_prints_words_come_to_the_page(tmp_path):
    """`play --notes` keeps what an agent printed and how long it thought; `replay --notes` shows it at its decision."""
    bot = tmp_path / "talker.py"
    bot.write_text(
        "from croupier.agents import Agent, drive\n"
        "class Talker(Agent):\n"
        "    def tryPlay(self, state):\n"
        "        print('of', len(state.hand), 'I take the first')\n"
        "        return state.legal[0]\n"
        "drive(Talker())\n"
    )
    games = tmp_path / "games"
    how = f"--record {games} --notes --sandbox none".split()
    croupier("play", "sedma", f"python {bot}", "random", "random", "random", *how)
    kept = [json.loads(line) for line in (games / "deal-1.notes").read_text().splitlines()]
    assert len(kept) == 32
    mine = [note for note in kept if note["player"] == "talker"]
    assert [note["said"] for note in mine][:2] == ["of 4 I take the first\n"] * 2
    assert all(note["seconds"] >= 0 for note in kept)
    assert "I take" not in (games / "deal-1.record").read_text()
    done = CliRunner().invoke(cli, ["replay", str(games / "deal-1.record"), "--show", "--notes"])
    assert done.output.count("| of 4 I take the first") == sum("of 4" in note["said"] for note in mine)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense", "line 2: no note of a decision"),
        ('{"player": 3, "number": 1}', "line 2: no note"),
        ('{"x": 1}', "line 2"),
    ],
)
def test_broken_notes_are_one_sentence(record, line, problem):
    """Whatever made them: which file, which line, and status 2."""
    record.with_suffix(".notes").write_text('{"player":"ada","number":1}\n' + line + "\n")
    done = CliRunner().invoke(cli, ["replay", str(record), "--show", "--notes"])
    assert done.exit_code == 2
    assert f"deal-1.notes, {problem}" in done.output


def test_links_are_not_followed(record, tmp_path):
    """A stranger's folder cannot bring a file of yours into a page of yours."""
    secret = tmp_path / "secret"
    secret.write_text("-- after request 1\nkey\n")
    record.with_name("deal-1.ada.stderr").symlink_to(secret)
    with pytest.raises(BadNotes, match="is a link"):
        beside(replayed(record), record)


def test_a_long_note_is_cut(record):
    """What nobody reads is counted, and no terminal is steered."""
    record.with_suffix(".notes").write_text(write([Note("ada", 1, None, "\x1b[2J" + "x" * 20_000)]))
    [note] = beside(replayed(record), record).values()
    assert note.said.startswith("?[2Jxxx")
    assert note.said.endswith("x ... (20,004 characters)")
    assert len(note.said) < notes.LONGEST + 40


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["replay", "game.record", "--notes"], "--notes adds to what --show or --html shows"),
        (["play", "sedma", "random", "random", "random", "random", "--notes"], "name a folder for them with --record"),
    ],
)
def test_notes_without_a_place_are_refused(words, problem):
    """One sentence, status 2."""
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 2
    assert problem in done.output
