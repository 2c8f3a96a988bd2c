"""What a search asks of Skat: what bots look at in the play, who plays together, and what others may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from croupier.protocol.skat import POINTS
from croupier.protocol.views.skat import SkatSight, SkatView
from croupier.server.games.glance import Glance
from croupier.server.games.skat.contract import PACK
from croupier.server.games.skat.retelling import SkatRetelling
from croupier.server.games.tricks_world import TrickWorld

if TYPE_CHECKING:
    from random import Random

    from croupier.protocol.views.view import View
    from croupier.server.games.hands import Hand
    from croupier.server.games.skat.game import Skat


class SkatGlance(Glance, SkatView):
    """A `SkatView` at a glance."""


class SkatWorld(TrickWorld):
    """Skat as a search has it."""

    game: Skat
    RETELLING = SkatRetelling

    def worth(self, card: str) -> int:
        """Return a card's points."""
        return POINTS[card]

    def glance(self, seat: int) -> View:
        """Return what a seat may know; the play of a card for a bot, all else when it is asked for."""
        game = self.game
        contract = game.contract
        if game.phase != "play" or seat != game.turn or contract is None:
            return game.view(seat)
        names, declarer, cards, hand = game.players, game.declarer, PACK.cards.of, game.hands[seat]
        out = sum(game.hands) - hand + (0 if game.picked_up and seat == declarer else game.skat)
        who = names[seat], None if declarer is None else names[declarer]
        trick, players = game.trick, [names[who] for who in game.around[game.leader][: len(game.trick)]]
        may = cards(game.playable(seat))
        sight = SkatSight(contract.game, who, cards(hand), may, cards(out), trick, players)
        return SkatGlance(game, seat, sight)

    def allies(self, seat: int) -> tuple[int, ...]:
        """Return the declarer, or those who play against him; the dealer who sits out wins nothing."""
        game = self.game
        return game.side(seat) if seat in game.active else game.side(game.active[0])

    def known(self, seat: int, other: int) -> Hand:
        """Return an open hand."""
        game = self.game
        return game.hands[other] if game.lies_open and other == game.declarer else 0

    def hidden(self, seat: int) -> list[Hand]:
        """Return the skat, to all but who picked it up."""
        game = self.game
        return [] if seat == game.declarer and game.picked_up else [game.skat]

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Put other cards in the skat."""
        game = self.game
        if piles:
            (game.skat,) = piles

    def determinize(self, seat: int, rng: Random) -> Self:
        """Let the declarer have had what he holds in the copy, beside what he has played."""
        game = self.game
        twin = super().determinize(seat, rng)
        if (declarer := game.declarer) is not None:
            now = twin.game
            now.twelve += now.hands[declarer] + now.skat - game.hands[declarer] - game.skat
        return twin
