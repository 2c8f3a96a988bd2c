"""The law of fairness: late in a hand of tricks, all possible deals are counted, and must be imagined equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt
from random import Random
from typing import TYPE_CHECKING

from croupier.server.games.tricks import TrickTaking
from croupier.server.games.world import world_of
from croupier.server.laws.trial import demand
from croupier.server.laws.worlds import NoticedError, Past, slots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.laws.trial import Trial
    from croupier.server.laws.worlds import Slot

    Places = Mapping[str, frozenset[Slot]]
    Hands = tuple[int, ...]

GAMES = 2
MOST = 30
"""At most this many possible deals are counted."""
TIMES = 30
"""How often each is imagined on average."""
ODD = 5.0
"""Unequal numbers this many standard deviations out are not chance: the probability is one in three million."""


def imagined_deals_come_equally_often(trial: Trial) -> None:
    """Every deal that could be is imagined, and none more often than others, where they can be counted in full."""
    for past, observer, truth in _countable(trial):
        if (label := past.shuffle_with(set(truth))) is not None:
            past.require_repeatable(observer, label)
        possible = {hands for swap in _swaps(truth) if (hands := _retell(past, observer, swap)) is not None}
        number, rng = TIMES * len(possible), Random(f"{trial} fair")
        came = Counter(_hands(world_of(past.game).determinize(observer, rng).game) for _ in range(number))
        name = trial.players[observer]
        demand(came.keys() <= possible, f"{name} imagines a deal that cannot be")
        demand(possible <= came.keys(), f"{name} never imagines {len(possible - came.keys())} deals that can be")
        odd = _odd([came[hands] for hands in possible])
        demand(odd < ODD, f"{name} imagines some of {len(possible)} deals more often than others, which is no chance")


def _hands(game: object) -> Hands:
    assert isinstance(game, TrickTaking)
    return tuple(game.hands)


def _countable(trial: Trial) -> Iterator[tuple[Past, int, Places]]:
    """Play some random games; yield each one's first position with few possible deals and nothing done in secret."""
    for seed in range(GAMES):
        past, observer = Past(trial, seed), seed % trial.seats
        if not isinstance(past.game, TrickTaking) or past.shuffle_with(set()) is None:
            return
        while past.game.turn is not None:
            truth = _unseen(past, observer)
            trial.at = f"in random game {seed}, after {len(past.moments)} decisions"
            if 1 < _deals(truth) <= MOST and not _secret(past, observer):
                yield past, observer, truth
                break
            past.go_on()


def _unseen(past: Past, observer: int) -> Places:
    """Return where each card is that the observer's STATE does not show."""
    found = slots(past.game)
    seen = {word for (seat, _), words in found.items() if seat == observer for word in words}
    return {card: place for card, place in past.hidden_cards(past.game, observer).items() if card not in seen}


def _secret(past: Past, observer: int) -> bool:
    """Return whether another player has acted since the last shuffle in a way that the observer saw only partly."""
    since = past.moments[past.since() :]
    return any(moment.public != moment.play for moment in since if moment.seat != observer)


def _groups(truth: Places) -> list[list[str]]:
    groups: dict[frozenset[Slot], list[str]] = {}
    for card in sorted(truth):
        groups.setdefault(truth[card], []).append(card)
    return list(groups.values())


def _deals(truth: Places) -> int:
    """Count the ways to deal the hidden cards to their places."""
    ways, left = 1, len(truth)
    for group in _groups(truth):
        ways *= comb(left, len(group))
        left -= len(group)
    return ways


def _swaps(truth: Places) -> Iterator[Mapping[str, str]]:
    """List each of these ways as a mapping from each card to the one in its place."""
    groups = _groups(truth)
    were = [card for group in groups for card in group]
    for dealt in _deal_each_way([len(group) for group in groups], sorted(truth)):
        yield dict(zip(were, dealt, strict=True))


def _deal_each_way(sizes: Sequence[int], cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    if not sizes:
        yield ()
        return
    for first in combinations(cards, sizes[0]):
        for rest in _deal_each_way(sizes[1:], [card for card in cards if card not in first]):
            yield (*first, *rest)


def _retell(past: Past, observer: int, swap: Mapping[str, str]) -> Hands | None:
    """Return the hands of the past with these cards swapped, None if it could not have happened so."""
    label = past.shuffle_with(set(swap))
    if label is None:
        return None
    try:
        return _hands(past.retell(observer, label, swap))
    except NoticedError:
        return None


def _odd(numbers: Sequence[int]) -> float:
    """Return how unlikely the numbers are for equal chances: chi-squared in standard deviations (Wilson, Hilferty)."""
    free = len(numbers) - 1
    if not free:
        return 0.0
    mean = sum(numbers) / len(numbers)
    squared = sum([(number - mean) ** 2 for number in numbers]) / mean
    ninth = 2 / (9 * free)
    root: float = (squared / free) ** (1 / 3)
    return (root - (1 - ninth)) / sqrt(ninth)
