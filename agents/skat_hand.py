"""The prospects of a Skat hand: the card points and the score that each game should bring, from the hand or picked up.

A game's card points are estimated by a weighted sum of features. Their spread around the estimate gives the chances to
win and to make Schneider, and these give the expected score. That decides the bids, the game, whether to pick up the
skat, and which two cards to put down.

The numbers come from 28,000 deals of the club player against itself, in which one seat won the auction by bidding more
than it should. Each deal was played in every suit, Grand and Null, from the hand and with the skat. The weights fit
three answers at once, by logistic regression: whether the declarer has 31, 61 and 90 points or more.
"""

from __future__ import annotations

from itertools import combinations
from math import exp, inf

from croupier.agents.memory import Memory
from croupier.agents.skat_cards import value
from croupier.protocol.cards import BITS, RANKS, SUITS, bits
from croupier.protocol.skat import BASE, JACKS, NULL_VALUES, TRUMPS, card_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.protocol.views.view import Play

NOTHING = {"suit": 3.0, "grand": -1.0}
"""The points of a hand without any of the features below.

For Grand the fit is 3.0, by which 49 % of the games are Grands. With four points less they are 34 %, nearer to people's
32 %, and the score is no lower (0.3 ± 0.3 points a deal higher in 6,000 deals).
"""


class Estimate:
    """An estimate of the declarer's card points: the weights of the features in a suit game and a Grand, and a spread.

    The features are: number of trumps, rank of the jacks (4 for clubs to 1 for diamonds), ace of trumps, ten of trumps;
    then counts over the plain suits: an ace, its ten, a ten with the king, a bare ten, a void suit, any other card.
    The spread is the width of the logistic curve of actual points around the expected ones.
    """

    __slots__ = ("spread", "weights")

    def __init__(self, suit: tuple[float, ...], grand: tuple[float, ...], spread: float) -> None:
        self.weights = {"suit": suit, "grand": grand}
        self.spread = spread

    def points(self, game: str, counts: Sequence[int]) -> float:
        """Return the card points that a suit game or Grand should bring with these counts of the features."""
        kind = "grand" if game == "grand" else "suit"
        return NOTHING[kind] + sum([count * weight for count, weight in zip(counts, self.weights[kind], strict=True)])

    def chance(self, least: float, points: float) -> float:
        """Return the chance of at least ``least`` card points where ``points`` are expected."""
        return 1 / (1 + exp((least - points) / self.spread))

    def score(self, game: str, worth: int, points: float) -> float:
        """Return the expected score of a game worth at least ``worth``; Schneider on either side adds a level."""
        schneider = self.chance(SCHNEIDER, points) - 2 * (1 - self.chance(OUT_OF_SCHNEIDER, points))
        return _score(worth, self.chance(WON, points)) + BASE[game] * schneider


BEFORE = Estimate(
    (8.4, 1.8, 5.4, 4.8, 9.3, 4.6, 4.6, 4.0, 2.5, 0.0), (10.8, 1.8, 0.0, 0.0, 11.0, 7.9, 6.6, 6.0, 2.9, 1.0), 8.6
)
"""For ten cards whose owner will pick up the skat."""
HAND = Estimate(
    (5.8, 1.8, 5.4, 4.4, 11.1, 1.8, 4.8, 3.2, 9.2, -1.0), (7.8, 2.1, 0.0, 0.0, 12.2, 5.0, 6.8, 4.7, 7.2, -0.1), 7.4
)
"""For ten cards that are played from the hand; the skat's points count for the declarer."""
KEPT = Estimate(
    (5.5, 2.5, 6.9, 5.8, 11.1, 1.3, 10.5, 8.0, 11.9, -4.6), (7.6, 2.5, 0.0, 0.0, 12.5, 5.6, 11.9, 10.1, 11.2, -2.8), 7.0
)
"""For the ten cards that are kept."""
PUT = {"suit": 0.4, "grand": 0.6}
"""The weight of a card point put down: it is safe, but that card no longer helps to win others."""

WON, SCHNEIDER, OUT_OF_SCHNEIDER = 60.5, 85.0, 30.5
"""The expected points at which these are as likely as not. A hand that wins well wins by more than the estimate."""

NULL_BEFORE = (0.84, 0.8, 0.74, 0.67, 0.6)
"""The chance of a Null before the skat is known, by the danger that is left if the best pair of the ten is put down."""
NULL = {(): (1.0, 0.85, 0.82, 0.66, 0.56, 0.45), ("ouvert",): (1.0, 0.72, 0.61, 0.5)}
"""The chance of a Null by its danger: midway between two kinds of defenders.

These are the club player and, where the cards are hidden, `search`, or, where they are open, two who know all cards. A
Null without danger is safe from all of them.
"""


# Cards as bits: each suit's features are looked up by the eight bits of its cards, from the seven to the ace.

SHIFT = {suit: 13 * place + RANKS.index("7") for place, suit in enumerate(SUITS)}
SUIT = range(1 << 8)
JACK, TEN, KING, ACE = [1 << "789TJQKA".index(rank) for rank in "JTKA"]
ALL_JACKS = bits(JACKS)
HIGHEST_JACKS = {
    bits(held): sum([4 - JACKS.index(jack) for jack in held])
    for number in range(5)
    for held in combinations(JACKS, number)
}


def _plain(cards: int) -> int:
    """Return the last six features of a plain suit, one byte each."""
    ace, ten, king, length = cards & ACE, cards & TEN, cards & KING, (cards & ~JACK).bit_count()
    top = bool(ace and ten)
    counts = (bool(ace), top, bool(ten and king and not ace), bool(ten and not king and not ace), not length)
    return int.from_bytes((*counts, length - bool(ace) - top), "little")


