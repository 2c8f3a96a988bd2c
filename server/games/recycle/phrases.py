"""Phrases: the actions of a game from a program in the words of people at a table: play c7, takes h3 from the pool."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from croupier.server.games.recycle.broadcast import Layout
    from croupier.server.games.recycle.design import Design

    Attributes = Callable[[Any], Mapping[str, str]]
    """Returns the values on a card; empty if they are not visible."""

_NOTHING = {"NONE", ""}
"""The value of a string that is not set."""
ASKED = {"bid", "put", "take", "move", "give"}
"""Verbs of a question: what do you bid?"""
_VERBS = {
    "ASKED": ("ask for", "asks for"),
    "BETS": ("bet", "bets"),
    "BID": ("bid", "bids"),
    "CALLS": ("call", "calls"),
    "CHECKS": ("check", "checks"),
    "DONE": ("stop", "stops"),
    "FOLDED": ("fold", "folds"),
    "OUT": ("drop out", "drops out"),
    "OVER": ("stop", "stops"),
    "PASS": ("pass", "passes"),
    "RAISES": ("raise", "raises"),
    "WISH": ("ask to swap", "asks to swap"),
}
"""Stores whose name tells what a player who sets them does: as a choice and as news."""
_WITH_VALUE = {"ASKED", "BID"}
_NOT_COUNTED = {"owes"}
"""Words with an s at the end that are no plural."""
_HAND = ("iloc", "HAND")
"""The usual name of a player's hand in programs, which is not said."""


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
        parts = [*self._moves([(way, [move[1] for move in run]) for way, run in groupby(moves, lambda move: move[2:])])]
        parts += [self.plain(action) for action in actions if action[0] not in {"move", "set", "cycle"}]
        printed = {value for move in moves for value in self.attributes(move[1]).values()}
        stores = [action for action in actions if action[0] == "set" and not printed.intersection(action[3:])]
        # what a flag says beside a move, such as that something was taken, the move has said
        unsaid = self.design.flags - _VERBS.keys() if parts else ()
        followed = [action for action in stores if action[2] in self.design.followed and action[2] not in unsaid]
        parts += [self._set(*action[1:]) for action in followed or (stores if not parts else ())]
        return ", ".join(filter(None, parts)) or self._verb("pass")

    def _moves(self, runs: Sequence[tuple[tuple[Any, ...], Sequence[Any]]]) -> Iterator[str]:
        """Describe moves of the same kind, and what takes cards to the same list in one phrase: takes c3 with h3."""
        at = 0
        while at < len(runs):
            (source, to, *end), cards = runs[at]
            at += 1
            words = self._moved(cards, source, to, *end)
            if at < len(runs) and source[0] == "table" and to[0] == self.me:
                (of, goal, *_), more = runs[at]
                if goal == to and of[0] == self.me:
                    words, at = f"{words} with {self._cards(more)}", at + 1
            yield words

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
            case True, True if to[2] in _VERBS:
                return f"{_VERBS[to[2]][self.told]} {what}"
            case True, True:
                return f"{self._verb('put')} {what} down ({where.removeprefix('the ')})"
        return f"{self._verb('move')} {what} from {here} to {where}"

    def _cards(self, cards: Sequence[Any]) -> str:
        names = [self.name(self.attributes(card)) for card in cards]
        hidden = names.count("")
        return " ".join([*filter(None, names), *(["a card"] if hidden == 1 else [f"{hidden} cards"] if hidden else [])])

    def _set(self, owner: Any, store: str, value: Any = None) -> str:
        if store in _VERBS and owner in {self.me, "table"} and value != 0:
            verb = _VERBS[store][self.told]
            return f"{verb} {_plain(value)}" if store in _WITH_VALUE else verb
        words = _store(self.design, store, value)
        if owner == "table" and _is_count(store, value):
            return f"{words} on the table"
        return words if not words or owner == self.me else owned(owner, words)

    def _verb(self, verb: str) -> str:
        return (f"{verb}es" if verb.endswith("s") else f"{verb}s") if self.told else verb


def changes(
    design: Design, before: Layout, after: Layout, name: Callable[[int], str], unsaid: Container[str] = ()
) -> Iterator[str]:
    """Yield what a program has done by itself: cards moved to a list, except a trick's, and changed stores.

    Cards that nothing looks at again are left out, and stores that are to be ``unsaid``.
    """
    verb = "gets" if before.places else "holds"
    come: dict[Any, list[int]] = {}
    for card, place in after.places.items():
        source = before.places.get(card, place if before.places else None)
        if source != place and not (source and source[2] in design.tricks):
            come.setdefault(place, []).append(card)
    for place, cards in come.items():
        unseen = place[0] == "table" and place[1] in {"iloc", "hloc"}
        what = (f"{len(cards)} cards" if len(cards) > 1 else "a card") if unseen else " ".join(map(name, cards))
        if unseen or place[1:] == _HAND:
            yield f"{people(place[0]) if place[1:] == _HAND else list_in_words(place)} {verb} {what}"
        elif place[2] not in design.graves:
            yield f"{list_in_words(place).removeprefix('the ')}: {what}"
    changed = [
        (*key, value)
        for key, value in after.stores.items()
        if before.stores.get(key, 0) != value and key[1] not in unsaid
    ]
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
    if _is_count(store, value):
        return f"{value} {'life' if words == 'lives' else words[:-1]}" if value == 1 else f"{value} {words}"
    return "" if value in _NOTHING else f"{words} {_plain(value)}"


def _is_count(store: str, value: Any) -> bool:
    """Return whether a store counts what its name says: three tricks."""
    return isinstance(value, int) and store.lower().endswith("s") and store.lower() not in _NOT_COUNTED


def _plain(value: Any) -> str:
    return value.lower() if isinstance(value, str) and len(value) > 1 else str(value)


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
