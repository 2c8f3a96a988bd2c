"""A player's knowledge in a game from a file."""

from __future__ import annotations

from croupier.protocol.views.view import ATOM, FORMS, PLAYER, PLAYS, Field, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ClassVar

    from croupier.protocol.views.view import Play

    Lists = dict[Any, list[tuple[Any, Any]]]
    """By owner and name: each list's place, and what is kept of it."""


_FIRST_APART = Field(
    lambda forms: "".join([f" ({PLAYS.write(form[:1])[1:]}{PLAYS.write(form[1:])})" for form in forms]),
    FORMS.read,
    FORMS.to_json,
    FORMS.of_json,
)
"""``(LIST ID ...) ...``: many lists of few cards. The parts repeat more often than the whole, so each is looked up."""
POSITION = FORMS.renamed()
FACES = PLAYS.renamed()
VISIBLE = _FIRST_APART.renamed()
HIDDEN = PLAYS.renamed()
STORES = PLAYS.renamed()
MAPS = PLAYS.renamed()
CHOICES = _FIRST_APART.renamed()


class RecycleView(View):
    """The cards and lists that the seat may see, the sizes of the others, the stores, and the choices.

    Fields as on the wire: ``wins`` is ``high`` or ``low``, ``teams`` are ``(NAME NAME ...)``, ``cards`` are ``(ID (KEY
    VALUE) ...)``, ``visible`` are ``(LIST ID ...)`` from the bottom to the top, ``hidden`` are ``(LIST N BACK)``,
    ``stores`` ``(OWNER NAME VALUE)``, ``maps`` ``(OWNER NAME ((KEY VALUE) ... POINTS) ...)``, ``choices`` ``(N ACTION
    ...)``. ``at`` is the program's position: ``N FIRST (WHO NEXT) ...``. A LIST is ``(OWNER KIND NAME)``, with a number
    after it where there are several; an OWNER is a name, ``table`` or ``(team NAME ...)``. In an action, a card that
    the seat cannot see is the back of its deck.
    """

    GAME = "recycle"
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "program": ATOM,
        "wins": ATOM,
        "phase": ATOM,
        "teams": FORMS,
        "current": PLAYER,
        "at": POSITION,
        "cards": FACES,
        "visible": VISIBLE,
        "hidden": HIDDEN,
        "stores": STORES,
        "maps": MAPS,
        "choices": CHOICES,
    }

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays: one for each choice."""
        if self.legal is not None or self.choices is None:
            return super().legal_plays()
        return [("choose", choice[0]) for choice in self.choices]

    def card(self, number: int) -> Mapping[str, str]:
        """Return the values on a card by key, empty for a card that the seat has not seen."""
        described: dict[int, dict[str, str]] = self._arrange("_cards", _cards)
        return described.get(number, {})

    def pile(self, owner: Any, name: str, kind: str | None = None, number: int | None = None) -> tuple[int, ...]:
        """Return the visible cards of a list, the bottom first.

        If there are several lists of that name, of different kinds or numbered, return all their cards, list by list,
        unless ``kind`` or ``number`` selects one.
        """
        piles: Lists = self._arrange("_piles", _piles)
        return tuple([card for cards in _values_of(piles, owner, name, kind, number) for card in cards])

    def count(self, owner: Any, name: str, kind: str | None = None, number: int | None = None) -> int:
        """Count the cards of a list, visible or not.

        Of several lists of that name all are counted, unless ``kind`` or ``number`` selects one.
        """
        counts: Lists = self._arrange("_counts", _counts)
        unseen: int = sum(_values_of(counts, owner, name, kind, number))
        return len(self.pile(owner, name, kind, number)) + unseen

    def worth(self, card: int, owner: Any, name: str) -> int:
        """Return a card's score by a point map: the sum of the awards of which it has every part."""
        on_it = self.card(card)
        maps: dict[Any, tuple[Any, ...]] = self._arrange("_worths", _worths)
        awards = maps.get((owner, name), ())
        points: list[int] = [a[-1] for a in awards if all(on_it.get(key, "none") == value for key, value in a[:-1])]
        return sum(points)

    def store(self, owner: Any, name: str) -> int | str:
        """Return the number or word in an owner's store, 0 if it is empty."""
        values: dict[Any, int | str] = self._arrange("_values", _values)
        return values.get((owner, name), 0)

    def _arrange(self, name: str, arrange: Callable[[RecycleView], Any]) -> Any:
        """Arrange a field for lookup at its first use, and keep it in the view."""
        if name not in self.__dict__:
            self.__dict__[name] = arrange(self)
        return self.__dict__[name]


def named_cards(play: Play) -> dict[int, dict[str, str]]:
    """Return the values on the cards named in another player's ``(choose ACTION ... (cards ...))``, by card id."""
    last: Any = play[-1]
    return {card[0]: dict(card[1:]) for card in last[1:]} if last[0] == "cards" else {}


def _values_of(lists: Lists, owner: Any, name: str, kind: str | None, number: int | None) -> list[Any]:
    """Return the values of the lists that are selected."""
    found = lists.get((owner, name), ())
    return [value for place, value in found if kind in {None, place[1]} and number in {None, _number(place)}]


def _number(place: Any) -> int:
    number: int = place[3] if len(place) > 3 else 0
    return number


def _cards(view: RecycleView) -> dict[int, dict[str, str]]:
    return {card[0]: dict(card[1:]) for card in view.cards or ()}


def _piles(view: RecycleView) -> Lists:
    return _by_name([(form[0], form[1:]) for form in view.visible or ()])


def _counts(view: RecycleView) -> Lists:
    return _by_name([(place, many) for place, many, _ in view.hidden or ()])


def _by_name(lists: list[tuple[Any, Any]]) -> Lists:
    found: Lists = {}
    for place, value in lists:
        found.setdefault((place[0], place[2]), []).append((place, value))
    return found


def _worths(view: RecycleView) -> dict[Any, tuple[Any, ...]]:
    return {(owner, name): awards for owner, name, *awards in view.maps or ()}


def _values(view: RecycleView) -> dict[Any, int | str]:
    return {(owner, name): value for owner, name, value in view.stores or ()}


VIEW = RecycleView
