"""What a search asks of Dominion: plays that need no thought, places of hidden cards, and a game built from a view."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from croupier.protocol.dominion import COINS, PILES, START, TREASURES, Piles
from croupier.server.games.dominion.player import Player
from croupier.server.games.dominion.plays import NOTHING, plain
from croupier.server.games.game import Attack, Dice, Stacked
from croupier.server.games.sheets import typed_sheet
from croupier.server.games.world import NotToldError, World

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from croupier.protocol.views.dominion import Other
    from croupier.protocol.views.view import View
    from croupier.server.games.dominion.game import Dominion
    from croupier.server.games.game import Play

MILITIA = ("act", "militia")
MILITIA_PAYS = 2


class DominionWorld(World):
    """Dominion as a search sees it."""

    game: Dominion

    @classmethod
    def of_view(cls, rules: type[Dominion], view: Any) -> Self:  # type: ignore[override]  # of its own kind
        """Return a game that fits its viewer's view; the viewer is taken to have begun it.

        The others' cards are in any of the places that STATE counts.
        """
        if view.others is None:
            raise NotToldError("the classic dialect does not tell what the others own")
        game = rules(view.players, view.options, Stacked(START))
        game.sides = [_own(view), *[_other(view.others[name], view.turn - 1) for name in view.players[1:]]]
        game.supply = Piles(view.supply)
        game.trash = list(view.trash)
        game.actions, game.buys, game.coins = view.actions, view.buys, view.coins
        game.bought = not (view.actions or any(play[0] == "add" for play in view.legal or ()))
        if view.phase == "defend":
            _attack(game, len(view.players) - 1)
        return cls(game)

    def glance(self, seat: int) -> View:
        """Return ``seat``'s view without its legal plays, which take as long to list as everything else."""
        return typed_sheet(self.game.players, seat).state(self.game, legal=False)

    def routine(self) -> Play | None:
        """Return the play of a treasure, or the end of a turn without buys, when nothing better is left."""
        game = self.game
        if game.turn is None or game.attack is not None:
            return None
        return plain(game.sides[game.turn].hand, game.actions, game.buys, () if game.late else TREASURES)

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

    def unseen(self) -> Iterable[tuple[tuple[str, str], tuple[str, ...]]]:
        """Return the order of each deck; players see only their own, in alphabetical order."""
        game = self.game
        return [(("deck", name), tuple(reversed(game.sides[seat].deck))) for seat, name in enumerate(game.players)]

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which the order of the own deck and the others' hidden cards are dealt again."""
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


def _own(view: Any) -> Player:
    """Lay out the viewer's cards, with the deck in any order."""
    side = Player(view.deck)
    side.hand, side.plays, side.discards = list(view.hand), list(view.plays), list(view.discards)
    side.top = next(iter(side.discards), None)
    side.seen = side.discards[:1]
    count = Counter(view.owned)
    side.owns = {card: count[card] for card in PILES}
    side.turns = view.turn
    return side


def _other(other: Other, turns: int) -> Player:
    """Lay out another player's cards: visible ones where they are, hidden ones in any place; the rest are in play."""
    seen = [other.top] if other.top else []
    rest = list((Counter(other.owns) - Counter(seen)).elements())
    discards = [rest.pop() for _ in range(other.discards - len(seen))]
    side = Player([rest.pop() for _ in range(other.deck)])
    side.hand = [rest.pop() for _ in range(other.hand)]
    side.plays, side.discards = rest, seen + discards
    side.top, side.seen = other.top, seen
    side.owns = {card: other.owns.get(card, 0) for card in PILES}
    side.turns = turns
    return side


def _attack(game: Dominion, attacker: int) -> None:
    """Set a player's Militia to wait for the viewer's defense, and for those of the players between them."""
    game.sides[attacker].turns += 1
    game.active, game.turn = attacker, 0
    game.actions, game.buys, game.coins = 0, 1, MILITIA_PAYS
    game.attack = Attack(MILITIA, attacker)
    game.waiting = list(range(attacker))
