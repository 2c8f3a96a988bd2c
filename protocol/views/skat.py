"""A Skat player's knowledge: the auction, the contract, the skat if the player knows it, the tricks."""

from __future__ import annotations

from croupier.protocol.skat import GAMES, PACK, after_picking_up
from croupier.protocol.views.view import CARDS, FORMS, NUMBER, PLAYER, SYMBOL, SYMBOLS, TABLE, TRICK, TRICKS, View, once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import ClassVar

    from croupier.protocol.views.view import Field, Play

    Cards = Sequence[str]


class SkatSight:
    """The facts needed to play a card.

    ``may`` are the cards that may be played, ``out`` those that others hold or that lie in an unknown skat. ``seats``
    are the three who play, this player first; ``tricks`` are who led and the cards, the last one perhaps unfinished.
    """

    __slots__ = ("declarer", "game", "hand", "may", "me", "out", "seats", "tricks")

    def __init__(
        self,
        game: str,
        who: tuple[str, str | None],
        seats: Sequence[str],
        hand: Cards,
        may: Cards,
        out: Cards,
        tricks: Sequence[tuple[str, Cards]],
    ) -> None:
        self.game = game
        self.me, self.declarer = who
        self.seats = seats
        self.hand = hand
        self.may = may
        self.out = out
        self.tricks = tricks


class SkatView(View):
    """The knowledge of one seat in a game of Skat.

    ``position`` is None for the dealer who sits out of four. ``bids`` is every call so far, in order: ``(NAME, N)``,
    ``(NAME, "hold")`` or ``(NAME, "pass")``. ``contract`` is the game, then those of the words ``hand``, ``schneider``,
    ``schwarz``, ``ouvert`` that apply; ``("ramsch",)`` after all passed. ``contra`` lists the answers of the players
    who were asked: ``(NAME, "contra")``, ``(NAME, "re")`` or ``(NAME, "pass")``. ``skat`` is what the declarer found,
    while ``hand`` has all twelve cards, and what he put down from the declaration on. ``points`` are those in the
    tricks of the seat's own side.
    """

    GAME = "skat"
    BIDDING = ("bid", "skat", "declare", "contra")
    WORDS = (
        *("forehand", "middlehand", "rearhand", *BIDDING, "play"),
        *("hold", "pass", "pick-up", "hand", "re"),
        *(*GAMES, "ramsch", "schneider", "schwarz", "ouvert"),
    )
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "tally": TABLE,
        "position": SYMBOL,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "bids": FORMS,
        "declarer": PLAYER,
        "contract": SYMBOLS,
        "contra": FORMS,
        "skat": CARDS,
        "open": CARDS,
        "points": NUMBER,
    }

    @property
    def bid(self) -> int:
        """The highest value that was bid, 0 before the first bid."""
        return max([call for _, call in self.bids if call.__class__ is int], default=0)

    # kept with the view, because a bot's hooks ask for it several times per decision
    @once
    def sight(self) -> SkatSight:
        """Return the facts needed to play a card."""
        hand, skat = self.hand, self.skat or ()
        tricks = [(trick.leader, trick.cards) for trick in (*self.tricks, self.trick) if trick]
        seen = {*hand, *skat, *[card for _, cards in tricks for card in cards]}
        out = tuple([card for card in PACK if card not in seen])
        may = tuple([play[1] for play in self.legal])
        playing = {name for name, _ in self.bids}
        seats = [name for name in self.players if name in playing]
        mine = seats.index(self.me)
        seats = [*seats[mine:], *seats[:mine]]
        return SkatSight(self.contract[0], (self.me, self.declarer), seats, hand, may, out, tricks)

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays, even the many ways to put two of twelve cards down that STATE leaves out."""
        if self.legal is None and self.phase == "declare" and len(self.hand) == 12:
            return after_picking_up(self.hand, self.bid if self.options["impossible-null"] == "reject" else 0)
        return super().legal_plays()


VIEW = SkatView
