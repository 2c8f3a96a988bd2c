"""TrickWorld: what a search asks of a game of tricks: possible deals, equivalent plays, a hand retold.

A game may define

- ``lacking``: the cards that a player cannot hold after playing a card
- ``known_cards``: the cards of another hand that a seat knows
- ``hidden_piles``: the piles, other than hands, that it cannot see; `rehide` puts cards back into them
- ``worth``: the points of a card, if it has no other effect

A `Retelling` plays a hand again as one seat has seen it. A bot in a playout looks at a `Glance` if the game has one.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.protocol.views.view import View
from croupier.server.games.game import Dice, Stacked
from croupier.server.games.redeal import Pile, Redeal
from croupier.server.games.world import World

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from croupier.protocol.views.view import Trick
    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand, Pack
    from croupier.server.games.orderings import Compiled
    from croupier.server.games.tricks import TrickTaking


# cached because a search asks at every node, and a contract's table is one object
@cache
def _above(table: Compiled, pack: Pack) -> Mapping[str, Hand]:
    """Return, for each card, the mask of the higher ones: those that would take the trick that it leads."""
    masks = pack.masks
    return {
        card: sum([masks[other] for other, takes in led.items() if takes > led[card]])
        for card, led in table.takes.items()
    }


class TrickWorld(World):
    """A game of tricks as a search sees it."""

    game: TrickTaking
    RETELLING: ClassVar[type[Retelling] | None] = None
    """How a hand is retold from a view; `Retelling` itself if nothing precedes the cards."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._remembered: tuple[tuple[Hashable, ...], tuple[dict[int, Hand], Redeal]] | None = None

    def worth(self, card: str) -> int | None:
        """Return the points of a card for the player who takes it; None in games where a card has other effects."""
        return None

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these plays with only the first of equivalent cards: equal points, no card of others between them."""
        game = self.game
        turn, found = game.turn, dict.fromkeys(plays)
        if turn is None or game.phase != "play" or len(found) < 2:
            return list(found)
        hidden_piles = sum(self.hidden_piles(turn)) + game.PACK.hand(game.trick)
        others = sum(game.hands) - game.hands[turn] + hidden_piles
        above = _above(game.table, game.PACK)
        kinds: dict[Hashable, Play] = {}
        for play in found:
            card: Any = play[-1]
            worth = self.worth(card) if play[0] == "play" else None
            kind = play if worth is None else (game.suits[card], worth, (others & above[card]).bit_count())
            kinds.setdefault(kind, play)
        return list(kinds.values())

    def left(self) -> int | None:
        """Return the number of cards in hands and still to be drawn, once the cards are played."""
        game = self.game
        playing = game.phase == "play" and game.turn is not None
        return sum(map(game.PACK.count, game.hands)) if playing else None

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy with the other hands and the hidden piles dealt again, consistently with the play so far."""
        twin = self.copy()
        twin.deal_by(Dice(rng))
        known_cards, redeal = self._redeal(seat)
        hand, hands = twin.game.PACK.hand, twin.game.hands
        piles = [hand(cards) for cards in redeal.deal(rng)]
        for (other, known), pile in zip(known_cards.items(), piles, strict=False):
            hands[other] = known + pile
        twin.rehide(seat, piles[len(known_cards) :], rng)
        return twin

    def _redeal(self, seat: int) -> tuple[dict[int, Hand], Redeal]:
        """Return the cards of each other hand that ``seat`` knows, and the deals of the rest.

        A search asks for many worlds of one position, so the answer is remembered until the game goes on.
        """
        game, piles = self.game, self.hidden_piles(seat)
        key = (seat, game.phase, *game.hands, *piles)
        if self._remembered is None or self._remembered[0] != key:
            others = [other for other in game.from_seat(seat)[1:] if game.hands[other]]
            known_cards = {other: self.known_cards(seat, other) for other in others}
            lacks, pack = self.lacks(), game.PACK
            unseen = sum(game.hands[other] - known for other, known in known_cards.items()) + sum(piles)
            places = [
                Pile(pack.count(game.hands[other] - known), pack.faces(pack.everything & ~lacks[other]))
                for other, known in known_cards.items()
            ] + [Pile(pack.count(pile), pack.units) for pile in piles]
            self._remembered = key, (known_cards, Redeal(pack.cards.of(unseen), places))
        return self._remembered[1]

    def known_cards(self, seat: int, other: int) -> Hand:
        """Return the cards of the other's hand that ``seat`` knows."""
        return 0

    def hidden_piles(self, seat: int) -> list[Hand]:
        """Return the piles, other than hands, that ``seat`` cannot see."""
        return []

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Put other cards into the piles of `hidden_piles`, and choose again whatever else the seat cannot know."""

    def lacks(self) -> list[Hand]:
        """Return, for each seat, the mask of cards that it cannot hold."""
        game = self.game
        lacks = [0] * len(game.players)
        for leader, cards in game.all_tricks():
            for place, seat in zip(range(len(cards)), game.around[leader], strict=False):
                lacks[seat] |= self.lacking(cards[:place], cards[place])
        return lacks

    def lacking(self, before: tuple[str, ...], card: str) -> Hand:
        """Return the mask of cards that a player cannot hold after playing this card: a suit that was not followed."""
        game = self.game
        suit = game.suits[before[0]] if before else 0
        return 0 if game.PACK.masks[card] & suit else suit

    def routine(self) -> Play | None:
        """Return the only legal play, None if several cards may be played; those need not be listed."""
        game, turn = self.game, self.game.turn
        if turn is None or game.phase != "play":
            return super().routine()
        may = game.playable(turn)
        return None if may & (may - 1) or game.beside(turn) else game.plays.of(may)[0]

    # Retelling from a view

    @classmethod
    def of_view(cls, rules: Any, view: View) -> Self:
        """Return a game that fits its viewer's view, and ends with the hand."""
        if cls.RETELLING is None:
            return super().of_view(rules, view)
        return cls(cls.RETELLING(rules, view).game())

    def earlier(self, seat: int) -> Iterable[tuple[World, int, Play]]:
        """List the others' announcements before the cards, if the game can be retold from its deal."""
        if self.RETELLING is None or not self.game.last:
            return ()
        said = self.RETELLING.earlier(self.game, seat)
        return ((type(self)(game), other, play) for game, other, play in said)


