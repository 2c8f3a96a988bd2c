"""What bots write to standard error: kept by game, in the order of requests, capped, and harmless to look at."""

import shlex
import sys
from itertools import pairwise

import pytest
from command_line import croupier
from tables import misfit

from croupier.server import entries
from croupier.server.games.sedma import Sedma
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.referee import Terms
from croupier.server.table.standard_error import GAME_CAP, StandardError
from croupier.server.table.table import Table


class Writer:
    """A process as far as its standard error goes."""

    def __init__(self):
        self.written = b""

    def stderr_size(self):
        return len(self.written)

    def errors_at(self, place, size):
        return self.written[place : place + size]


@pytest.fixture
def writer():
    return Writer()


def test_each_piece_stands_behind_its_request(writer):
    """Also what came before the first one; a new game begins with nothing."""
    errors = StandardError()
    for request, text in enumerate([b"hello\n", b"", b"one\ntwo\n", b"crash"]):
        writer.written += text
        errors.look(writer, request)
    assert errors.take() == "-- before request 1\nhello\n-- after request 2\none\ntwo\n-- after request 3\ncrash\n"
    assert errors.take() == ""


def test_of_a_long_game_the_beginning_and_the_end_are_kept(writer):
    """However it came: in one piece, or in many; what is left out is counted."""
    half = GAME_CAP // 2
    at_once, slowly = StandardError(), StandardError()
    for request in range(100):
        writer.written += b"%06d\n" % request * 1000
        slowly.look(writer, request)
    at_once.look(writer, 99)
    for text in (at_once.take(), slowly.take()):
        kept = sum(len(line) + 1 for line in text.splitlines() if not line.startswith("--"))
        assert GAME_CAP - 14 <= kept <= GAME_CAP + 14
        assert text.startswith("-- ")
        assert text.splitlines()[1] == "000000"
        assert text.endswith("000099\n")
        assert f"-- {len(writer.written) - 2 * half} bytes are left out here" in text


def test_who_is_cut_goes_on(writer):
    """A bot that writes megabytes finds the file shortened, and what comes then is new."""
    errors = StandardError()
    writer.written = b"x" * 1000
    errors.look(writer, 1)
    writer.written = b"x" * 500
    errors.look(writer, 2)
    writer.written += b"\nnew"
    errors.look(writer, 3)
    assert errors.take().endswith("-- after request 3\n\nnew\n")


def test_words_that_would_steer_a_terminal_are_shown(writer):
    """As question marks; letters of any language stay."""
    writer.written = "\x1b[2J\x07grüße\r\n\ttab \xff".encode() + b"\xff\n"
    errors = StandardError()
    assert errors.look(writer, 1) == "?[2J?grüße\n\ttab ÿ\ufffd\n"


def test_play_keeps_standard_error_and_points_to_it(tmp_path):
    """Beside the record, by game and bot, and in the log of the wire; no file if a bot wrote nothing."""
    bot = tmp_path / "noted.py"
    bot.write_text(
        "import sys\nfrom croupier.agents import Agent, drive\n"
        "class Noted(Agent):\n"
        "    def tryPlay(self, state):\n"
        "        print('hand ö', *state.hand)\n"
        "        assert len(state.hand) > 3, 'too few'\n"
        "    def ended(self, scores):\n"
        "        print('it is over')\n"
        "drive(Noted())\n"
    )
    games, wire = tmp_path / "games", tmp_path / "wire"
    fair = f"fair={shlex.join(misfit('fair').command)}"
    words = ["play", "sedma", shlex.join([sys.executable, str(bot)]), *[fair] * 3, "--seed", "x", "-o", "rounds=one"]
    _, said = croupier(*words, "--record", games, "--wire", wire)
    assert sorted(path.name for path in games.iterdir()) == ["deal-1.noted.stderr", "deal-1.record"]
    notes = (games / "deal-1.noted.stderr").read_text("utf-8")
    assert notes.startswith("-- after request 1\nhand ö ")
    assert "AssertionError: too few" in notes
    assert f"its standard error: {games / 'deal-1.noted.stderr'}\n" in said
    log = (wire / "noted.wire").read_text("utf-8").splitlines()
    notes_behind = [after[:6] for before, after in pairwise(log) if before.startswith("< (play")]
    assert set(notes_behind) == {"! hand"}
    assert log.count("! AssertionError: too few") == 1
    _, said = croupier(*words)
    assert "--record DIR keeps" in said


POLITE = "import sys\nfrom croupier.agents import Agent, drive\ndrive(Agent())\nprint('good-bye', file=sys.stderr)\n"


def test_what_is_written_at_the_very_end_is_kept(tmp_path):
    """The last words of a bot, after the last game, are kept."""
    bot = tmp_path / "polite.py"
    bot.write_text(POLITE)
    croupier("play", "sedma", shlex.join([sys.executable, str(bot)]), *["random"] * 3, "--record", tmp_path / "games")
    assert (tmp_path / "games" / "deal-1.polite.stderr").read_text().endswith("good-bye\n")


async def test_a_table_that_ends_between_two_games_keeps_it_too(key, tmp_path):
    """Seats were changed for a game that nobody played any more."""
    bot, kept = tmp_path / "polite.py", []
    bot.write_text(POLITE)
    seated = [entries.of_command([sys.executable, str(bot)], "polite"), *[entries.read("random")] * 3]
    async with Table(
        entries.distinct(seated), tmp_path, sandboxing=SandboxSettings("none"), keep=lambda *said: kept.append(said)
    ) as table:
        await table.play(Sedma, {}, key.deal(1), Terms(time=20))
        table.change_seats((1, 0, 2, 3), [seat.name for seat in table.seats])
    ((deal, _, said),) = kept
    assert (deal, said[-9:]) == (1, "good-bye\n")


def test_the_log_of_the_wire_holds_the_bytes_that_were_answered(tmp_path):
    """Also those that are no text."""
    odd = tmp_path / "odd.py"
    odd.write_text(
        "import sys\nsys.stdin.readline()\nsys.stdout.buffer.write(b'\\xff(\\xc3\\xb6\\n')\nsys.stdout.flush()\n"
    )
    words = ["play", "sedma", f"odd={shlex.join([sys.executable, str(odd)])}", *["random"] * 3]
    croupier(*words, "--wire", tmp_path / "wire", "-o", "rounds=one")
    assert b"\n< \xff(\xc3\xb6" in (tmp_path / "wire" / "odd.wire").read_bytes()
