"""Notes: a bot's standard error (stderr) at each decision and the time it took, kept beside a record.

``play --notes`` keeps them in a file beside the record, one JSON document per line. Without such a file other traces of
standard error are read: the files beside a record, and those of a tournament's folder.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from croupier.server.table.standard_error import as_text, last_piece, pieces
from croupier.server.texts import open_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from croupier.server.records.replay import Replay, ReplayedFault, ReplayedPlay

    Notes = Mapping[tuple[str, int], "Note"]
    """By player and number of the question, as `replay --sent` counts them."""

NONE: Notes = {}
MOST_BYTES = 32 << 20
LONGEST = 8192
"""At most this many characters of a decision's note are shown."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}")
_GAME = re.compile(r"^== deal (\d+): (.*)$", re.MULTILINE)


class BadNotes(ValueError):
    """A file that does not contain notes; the message says where."""


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One decision of a player: what its bot wrote, and how many seconds it took."""

    player: str
    number: int
    seconds: float | None = None
    said: str = ""

    def lines(self) -> list[str]:
        """Return the note as lines, the time first."""
        took = [] if self.seconds is None else [f"{self.seconds * 1000:.1f} ms"]
        return [*took, *self.said.splitlines()]


class Questions:
    """Count which question of its player each step of a replay answers."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._asked: Counter[int] = Counter()

    def number(self, step: ReplayedPlay | ReplayedFault) -> int | None:
        """Return the question's number, before the step is applied; None if the player was not asked."""
        if step.seat in self._replay.standing_in or step.seat != self._replay.game.turn:
            return None
        self._asked[step.seat] += 1
        return self._asked[step.seat]


def gather(thinking: Mapping[str, Sequence[float]], errors: Mapping[str, str]) -> Iterator[Note]:
    """Yield a note for each decision from each player's seconds and the text of its standard error."""
    for player, seconds in thinking.items():
        said = pieces(errors.get(player, ""))
        for number, used in enumerate(seconds, 1):
            first = said.get(0, "") if number == 1 else ""
            yield Note(player, number, round(used, 6), first + said.get(number, ""))


def write(notes: Iterable[Note]) -> str:
    """Return notes as the text of a file."""
    return "".join(f"{msgspec.json.encode(note).decode()}\n" for note in notes)


def beside(replay: Replay, path: Path) -> Notes:
    """Return the notes kept beside the record in this file; raise BadNotes."""
    kept = path.with_suffix(".notes")
    if kept.exists():
        return {(note.player, note.number): note for note in read(kept)}
    found = {(note.player, note.number): note for note in _read_times(replay, path)}
    for player in filter(_NAME.fullmatch, replay.game.players):
        for number, said in pieces(_errors(replay, path, player)).items():
            at = (player, max(number, 1))
            found[at] = Note(*at, found[at].seconds if at in found else None, said)
    return found


def seconds(replay: Replay, path: Path) -> Mapping[tuple[str, int], float]:
    """Return the seconds of each decision by player and question, as far as they were kept; raise BadNotes."""
    kept = path.with_suffix(".notes")
    found = read(kept) if kept.exists() else _read_times(replay, path)
    return {(note.player, note.number): note.seconds for note in found if note.seconds is not None}


def read(path: Path) -> Iterator[Note]:
    """Yield the notes of a file; raise BadNotes."""
    yield from _notes(path, _text(path))


def _read_times(replay: Replay, path: Path) -> Iterator[Note]:
    """Yield the times of a game's decisions that a tournament has kept (``tournament --notes``)."""
    kept = path.parent.parent / "notes" / f"{path.name.removesuffix('.records.gz')}.notes.gz"
    if kept.exists():
        yield from _notes(kept, _of_game(_text(kept), *_game(replay)))


def _notes(path: Path, text: str) -> Iterator[Note]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            note = msgspec.json.decode(line, type=Note)
        except msgspec.MsgspecError as problem:
            raise BadNotes(f"{path}, line {number}: no note of a decision: {problem}") from None
        yield Note(note.player, note.number, note.seconds, short(note.said))


def _errors(replay: Replay, path: Path, player: str) -> str:
    """Return a player's standard error: beside the record, or of its game in a tournament's folder."""
    own = path.with_name(f"{path.stem}.{player}.stderr")
    if own.exists():
        return _text(own)
    batch = path.parent.parent / "stderr" / player / f"{path.name.removesuffix('.records.gz')}.txt"
    return _of_game(_text(batch), *_game(replay)) if batch.exists() else ""


def said_at_last(batch: Path, deal: int, seating: Sequence[str]) -> str:
    """Return what a bot wrote after its last question in one game of a tournament's batch; raise BadNotes."""
    return last_piece(_of_game(_text(batch), deal, " ".join(seating)))


def _game(replay: Replay) -> tuple[int | None, str]:
    """Return the deal and the seating by which a batch's text identifies a game."""
    deal = replay.header.deal
    return None if deal is None else deal.number, " ".join(replay.game.players)


def _of_game(text: str, deal: int | None, seating: str) -> str:
    """Return the part of a batch's text that belongs to a game."""
    _, *found = _GAME.split(text)
    games = zip(found[::3], found[1::3], found[2::3], strict=True)
    wanted = ("" if deal is None else str(deal), seating)
    return next((part.lstrip("\n") for number, names, part in games if (number, names) == wanted), "")


def _text(path: Path) -> str:
    """Read a file that anybody may have made: no link, and no more bytes than a game writes."""
    if path.is_symlink():
        raise BadNotes(f"{path} is a link: notes are read where they lie")
    try:
        with open_file(path) as kept, gzip.open(kept) if path.suffix == ".gz" else kept as file:
            return file.read(MOST_BYTES).decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error) as problem:
        raise BadNotes(f"{path}: {getattr(problem, 'strerror', None) or problem}") from None


def short(said: str) -> str:
    """Return a note in a form that is safe for a terminal, and no longer than anybody reads."""
    plain = as_text(said[: LONGEST + 1].encode("utf-8", "replace")).strip("\n")
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]} ... ({len(said):,} characters)"
