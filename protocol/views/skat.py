"""What a player of Skat may see: the auction, the contract, the skat to whom it is known, the tricks."""

from __future__ import annotations

from croupier.protocol.skat import PACK, after_picking_up
from croupier.protocol.views.view import CARDS, FORMS, NUMBER, SYMBOL, SYMBOLS, TABLE, TRICK, TRICKS, View, once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import ClassVar

    from croupier.protocol.views.view import Field, Play

    Cards = Sequence[str]


class SkatSight:
    """What is to be seen at a play of a card.

    ``may`` is what may be played, ``out`` what others hold or what lies in a skat that one does not know; ``players``
    are those who have played to the trick, in order.
    """

    __slots__ = ("declarer", "game", "hand", "may", "me", "out", "players", "trick")

    def __init__(
        self, game: str, who: tuple[str, str | None], hand: Cards, may: Cards, out: Cards, trick: Cards, players: Cards
    ) -> None:
        self.game = game
        self.me, self.declarer = who
        self.hand = hand
        self.may = may
        self.out = out
        self.trick = trick
        self.players = players


class SkatView(View):
    """What one seat may know of a game of Skat.

    ``position`` is None for the dealer who sits out of four. ``bids`` is every call so far, in order: ``(NAME, N)``,
    ``(NAME, "hold")`` or ``(NAME, "pass")``. ``contract`` is the game, then the words that hold of ``hand``,
    ``schneider``, ``schwarz``, ``ouvert``; ``("ramsch",)`` after all passed. ``contra`` is what those asked said:
    ``(NAME, "contra")``, ``(NAME, "re")`` or ``(NAME, "pass")``. ``skat`` is what the declarer found, when ``hand``
    has all twelve cards, and from the declaration on what he put down. ``points`` are in the tricks of one's own side.
    """

    GAME = "skat"
    BIDDING = ("bid", "skat", "declare", "contra")
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "tally": TABLE,
        "position": SYMBOL,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "bids": FORMS,
        "declarer": SYMBOL,
        "contract": SYMBOLS,
        "contra": FORMS,
        "skat": CARDS,
        "open": CARDS,
        "points": NUMBER,
    }

    @property
    def bid(self) -> int:
        """The highest value that was bid, 0 while there is none."""
        return max([call for _, call in self.bids if call.__class__ is int], default=0)

    @once
    def sight(self) -> SkatSight:
        """Show the play of a card at a glance."""
        hand, trick = self.hand, self.trick.cards
        seen = {*hand, *(self.skat or ()), *trick, *[card for trick in self.tricks for card in trick.cards]}
        out = tuple([card for card in PACK if card not in seen])
        may = tuple([play[1] for play in self.legal])
        return SkatSight(self.contract[0], (self.me, self.declarer), hand, may, out, trick, self._trick_players())

    def _trick_players(self) -> tuple[str, ...]:
        """Return who has played to the trick; all who play have spoken in the auction."""
        if not self.trick:
            return ()
        playing = {name for name, _ in self.bids}
        names = [name for name in self.players if name in playing]
        place = names.index(self.trick.leader)
        return (*names[place:], *names[:place])[: len(self.trick)]

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; those of putting two of twelve cards down too, which STATE leaves out."""
        if self.legal is None and self.phase == "declare" and len(self.hand) == 12:
            return after_picking_up(self.hand, self.bid if self.options["impossible-null"] == "reject" else 0)
        return super().legal_plays()


VIEW = SkatView
