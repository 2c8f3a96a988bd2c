"""Retelling: play a hand of tricks again as one seat has seen it, with any cards where it cannot see them.

Whoever has nothing but STATE has a game again with this: what was said and played is said and played once more by the
rules themselves, from hands that held what was played. `World.determinize` then deals again what is not known.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from croupier.protocol.views.view import Trick
    from croupier.server.games.game import Label, Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.tricks import TrickTaking


class Stacked:
    """A deal whose only shuffle is known before."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = tuple(cards)

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards as they were stacked."""
        return self.cards

    def draw(self, label: Label, bound: int) -> int:
        """Return the least number."""
        return 0


class Retelling:
    """One hand of a game of tricks as its view tells it; the first player of the retold game is its forehand.

    A game says

    forehand  which of the view's players that is, counted from the viewer
    size      how many cards each player is dealt, where the pack is not dealt out
    lacking   which cards he cannot hold, or the rules would have said something else
    certain   which cards a player holds that the viewer knows of, beside his own
    options   under which the hand is dealt
    before    what was said before the cards
    earlier   how that was, in a world: who said what with which cards
    """

    size = 0

    def __init__(self, rules: type[TrickTaking], view: Any) -> None:
        self.rules = rules
        self.view = view
        self.size = self.size or len(self.pack()) // len(view.players)
        self.tricks: list[Trick] = [*view.tricks, view.trick] if view.trick else list(view.tricks)
        first = self.forehand() % len(view.players)
        self.players: tuple[str, ...] = view.players[first:] + view.players[:first]
        self.played: dict[str, list[str]] = {name: [] for name in self.active()}
        for name, card in self.cards():
            self.played[name].append(card)

    # What a game says

    def forehand(self) -> int:
        """Return how many seats behind the viewer the forehand sits: who led the first trick, as it is for most."""
        return self.place(self.tricks[0].leader) if self.tricks else 0

    def active(self) -> tuple[str, ...]:
        """Return who has cards, from the forehand."""
        return self.players

    def pack(self) -> Sequence[str]:
        """Return the cards that are dealt."""
        return self.rules.DEALT

    def certain(self, name: str) -> Iterable[str]:
        """Return cards that another player holds for sure."""
        return ()

    def lacking(self, name: str) -> Collection[str]:
        """Return cards that a player cannot have had, or what was played would have been otherwise."""
        return ()

    def options(self) -> dict[str, Any]:
        """Return the options under which this hand is dealt as it was."""
        return dict(self.view.options)

    def before(self, game: Any) -> None:
        """Say what was said before the cards."""

    def lay(self, game: Any, card: str) -> None:
        """Play a card again."""
        game.play(game.turn, ("play", card))

    def finish(self, game: Any) -> None:
        """Do what ends a trick beside its last card."""

    def close(self, game: Any) -> None:
        """Do what else is known to have been done when all cards lie that have been played."""

    # The telling

    def game(self) -> Any:
        """Return the game, which ends with this hand."""
        view = self.view
        game = self.rules(self.players, self.options(), Stacked(self.stack()))
        game.options = dict(view.options)
        game.last = True
        game.tally = tuple([view.tally[name] for name in self.players])
        self.before(game)
        for trick in self.tricks:
            for card in trick.cards:
                self.lay(game, card)
            if trick is not view.trick:
                self.finish(game)
        self.close(game)
        return game

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """List what others said before the cards of a retold game, with the game in which each is to say it."""
        return ()

    @staticmethod
    def began(game: Any) -> list[Hand]:
        """Return the hands as they were before the play."""
        hands: list[Hand] = game.hands[:]
        for seat, card in game.played():
            hands[seat] += game.PACK.units[card]
        return hands

    @staticmethod
    def again(game: Any, hands: Sequence[Hand], rest: Hand = 0, **options: Any) -> Any:
        """Return a retold game as it was dealt, if the hands were these."""
        listed = game.PACK.cards.of
        cards = [card for hand in (*hands, rest) for card in listed(hand)]
        return type(game)(game.players, {**game.options, **options}, Stacked(cards))

    def place(self, name: str | None) -> int:
        """Return how many seats behind the viewer a player sits."""
        place: int = self.view.players.index(name)
        return place

    def seat(self, name: str | None) -> int:
        """Return a player's seat in the game that is retold."""
        return self.players.index(name or "")

    def cards(self) -> Iterator[tuple[str, str]]:
        """List who played which card."""
        names = self.active()
        for trick in self.tricks:
            first = names.index(trick.leader or "")
            for place, card in enumerate(trick.cards):
                yield names[(first + place) % len(names)], card

    def held(self) -> dict[str, list[str]]:
        """Return what each player holds now as far as the viewer knows."""
        me = self.view.me
        return {name: list(self.view.hand) if name == me else list(self.certain(name)) for name in self.active()}

    def apart(self) -> Sequence[str]:
        """Return the cards that lie apart from the hands and that the viewer knows."""
        return ()

    def stack(self) -> list[str]:
        """Return the cards as they were dealt: a hand each from the forehand, then the rest."""
        hands, rest = self.hands()
        return [card for hand in hands for card in hand] + rest

    def hands(self) -> tuple[list[list[str]], list[str]]:
        """Return each hand as it was before the play, where the viewer cannot see it with any cards, and what is left.

        What was played stands first, in the order in which it was.
        """
        held = self.held()
        hands = [self.played[name] + held[name] for name in self.active()]
        seen = Counter([*self.apart(), *(card for hand in hands for card in hand)])
        unseen = list((Counter(self.pack()) - seen).elements())
        for name, hand in sorted(zip(self.active(), hands, strict=True), key=lambda one: not self.lacking(one[0])):
            lacking = self.lacking(name)
            while len(hand) < self.size:
                hand.append(unseen.pop(next(place for place, card in enumerate(unseen) if card not in lacking)))
        return hands, [*unseen, *self.apart()]
