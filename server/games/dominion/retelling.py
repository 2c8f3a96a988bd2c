"""A game of Dominion as one player's STATE tells it, with the others' cards in any of the places that it counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from croupier.protocol.dominion import PILES, START, Piles
from croupier.server.games.dominion.player import Player
from croupier.server.games.game import Attack
from croupier.server.games.retelling import Stacked
from croupier.server.games.world import NotToldError

if TYPE_CHECKING:
    from typing import TypeVar

    from croupier.protocol.views.dominion import Other
    from croupier.server.games.dominion.game import Dominion

    D = TypeVar("D", bound=Dominion)

MILITIA = ("act", "militia")
MILITIA_PAYS = 2


def retold(rules: type[D], view: Any) -> D:
    """Return a game that looks like this to its viewer, who began it as far as one can tell."""
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
    return game


def _own(view: Any) -> Player:
    """Lay down the viewer's cards, the deck in any order."""
    side = Player(view.deck)
    side.hand, side.plays, side.discards = list(view.hand), list(view.plays), list(view.discards)
    side.top = next(iter(side.discards), None)
    side.seen = side.discards[:1]
    count = Counter(view.owned)
    side.owns = {card: count[card] for card in PILES}
    side.turns = view.turn
    return side


def _other(other: Other, turns: int) -> Player:
    """Lay down another's cards: one where it is seen, the rest as they come; what is left is in play."""
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
    """Let a player's Militia wait for the viewer's defense, and for those of all between them."""
    game.sides[attacker].turns += 1
    game.active, game.turn = attacker, 0
    game.actions, game.buys, game.coins = 0, 1, MILITIA_PAYS
    game.attack = Attack(MILITIA, attacker)
    game.waiting = list(range(attacker))
