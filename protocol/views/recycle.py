"""What a player of a game from a file may see."""

from __future__ import annotations

from croupier.protocol.views.view import ATOM, FORMS, PLAYS, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ClassVar

    from croupier.protocol.views.view import Field, Play


class RecycleView(View):
    """The cards and lists that one may see, the sizes of the others, the stores, and what one may choose.

    Fields as on the wire: ``cards`` are ``(ID (KEY VALUE) ...)``, ``visible`` are ``(LIST ID ...)`` from the bottom to
    the top, ``hidden`` are ``(LIST N BACK)``, ``stores`` ``(OWNER NAME VALUE)``, ``choices`` ``(N ACTION ...)``.
    A LIST is ``(OWNER KIND NAME)``, with a number behind it where there are more; an OWNER is a name, ``table`` or
    ``(team NAME ...)``. In an action a card that one cannot see is the back of its deck.
    """

    GAME = "recycle"
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "program": ATOM,
        "current": ATOM,
        "cards": PLAYS,
        "visible": FORMS,
        "hidden": FORMS,
        "stores": FORMS,
        "choices": FORMS,
    }

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays: one for each choice."""
        if self.legal is not None or self.choices is None:
            return super().legal_plays()
        return [("choose", choice[0]) for choice in self.choices]

    def card(self, number: int) -> Mapping[str, str]:
        """Return what is on a card: its value by key; nothing of a card that one has not seen."""
        described: dict[int, dict[str, str]] = self._arranged("_cards", _cards)
        return described.get(number, {})

    def pile(self, owner: Any, name: str) -> tuple[int, ...]:
        """Return the cards of a list that one may see, the bottom first."""
        piles: dict[Any, tuple[int, ...]] = self._arranged("_piles", _piles)
        return piles.get((owner, name), ())

    def count(self, owner: Any, name: str) -> int:
        """Return how many cards lie in a list, seen or not."""
        counts: dict[Any, int] = self._arranged("_counts", _counts)
        return len(self.pile(owner, name)) + counts.get((owner, name), 0)

    def store(self, owner: Any, name: str) -> int | str:
        """Return a number or a word that is kept for an owner, 0 if there is none."""
        values: dict[Any, int | str] = self._arranged("_values", _values)
        return values.get((owner, name), 0)

    def _arranged(self, name: str, arrange: Callable[[RecycleView], Any]) -> Any:
        """Arrange a field for looking things up, at the first use."""
        if name not in self.__dict__:
            self.__dict__[name] = arrange(self)
        return self.__dict__[name]


def _cards(view: RecycleView) -> dict[int, dict[str, str]]:
    return {card[0]: dict(card[1:]) for card in view.cards or ()}


def _piles(view: RecycleView) -> dict[Any, tuple[int, ...]]:
    return {(form[0][0], form[0][2]): form[1:] for form in view.visible or ()}


def _counts(view: RecycleView) -> dict[Any, int]:
    counts: dict[Any, int] = {}
    for place, many, _ in view.hidden or ():
        counts[place[0], place[2]] = counts.get((place[0], place[2]), 0) + many
    return counts


def _values(view: RecycleView) -> dict[Any, int | str]:
    return {(owner, name): value for owner, name, value in view.stores or ()}


VIEW = RecycleView
