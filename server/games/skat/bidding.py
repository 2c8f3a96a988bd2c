"""The auction of Skat: middlehand bids to forehand, then rearhand to the one who is left (ISkO 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from croupier.protocol.skat import VALUES
from croupier.server.games.game import IllegalPlay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.games.game import Play

FOREHAND, MIDDLEHAND, REARHAND = range(3)

PASS: Play = ("pass",)
HOLD: Play = ("hold",)

_ABOVE: dict[int, tuple[Play, ...]] = {
    value: (*(("bid", higher) for higher in VALUES if higher > value), PASS) for value in (0, *VALUES)
}
_TO_HOLD: tuple[Play, ...] = (HOLD, PASS)
_ALONE: tuple[Play, ...] = (("bid", VALUES[0]), PASS)


@dataclass(frozen=True)
class Auction:
    """Who bids to whom, at what value, and how that goes on: wherever auctions stand alike, the same object.

    Seats here are places: forehand 0, middlehand 1, rearhand 2. ``bidder`` is None while forehand decides alone.
    ``turn`` is the place to speak, None once it is settled; then ``declarer`` is the place that plays at ``value``,
    None if all passed.
    """

    bidder: int | None = MIDDLEHAND
    hearer: int = FOREHAND
    value: int = 0
    turn: int | None = MIDDLEHAND
    declarer: int | None = None

    @cached_property
    def legal(self) -> tuple[Play, ...]:
        """List the calls of the place on turn."""
        if self.bidder is None:
            return _ALONE
        return _ABOVE[self.value] if self.turn == self.bidder else _TO_HOLD

    @cached_property
    def after(self) -> Mapping[Play, Auction]:
        """Return the auction after each call that is legal."""
        return {play: self._after(play) for play in self.legal}

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
        """Let the one who is left of the pair hear rearhand, play, or, if nothing was bid, decide alone."""
        if self.bidder is None:
            return _standing(None, FOREHAND, 0, None)
        left = self.hearer if self.turn == self.bidder else self.bidder
        if REARHAND not in {self.bidder, self.hearer}:
            return _standing(REARHAND, left, self.value, REARHAND)
        if self.value:
            return _standing(self.bidder, self.hearer, self.value, None, left)
        return _standing(None, FOREHAND, 0, FOREHAND)


_standing = cache(Auction)
OPENING = Auction()
