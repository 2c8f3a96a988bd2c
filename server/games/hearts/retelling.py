"""A hand of Hearts told again: the gifts, then the play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.views.hearts import GIVEN
from croupier.server.games.hearts.cards import PACK, ROTATION, STEPS
from croupier.server.games.retelling import Retelling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.games.game import Play


class HeartsRetelling(Retelling):
    """A hand of Hearts told again: what the others gave is any three cards of those that their receivers had."""

    size = 13

    def options(self) -> dict[str, Any]:
        """Pass as this hand did."""
        return {**super().options(), "pass": self.view.passing}

    def certain(self, name: str) -> list[str]:
        """Return what is left of the viewer's gift to his receiver."""
        given = self.view.gave or ()
        return [card for card in given if card not in self.played[name]] if name == self.players[self.receiver] else []

    @property
    def step(self) -> int:
        """How many seats on the cards are given."""
        return STEPS[self.view.passing]

    @property
    def receiver(self) -> int:
        """Who gets what the viewer gives."""
        return (self.seat(self.view.me) + self.step) % 4

    def held(self) -> dict[str, list[str]]:
        """Hold once more what lies on the table as a gift."""
        held = super().held()
        if self.view.phase == "give":
            held[self.view.me] += self.view.gave or ()
        return held

    def hands(self) -> tuple[list[list[str]], list[str]]:
        """Return the hands as they were before giving."""
        hands, rest = super().hands()
        me, view, step = self.seat(self.view.me), self.view, self.step
        self.gifts: dict[int, list[str]] = {}
        if view.phase == "give" or not step:
            self.gifts = {me: list(view.gave)} if view.gave else {}
            return hands, rest
        known = {me: view.gave, (me - step) % 4: view.received}
        self.gifts = {giver: list(known.get(giver) or hands[(giver + step) % 4][:GIVEN]) for giver in range(4)}
        return [self._given_back(seat, hand) for seat, hand in enumerate(hands)], rest

    def _given_back(self, seat: int, hand: list[str]) -> list[str]:
        received = self.gifts[(seat - self.step) % 4]
        return [card for card in hand if card not in received] + self.gifts[seat]

    def before(self, game: Any) -> None:
        """Give the cards again."""
        game.number = 1 + ROTATION.index(self.view.passing)
        for seat, gift in self.gifts.items():
            game.play(seat, ("give", *gift))

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """Say who gave the seat its three cards, and of which thirteen."""
        if game.phase != "play" or not any(game.gave):
            return
        giver = game.giver(seat)
        hands = [game.gave[other] + hand - game.gave[game.giver(other)] for other, hand in enumerate(cls.began(game))]
        again = cls.again(game, hands, **{"pass": game.passing})
        again.turn = giver
        yield again, giver, ("give", *PACK.cards[game.gave[giver]])
