"""What is said in Skat: its plays with the phases to which each belongs, and the auction.

Middlehand bids to forehand, then rearhand to the player who remains (ISkO 3.3).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from croupier.protocol.skat import VALUES
from croupier.server.games.game import IllegalPlay, UnknownPlay
from croupier.server.games.skat.contract import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.games.game import Play

FOREHAND, MIDDLEHAND, REARHAND = range(3)
POSITIONS = ("forehand", "middlehand", "rearhand")

PLAYS: Mapping[str, str] = {
    "(bid N)": "bid a value, more than the last",
    "(hold)": "hold what was bid",
    "(pass)": "leave the auction; with contra=yes, say nothing to the game",
    "(pick-up)": "take the skat into the hand",
    "(hand)": "leave the skat",
    "(declare GAME C C [ouvert])": "put two cards down and play clubs, spades, hearts, diamonds, grand or null",
    "(declare GAME [schneider] [schwarz] [ouvert])": "the same from the hand; implied words may be left out",
    "(contra)": "double the game as a defender (contra=yes)",
    "(re)": "double it again as the declarer (contra=yes)",
    "(play C)": "play a card",
}

PASS: Play = ("pass",)
HOLD: Play = ("hold",)
PICK_UP: Play = ("pick-up",)
HAND: Play = ("hand",)
CONTRA: Play = ("contra",)
RE: Play = ("re",)

PHASES: dict[Play, tuple[str, ...]] = {
    **{("bid", value): ("bid",) for value in VALUES},
    HOLD: ("bid",),
    PASS: ("bid", "contra"),
    PICK_UP: ("skat",),
    HAND: ("skat",),
    CONTRA: ("contra",),
    RE: ("contra",),
}
"""The phases of every play, except declarations and cards."""

_ABOVE: dict[int, tuple[Play, ...]] = {
    value: (*(("bid", higher) for higher in VALUES if higher > value), PASS) for value in (0, *VALUES)
}
_TO_HOLD: tuple[Play, ...] = (HOLD, PASS)
_ALONE: tuple[Play, ...] = (("bid", VALUES[0]), PASS)


# cached because the same plays come in every hand, and it goes through several tables
@lru_cache(4096)
def phases(play: Play) -> tuple[str, ...]:
    """Return the phases of a play; raise UnknownPlay if it has none in this game."""
    if known := PHASES.get(play):
        return known
    match play:
        case ("declare", *_):
            Declaration.read(play)
            return ("declare",)
        case ("bid", int(value)):
            raise UnknownPlay(f"{value} is not the value of any game, so it cannot be bid")
        case _:
            raise UnknownPlay(f"not a play of Skat; its plays: {' '.join(PLAYS)}")


class Auction:
    """A state of the auction: who bids to whom, and at what value. Equal states are the same object.

    Seats here are places: forehand 0, middlehand 1, rearhand 2. ``bidder`` is None while forehand decides alone.
    ``turn`` is the place to speak, None once the auction is settled; then ``declarer`` is the place that plays at
    ``value``, None if all passed. ``legal`` are the calls of the place on turn.
    """

    def __init__(
        self,
        bidder: int | None = MIDDLEHAND,
        hearer: int = FOREHAND,
        value: int = 0,
        turn: int | None = MIDDLEHAND,
        declarer: int | None = None,
    ) -> None:
        self.bidder = bidder
        self.hearer = hearer
        self.value = value
        self.turn = turn
        self.declarer = declarer
        self.legal = _ALONE if bidder is None else _ABOVE[value] if turn == bidder else _TO_HOLD
        self._next: dict[Play, Auction] = {}

    @property
    def after(self) -> Mapping[Play, Auction]:
        """Return the auction after each legal call, computed once."""
        if not self._next:
            self._next = {play: self._after(play) for play in self.legal}
        return self._next

    def check(self, play: Play) -> None:
        """Raise IllegalPlay unless the place on turn may say this: a bid of one of the values, hold or pass."""
        if play in self.after:
            return
        if play == HOLD:
            raise IllegalPlay("only the player who is bid to can hold")
        if self.bidder is None:
            raise IllegalPlay(f"with all others out, forehand plays at {VALUES[0]} or passes")
        if self.turn != self.bidder:
            raise IllegalPlay(f"the player who is bid to holds {self.value} or passes")
        raise IllegalPlay(f"a bid must be more than {self.value}")

    def _after(self, play: Play) -> Auction:
        said: Any = play[-1]
        if said == "pass":
            return self._without_turn()
        if said == "hold":
            return _standing(self.bidder, self.hearer, self.value, self.bidder)
        if self.bidder is None:
            return _standing(None, FOREHAND, said, None, FOREHAND)
        return _standing(self.bidder, self.hearer, said, self.hearer)

    def _without_turn(self) -> Auction:
        """Let the remaining player of the pair hear rearhand, play, or, if nothing was bid, decide alone."""
        if self.bidder is None:
            return _standing(None, FOREHAND, 0, None)
        left = self.hearer if self.turn == self.bidder else self.bidder
        if REARHAND not in {self.bidder, self.hearer}:
            return _standing(REARHAND, left, self.value, REARHAND)
        if self.value:
            return _standing(self.bidder, self.hearer, self.value, None, left)
        return _standing(None, FOREHAND, 0, FOREHAND)


# cached so that equal states are one object: its legal calls and successors are computed once
_standing = cache(Auction)
OPENING = Auction()
