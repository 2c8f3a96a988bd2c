"""TrickWorld: what a search asks of a game of tricks: what may be imagined, and which plays are equivalent.

Of this a game may say

    lacking        what a card shows its player not to hold
    known          which cards of another hand a seat knows
    hidden         which piles beside the others' hands it cannot see; `rehide` puts them back
    worth          what a card counts, where that is all that it does

A bot that plays on in thought looks at a `Glance` where the game has one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.protocol.views.view import View
from croupier.server.games.game import Dice
from croupier.server.games.redeal import Pile, spread
from croupier.server.games.world import World

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from random import Random

    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand, Pack
    from croupier.server.games.orderings import Compiled
    from croupier.server.games.retelling import Retelling
    from croupier.server.games.tricks import TrickTaking


@cache
def _above(table: Compiled, pack: Pack) -> Mapping[str, Hand]:
    """Return by card which cards are higher: those that would take the trick that it leads."""
    masks = pack.masks
    return {
        card: sum([masks[other] for other, takes in led.items() if takes > led[card]])
        for card, led in table.takes.items()
    }


class TrickWorld(World):
    """A game of tricks as a search has it."""

    game: TrickTaking
    RETELLING: ClassVar[type[Retelling] | None] = None
    """How a hand is told again from what a seat sees; `Retelling` itself where nothing comes before the cards."""

    def worth(self, card: str) -> int | None:
        """Return what a card counts for the player that takes it; None in games in which that is not all it does."""
        return None

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these plays, of cards that count the same with none of the others' between them the first."""
        game = self.game
        turn, found = game.turn, dict.fromkeys(plays)
        if turn is None or game.phase != "play" or len(found) < 2:
            return list(found)
        hidden = sum(self.hidden(turn)) + game.PACK.hand(game.trick)
        others = sum(game.hands) - game.hands[turn] + hidden
        above = _above(game.table, game.PACK)
        kinds: dict[Hashable, Play] = {}
        for play in found:
            card: Any = play[-1]
            worth = self.worth(card) if play[0] == "play" else None
            kind = play if worth is None else (game.suits[card], worth, (others & above[card]).bit_count())
            kinds.setdefault(kind, play)
        return list(kinds.values())

    def left(self) -> int | None:
        """Return how many cards the hands have, and what is still to be drawn, once the cards are played."""
        game = self.game
        playing = game.phase == "play" and game.turn is not None
        return sum(map(game.PACK.count, game.hands)) if playing else None

    def standing(self) -> Hashable:
        """Return the hands, the trick, and the tricks in whatever order they were won: all that scores come from."""
        game = self.game
        return game.turn, tuple(game.hands), tuple(game.trick), frozenset(game.tricks)

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which the other hands and the hidden piles are dealt again, as the play so far allows."""
        game = self.game
        twin = self.copy()
        twin.deal_by(Dice(rng))
        others = [other for other in game.from_seat(seat)[1:] if game.hands[other]]
        known = {other: self.known(seat, other) for other in others}
        lacks, pack, piles = self.lacks(), game.PACK, self.hidden(seat)
        unseen = sum(game.hands[other] - known[other] for other in others) + sum(piles)
        places = [
            Pile(pack.count(game.hands[other] - known[other]), pack.faces(pack.everything & ~lacks[other]))
            for other in others
        ] + [Pile(pack.count(pile), pack.units) for pile in piles]
        dealt = [pack.hand(cards) for cards in spread(pack.cards.of(unseen), places, rng)]
        for other, hand in zip(others, dealt, strict=False):
            twin.game.hands[other] = known[other] + hand
        twin.rehide(seat, dealt[len(others) :], rng)
        return twin

    def known(self, seat: int, other: int) -> Hand:
        """Return what ``seat`` knows to be in the other's hand."""
        return 0

    def hidden(self, seat: int) -> list[Hand]:
        """Return the piles that ``seat`` cannot see beside the others' hands."""
        return []

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Put other cards in the piles of `hidden`, and choose again what else the seat cannot know."""

    def lacks(self) -> list[Hand]:
        """Return by seat the mask of what it has shown not to hold."""
        game = self.game
        lacks = [0] * len(game.players)
        for leader, cards in game.all_tricks():
            for place, seat in zip(range(len(cards)), game.around[leader], strict=False):
                lacks[seat] |= self.lacking(cards[:place], cards[place])
        return lacks

    def lacking(self, before: tuple[str, ...], card: str) -> Hand:
        """Return the mask of what a player shows not to hold who plays a card behind others: the suit not followed."""
        game = self.game
        suit = game.suits[before[0]] if before else 0
        return 0 if game.PACK.masks[card] & suit else suit

    def routine(self) -> Play | None:
        """Return the only play; where several cards may be played nothing is listed."""
        game, turn = self.game, self.game.turn
        if turn is None or game.phase != "play":
            return super().routine()
        may = game.playable(turn)
        return None if may & (may - 1) or game.beside(turn) else game.plays.of(may)[0]

    # Told again from a view

    @classmethod
    def of_view(cls, rules: Any, view: View) -> Self:
        """Return a game that looks like this to its viewer, and ends with the hand."""
        if cls.RETELLING is None:
            return super().of_view(rules, view)
        return cls(cls.RETELLING(rules, view).game())

    def earlier(self, seat: int) -> Iterable[tuple[World, int, Play]]:
        """List what others said before the cards, if the game can be told again from its deal."""
        if self.RETELLING is None or not self.game.last:
            return ()
        said = self.RETELLING.earlier(self.game, seat)
        return ((type(self)(game), other, play) for game, other, play in said)


class Glance(View):
    """A view of the play of a card of which only ``sight`` is there as yet: all else is built when it is asked for.

    That has to be while nothing moves. It stands before a game's page among the bases of its glance.
    """

    def __init__(self, game: TrickTaking, seat: int, sight: object) -> None:
        self.__dict__ = {"sight": sight, "phase": "play", "_game": game, "_seat": seat}

    def __getattr__(self, name: str) -> Any:
        """Build the view for its first field that is asked for."""
        self._build()
        return super().__getattr__(name) if name not in self.__dict__ else self.__dict__[name]

    def __str__(self) -> str:
        """Write STATE, once it is built."""
        self._build()
        return super().__str__()

    def _build(self) -> None:
        own = self.__dict__
        if "_game" in own:
            own.update(own.pop("_game").view(own.pop("_seat")).__dict__)
