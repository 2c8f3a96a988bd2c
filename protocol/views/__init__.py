"""What a player may see, one page a game: a typed value on one side, STATE on the other."""

from __future__ import annotations

import sys

from croupier.protocol.sexp import Malformed
from croupier.protocol.views.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.sexp import Sexp

__all__ = ["View", "fields", "page", "read", "register"]

BUNDLED = ("dominion", "hearts", "skat", "doppelkopf", "jass", "sedma", "recycle")


def read(state: Sexp | View) -> View:
    """Return STATE as the view of its game; a game without a page of its own here gets the plain View.

    A field is decoded when it is first asked for, so a bot pays for what it looks at.
    """
    if isinstance(state, View):  # a seat in the referee's own process is told the view itself
        return state
    known: dict[Any, Any] = {field[0]: field[1:] for field in fields(state)}
    return page(known.get("game", ("",))[0]).of(known)


def fields(state: Sexp) -> list[tuple[Sexp, ...]]:
    """Return the fields ``(key value ...)`` of STATE; raise Malformed if it is no list of such."""
    if isinstance(state, tuple):
        found = [field for field in state if isinstance(field, tuple) and field]
        if len(found) == len(state):
            return found
    raise Malformed("STATE is a list of fields (key value ...)")


def page(game: object) -> type[View]:
    """Return the page of a game: the kind of view that its players get."""
    found = _pages.get(game)
    if found is None:
        found = _pages[game] = _load(str(game))
    return found


_pages: dict[object, type[View]] = {}


def register(game: str, page: type[View]) -> None:
    """Let `read` return this kind of view for a game from outside the tree."""
    _pages[game] = page


def _load(game: str) -> type[View]:
    if game not in BUNDLED:
        return View
    module = f"{__name__}.{game}"
    __import__(module)
    page: type[View] = sys.modules[module].VIEW
    return page
