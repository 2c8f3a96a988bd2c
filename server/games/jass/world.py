"""What a search asks of Jass: what cards are worth, and what others may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.jass.contracts import PACK
from croupier.server.games.jass.retelling import JassRetelling
from croupier.server.games.tricks_world import TrickWorld

if TYPE_CHECKING:
    from random import Random

    from croupier.server.games.hands import Hand
    from croupier.server.games.jass.game import Jass


class JassWorld(TrickWorld):
    """Jass as a search has it."""

    game: Jass
    RETELLING = JassRetelling

    def worth(self, card: str) -> int:
        """Return a card's points by this hand's trump."""
        game = self.game
        return game.contract.points[card]

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Let those have Stöcke who have been dealt both cards of it now."""
        game = self.game
        if game.options["stoeck"] == "yes" and game.phase != "trump":
            held = game.hands[:]
            for player, card in game.played():
                held[player] += PACK.units[card]
            game.stoecke = game.pair_of_stoecke(held)

    def known(self, seat: int, other: int) -> Hand:
        """Return what another has shown and still holds."""
        game = self.game
        return (game.shown[other] or 0) & game.hands[other]

    def lacking(self, before: tuple[str, ...], card: str) -> Hand:
        """Return what a card shows its player not to hold: the suit led, or all but undertrumps."""
        game = self.game
        return game.contract.lacking(before, card) if before else 0
