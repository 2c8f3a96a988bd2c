"""Phrases: the actions of a game from a program in the words of people at a table: play c7, takes h3 from the pool."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from croupier.server.games.recycle.broadcast import Layout
    from croupier.server.games.recycle.design import Design

    Attributes = Callable[[Any], Mapping[str, str]]
    """Returns the values on a card; empty if they are not visible."""

_NOTHING = {"NONE", ""}
"""The value of a string that is not set."""
ASKED = {"bid", "put", "take", "move", "give"}
"""Verbs of a question: what do you bid?"""
_VERBS = {"BID"}
"""Stores whose name is the verb for a player who sets them."""


class Speaker(NamedTuple):
    """Describes one player's actions: ``me`` is the player's name, ``name`` returns a card's name by its values."""

    me: str
    design: Design
    name: Callable[[Mapping[str, str]], str]
    attributes: Attributes
    plain: Callable[[Any], str]
    """Describes an action that has no phrase of its own."""
    told: bool
    """Whether the verb is that of a report, ``takes``, or of a choice, ``take``."""

    def say(self, actions: Sequence[Any]) -> str:
        """Describe a choice: moves of the same kind together, and the stores that matter to people.

        A value on a card that is moved is visible there. If a choice does nothing else, everything is described.
        """
        moves = [action for action in actions if action[0] == "move"]
        parts = [self._moved([move[1] for move in run], *way) for way, run in groupby(moves, lambda move: move[2:])]
        parts += [self.plain(action) for action in actions if action[0] not in {"move", "set", "cycle"}]
        printed = {value for move in moves for value in self.attributes(move[1]).values()}
        stores = [action for action in actions if action[0] == "set" and not printed.intersection(action[3:])]
        followed = [action for action in stores if action[2] in self.design.followed]
        parts += [self._set(*action[1:]) for action in followed or (stores if not parts else ())]
        return ", ".join(filter(None, parts)) or self._verb("pass")

    def _moved(self, cards: Sequence[Any], source: Any, to: Any, *at: Any) -> str:
        what = self._cards(cards)
        if to[0] == self.me and to[2] in self.design.tricks and to[1] == "vloc":
            return f"play {what}"  # the page drops the verb, because the card is in the trick
        here, there = (list_in_words(place, self.me) for place in (source, to))
        where = f"{there}{' (at the bottom)' if at == ('bottom',) else ''}"
        match source[0] == self.me, to[0] == self.me:
            case True, False if to[0] == "table":
                return f"{self._verb('put')} {what} on {where}"
            case True, False:
                return f"{self._verb('give')} {what} to {where}"
            case False, True:
                return f"{self._verb('take')} {what} from {here}"
            case True, True:
                return f"{self._verb('move')} {what} to {where}"
        return f"{self._verb('move')} {what} from {here} to {where}"

    def _cards(self, cards: Sequence[Any]) -> str:
        names = [self.name(self.attributes(card)) for card in cards]
        hidden = names.count("")
        return " ".join([*filter(None, names), *(["a card"] if hidden == 1 else [f"{hidden} cards"] if hidden else [])])

    def _set(self, owner: Any, store: str, value: Any = None) -> str:
        if store in _VERBS and owner == self.me:
            return f"{self._verb(store.lower())} {value}"
        words = _store(self.design, store, value)
        return words if not words or owner == self.me else owned(owner, words)

    def _verb(self, verb: str) -> str:
        return (f"{verb}es" if verb.endswith("s") else f"{verb}s") if self.told else verb


def changes(design: Design, before: Layout, after: Layout, name: Callable[[int], str]) -> Iterator[str]:
    """Yield what a program has done by itself: cards moved to a list, except a trick's, and changed stores."""
    verb = "gets" if before.places else "holds"
    come: dict[Any, list[int]] = {}
    for card, place in after.places.items():
        source = before.places.get(card, place if before.places else None)
        if source != place and not (source and source[2] in design.tricks):
            come.setdefault(place, []).append(card)
    for place, cards in come.items():
        unseen = place[0] == "table" and place[1] in {"iloc", "hloc"}
        what = (f"{len(cards)} cards" if len(cards) > 1 else "a card") if unseen else " ".join(map(name, cards))
        yield f"{list_in_words(place)} {verb} {what}"
    changed = [(*key, value) for key, value in after.stores.items() if before.stores.get(key, 0) != value]
    yield from (owned(owner, words) for owner, words in stores_in_words(design, changed).items())


def stores_in_words(design: Design, stores: Iterable[tuple[Any, str, Any]]) -> dict[Any, str]:
    """Return, for each owner, the stores that matter to people, in words; without empty ones."""
    said: dict[Any, list[str]] = {}
    for owner, store, value in stores:
        if store in design.followed and (words := _store(design, store, value)):
            said.setdefault(owner, []).append(words)
    return {owner: ", ".join(words) for owner, words in said.items()}


def _store(design: Design, store: str, value: Any) -> str:
    """Return a store's value in words; empty if it has none."""
    words = store.lower()
    if store in design.flags:
        return words if value else ""
    if value is None:
        return f"{words} changes"
    return (
        "" if value in _NOTHING else f"{words} {value.lower() if isinstance(value, str) and len(value) > 1 else value}"
    )


def owned(owner: Any, words: str) -> str:
    """Return an owner's possession in words, after the name; the table's has none."""
    return words if owner == "table" else f"{people(owner)}: {words}"


def list_in_words(place: Any, me: str = "") -> str:
    """Describe a list by its name, and its owner if that is a different player."""
    owner, _, name, *number = place
    words = " ".join(map(str, (str(name).lower(), *number)))
    return f"the {words}" if owner in {"table", me} else f"{people(owner)}'s {words}"


def people(owner: Any) -> str:
    """Return a player's name, or those of a team."""
    return " and ".join(owner[1:]) if isinstance(owner, tuple) else str(owner)
