"""Rows: a played game as the values of a row of SQLite, and back. A row may be a stranger's."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import re
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec

from croupier.server import terminal
from croupier.server.names import good_name
from croupier.server.table.faults import Fault, Kind, Outcome, PlayerFault
from croupier.server.table.played_game import PlayedGame, Probed
from croupier.server.tournaments.statistics.columns import Lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.table.played_game import Names

T = TypeVar("T")
_MOST = 2**53
"""Larger numbers are no longer exact in a mean."""
_LONGEST = 2048
"""The most characters of a text that are shown, as many as a record keeps."""
_NOBODY = -1
"""The seat under which a reason is about the whole game."""
_AGAIN = "again"
"""In the place of a kind of fault, it precedes the milliseconds that were given back to a seat's replies."""
_MILLISECONDS = re.compile(r"\d{1,12}", re.ASCII)
_LUCK = "luck"
"""In the place of a kind of fault, it precedes the luck of a seat."""
_PROBE = "probe"
"""In the place of a kind of fault, it precedes the counts of the probe at a seat."""
_COUNTS = re.compile(r"\d{1,12}(?: \d{1,12}){6}", re.ASCII)
_POINTS = re.compile(r"-?\d{1,9}\.\d{6}", re.ASCII)
SHORT = "short"
"""Among a game's reasons, it precedes what this machine ran out of when its batch was tried before."""
SHADOW = "shadow"
"""Among a game's reasons, it says that the game was copied from another of its deal."""
_BATCH = re.compile(r"\d{6,12}-[0-9a-f]{12}\.records\.gz")

Number = Annotated[int, msgspec.Meta(ge=-_MOST, le=_MOST)]
Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
Bucket = Annotated[int, msgspec.Meta(ge=0, le=1000)]
_NUMBERS = msgspec.json.Decoder(tuple[Number, ...]).decode
kinds = msgspec.json.Decoder(tuple[str, ...]).decode
"""Return the kind of fault at each seat, empty for none."""
_ALL_NUMBERS = msgspec.json.Decoder(tuple[Number, ...]).decode_lines
_FLAGS = msgspec.json.Decoder(tuple[bool, ...]).decode
histograms = msgspec.json.Decoder(tuple[tuple[tuple[Bucket, Count], ...], ...]).decode
"""Return the thinking times at each seat."""
_ALL_HISTOGRAMS = msgspec.json.Decoder(tuple[tuple[tuple[Bucket, Count], ...], ...]).decode_lines
_CUT = Outcome.FORFEIT.value.encode()
_NONE = b"[]"
_encode_lines = msgspec.json.Encoder().encode_lines
_WHYS = msgspec.json.Decoder(tuple[tuple[int, str, str], ...]).decode


class BadRow(ValueError):
    """A row that only a stranger can have written; the message says why."""


def values(games: Sequence[PlayedGame], batch: int) -> list[tuple[Any, ...]]:
    """Return the games of a batch as rows; what is by seat has an item for every seat, or none.

    Whole columns are converted at once, which is faster.
    """
    return [
        *zip(
            [" ".join(game.pairing) for game in games],
            [game.deal for game in games],
            [" ".join(game.seating) for game in games],
            itertools.repeat(batch),
            itertools.count(),
            _texts([game.scores for game in games]),
            _texts([game.ranks for game in games]),
            _texts([_kinds_by_seat(game) if game.faults else () for game in games]),
            _texts([_flags(game) if game.assisted else () for game in games]),
            _texts([*map(_reasons, games)]),
            _texts([game.times for game in games]),
            [game.outcome.value for game in games],
            [game.decisions for game in games],
            [game.seconds for game in games],
            strict=False,
        )
    ]


def _texts(values: Sequence[object]) -> list[str]:
    """Write each value as JSON, ended by a line feed, which cannot occur inside."""
    return _encode_lines(values).decode().split("\n")[:-1]


def _kinds_by_seat(game: PlayedGame) -> list[str]:
    """List the kind of fault at each seat."""
    faulted = {seat: fault.kind.value for seat, fault in game.faults}
    return [faulted.get(seat, "") for seat in range(len(game.seating))]