def _danger(cards: int) -> int:
    places = [place for place in range(8) if cards >> place & 1]
    return sum([max(0, place - 2 * low) for low, place in enumerate(places)])


def _least(cards: int, put: int) -> float:
    """Return the least danger left in a suit after putting ``put`` of its cards down."""
    held = [1 << place for place in range(8) if cards >> place & 1]
    return min([DANGER[cards - sum(down)] for down in combinations(held, put)], default=inf)


PLAIN = [_plain(cards) for cards in SUIT]
DANGER = [_danger(cards) for cards in SUIT]
LESS = [[_least(cards, put) - DANGER[cards] for cards in SUIT] for put in range(3)]
"""The best reduction of a suit's danger by putting none, one or two of its cards down."""


def _counts(game: str, cards: int) -> tuple[int, ...]:
    jacks, trumps = cards & ALL_JACKS, 0
    plain = sum([PLAIN[cards >> shift & 255] for shift in SHIFT.values()])
    if game != "grand":
        held = cards >> SHIFT[game[0]] & 255
        trumps = held & ~JACK
        plain -= PLAIN[held]
    many = jacks.bit_count() + trumps.bit_count()
    return many, HIGHEST_JACKS[jacks], trumps & ACE != 0, trumps & TEN != 0, *plain.to_bytes(6, "little")


def danger(cards: int) -> int:
    """Return how far the hand is from a safe Null, which has in each suit every second rank from the seven."""
    return sum([DANGER[cards >> shift & 255] for shift in SHIFT.values()])


def least_danger(cards: int) -> float:
    """Return the danger of a hand without the two cards whose loss helps it most."""
    suits = [cards >> shift & 255 for shift in SHIFT.values()]
    one, other, *_ = sorted([LESS[1][suit] for suit in suits])
    return danger(cards) + min(one + other, *[LESS[2][suit] for suit in suits])


@Memory
def prospects(hand: tuple[str, ...]) -> tuple[tuple[float, int, Play], ...]:
    """Return the expected score of each game that ten cards may win, the bid that it holds, and its declaration.

    The declaration is empty where the skat is to be picked up.
    """
    return (*_suits_and_grand(hand), *_nulls(bits(hand)))


def _suits_and_grand(hand: tuple[str, ...]) -> Iterator[tuple[float, int, Play]]:
    """Yield the games that are more likely won than lost."""
    cards = bits(hand)
    for game, level in BASE.items():
        counts = _counts(game, cards)
        if (points := BEFORE.points(game, counts)) > WON:
            worth = value(game, hand)
            yield BEFORE.score(game, worth, points), worth, ()
        if (points := HAND.points(game, counts)) > WON:
            worth = value(game, hand) + level
            yield HAND.score(game, worth, points), worth, ("declare", game)
        if points > SCHNEIDER:
            worth = value(game, hand) + 3 * level
            yield _score(worth, HAND.chance(SCHNEIDER, points)), worth, ("declare", game, "schneider")


def _nulls(cards: int) -> Iterator[tuple[float, int, Play]]:
    for score, worth in _null((), least_danger(cards), NULL_BEFORE):
        yield score, worth, ()
    for words, chances in NULL.items():
        for score, worth in _null(("hand", *words), danger(cards), chances):
            yield score, worth, ("declare", "null", *words)


def hand_declaration(hand: tuple[str, ...], bid: int) -> Play:
    """Return what to declare from the hand, or nothing if the best game that holds the bid is one with the skat."""
    return max([way for way in prospects(hand) if way[1] >= bid], default=(0, 0, ()))[2]


@Memory
def best_declaration(hand: tuple[str, ...], bid: int) -> Play:
    """Return the most promising declaration of twelve cards, among those that hold the bid if any does."""
    ways = [*_games_kept(hand, bid), *_nulls_kept(hand, bid)] or [*_games_kept(hand, 0)]
    return max(ways)[1]


def _games_kept(cards: Sequence[str], least: int) -> Iterator[tuple[float, Play]]:
    held = bits(cards)
    for game in BASE:
        if (worth := value(game, cards)) < least:
            continue
        plain = [card for card in cards if card not in TRUMPS[game]]
        for pair in combinations(plain if len(plain) > 1 else cards, 2):
            put = PUT["grand" if game == "grand" else "suit"] * card_points(pair)
            points = put + KEPT.points(game, _counts(game, held - BITS[pair[0]] - BITS[pair[1]]))
            yield KEPT.score(game, worth, points), ("declare", game, *pair)


def _nulls_kept(cards: Sequence[str], least: int) -> Iterator[tuple[float, Play]]:
    held = bits(cards)
    for pair in combinations(cards, 2):
        left = danger(held - BITS[pair[0]] - BITS[pair[1]])
        for words, chances in NULL.items():
            for score, worth in _null(words, left, chances):
                if worth >= least:
                    yield score, ("declare", "null", *pair, *words)


def _null(words: tuple[str, ...], danger: float, chances: Sequence[float]) -> Iterator[tuple[float, int]]:
    """Yield the expected score and the value of a Null, if its danger has a chance at all."""
    if danger < len(chances):
        worth = NULL_VALUES[words]
        yield _score(worth, chances[int(danger)]), worth


def _score(worth: int, chance: float) -> float:
    """Return the expected score of a game; a loss counts twice."""
    return worth * (3 * chance - 2)
