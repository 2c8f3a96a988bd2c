"""Dominion's cards, and what may be played with them as far as one player can see.

The sixteen piles of the first game: their costs, values and numbers. The legal plays depend only on what the player on
turn can see. So the rules and a bot's view list them by the same functions.
"""

from __future__ import annotations

from itertools import chain, combinations, product
from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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

_PLACE = {card: place for place, card in enumerate(PILES)}
_ADD: dict[str, Play] = {card: ("add", card) for card in TREASURES}
_BUY: dict[str, Play] = {card: ("buy", card) for card in PILES}
_SHOW: dict[str, Play] = {card: ("clean", card) for card in PILES}
_PLAIN: dict[str, tuple[Play]] = {
    card: (("act", card),) for card in ("market", "smithy", "village", "woodcutter", "militia", "moat")
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
_BUYS = tuple([tuple([_BUY[card] for card in cards]) for cards in _UP_TO])
_ACTIONS = frozenset(ACTIONS)
_MOST_HANDS = 4096
_hands: dict[frozenset[str], tuple[tuple[str, ...], tuple[str, ...], tuple[Play, ...], tuple[Play, ...]]] = {}
"""Memo: the parts of a hand's plays that depend only on the kinds of its cards.

The same kinds of hands keep coming up, and listing them was a large part of a turn's cost.
"""


class Piles(dict[str, int]):
    """The number of each card, in the supply's order. Immutable, so that what is computed from it can be kept."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        super().__init__(numbers)
        self._text = ""
        self._sold_out: tuple[str, ...] | None = None

    def but(self, card: str, number: int) -> Piles:
        """Return the piles with another number of one card.

        What was already computed is carried over where it still holds.
        """
        others = Piles(self)
        others[card] = number
        if self._text:
            others._text = self._text.replace(f"({card} {self[card]})", f"({card} {number})")
        if number and self[card]:
            others._sold_out = self._sold_out
        return others

    def text(self) -> str:
        """Write them pile by pile, each preceded by a space: ``(CARD N) ...``."""
        if not self._text:
            self._text = "".join([f" ({card} {number})" for card, number in self.items()])
        return self._text

    def empty_piles(self) -> tuple[str, ...]:
        """Return the cards of which there are none."""
        if self._sold_out is None:
            self._sold_out = tuple([card for card, number in self.items() if not number])
        return self._sold_out


def supply(players: int) -> Piles:
    """Return the piles at the start of a game for ``players``, after everybody's ten cards are taken."""
    victories = 8 if players == 2 else 12
    treasures = {"copper": 60 - 7 * players, "silver": 40, "gold": 30}
    return Piles(treasures | dict.fromkeys(VICTORIES, victories) | dict.fromkeys(ACTIONS, 10))


def affordable(coins: int) -> tuple[str, ...]:
    """Return the cards that cost at most ``coins``, in the order of the supply."""
    return _UP_TO[min(coins, 8)]


def turn_plays(
    hand: Sequence[str],
    piles: Mapping[str, int],
    *counters: int,
    adding: bool = True,
) -> Iterable[Play]:
    """List the legal plays of a turn, the many choices of a Cellar last and lazily.

    The counters are the actions, buys and coins left; ``adding`` says whether treasures may still be played. The result
    is a tuple if no action can be played.
    """
    actions, buys, coins = counters
    held = frozenset(hand)
    kinds, acting, adds, shown = _hands.get(held) or _remember(held)
    plays = shown
    if buys:
        bought = _BUYS[min(coins, 8)]
        if not all(piles.values()):
            bought = tuple([_BUY[card] for card in affordable(coins) if piles[card]])
        plays = adds * adding + bought + shown
    if not (actions and acting):
        return plays
    acts = [play for card in acting for play in _acts(card, hand, kinds, piles)]
    return chain(acts, plays, _cellars(hand)) if "cellar" in acting else [*acts, *plays]


def _remember(held: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Play, ...], tuple[Play, ...]]:
    """List a hand's kinds of cards, its actions, its treasures' plays and the plays that end the turn; keep them."""
    kinds = tuple(sorted(held, key=_PLACE.__getitem__))
    if len(_hands) >= _MOST_HANDS:
        _hands.clear()
    acting = tuple([card for card in kinds if card in _ACTIONS])
    adds = tuple([_ADD[card] for card in kinds if card in _ADD])
    listed = _hands[held] = kinds, acting, adds, tuple([_SHOW[card] for card in kinds]) or (CLEAN,)
    return listed


def _acts(card: str, hand: Sequence[str], kinds: Sequence[str], piles: Mapping[str, int]) -> Iterable[Play]:
    """List the plays of an action card other than a Cellar; Mine, Remodel and Workshop need a card to gain."""
    if card in _PLAIN:
        return _PLAIN[card]
    if card == "mine":
        return [play for old in kinds if old in _MINE for new, play in _MINE[old] if piles[new]]
    if card == "remodel":
        rest = without(hand, card)
        return [play for old in kinds if old in rest for new, play in _REMODEL[old] if piles[new]]
    if card == "workshop":
        return [play for new, play in _WORKSHOP if piles[new]]
    return ()


def _cellars(hand: Sequence[str]) -> Iterator[Play]:
    for cards in parts(without(hand, "cellar")):
        yield ("act", "cellar", *cards)


def without(hand: Sequence[str], card: str) -> list[str]:
    """Return the hand without one such card."""
    rest = list(hand)
    rest.remove(card)
    return rest


def parts(cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """List every choice of any number of cards once, the empty one first, each sorted."""
    kinds = sorted(set(cards))
    for numbers in product(*[range(cards.count(kind) + 1) for kind in kinds]):
        yield tuple([kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number)])


def count_parts(cards: Sequence[str]) -> int:
    """Count what `parts` lists."""
    return prod([cards.count(kind) + 1 for kind in set(cards)])


def defenses(hand: Sequence[str]) -> Iterator[Play]:
    """List the ways to meet a Militia: reveal a moat, or discard down to three cards."""
    if "moat" in hand:
        yield MOAT
    surplus = max(len(hand) - MILITIA_LEAVES, 0)
    yield from [("discard", *cards) for cards in sorted(set(combinations(sorted(hand), surplus)))]
