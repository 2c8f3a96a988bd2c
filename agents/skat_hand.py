"""The prospects of a Skat hand: the card points that each game should bring, and which two cards to put down.

The weights are a least-squares fit to about twenty thousand games of the club player against itself.
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
    from collections.abc import Iterator, Mapping, Sequence

NOTHING = 3.0
"""The points of a hand without any of the features below."""

# The features: number of trumps, rank of the jacks (4 for clubs to 1 for diamonds), ace of trumps, ten of trumps; then
# counts over the plain suits: an ace, its ten, a ten with the king, a bare ten, a void suit, any other card.
BEFORE = {
    "suit": (7.9, 2.1, 6.3, 3.2, 12.7, 7.8, 5.9, 3.0, 2.6, 1.4),
    "grand": (11.6, 0.7, 0.0, 0.0, 10.0, 7.0, 7.9, 4.9, 1.1, 2.3),
}
"""The weights for ten cards before the skat is picked up."""
KEPT = {
    "suit": (8.3, 1.9, 6.7, 5.2, 9.3, 3.3, 7.2, 5.6, 5.8, -3.4),
    "grand": (10.9, 1.5, 0.0, 0.0, 11.5, 6.0, 9.8, 5.8, 4.3, -1.2),
}
"""The weights for the ten cards that are kept."""
PUT = {"suit": 0.4, "grand": 0.8}
"""The weight of a card point put down: it is safe, but that card no longer helps to win others."""

SPREAD = 7.0
"""The spread of actual points around the expected ones: the width of a logistic curve."""


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


def expected_points(game: str, cards: int, weights: Mapping[str, tuple[float, ...]]) -> float:
    """Return the card points that a suit game or Grand should bring with these ten cards."""
    kind = "grand" if game == "grand" else "suit"
    return NOTHING + sum([count * weight for count, weight in zip(_counts(game, cards), weights[kind], strict=True)])


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
def promises(hand: tuple[str, ...], enough: float, safe: int) -> tuple[int, ...]:
    """Return the value of each game on which these ten cards may be worth bidding."""
    cards = bits(hand)
    games = [value(game, hand) for game in BASE if expected_points(game, cards, BEFORE) >= enough]
    return (*games, NULL_VALUES[()]) if least_danger(cards) <= safe else tuple(games)


@Memory
def best_declaration(hand: tuple[str, ...], bid: int) -> tuple[str, ...]:
    """Return the most promising declaration of twelve cards, among those that reach the bid if any does."""
    ways = [*_games(hand, bid), *_nulls(hand, bid)] or [*_games(hand, 0)]
    return max(ways)[1]


def _games(cards: Sequence[str], least: int) -> Iterator[tuple[float, tuple[str, ...]]]:
    held = bits(cards)
    for game in BASE:
        if (worth := value(game, cards)) < least:
            continue
        plain = [card for card in cards if card not in TRUMPS[game]]
        for pair in combinations(plain if len(plain) > 1 else cards, 2):
            put = PUT["grand" if game == "grand" else "suit"] * card_points(pair)
            points = put + expected_points(game, held - BITS[pair[0]] - BITS[pair[1]], KEPT)
            yield _promise(worth, 1 / (1 + exp((61 - points) / SPREAD))), ("declare", game, *pair)


def _nulls(cards: Sequence[str], least: int) -> Iterator[tuple[float, tuple[str, ...]]]:
    held = bits(cards)
    for pair in combinations(cards, 2):
        chance = 0.95 - 0.12 * danger(held - BITS[pair[0]] - BITS[pair[1]])
        for words, worth in (((), NULL_VALUES[()]), (("ouvert",), NULL_VALUES["ouvert",])):
            if worth >= least:
                yield _promise(worth, chance - 0.1 * len(words)), ("declare", "null", *pair, *words)


def _promise(worth: int, chance: float) -> float:
    """Return a game's average result; a loss counts twice."""
    return worth * (3 * chance - 2)
