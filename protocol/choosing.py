"""Choosing: the plays that choose some cards of a hand, each created only when it is accessed."""

from __future__ import annotations

from itertools import combinations
from math import floor
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from croupier.protocol.views.view import Play

    Plays = Sequence[Play]
    Choose = Callable[[Sequence[str]], tuple[str, ...]]
else:
    Plays = object  # a bot starts sooner without collections.abc; the methods below suffice for a sequence


_known: dict[tuple[int, int], tuple[Choose, ...]] = {}


def _learn(cards: int, size: int) -> tuple[Choose, ...]:
    """Return a function for each choice of ``size`` places among ``cards``, at least two, and remember them."""
    _known[cards, size] = choices = tuple(itemgetter(*places) for places in combinations(range(cards), size))
    return choices


class Choosing(Plays):
    """Every choice of ``size`` cards as a play, once in each form: the words before the cards, and those after."""

    __slots__ = ("_choices", "_length", "cards", "forms")

    def __init__(self, cards: Sequence[str], size: int, forms: Sequence[tuple[Play, Play]]) -> None:
        self.cards = cards
        self.forms = forms
        self._choices = choices = _known.get((len(cards), size)) or _learn(len(cards), size)
        self._length = len(choices) * len(forms)

    def draw(self, random: Callable[[], float]) -> Play:
        """Return a random play, drawn with two numbers from 0 to 1: first the cards, then the form."""
        choices, forms = self._choices, self.forms
        chosen = choices[floor(random() * len(choices))](self.cards)
        before, behind = forms[floor(random() * len(forms))]
        return before + chosen + behind

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(self._length))]
        forms = self.forms
        before, behind = forms[place % len(forms)]
        return before + self._choices[place // len(forms)](self.cards) + behind
