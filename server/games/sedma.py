"""Sedma: nobody follows suit and no rank is high; the last card that matches the first takes the trick.

Two pairs play with 32 cards, four in hand and the rest to draw from. Sevens match everything. Aces and tens are worth
ten points each, the last trick ten more: 90 in all, so one pair always has more than the other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.cards import PACK_32, rank
from croupier.protocol.views.sedma import SedmaView
from croupier.server.games.game import IllegalPlay, Option
from croupier.server.games.hands import Pack
from croupier.server.games.open_cards import SHARE, Stakes, lay_open, numbered
from croupier.server.games.orderings import Ordering, compile_order, second_wins, when
from croupier.server.games.tricks import HANDS, TrickTaking
from croupier.server.games.tricks_broadcast import TrickBroadcast
from croupier.server.games.tricks_world import Retelling, TrickWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from croupier.protocol.open_cards import OpenCards
    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.sheets import Sheet

PACK = Pack(PACK_32)
JOKER = "7"
HAND = 4
LAST_TRICK = 10
ALL_POINTS = 90
STOP: Play = ("stop",)


def matches(led: str) -> Callable[[str], bool]:
    """Return a predicate for the cards that match a rank: those of it and the sevens."""
    return lambda card: card[1] in (led, JOKER)


def order(led: str) -> Ordering[str]:
    """Put the cards that match the rank led above all others; of two that match, the later one wins."""
    return when(matches(led), second_wins.on(matches(led)))


TABLE = compile_order(PACK_32, order, led=rank)
MATCHING = {card: PACK.where(matches(card[1])) for card in PACK_32}


class SedmaBroadcast(TrickBroadcast):
    """Draw Sedma with German suits, its usual cards."""

    SUITS = "german"


def worth(cards: Sequence[str]) -> int:
    """Count ten points for each ace and each ten."""
    return 10 * sum(card[1] in "AT" for card in cards)


def outcome(won: Sequence[int], points: Sequence[int]) -> tuple[int, int]:
    """Return the winning pair, 0 or 1, and its score, from the tricks and the points of each seat.

    Three for taking every trick takes precedence over two for taking every point.
    """
    winners = 0 if points[0] + points[2] > ALL_POINTS // 2 else 1
    losers = 1 - winners
    if won[losers] + won[losers + 2] == 0:
        return winners, 3
    return winners, 1 if points[losers] + points[losers + 2] else 2


class SedmaRetelling(Retelling):
    """A hand of Sedma retold: each player is dealt the first cards he played, and draws the rest in their order."""

    def stack(self) -> list[str]:
        """Return the original hands, then the stock as it was drawn, and what is left of it."""
        drawn = list(self._who_drew())
        held = self.current_hands()
        mine = {name: self.played[name] + held[name] for name in self.players}
        unseen = list((Counter(PACK_32) - Counter([card for cards in mine.values() for card in cards])).elements())
        for name, cards in mine.items():
            while len(cards) < HAND + drawn.count(name):
                cards.append(unseen.pop())
        hands = [card for cards in mine.values() for card in cards[:HAND]]
        draws = {name: iter(cards[HAND:]) for name, cards in mine.items()}
        return [*hands, *[next(draws[name]) for name in drawn], *unseen]

    def _who_drew(self) -> Iterator[str]:
        """List who drew each card that is gone from the stock."""
        stock = len(PACK_32) - HAND * len(self.players)
        for trick in self.view.tricks:
            winner = self.seat(trick.leader) + TABLE.winner(trick.cards)
            for place in range(min(stock, len(trick.cards))):
                yield self.players[(winner + place) % 4]
            stock -= min(stock, len(trick.cards))

    def finish(self, game: Any) -> None:
        """Stop if the leader did not go on."""
        if game.trick:
            game.play(game.turn, STOP)


CARDS = numbered(
    PACK,
    MATCHING,
    TABLE,
    Stakes({card: SHARE * worth((card,)) for card in PACK_32}, 1, SHARE * LAST_TRICK, must_follow=False),
)
"""The cards in numbers; tricks count a little, because a pair that takes all of them scores more."""


class SedmaWorld(TrickWorld):
    """Sedma as a search sees it."""

    game: Sedma
    RETELLING = SedmaRetelling

    def left(self) -> int | None:
        """Return the number of cards left, including the stock."""
        game = self.game
        held = super().left()
        return None if held is None else held + len(game.stock)

    def open_cards(self) -> OpenCards | None:
        """Return the rest of a hand in numbers, once the stock is gone."""
        game = self.game
        return None if game.stock or game.many else lay_open(game, CARDS, (0, 2))

    def hidden_piles(self, seat: int) -> list[Hand]:
        """Return the stock."""
        game = self.game
        return [PACK.hand(game.stock)]

    def unseen(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Return the stock."""
        return [("stock", self.game.stock)] if self.game.stock else ()

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Shuffle the stock."""
        game = self.game
        stock = list(PACK.cards.of(piles[0]))
        rng.shuffle(stock)
        game.stock = tuple(stock)

    def lacking(self, before: tuple[str, ...], card: str) -> Hand:
        """Return nothing, because a player who may play any card reveals nothing by it."""
        return 0


class Sedma(TrickTaking):
    """Four players, partners opposite, each free to play any card."""

    NAME = "sedma"
    PAGE = SedmaView
    SEATS = (4,)
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "rounds": Option(
            "one", ("one", "many"), "one card each to a trick, or as many rounds as its leader goes on for"
        ),
        "score-to": Option(0, range(1001), "hands are played until a pair has this many points; 0 is one hand"),
        "hands": HANDS,
    }
    PLAYS: ClassVar[Mapping[str, str]] = {
        "(play C)": "play a card",
        "(stop)": "end the trick instead of going on (rounds=many)",
    }
    BROADCAST = SedmaBroadcast
    ACTIONS = (STOP,)
    PARTNERS = ((0, 2), (1, 3))
    PENALTY = 0
    AWARD = 1
    PACK = PACK
    DEALT = PACK_32
    WORLD = SedmaWorld

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self.suits, self.table = MATCHING, TABLE
        self.many = self.options["rounds"] == "many"
        if self.many:
            self.around = tuple([seats * HAND for seats in self.around])
        self.next_hand()

    # The deal

    def deal_hands(self, cards: tuple[str, ...]) -> None:
        """Deal four cards each, from the leader on; the rest is the stock."""
        self.deal_around(self.around[self.forehand][:4], cards, HAND)
        self.stock = cards[4 * HAND :]

    def begin(self) -> None:
        """Let the leader begin."""
        self.won = [0, 0, 0, 0]
        self.points = [0, 0, 0, 0]
        self.lead(self.forehand)

    def most_candidates(self) -> int:
        """Return 0: each play has a number of its own."""
        return 0

    # The play: any card may be played, but to go on after a full round the leader must match.

    @property
    def round_is_full(self) -> bool:
        """Return whether all have played equally often to the trick, so that its leader may go on or stop."""
        return bool(self.trick) and len(self.trick) % 4 == 0

    def playable(self, seat: int) -> Hand:
        """Return the whole hand, or the cards of it that continue the trick."""
        hand = self.hands[seat]
        return hand & self.suits[self.trick[0]] if self.round_is_full else hand

    def beside(self, seat: int) -> Sequence[Play]:
        """List the stop after a full round."""
        return (STOP,) if self.round_is_full else ()

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat may stop."""
        if play != STOP:
            super().check_bid(seat, play)
        self.check_turn(seat)
        if not self.round_is_full:
            raise IllegalPlay("only the leader may stop, after a full round, where rounds are many")

    def why_not(self, seat: int, card: str) -> str:
        """Return the reason why the leader may not continue with a card."""
        return f"to go on, the leader plays a card that matches {self.trick[0]}, which {card} does not"

    def end_trick(self) -> Sequence[News]:
        """End the trick, unless its leader may go on, or stop."""
        if self.many and self.hands[self.leader]:
            self.turn = self.leader
            return ()
        return super().end_trick()

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Let the leader stop, which ends the trick."""
        return super().end_trick()

    def counting(self) -> Sequence[int]:
        """Return the points of this hand's tricks."""
        return self.points

    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count the trick, then fill the hands."""
        self.won[winner] += 1
        self.points[winner] += worth(cards)
        self.draw(winner)
        return () if self.hands[winner] else self.score_hand(winner)

    def draw(self, winner: int) -> None:
        """Fill the hands up to four cards, one each in turn from the winner, while the stock lasts."""
        missing = 4 * (HAND - PACK.count(self.hands[winner]))
        for place, card in enumerate(self.stock[:missing]):
            self.hands[(winner + place) % 4] += PACK.units[card]
        self.stock = self.stock[missing:]

    # What a seat sees

    def show(self, seat: int, to: Sheet) -> None:
        """Add how many cards are left to draw, and who has won how many tricks."""
        super().show(seat, to)
        to.put("stock", len(self.stock))
        to.around("won", self.won)

    # The score

    def score_hand(self, last: int) -> Sequence[News]:
        """Give the winning pair its one, two or three points."""
        self.points[last] += LAST_TRICK
        pair, score = outcome(self.won, self.points)
        return self.end_hand([score if seat % 2 == pair else 0 for seat in range(4)])

    def award(self) -> int:
        """Return the least that a winner gets."""
        return self.target or self.AWARD