def _flags(game: PlayedGame) -> list[bool]:
    """List the seats whose partner was replaced by a stand-in."""
    return [seat in game.assisted for seat in range(len(game.seating))]


def _reasons(game: PlayedGame) -> list[tuple[int, str, str]]:
    """List the reasons of a game or of its seats in words; most games have none."""
    if not (game.faults or game.void or game.shadow or game.short or game.luck or game.again or game.probed):
        return []
    return [
        *((seat, fault.kind.value, fault.why) for seat, fault in game.faults),
        *([(_NOBODY, game.outcome.value, game.void)] if game.void else []),
        *([(_NOBODY, SHADOW, "")] if game.shadow else []),
        *([(_NOBODY, SHORT, game.short)] if game.short else []),
        *((seat, _LUCK, f"{gain:.6f}") for seat, gain in enumerate(game.luck)),
        *((seat, _AGAIN, str(round(spent * 1000))) for seat, spent in enumerate(game.again) if spent),
        *((seat, _PROBE, " ".join(map(str, probed))) for seat, probed in enumerate(game.probed)),
    ]


def digest(kept: Iterable[Sequence[Any]]) -> str:
    """Return SHA-256 of rows, without the batch's number."""
    listed = [(*row[:3], *row[4:]) for row in kept]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def burnt(games: Iterable[PlayedGame]) -> dict[str, float]:
    """Return how many seconds of CPU time each entry used in some games while others were on turn."""
    spent = dict[str, float]()
    for game in games:
        for name, seconds in zip(game.seating, game.burnt, strict=False):
            if seconds:
                spent[name] = spent.get(name, 0.0) + seconds
    return spent


def mark(games: Sequence[PlayedGame]) -> str:
    """Return a batch's name, derived from its games: playing it again overwrites what was never committed."""
    what = [(game.pairing, game.deal, game.seating) for game in games]
    return hashlib.sha256(repr(what).encode()).hexdigest()[:12]


def game(columns: Sequence[Any]) -> PlayedGame:
    """Return a game from the values of its columns; raise BadRow, or another ValueError, if they are invalid."""
    pairing, deal, seating, scores, ranks, faults, assisted, whys, times, outcome, decisions, seconds, *_ = columns
    seated = names(seating)
    reasons = _WHYS(whys)
    if not 1 <= deal <= _MOST:
        raise BadRow(f"there is no deal {deal}")
    if (scores == "[]") != (ranks == "[]"):
        raise BadRow("it has scores and no ranks, or ranks and no scores")
    return PlayedGame(
        pairing=names(pairing),
        deal=deal,
        seating=seated,
        scores=_of_each(_NUMBERS(scores), seated),
        ranks=_of_each(_NUMBERS(ranks), seated),
        faults=() if faults == "[]" else _faults(_of_each(kinds(faults), seated), reasons),
        assisted=tuple(seat for seat, flag in enumerate(_of_each(_FLAGS(assisted), seated)) if flag),
        times=_of_each(histograms(times), seated),
        outcome=Outcome(outcome),
        void=next((printable(why) for seat, kind, why in reasons if (seat, kind) == (_NOBODY, outcome)), ""),
        shadow=(_NOBODY, SHADOW, "") in reasons,
        luck=_luck(reasons, len(seated)),
        decisions=decisions,
        seconds=seconds,
        again=_again(reasons, len(seated)),
        probed=_probed(reasons, len(seated)),
        short=next((printable(why) for seat, kind, why in reasons if (seat, kind) == (_NOBODY, SHORT)), ""),
    )


