"""Poverty: a player with three trumps or fewer offers them around, and the taker gives as many cards back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.games.doppelkopf.contracts import NORMAL_TRUMPS, PACK
from croupier.server.games.game import IllegalPlay, UnknownPlay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand


class Poverty(NamedTuple):
    """The poor player's offer, who took it, and what was given back."""

    poor: int
    offered: Hand
    taker: int | None = None
    returned: Hand | None = None

    def contract(self, players: Sequence[str]) -> Sexp:
        """Return the public part: how many trumps were offered, and how many of the returned cards are trumps."""
        taker = () if self.taker is None else (players[self.taker],)
        back = () if self.returned is None else (PACK.count(self.returned & NORMAL_TRUMPS),)
        return ("poverty", players[self.poor], PACK.count(self.offered), *taker, *back)

    def cards_given_by(self, seat: int) -> tuple[str, ...] | None:
        """Return the cards that a seat gave away, None if none."""
        cards = {self.taker: self.returned, self.poor: self.offered}.get(seat)
        return None if cards is None else PACK.cards[cards]

    def cards_received_by(self, seat: int) -> tuple[str, ...] | None:
        """Return the cards that a seat was given, None if none."""
        cards = {self.taker: self.offered, self.poor: self.returned}.get(seat)
        return None if cards is None else PACK.cards[cards]

    def check_exchange(self, hand: Hand, play: Play) -> None:
        """Raise IllegalPlay unless the taker may give these cards of his hand back."""
        cards = play[1:]
        if not all(card in PACK.units for card in cards):
            raise UnknownPlay("cards are given back as (exchange C ...)")
        if len(cards) != (count := PACK.count(self.offered)):
            raise IllegalPlay(f"as many cards go back as were taken: {count}, not {len(cards)}")
        held = PACK.cards[hand]
        for card in cards:
            if cards.count(card) > held.count(str(card)):
                raise IllegalPlay(f"{card} is not in the hand as often")
