"""Choosing: the plays that choose some cards of a hand, each made only when it is looked at."""

from __future__ import annotations

from itertools import combinations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from croupier.protocol.views.view import Play

    Plays = Sequence[Play]
else:
    Plays = object  # a bot starts sooner without collections.abc; what is below suffices to be a sequence


_known: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}


def _places(cards: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return every choice of so many places in a hand, the same ones again and again."""
    if (cards, size) not in _known:
        _known[cards, size] = tuple(combinations(range(cards), size))
    return _known[cards, size]


class Choosing(Plays):
    """For each choice of ``size`` of the cards a play of each form: what stands before the cards, and what behind."""

    __slots__ = ("_length", "_places", "cards", "forms")

    def __init__(self, cards: Sequence[str], size: int, forms: Sequence[tuple[Play, Play]]) -> None:
        self.cards = cards
        self.forms = forms
        self._places = _places(len(cards), size)
        self._length = len(self._places) * len(forms)

    def draw(self, random: Callable[[], float]) -> Play:
        """Return one of them by two numbers from 0 to 1: the cards by the first, the form by the second."""
        number = int(random() * len(self._places))
        drawn: Play = self[number * len(self.forms) + int(random() * len(self.forms))]
        return drawn

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(self._length))]
        number, form = divmod(place, len(self.forms))
        before, behind = self.forms[form]
        cards = self.cards
        return (*before, *[cards[one] for one in self._places[number]], *behind)
