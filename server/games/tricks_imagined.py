"""Games of tricks as those who search need them: copied, imagined otherwise, and told apart.

Of this a game may say

    lacking        what a card shows its player not to hold
    known          which cards of another hand a seat knows
    hidden         which piles beside the others' hands it cannot see; `rehide` puts them back
    worth          what a card counts, where that is all that it does
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.server.games.game import Dice, Game
from croupier.server.games.redeal import Pile, spread

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from random import Random

    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand, Pack
    from croupier.server.games.orderings import Compiled


@cache
def _above(table: Compiled, pack: Pack) -> Mapping[str, Hand]:
    """Return by card which cards are higher: those that would take the trick that it leads."""
    masks = pack.masks
    return {
        card: sum([masks[other] for other, takes in led.items() if takes > led[card]])
        for card, led in table.takes.items()
    }


class Imagined(Game):
    """What a search asks of a game of tricks, beside its rules."""

    PACK: ClassVar[Pack]
    phase: str
    leader: int
    hands: list[Hand]
    trick: list[str]
    tricks: list[tuple[int, tuple[str, ...]]]
    around: Sequence[tuple[int, ...]]
    suits: Mapping[str, Hand]
    table: Compiled

    @abstractmethod
    def from_seat(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise from one, whether they are active or not."""

    def worth(self, card: str) -> int | None:
        """Return what a card counts for whoever takes it; None in games in which that is not all it does."""
        return None

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these plays, of cards that count the same with none of the others' between them the first."""
        turn, found = self.turn, dict.fromkeys(plays)
        if turn is None or self.phase != "play" or len(found) < 2:
            return list(found)
        others = sum(self.hands) - self.hands[turn] + sum(self.hidden(turn)) + self.PACK.hand(self.trick)
        above = _above(self.table, self.PACK)
        kinds: dict[Hashable, Play] = {}
        for play in found:
            card: Any = play[-1]
            worth = self.worth(card) if play[0] == "play" else None
            kind = play if worth is None else (self.suits[card], worth, (others & above[card]).bit_count())
            kinds.setdefault(kind, play)
        return list(kinds.values())

    def left(self) -> int | None:
        """Return how many cards the hands have, and what is still to be drawn, once the cards are played."""
        return sum(map(self.PACK.count, self.hands)) if self.phase == "play" and self.turn is not None else None

    def standing(self) -> Hashable:
        """Return the hands, the trick, and the tricks in whatever order they were won: all that scores come from."""
        return self.turn, tuple(self.hands), tuple(self.trick), frozenset(self.tricks)

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which the other hands and the hidden piles are dealt anew, as the play so far allows."""
        twin = self.copy()
        twin.deal = Dice(rng)
        others = [other for other in self.from_seat(seat)[1:] if self.hands[other]]
        known = {other: self.known(seat, other) for other in others}
        lacks, pack, piles = self.lacks(), self.PACK, self.hidden(seat)
        unseen = sum(self.hands[other] - known[other] for other in others) + sum(piles)
        places = [
            Pile(pack.count(self.hands[other] - known[other]), pack.faces(pack.everything & ~lacks[other]))
            for other in others
        ] + [Pile(pack.count(pile), pack.units) for pile in piles]
        dealt = [pack.hand(cards) for cards in spread(pack.cards.of(unseen), places, rng)]
        for other, hand in zip(others, dealt, strict=False):
            twin.hands[other] = known[other] + hand
        twin.rehide(seat, dealt[len(others) :], rng)
        return twin

    def known(self, seat: int, other: int) -> Hand:
        """Return what ``seat`` knows to be in the other's hand."""
        return 0

    def hidden(self, seat: int) -> list[Hand]:
        """Return the piles that ``seat`` cannot see beside the others' hands."""
        return []

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Put other cards in the piles of `hidden`, and choose anew what else the seat cannot know."""

    def all_tricks(self) -> list[tuple[int, tuple[str, ...]]]:
        """Return leader and cards of every trick of the hand, with the one that is being played."""
        return [*self.tricks, (self.leader, tuple(self.trick))] if self.trick else self.tricks[:]

    def played(self) -> list[tuple[int, str]]:
        """Return who played which card, from the first of the hand on."""
        return [
            (seat, card)
            for leader, cards in self.all_tricks()
            for seat, card in zip(self.around[leader], cards, strict=False)
        ]

    def lacks(self) -> list[Hand]:
        """Return by seat the mask of what it has shown not to hold."""
        lacks = [0] * len(self.players)
        for leader, cards in self.all_tricks():
            for place, seat in zip(range(len(cards)), self.around[leader], strict=False):
                lacks[seat] |= self.lacking(cards[:place], cards[place])
        return lacks

    def lacking(self, before: tuple[str, ...], card: str) -> Hand:
        """Return the mask of what a player shows not to hold who plays a card behind others: the suit not followed."""
        suit = self.suits[before[0]] if before else 0
        return 0 if self.PACK.masks[card] & suit else suit
