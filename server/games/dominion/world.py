"""What a search asks of Dominion: what nobody has to think about, and where cards may lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from croupier.protocol.dominion import COINS, TREASURES
from croupier.server.games.dominion.plays import NOTHING, plain
from croupier.server.games.dominion.retelling import retold
from croupier.server.games.game import Dice
from croupier.server.games.sheets import typed
from croupier.server.games.world import World

if TYPE_CHECKING:
    from random import Random

    from croupier.protocol.views.view import View
    from croupier.server.games.dominion.game import Dominion
    from croupier.server.games.game import Play


class DominionWorld(World):
    """Dominion as a search has it."""

    game: Dominion

    @classmethod
    def of_view(cls, rules: type[Dominion], view: View) -> Self:  # type: ignore[override]  # of its own kind
        """Return a game that looks like this to its viewer."""
        return cls(retold(rules, view))

    def glance(self, seat: int) -> View:
        """Return what ``seat`` may know but for its legal plays: they take as long to list as all else."""
        return typed(self.game.players, seat).state(self.game, legal=False)

    def routine(self) -> Play | None:
        """Return the play of a treasure, or the end of a turn without buys: there is nothing better left to do."""
        game = self.game
        if game.turn is None or game.attack is not None:
            return None
        late = game.bought and game.official
        return plain(game.sides[game.turn].hand, game.actions, game.buys, () if late else TREASURES)

    def advance(self) -> None:
        """Play all treasures of a hand at once, and end turns without buys."""
        game = self.game
        while game.turn is not None and (play := self.routine()) is not None:
            if play[0] == "add":
                game.actions = 0
                game.coins += game.sides[game.turn].put_down_all(COINS)
                game.listed = NOTHING
            else:
                game.play(game.turn, play)

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which the own deck's order and the others' hidden cards are dealt again."""
        game = self.game
        world = self.copy()
        world.deal_by(Dice(rng))
        new = world.game
        for other in game.clockwise[seat][1:]:
            new.sides[other].deal_again(rng)
        own = new.sides[seat].deck
        own.sort()
        rng.shuffle(own)
        return world
