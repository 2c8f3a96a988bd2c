"""Commentary: a game as lines of text: hands, plays, tricks with who took them and their points, and the table's news.

A choice in a RECYCLE program has a number for its play; here it is said in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.sexp import write
from croupier.protocol.views.recycle import RecycleView, named
from croupier.server.games.game import Told
from croupier.server.games.tricks import TrickTaking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, News, Play

_VERBS = {"remember", "forget", "swap"}
"""What RECYCLE does with cards or lists, but to move them."""


class Commentary:
    """What there is to tell of a game, asked for around each play: `opening`, then `before` it and `after` it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._told: Sequence[int] = ()
        self._hand: tuple[int, str] | None = None
        self._trick: Callable[[], Iterator[str]] = _nothing

    def opening(self) -> Iterator[str]:
        """Yield the hands as they were dealt."""
        yield from self._hands()

    def before(self, seat: int, play: Play) -> str:
        """Say the play that is about to be applied."""
        game = self._game
        self._trick = _watched(game) if isinstance(game, TrickTaking) and game.trick else _nothing
        return in_words(game.view(seat), play) if play[0] == "choose" else said(play)

    def after(self, news: Sequence[News]) -> Iterator[str]:
        """Yield what the play brought: the trick that it ended, news, the hands of the next deal."""
        yield from self._trick()
        yield from (said(item.play) for item in news if isinstance(item, Told))
        yield from self._hands()

    def _hands(self) -> Iterator[str]:
        """Yield the hands of a new deal, and those that were changed before the first card is played."""
        game = self._game
        if not isinstance(game, TrickTaking) or game.turn is None:
            return
        before, self._hand = self._hand, (game.number, game.phase)
        new = before is None or before[0] != game.number
        if new or (before != self._hand and game.phase == "play" and not game.all_tricks()):
            for seat, held in enumerate(game.hands):
                if held and (new or held != self._told[seat]):
                    yield f"{game.players[seat]} holds {' '.join(game.PACK.cards[held])}"
            self._told = tuple(game.hands)


def _nothing() -> Iterator[str]:
    yield from ()


def _watched(game: TrickTaking) -> Callable[[], Iterator[str]]:
    """Look at a trick before a card; the next hand, which the card may bring, has lists of its own."""
    tricks, order, table, points = game.tricks, game.order, game.table, game.counting()
    ended, counted = len(tricks), sum(points)

    def trick() -> Iterator[str]:
        for _, cards in tricks[ended:]:
            worth = f", {sum(points) - counted} points" if points else ""
            yield f"{game.players[order[table.winner(cards)]]} takes {' '.join(cards)}{worth}"

    return trick


def said(play: Play) -> str:
    """Say a play as a person would read it: without its outer parentheses."""
    return write(play)[1:-1]


def in_words(view: View, play: Play) -> str:
    """Say a play of the seat whose view this is; a RECYCLE choice by what it does."""
    choices = view.choices if isinstance(view, RecycleView) else None
    chosen = next((actions for number, *actions in choices or () if ("choose", number) == play), None)
    if chosen is None or not isinstance(view, RecycleView):
        return said(play)
    return _actions(chosen, view.card)


def heard(play: Play) -> str:
    """Say a play as all are told of it: a RECYCLE choice names its cards itself."""
    if play[0] != "choose" or not isinstance(play[-1], tuple):
        return said(play)
    cards, actions = named(play), [action for action in play[1:] if isinstance(action, tuple) and action[0] != "cards"]
    return _actions(actions, lambda card: cards.get(card, {}))


def _actions(actions: Sequence[Any], card: Callable[[int], Mapping[str, str]]) -> str:
    def one(action: Any) -> str:
        match action:
            case ("move", moved, source, to, *slot):
                return " ".join([what(moved), "from", _place(source), "to", _place(to), *map(_slot, slot)])
            case ("set", owner, name):
                return f"{_owner(owner)}{name} is changed"
            case ("set", owner, name, value):
                return f"{_owner(owner)}{name} is {value}"
            case (verb, *things) if verb in _VERBS:
                return " ".join([verb, *map(what, things)])
            case ("shuffle", place):
                return f"shuffle {_place(place)}"
        return said(action)

    def what(thing: Any) -> str:
        if isinstance(thing, tuple):
            return _place(thing)
        return (" ".join(map(str, card(thing).values())) or f"card {thing}") if isinstance(thing, int) else f"a {thing}"

    return ", ".join(map(one, actions)) or "nothing"


def _slot(slot: Any) -> str:
    return "(at the bottom)" if slot == "bottom" else f"(at {slot})"


def _place(place: Any) -> str:
    owner, _, name, *number = place
    return " ".join([_owner(owner) + str(name), *map(str, number)])


def _owner(owner: Any) -> str:
    if owner == "table":
        return ""
    return f"{'/'.join(owner[1:])} " if isinstance(owner, tuple) else f"{owner} "
