"""Imagining: full deals that agree with all that one player's STATE says, for programs that want all hands."""

from __future__ import annotations

from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.protocol import json_dialect, notifications, views
from croupier.protocol.full_deal import FullDeal
from croupier.protocol.notifications import BLIND, OPEN, TABLE, Attacked, Request, Update
from croupier.protocol.sexp import Malformed, parse
from croupier.protocol.views.view import View
from croupier.server import games
from croupier.server.games.world import NotToldError, world_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.server.games.game import Game
    from croupier.server.games.world import World

TRIES = 1000
"""The number of deals that are tried for one that agrees: in most games every deal does."""
_ON_TURN = "it must be that of a request, whose player is on turn"
_APART = {"clock", "bank", "legal"}
"""Fields of STATE that say nothing about the cards, or follow from other fields."""


class BadState(ValueError):
    """A STATE that is impossible, or that says too little; the message says why."""


def worlds(state: str | View, rng: Random, program: str | None = None) -> Iterator[FullDeal]:
    """Yield full deals that agree with a STATE, without end, drawn by ``rng`` independently of one another.

    ``state`` is a view, or text in either dialect: STATE alone, or a message that contains it. ``program`` is the file
    of a RECYCLE program that is not in the library. Raise BadState if no game fits.
    """
    view = state if isinstance(state, View) else read_state(state)
    try:
        rules = games.of_view(view, program)
    except (games.NoSuchGame, games.BadGame) as problem:
        raise BadState(str(problem)) from None
    yield from _worlds(rules, view, rng)


def _worlds(rules: type[Game], view: View, rng: Random) -> Iterator[FullDeal]:
    with _fitting(rules):
        told, seen = rules.WORLD.of_view(rules, view), _said(view)
        seat = told.game.players.index(view.me)
    while True:
        with _fitting(rules):
            world = _agreeing(told, seat, seen, rng)
        yield _full_deal(world, view.players)


def _full_deal(world: World, players: Sequence[str]) -> FullDeal:
    """Return all cards of a game, with the players in this order."""
    names = world.game.players
    seen = {name: world.game.view(names.index(name)) for name in players}
    return FullDeal(seen, tuple([(pile, cards) for pile, cards in world.unseen() if cards]))


def true_deal(game: Game, seat: int) -> FullDeal:
    """Return all cards as they lie, for the player in a seat."""
    return _full_deal(world_of(game), game.view(seat).players)


def imagined_deal(game: Game, seat: int, seed: str = "") -> FullDeal | None:
    """Return a full deal that agrees with what the player in a seat sees, None if none can be given.

    It is made from the player's STATE alone. The same STATE and ``seed`` give the same deal, so that a bot can be asked
    the same again.
    """
    view = game.view(seat)
    try:
        return next(_worlds(type(game), view, Random(f"{seed} {_said(view)}")))
    except BadState:
        return None


DEALS: dict[str, Callable[[Game, int], FullDeal | None]] = {OPEN: true_deal, BLIND: imagined_deal}
"""The deals that a player is told before each question, if it is told any."""


def read_state(text: str) -> View:
    """Return the STATE in a text; raise BadState if there is none."""
    try:
        note: object = _in_json(text) if text.lstrip().startswith("{") else _in_lists(text)
    except (Malformed, AttributeError, LookupError, RecursionError, TypeError, ValueError) as problem:
        raise BadState(f"no STATE can be read: {problem}") from None
    match note:
        case Request(View() as view) | Attacked(_, _, View() as view):
            return view
        case Update(name, ("start", state)) if name == TABLE:
            return views.read(state)
        case View() as view:
            return view
    raise BadState("that is a message without STATE; a request has one")


def _in_json(text: str) -> object:
    said = json_dialect.load(text)
    return json_dialect.read(text) if "type" in said else json_dialect.read_state(said)


def _in_lists(text: str) -> object:
    form: Any = parse(" ".join(text.split()))
    is_message = isinstance(form, tuple) and form and isinstance(form[0], str)
    return notifications.read(form) if is_message else views.read(form)


@contextmanager
def _fitting(rules: type[Game]) -> Iterator[None]:
    """Raise BadState for whatever error the rules meet in a STATE that no game of theirs has written."""
    try:
        yield
    except BadState:
        raise
    except NotToldError as problem:
        raise BadState(str(problem)) from None
    except Exception as problem:
        raise BadState(f"no game of {rules.NAME} comes to this STATE; {_ON_TURN}") from problem


def _agreeing(told: World, seat: int, seen: dict[str, str], rng: Random) -> World:
    """Deal what the viewer does not see again until it sees what it saw."""
    for _ in range(TRIES):
        world = told.determinize(seat, rng)
        if _said(world.game.view(seat)) == seen:
            return world
    raise BadState(f"of {TRIES} deals none agrees with this STATE; {_ON_TURN}")


def _said(view: View) -> dict[str, str]:
    """Return the text of the fields that say something about the game."""
    fields = [(name, codec, getattr(view, name)) for name, (_, codec) in view.codecs().items() if name not in _APART]
    return {name: codec.write(value) for name, codec, value in fields if value is not None}
