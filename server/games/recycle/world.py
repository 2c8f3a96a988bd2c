"""What a search asks of a game from a file: a deal that agrees with what a seat sees."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Self

from croupier.server.games.game import Dice
from croupier.server.games.recycle.card_table import FUEL, IMAGINED_FUEL, Broken
from croupier.server.games.recycle.retelling import deal_again, in_order, table_of
from croupier.server.games.recycle.sight import Sight
from croupier.server.games.world import NotToldError, World

if TYPE_CHECKING:
    from croupier.server.games.game import Deal
    from croupier.server.games.recycle.game import RecycleGame

IMAGINED_TRIES = 100


class RecycleWorld(World):
    """A game from a file as a search has it."""

    game: RecycleGame

    @classmethod
    def of_view(cls, rules: type[RecycleGame], view: Any) -> Self:  # type: ignore[override]  # of its own kind
        """Return a game that looks like this to its viewer, who is on turn and sees how many options there are."""
        rng = Random(0)
        game = rules.__new__(rules)
        game.sit(in_order(view), view.options, Dice(rng))
        table = table_of(game.program, view)
        table.imagine(IMAGINED_FUEL)
        for _ in range(IMAGINED_TRIES):
            if game.go_on_from(table.copy(), len(view.choices)):
                return cls(game)
            if game.table.fuel < 0:
                break
            deal_again(table, Sight(table, game.players).places_hidden_from(table.seat), rng)
            table.fuel = game.table.fuel
        raise NotToldError("what is offered depends on hidden cards, and is not found again")

    def deal_by(self, deal: Deal) -> None:
        """Take the shuffles that are still to come from another deal, as the table does."""
        self.game.deal = self.game.table.deal = deal

    def determinize(self, seat: int, rng: Random) -> Self:
        """Deal the cards that the seat cannot see again among the places where it cannot see them, back by back.

        The seat on turn sees how many options there are: a program may offer what depends on hidden cards.
        """
        game = self.game
        seen = len(game.ways) if seat == game.turn else None
        fuel = IMAGINED_FUEL
        for _ in range(IMAGINED_TRIES):
            world = self.copy()
            twin = world.game
            world.deal_by(Dice(rng))
            twin.table.imagine(fuel)
            twin.table.memory = dict(game.table.memory) if seat == game.turn else {}
            deal_again(twin.table, twin.sight.places_hidden_from(seat), rng)
            if _can_go_on(twin, seen):
                return world
            if (fuel := twin.table.fuel) < 0:
                break
        world = self.copy()
        world.deal_by(Dice(rng))
        world.game.table.imagine(FUEL)
        return world


def _can_go_on(game: RecycleGame, options: int | None) -> bool:
    """Return whether an imagined game leaves the seat on turn something to choose, or ``options`` choices."""
    try:
        return game.turn is None or (bool(game.ways) if options is None else len(game.ways) == options)
    except Broken:
        return False