def lists(found: Sequence[Sequence[Any]]) -> Lists:
    """Return many games at once, with texts as bytes; the first columns, which say where a game is, are left out."""
    pairings, deals, seatings, scores, ranks, faults, assisted, whys, times, outcomes = zip(*found, strict=True)
    if not 1 <= min(deals) <= max(deals) <= _MOST:
        raise BadRow(f"there is no deal {min(deals) if min(deals) < 1 else max(deals)}")
    for outcome in set(outcomes):
        Outcome(outcome.decode())
    seated = [*map(_names_of, seatings)]
    reasons = {place: _WHYS(text) for place, text in enumerate(whys) if text != _NONE}
    gains = {place: _luck(told, len(seated[place])) for place, told in reasons.items()}
    return Lists(
        [*map(_names_of, pairings)],
        deals,
        seated,
        _by_seat(_ALL_NUMBERS(b"\n".join(scores)), seated),
        _by_seat(_ALL_NUMBERS(b"\n".join(ranks)), seated),
        [*map(_of_each, _ALL_HISTOGRAMS(b"\n".join(times)), seated)],
        faults={
            place: _faults(_of_each(kinds(text), seated[place]), reasons.get(place, ()))
            for place, text in enumerate(faults)
            if text != _NONE
        },
        assisted={
            place for place, text in enumerate(assisted) if text != _NONE and any(_of_each(_FLAGS(text), seated[place]))
        },
        cut={place for place, outcome in enumerate(outcomes) if outcome == _CUT},
        luck={place: gained for place, gained in gains.items() if gained},
    )


def _by_seat(found: Sequence[tuple[int, ...]], seated: Sequence[Names]) -> Sequence[tuple[int, ...]]:
    """Return values by seat, for every seat of every game."""
    if [*map(len, found)] != [*map(len, seated)]:
        raise BadRow("there are not as many values as seats")
    return found


def name(text: str) -> str:
    """Return a player's name; raise BadRow if it is invalid."""
    if not good_name(text):
        raise BadRow(f"{text!r:.80} is no name")
    return text


def batch(text: str) -> str:
    """Return the name of a batch's file; raise BadRow if it is invalid, such as a path that leads elsewhere."""
    if not _BATCH.fullmatch(text):
        raise BadRow(f"{text!r:.80} is no file of records")
    return text


def printable(text: str) -> str:
    """Return a text in a form that is safe for a terminal, no longer than a record keeps it."""
    return terminal.printable(text[:_LONGEST])


@functools.lru_cache(1 << 16)
def _names_of(text: bytes) -> Names:
    """Return the names in a text's bytes. Cached, because a tournament has few tables."""
    return names(text.decode("utf-8", "replace"))


@functools.lru_cache(1 << 14)
def names(text: str) -> Names:
    """Return the names in a text, the same object for the same text, because a tournament has few tables."""
    return tuple(map(name, text.split()))


def _of_each(found: tuple[T, ...], seated: Names) -> tuple[T, ...]:
    """Return values by seat, for every seat or for none."""
    if found and len(found) != len(seated):
        raise BadRow(f"{len(found)} values for {len(seated)} seats")
    return found


def _faults(faulted: Sequence[str], whys: Sequence[tuple[int, str, str]]) -> tuple[PlayerFault, ...]:
    causes = {seat: printable(why) for seat, kind, why in whys if kind not in {_AGAIN, _LUCK, _PROBE}}
    return tuple(
        PlayerFault(seat, Fault(Kind(kind), causes.get(seat, ""))) for seat, kind in enumerate(faulted) if kind
    )


def _again(whys: Sequence[tuple[int, str, str]], seats: int) -> tuple[float, ...]:
    """Return the seconds given back to replies, for every seat or for none."""
    told = {seat: int(text) / 1000 for seat, kind, text in whys if kind == _AGAIN and _MILLISECONDS.fullmatch(text)}
    return tuple(told.get(seat, 0.0) for seat in range(seats)) if told else ()


def _luck(whys: Sequence[tuple[int, str, str]], seats: int) -> tuple[float, ...]:
    """Return the luck of every seat, or of none."""
    told = {seat: float(text) for seat, kind, text in whys if kind == _LUCK and _POINTS.fullmatch(text)}
    return tuple(told.get(seat, 0.0) for seat in range(seats)) if told else ()


def _probed(whys: Sequence[tuple[int, str, str]], seats: int) -> tuple[Probed, ...]:
    """Return what the probe found at every seat, or at none."""
    told = {seat: text for seat, kind, text in whys if kind == _PROBE and _COUNTS.fullmatch(text)}
    found = {seat: Probed(*map(int, text.split())) for seat, text in told.items()}
    return tuple(found.get(seat, Probed()) for seat in range(seats)) if found else ()
