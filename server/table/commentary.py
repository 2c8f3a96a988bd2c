"""Commentary: a game as lines of text: hands, plays, tricks with who took them and their points, and the table's news.

A choice in a RECYCLE program has a number for its play; here it is said in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.sexp import write
from croupier.protocol.views.dominion import DominionView
from croupier.protocol.views.recycle import RecycleView, named
from croupier.server.games.game import Told
from croupier.server.games.tricks import TrickTaking
from croupier.server.table.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, News, Play

_PLAIN = "DEFAULT"
"""The back of the cards of a program that knows only one."""
_VERBS = {"remember", "forget", "swap"}
"""What RECYCLE does with cards or lists, but to move them."""


class Commentary:
    """What there is to tell of a game, asked for around each play: `opening`, then `before` it and `after` it.

    All cards are open here: whoever hears of them has no seat.
    """

    def __init__(self, game: Game) -> None:
        self._game: Any = game
        self._told: Sequence[int] = ()
        self._hand: tuple[object, ...] | None = None
        self._trick: Callable[[], Iterator[str]] = _nothing
        self._laid = Layout()

    def opening(self) -> Iterator[str]:
        """Yield the hands as they were dealt."""
        yield from self._hands()
        yield from self._moved("holds")

    def before(self, seat: int, play: Play) -> str:
        """Say the play that is about to be applied."""
        game = self._game
        self._trick = _watched(game) if isinstance(game, TrickTaking) and game.trick else _nothing
        if not self._is_recycle():
            return said(play)
        full = game.in_full(play)
        self._laid = Layout.of(game.overview()).after(full[1:])
        return heard(full)

    def after(self, news: Sequence[News]) -> Iterator[str]:
        """Yield what the play brought: the trick that it ended, what a program did by itself, news, new hands."""
        yield from self._trick()
        yield from self._moved("gets")
        yield from (said(item.play) for item in news if isinstance(item, Told))
        yield from self._hands()

    def _is_recycle(self) -> bool:
        return bool(self._game.NAME == RecycleView.GAME)

    def _moved(self, verb: str) -> Iterator[str]:
        """Yield what a program has done by itself since the last choice: cards that came to a list, values set."""
        if self._is_recycle():
            view, before = self._game.overview(), self._laid
            self._laid = Layout.of(view)
            yield from self._laid.told(before, verb, _place, _cards_of(view))

    def _hands(self) -> Iterator[str]:
        """Yield the hands of a new deal, and those that were changed before the first card is played."""
        game = self._game
        if game.turn is None:
            return
        if isinstance(game, TrickTaking):
            yield from self._dealt(game)
        elif game.NAME == DominionView.GAME:
            yield from self._drawn(game.view(game.turn))

    def _dealt(self, game: TrickTaking) -> Iterator[str]:
        before, self._hand = self._hand, (game.number, game.phase)
        new = before is None or before[0] != game.number
        if new or (before != self._hand and game.phase == "play" and not game.all_tricks()):
            for seat, held in enumerate(game.hands):
                if held and (new or held != self._told[seat]):
                    yield f"{game.players[seat]} holds {' '.join(game.PACK.cards[held])}"
            self._told = tuple(game.hands)

    def _drawn(self, view: DominionView) -> Iterator[str]:
        """Yield the hand with which a turn of Dominion begins."""
        if view.phase != "defend" and (turn := (view.me, view.turn)) != self._hand:
            self._hand = turn
            yield f"{view.me} holds {' '.join(sorted(view.hand))}"


def _nothing() -> Iterator[str]:
    yield from ()


def _watched(game: TrickTaking) -> Callable[[], Iterator[str]]:
    """Look at a trick before a card; the next hand, which the card may bring, has lists of its own."""
    tricks, order, table, points = game.tricks, game.order, game.table, game.counting()
    ended, counted = len(tricks), sum(points)

    def trick() -> Iterator[str]:
        for _, cards in tricks[ended:]:
            worth = f", {_points(sum(points) - counted)}" if points else ""
            yield f"{game.players[order[table.winner(cards)]]} takes {' '.join(cards)}{worth}"

    return trick


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def laid_out(view: RecycleView) -> Iterator[str]:
    """Yield what a seat sees of a RECYCLE table, a list of cards or a point map a line."""
    card = _cards_of(view)
    yield from Layout.of(view).told(Layout(), "holds", _place, card)
    for place, *cards in view.visible or ():
        if place[1] == "mem":
            yield f"{_place(place)} recalls {', '.join(map(card, cards))}"
    for place, many, back in view.hidden or ():
        yield f"{_place(place)} holds {many} {'cards' if back == _PLAIN else back}"
    for owner, name, *awards in view.maps or ():
        yield f"{_owner(owner)}{name}: {', '.join(_award(*award) for award in awards)}"


def _cards_of(view: RecycleView) -> Callable[[int], str]:
    return lambda card: " ".join(view.card(card).values())


def _award(*award: Any) -> str:
    *parts, points = award
    return " ".join([*[str(value) for _, value in parts], str(points)])


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
        return (
            (" ".join(map(str, card(thing).values())) or f"card {thing}")
            if isinstance(thing, int)
            else f"a {_back(thing)}"
        )

    return ", ".join(map(one, actions)) or "nothing"


def _back(back: str) -> str:
    return "card" if back == _PLAIN else back


def _slot(slot: Any) -> str:
    return "(at the bottom)" if slot == "bottom" else f"(at {slot})"


def _place(place: Any) -> str:
    owner, _, name, *number = place
    return " ".join([_owner(owner) + str(name), *map(str, number)])


def _owner(owner: Any) -> str:
    if owner == "table":
        return ""
    return f"{'/'.join(owner[1:])} " if isinstance(owner, tuple) else f"{owner} "
