"""Moment: a recorded game at a moment, numbered as in the viewer, ready to be continued."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol import record as lines
from croupier.server.deals import Continued, Key, Proven
from croupier.server.records.replay import Invalid, Replay, ReplayedPlay
from croupier.server.table import messages
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.resumed_game import ResumedGame
from croupier.server.viewer.page_data import page_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.notifications import Notification
    from croupier.server.games.game import Game

    Find = Callable[[str], type[Game]]

HERE = "; played on from here"


class NoMoment(ValueError):
    """A moment from which the game cannot be continued; the message says why."""


def game_at(text: str, find: Find, number: int) -> ResumedGame:
    """Return a recorded game at a moment; raise NoMoment, or Invalid if the record breaks the rules before it."""
    begun = game_after(_before(text, find, number), find)
    if begun is None:
        raise NoMoment(f"at #{number} the game is over")
    return begun


def game_after(before: str, find: Find) -> ResumedGame | None:
    """Return the game after the lines of a record that was cut there; None if it is over.

    Raise Invalid if the lines break the rules.
    """
    deal = Continued()
    replay = Replay(before, find, deal=deal)
    opening, told, faults = replay.game.copy(), [], []
    last: ReplayedPlay | None = None
    for step in replay.steps():
        told += _after(replay, last)
        last = step if isinstance(step, ReplayedPlay) else None
        if not isinstance(step, ReplayedPlay):
            told.append((messages.fault(replay.game.players[step.seat], step.kind), step.seat))
            faults.append(PlayerFault(step.seat, Fault(Kind(step.kind), step.why)))
    told += _after(replay, last)
    if replay.game.turn is None or replay.offenders - replay.standing_in:
        return None
    return ResumedGame(opening, replay.game, deal, told, faults, frozenset(replay.standing_in), before.splitlines())


def _after(replay: Replay, step: ReplayedPlay | None) -> list[tuple[Notification, int | None]]:
    if step is None:
        return []
    return [*messages.after(replay.game, step.seat, step.seen, step.attack, replay.news)]


def _before(text: str, find: Find, number: int) -> str:
    """Return a record's lines up to a moment, including the shuffles and the stand-in that result from it."""
    moments = page_data(Replay(text, find), seat=0)["moments"]
    if number >= len(moments):
        raise NoMoment(f"there is no #{number}; the moments are #0, the deal, to #{len(moments) - 1}")
    line = moments[number][1]
    if number and not line:
        raise NoMoment(f"at #{number} the game is over")
    last = 0
    for at_, value in lines.read(text):
        follows = isinstance(value, lines.Shuffled | lines.StandIn)
        decided = isinstance(value, lines.Played | lines.Attacked | lines.Defense | lines.Faulted)
        if at_ > line and not follows and (line or decided):
            break
        last = at_
    return "\n".join(text.split("\n")[:last]) + "\n"


def key_of(text: str, find: Find) -> Key | None:
    """Return the record's key, if it gives every shuffle in it; None otherwise.

    A deal of a tournament may have its own key, derived from the one in the record. A public text that was mixed in is
    not in the record; then the key alone gives other shuffles.
    """
    found = [value for _, value in lines.read(text) if isinstance(value, lines.KeyLine | lines.DealLine)]
    match found:
        case [lines.DealLine(number), lines.KeyLine(secret)]:
            keys = [Key(bytes.fromhex(secret), by_deal=by_deal) for by_deal in (False, True)]
        case _:
            return None
    return next((key for key in keys if _gives(key, number, text, find)), None)


def _gives(key: Key, number: int, text: str, find: Find) -> bool:
    """Return whether a key gives every shuffle of a record."""
    try:
        for _ in Replay(text, find, deal=Proven(key.deal(number))).steps():
            pass
    except Invalid:
        return False
    return True