class Retelling:
    """One hand of a game of tricks, retold from a view; seat 0 of the retold game is the hand's forehand.

    It makes a game from STATE alone. The rules repeat what was said and played, from hands with the cards that were
    played, and with any cards where the viewer cannot see them. `World.determinize` then deals the unknown cards again.

    A game defines

    - ``forehand``: which of the view's players that is, counted from the viewer
    - ``size``: how many cards each player is dealt, if the pack is not dealt out
    - ``lacking``: the cards that a player cannot hold, or the rules would have required another play
    - ``certain``: the cards of other players that the viewer knows
    - ``options``: the options under which the hand is dealt
    - ``before``: repeats what was said before the cards
    - ``earlier``: who said what with which cards, in a world
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

    # What a game defines

    def forehand(self) -> int:
        """Return the forehand's place, counted from the viewer: by default, who led the first trick."""
        return self.place(self.tricks[0].leader) if self.tricks else 0

    def active(self) -> tuple[str, ...]:
        """Return the players with cards, from the forehand."""
        return self.players

    def pack(self) -> Sequence[str]:
        """Return the cards that are dealt."""
        return self.rules.DEALT

    def certain(self, name: str) -> Iterable[str]:
        """Return cards that another player certainly holds."""
        return ()

    def lacking(self, name: str) -> Collection[str]:
        """Return cards that a player cannot have had, given what was played."""
        return ()

    def options(self) -> dict[str, Any]:
        """Return the options under which this hand is dealt as it was."""
        return dict(self.view.options)

    def before(self, game: Any) -> None:
        """Repeat what was said before the cards."""

    def lay(self, game: Any, card: str) -> None:
        """Repeat the play of a card."""
        game.play(game.turn, ("play", card))

    def finish(self, game: Any) -> None:
        """Apply what follows the last card of a trick."""

    def close(self, game: Any) -> None:
        """Apply what else is known to have happened after the last card."""

    # The retelling

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
            # by identity: the trick on the table may equal a finished one
            if trick is not view.trick:
                self.finish(game)
        self.close(game)
        return game

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """List the announcements before the cards of a retold game, each with the game in which it is to be made."""
        return ()

    @staticmethod
    def began(game: Any) -> list[Hand]:
        """Return the hands before the first card was played."""
        hands: list[Hand] = game.hands[:]
        for seat, card in game.cards_in_order():
            hands[seat] += game.PACK.units[card]
        return hands

    @staticmethod
    def again(game: Any, hands: Sequence[Hand], rest: Hand = 0, **options: Any) -> Any:
        """Return a retold game as it would be dealt with these hands."""
        listed = game.PACK.cards.of
        cards = [card for hand in (*hands, rest) for card in listed(hand)]
        return type(game)(game.players, {**game.options, **options}, Stacked(cards))

    def place(self, name: str | None) -> int:
        """Return a player's place, counted from the viewer."""
        place: int = self.view.players.index(name)
        return place

    def seat(self, name: str | None) -> int:
        """Return a player's seat in the retold game."""
        return self.players.index(name or "")

    def cards(self) -> Iterator[tuple[str, str]]:
        """List who played which card."""
        names = self.active()
        for trick in self.tricks:
            first = names.index(trick.leader or "")
            for place, card in enumerate(trick.cards):
                yield names[(first + place) % len(names)], card

    def current_hands(self) -> dict[str, list[str]]:
        """Return what each player holds now, as far as the viewer knows."""
        me = self.view.me
        return {name: list(self.view.hand) if name == me else list(self.certain(name)) for name in self.active()}

    def apart(self) -> Sequence[str]:
        """Return the cards outside the hands that the viewer knows."""
        return ()

    def stack(self) -> list[str]:
        """Return the cards as they were dealt: each hand from the forehand, then the rest."""
        hands, rest = self.hands()
        return [card for hand in hands for card in hand] + rest

    def hands(self) -> tuple[list[list[str]], list[str]]:
        """Return each hand as it was before the play, with any cards where the viewer cannot see it, and the rest.

        The cards that were played come first, in their order.
        """
        current_hands = self.current_hands()
        hands = [self.played[name] + current_hands[name] for name in self.active()]
        seen = Counter([*self.apart(), *(card for hand in hands for card in hand)])
        unseen = list((Counter(self.pack()) - seen).elements())
        for name, hand in sorted(zip(self.active(), hands, strict=True), key=lambda one: not self.lacking(one[0])):
            lacking = self.lacking(name)
            while len(hand) < self.size:
                hand.append(unseen.pop(next(place for place, card in enumerate(unseen) if card not in lacking)))
        return hands, [*unseen, *self.apart()]


class Glance(View):
    """A view of the play of a card that has only ``sight`` at first: all else is built on demand.

    It must be used before the game moves on. It precedes a game's page among the base classes of its glance.
    """

    def __init__(self, game: TrickTaking, seat: int, sight: object) -> None:
        self.__dict__ = {"sight": sight, "phase": "play", "_game": game, "_seat": seat}

    def __getattr__(self, name: str) -> Any:
        """Build the view when a field is first accessed."""
        self._build()
        return super().__getattr__(name) if name not in self.__dict__ else self.__dict__[name]

    def __str__(self) -> str:
        """Build the view, and write STATE."""
        self._build()
        return super().__str__()

    def _build(self) -> None:
        own = self.__dict__
        if "_game" in own:
            own.update(own.pop("_game").view(own.pop("_seat")).__dict__)
