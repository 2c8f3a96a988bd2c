"""Dominion's cards, and what may be played with them as far as one player can see.

The sixteen piles of the first game: what they cost, what they are worth, how many there are. The plays depend on
nothing that a player cannot see on his own turn, so the rules and a bot's view list them from the same few functions.
"""

from __future__ import annotations

from itertools import combinations, product
from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.sexp import Sexp

    Play = tuple[Sexp, ...]

TREASURES = ("copper", "silver", "gold")
VICTORIES = ("estate", "duchy", "province")
ACTIONS = (
    *("mine", "cellar", "market", "remodel", "smithy"),
    *("village", "woodcutter", "workshop", "militia", "moat"),
)
PILES = TREASURES + VICTORIES + ACTIONS
"""Every card, in the order of the supply."""

COST = (
    {"copper": 0, "silver": 3, "gold": 6, "estate": 2, "duchy": 5, "province": 8}
    | {"mine": 5, "cellar": 2, "market": 5, "remodel": 4, "smithy": 4}
    | {"village": 3, "woodcutter": 3, "workshop": 3, "militia": 4, "moat": 2}
)
COINS = {"copper": 1, "silver": 2, "gold": 3}
"""What a treasure buys."""
POINTS = {"estate": 1, "duchy": 3, "province": 6}
START = ("copper",) * 7 + ("estate",) * 3
"""The ten cards with which everybody begins."""

HAND = 5
MILITIA_LEAVES = 3
MINE_ADDS = 3
REMODEL_ADDS = 2
WORKSHOP_BUILDS = 4

MOAT: tuple[str, ...] = ("moat",)
CLEAN: Play = ("clean",)

_ADD: dict[str, Play] = {card: ("add", card) for card in TREASURES}
_BUY: dict[str, Play] = {card: ("buy", card) for card in PILES}
_SHOW: dict[str, Play] = {card: ("clean", card) for card in PILES}
_PLAIN: dict[str, Play] = {
    card: ("act", card) for card in ("market", "smithy", "village", "woodcutter", "militia", "moat")
}
_MINE: dict[str, tuple[tuple[str, Play], ...]] = {
    old: tuple([(new, ("act", "mine", old, new)) for new in TREASURES if COST[new] <= COST[old] + MINE_ADDS])
    for old in TREASURES
}
_REMODEL: dict[str, tuple[tuple[str, Play], ...]] = {
    old: tuple([(new, ("act", "remodel", old, new)) for new in PILES if COST[new] <= COST[old] + REMODEL_ADDS])
    for old in PILES
}
_WORKSHOP: tuple[tuple[str, Play], ...] = tuple(
    [(new, ("act", "workshop", new)) for new in PILES if COST[new] <= WORKSHOP_BUILDS]
)
_UP_TO = tuple([tuple([card for card in PILES if COST[card] <= coins]) for coins in range(9)])


def supply(players: int) -> dict[str, int]:
    """Return the piles that a game of so many players begins with, after everybody's ten cards are taken."""
    victories = 8 if players == 2 else 12
    treasures = {"copper": 60 - 7 * players, "silver": 40, "gold": 30}
    return treasures | dict.fromkeys(VICTORIES, victories) | dict.fromkeys(ACTIONS, 10)


def affordable(coins: int) -> tuple[str, ...]:
    """Return the cards that cost at most so many coins, in the order of the supply."""
    return _UP_TO[min(coins, 8)]


def turn_plays(
    hand: Sequence[str],
    piles: Mapping[str, int],
    *counters: int,
    treasures: tuple[str, ...] = TREASURES,
) -> Iterator[Play]:
    """List what may be played on one's turn, the many choices of a Cellar last.

    The counters are the actions, buys and coins left; ``treasures`` may still be played if they are in hand.
    """
    actions, buys, coins = counters
    kinds = set(hand)
    if actions:
        yield from _acts(hand, kinds, piles)
    if buys:
        yield from [_ADD[card] for card in treasures if card in kinds]
        yield from [_BUY[card] for card in affordable(coins) if piles[card]]
    if hand:
        yield from [_SHOW[card] for card in PILES if card in kinds]
    else:
        yield CLEAN
    if actions and "cellar" in kinds:
        for cards in parts(without(hand, "cellar")):
            yield ("act", "cellar", *cards)


def _acts(hand: Sequence[str], kinds: set[str], piles: Mapping[str, int]) -> Iterator[Play]:
    for card in [card for card in ACTIONS if card in kinds]:
        if card in _PLAIN:
            yield _PLAIN[card]
        elif card == "mine":
            yield from [play for old in TREASURES if old in kinds for new, play in _MINE[old] if piles[new]]
        elif card == "remodel":
            others = without(hand, "remodel")
            yield from [play for old in PILES if old in others for new, play in _REMODEL[old] if piles[new]]
        elif card == "workshop":
            yield from [play for new, play in _WORKSHOP if piles[new]]


def without(hand: Sequence[str], card: str) -> list[str]:
    """Return the hand without one such card."""
    rest = list(hand)
    rest.remove(card)
    return rest


def parts(cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """List every choice of any number of cards once, nothing first, each sorted."""
    kinds = sorted(set(cards))
    for numbers in product(*[range(cards.count(kind) + 1) for kind in kinds]):
        yield tuple([kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number)])


def count_parts(cards: Sequence[str]) -> int:
    """Count what `parts` lists."""
    return prod([cards.count(kind) + 1 for kind in set(cards)])


def defenses(hand: Sequence[str]) -> Iterator[Play]:
    """List the ways to meet a Militia: a moat, or down to three cards."""
    if "moat" in hand:
        yield MOAT
    surplus = max(len(hand) - MILITIA_LEAVES, 0)
    yield from [("discard", *cards) for cards in sorted(set(combinations(sorted(hand), surplus)))]
