"""Reservations: who is healthy, and which of several reservations is played.

Only the winning one is named; what the others wanted to play stays secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.doppelkopf import OLD_QUEEN
from croupier.server.games.doppelkopf.contracts import NORMAL_TRUMPS, OLD_QUEENS, PACK
from croupier.server.games.doppelkopf.plays import HEALTHY, POVERTY, SOLO_PLAYS, WEDDING
from croupier.server.games.game import IllegalPlay

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand

POOR = 3
"""The most trumps that a player may hold to declare poverty."""


def may_marry(hand: Hand) -> bool:
    """Return whether a hand has both queens of clubs."""
    return hand & OLD_QUEENS == 2 * PACK.units[OLD_QUEEN]


def is_poor(hand: Hand) -> bool:
    """Return whether a hand has three trumps or fewer."""
    return PACK.count(hand & NORMAL_TRUMPS) <= POOR


def allowed_plays(hand: Hand, options: Mapping[str, object]) -> Sequence[Play]:
    """List what a player with this hand may declare."""
    plays = [HEALTHY]
    if may_marry(hand):
        plays.append(WEDDING)
    if options["poverty"] == "yes" and is_poor(hand):
        plays.append(POVERTY)
    return (*plays, *SOLO_PLAYS)


def check(hand: Hand, play: Play, options: Mapping[str, object]) -> None:
    """Raise IllegalPlay with the reason why a player with this hand may not declare this."""
    if play == WEDDING and not may_marry(hand):
        raise IllegalPlay("a wedding needs both queens of clubs")
    if play == POVERTY and options["poverty"] != "yes":
        raise IllegalPlay("poverty is not played at this table")
    if play == POVERTY and not is_poor(hand):
        raise IllegalPlay(f"poverty is for {POOR} trumps or fewer")


def weight(seat: int, play: Play, owing: Collection[int]) -> int:
    """Rank a reservation: a duty solo, then any other solo, then poverty, then the wedding."""
    if play[0] == "solo":
        return 4 if seat in owing else 3
    return 2 if play == POVERTY else 1


def winning(said: Sequence[tuple[int, Play]], owing: Collection[int]) -> tuple[int, Play] | None:
    """Return the seat and the reservation that is played, the first of the highest; None if all are healthy."""
    reserved = [(seat, play) for seat, play in said if play != HEALTHY]
    return max(reserved, key=lambda one: weight(one[0], one[1], owing), default=None)


def cannot_be_solo(said: Sequence[tuple[int, Play]], won: tuple[int, Play], owing: Collection[int]) -> tuple[int, ...]:
    """List the seats whose losing reservation was certainly not a solo, because that would have won."""
    winner, play = won
    earlier = True
    lost = []
    for seat, word in said:
        if seat == winner:
            earlier = False
        elif word != HEALTHY and weight(seat, SOLO_PLAYS[0], owing) >= weight(winner, play, owing) + (not earlier):
            lost.append(seat)
    return tuple(lost)
