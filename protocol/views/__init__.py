"""A player's knowledge, one page per game: a typed value on one side, STATE on the other.

The page of a bundled game is ``VIEW`` in the module of that name beside this one. A package that adds a game adds its
page by an entry point in the group ``croupier.pages``.
"""

from __future__ import annotations

import sys

from croupier.protocol.sexp import Malformed
from croupier.protocol.views.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.sexp import Sexp

__all__ = ["BadPage", "View", "fields", "page", "read"]


class BadPage(ValueError):
    """A page from a package that cannot be loaded, and the reason."""


def read(state: Sexp | View) -> View:
    """Return STATE as the view of its game; a game without a page here gets the plain View.

    A field is decoded when it is first accessed, so a bot pays only for what it uses.
    """
    if isinstance(state, View):  # a seat in the referee's own process receives the view itself
        return state
    known: dict[Any, Any] = {field[0]: field[1:] for field in fields(state)}
    return page(known.get("game", ("",))[0]).of(known)


def fields(state: Sexp) -> list[tuple[Sexp, ...]]:
    """Return the fields ``(key value ...)`` of STATE; raise Malformed if it is not a list of them."""
    if isinstance(state, tuple):
        found = [field for field in state if isinstance(field, tuple) and field]
        if len(found) == len(state):
            return found
    raise Malformed("STATE is a list of fields (key value ...)")


def page(game: object) -> type[View]:
    """Return the page of a game: its players' kind of view."""
    found = _pages.get(game)
    if found is None:
        found = _pages[game] = _load(str(game))
    return found


_pages: dict[object, type[View]] = {}


def _load(game: str) -> type[View]:
    """Load a page from here or from an installed package; the plain View if there is none."""
    module = f"{__name__}.{game}"
    if game.isidentifier():
        try:
            __import__(module)
        except ModuleNotFoundError:
            return _installed_page(game)
    page: type[View] | None = getattr(sys.modules.get(module), "VIEW", None)
    return page or _installed_page(game)


def _installed_page(game: str) -> type[View]:
    __import__("importlib.metadata")  # here and not above: it takes as long as everything else that a bot loads
    for entry in sys.modules["importlib.metadata"].entry_points(group="croupier.pages", name=game):
        try:
            page = entry.load()
        except Exception as problem:
            raise BadPage(f"{entry.value}, the page of {game}, does not load: {problem!r}") from problem
        if isinstance(page, type) and issubclass(page, View):
            return page
        raise BadPage(f"{entry.value}, the page of {game}, is no View")
    return View
