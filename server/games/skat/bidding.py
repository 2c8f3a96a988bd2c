"""The auction of Skat: middlehand bids to forehand, then rearhand to the one who is left (ISkO 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.protocol.skat import VALUES
from croupier.server.games.game import IllegalPlay

if TYPE_CHECKING:
    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Play

FOREHAND, MIDDLEHAND, REARHAND = range(3)

PASS: Play = ("pass",)
HOLD: Play = ("hold",)

_ABOVE: dict[int, tuple[Play, ...]] = {
    value: (*(("bid", higher) for higher in VALUES if higher > value), PASS) for value in (0, *VALUES)
}
_TO_HOLD: tuple[Play, ...] = (HOLD, PASS)
_ALONE: tuple[Play, ...] = (("bid", VALUES[0]), PASS)
_HIGHER = {value: frozenset(calls) for value, calls in _ABOVE.items()}


class Auction(NamedTuple):
    """Who bids to whom, at what value.

    Seats here are places: forehand 0, middlehand 1, rearhand 2. ``bidder`` is None while forehand decides alone.
    ``turn`` is the place to speak, None once it is settled; then ``declarer`` is the place that plays at ``value``,
    None if all passed. ``calls`` lists the places with what they said.
    """

    bidder: int | None = MIDDLEHAND
    hearer: int = FOREHAND
    value: int = 0
    turn: int | None = MIDDLEHAND
    declarer: int | None = None
    calls: tuple[tuple[int, Atom], ...] = ()

    def legal(self) -> tuple[Play, ...]:
        """List the calls of the place on turn."""
        if self.bidder is None:
            return _ALONE
        return _ABOVE[self.value] if self.turn == self.bidder else _TO_HOLD

    def allows(self, play: Play) -> bool:
        """Tell whether the place on turn may say this."""
        if self.bidder is None:
            return play in _ALONE
        return play in (_HIGHER[self.value] if self.turn == self.bidder else _TO_HOLD)

    def check(self, play: Play) -> None:
        """Raise IllegalPlay unless the place on turn may say this: a bid of one of the values, hold or pass."""
        if play == PASS:
            return
        if play == HOLD:
            if self.bidder is None or self.turn == self.bidder:
                raise IllegalPlay("only the player who is bid to can hold")
        elif self.bidder is None:
            if play != _ALONE[0]:
                raise IllegalPlay(f"with all others out, forehand plays at {VALUES[0]} or passes")
        elif self.turn != self.bidder:
            raise IllegalPlay(f"the player who is bid to holds {self.value} or passes")
        elif play not in _HIGHER[self.value]:
            raise IllegalPlay(f"a bid must be more than {self.value}")

    def after(self, place: int, play: Play) -> Auction:
        """Return the auction after a call of the place on turn that `check` allows."""
        said: Any = play[-1]
        calls = (*self.calls, (place, said))
        if said == "pass":
            return self._without(place, calls)
        if said == "hold":
            return Auction(self.bidder, self.hearer, self.value, self.bidder, None, calls)
        if self.bidder is None:
            return Auction(None, FOREHAND, said, None, FOREHAND, calls)
        return Auction(self.bidder, self.hearer, said, self.hearer, None, calls)

    def _without(self, place: int, calls: tuple[tuple[int, Atom], ...]) -> Auction:
        """Let the one who is left of the pair hear rearhand, play, or, if nothing was bid, decide alone."""
        if self.bidder is None:
            return Auction(None, FOREHAND, 0, None, None, calls)
        left = self.hearer if place == self.bidder else self.bidder
        if REARHAND not in {self.bidder, self.hearer}:
            return Auction(REARHAND, left, self.value, REARHAND, None, calls)
        if self.value:
            return Auction(self.bidder, self.hearer, self.value, None, left, calls)
        return Auction(None, FOREHAND, 0, FOREHAND, None, calls)


OPENING = Auction()
