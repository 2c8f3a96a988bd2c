"""What a hand of Skat is good for: the card points that each game should bring, and which two cards to put down.

The weights are a least-squares fit to some twenty thousand games of the club player against itself.
"""

from __future__ import annotations

from itertools import combinations
from math import exp

from croupier.agents.skat_cards import value
from croupier.protocol.skat import BASE, JACKS, NULL_VALUES, TRUMPS, card_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from croupier.protocol.views.skat import SkatView

NOTHING = 3.0
"""The points of a hand in which nothing counts, but for what follows."""

# Each: a trump, the rank of the jacks (4 for clubs to 1 for diamonds), the ace and the ten of trumps; then of the plain
# suits: an ace, its ten, a ten with the king, a bare ten, a void suit, any other card.
BEFORE = {
    "suit": (7.9, 2.1, 6.3, 3.2, 12.7, 7.8, 5.9, 3.0, 2.6, 1.4),
    "grand": (11.6, 0.7, 0.0, 0.0, 10.0, 7.0, 7.9, 4.9, 1.1, 2.3),
}
"""What counts in ten cards before the skat is picked up."""
KEPT = {
    "suit": (8.3, 1.9, 6.7, 5.2, 9.3, 3.3, 7.2, 5.6, 5.8, -3.4),
    "grand": (10.9, 1.5, 0.0, 0.0, 11.5, 6.0, 9.8, 5.8, 4.3, -1.2),
}
"""What counts in the ten cards that are kept."""
PUT = {"suit": 0.4, "grand": 0.8}
"""What a point put down counts: it is safe, but a card less that makes others go."""

SPREAD = 7.0
"""How far from what is expected the points may come out: the width of a logistic curve."""


def expected(game: str, cards: Collection[str], weights: Mapping[str, tuple[float, ...]]) -> float:
    """Return the card points that a game of suit or Grand should bring with these ten cards."""
    kind = "grand" if game == "grand" else "suit"
    return NOTHING + sum([count * weight for count, weight in zip(_counts(game, cards), weights[kind], strict=True)])


def _counts(game: str, cards: Collection[str]) -> tuple[int, ...]:
    trumps = [card for card in TRUMPS[game] if card in cards]
    jacks = sum([4 - place for place, jack in enumerate(JACKS) if jack in cards])
    ranks = {card[1] for card in trumps}
    aces = tens = guarded = bare = voids = others = 0
    for suit in "cshd":
        if game != "grand" and suit == game[0]:
            continue
        length = sum([suit + rank in cards for rank in "ATKQ987"])
        ace, ten, king = suit + "A" in cards, suit + "T" in cards, suit + "K" in cards
        aces += ace
        tens += ace and ten
        guarded += ten and king and not ace
        bare += ten and not king and not ace
        voids += length == 0
        others += length - ace - (ace and ten)
    return len(trumps), jacks, "A" in ranks, "T" in ranks, aces, tens, guarded, bare, voids, others


def danger(cards: Collection[str]) -> int:
    """Return how far the hand stands above a Null that cannot lose: in each suit every second rank from the seven."""
    total = 0
    for suit in "cshd":
        held = [place for place, rank in enumerate("789TJQKA") if suit + rank in cards]
        total += sum([max(0, place - 2 * low) for low, place in enumerate(held)])
    return total


def promises(state: SkatView, enough: float, safe: int) -> Iterator[int]:
    """Yield the value of each game that these ten cards may be worth bidding on."""
    for game in BASE:
        if expected(game, state.hand, BEFORE) >= enough:
            yield value(game, state.hand)
    if min(danger([card for card in state.hand if card not in pair]) for pair in combinations(state.hand, 2)) <= safe:
        yield NULL_VALUES[()]


def best_declaration(state: SkatView) -> tuple[str, ...]:
    """Return the declaration of twelve cards that promises most, among those that hold the bid if any does."""
    ways = [*_games(state.hand, state.bid), *_nulls(state.hand, state.bid)] or [*_games(state.hand, 0)]
    return max(ways)[1]


def _games(cards: Sequence[str], least: int) -> Iterator[tuple[float, tuple[str, ...]]]:
    for game in BASE:
        if (worth := value(game, cards)) < least:
            continue
        plain = [card for card in cards if card not in TRUMPS[game]]
        for pair in combinations(plain if len(plain) > 1 else cards, 2):
            put = PUT["grand" if game == "grand" else "suit"] * card_points(pair)
            points = put + expected(game, [card for card in cards if card not in pair], KEPT)
            yield _promise(worth, 1 / (1 + exp((61 - points) / SPREAD))), ("declare", game, *pair)


def _nulls(cards: Sequence[str], least: int) -> Iterator[tuple[float, tuple[str, ...]]]:
    for pair in combinations(cards, 2):
        chance = 0.95 - 0.12 * danger([card for card in cards if card not in pair])
        for words, worth in (((), NULL_VALUES[()]), (("ouvert",), NULL_VALUES["ouvert",])):
            if worth >= least:
                yield _promise(worth, chance - 0.1 * len(words)), ("declare", "null", *pair, *words)


def _promise(worth: int, chance: float) -> float:
    """Return what a game brings on average: a loss counts twice."""
    return worth * (3 * chance - 2)
