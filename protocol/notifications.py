"""The notifications, each in the native and the classic dialect; `json_dialect` has the third dialect.

The classic dialect has no news from the table and no full deals, and its STATE has its own fields and order. Its other
heads are ``move`` for ``request`` and ``moved`` for ``update``. Reading detects the dialect.
"""

from __future__ import annotations

from croupier.protocol import views
from croupier.protocol.full_deal import FullDeal
from croupier.protocol.sexp import Malformed, texts, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from croupier.protocol.sexp import Sexp
    from croupier.protocol.views.view import Play, View

NATIVE = "native"
CLASSIC = "classic"
JSON = "json"

OWN = "own"
OPEN = "open"
BLIND = "blind"
"""What a player is told of the others' cards: nothing, all of them, or an imagined deal in their place."""

TABLE = "table"
"""The referee's own name in an update."""


class Notification:
    """A message from the referee to a player; equal to another of the same kind with the same content."""

    __slots__: tuple[str, ...] = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._fields()))})"

    def _fields(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def write(self, dialect: str = NATIVE) -> str:
        """Return the notification's line, without its newline."""
        raise NotImplementedError


class Request(Notification):
    """Ask for a play: it is the player's turn. For a process, ``view`` is STATE as text."""

    __slots__ = __match_args__ = ("view",)

    def __init__(self, view: Any) -> None:
        self.view = view

    def write(self, dialect: str = NATIVE) -> str:
        """Return ``(request STATE)``."""
        return f"(move {self.view.classic()})" if dialect == CLASSIC else f"(request {self.view})"


class Update(Notification):
    """Report that ``name`` played, or news from the table."""

    __slots__ = __match_args__ = ("name", "play")

    def __init__(self, name: str, play: Play) -> None:
        self.name = name
        self.play = play

    def write(self, dialect: str = NATIVE) -> str:
        """Return ``(update NAME PLAY)``; an empty string where classic has no words for it."""
        if self.name == TABLE:  # the table's news, unlike plays, hardly ever repeats, so it is not remembered
            return "" if dialect == CLASSIC else f"(update {TABLE} {write(self.play)})"
        return f"({'moved' if dialect == CLASSIC else 'update'} {self.name} {texts[self.play]})"


class Attacked(Notification):
    """Ask for a defense: ``name``'s play attacks the player. For a process, ``view`` is STATE as text."""

    __slots__ = __match_args__ = ("play", "name", "view")

    def __init__(self, play: Play, name: str, view: Any) -> None:
        self.play = play
        self.name = name
        self.view = view

    def write(self, dialect: str = NATIVE) -> str:
        """Return ``(attacked PLAY NAME STATE)``."""
        state = self.view.classic() if dialect == CLASSIC else self.view
        return f"(attacked {write(self.play)} {self.name} {state})"


class Defended(Notification):
    """Report how ``name`` met the attack."""

    __slots__ = __match_args__ = ("name", "defense")

    def __init__(self, name: str, defense: Play) -> None:
        self.name = name
        self.defense = defense

    def write(self, dialect: str = NATIVE) -> str:
        """Return ``(defended NAME DEFENSE)``, the same in both dialects."""
        return f"(defended {self.name} {write(self.defense)})"


class Open(Notification):
    """Show all hands, before each question, to a player that is seated as open."""

    __slots__ = __match_args__ = ("deal",)

    def __init__(self, deal: FullDeal) -> None:
        self.deal = deal

    def write(self, dialect: str = NATIVE) -> str:
        """Return ``(open DEAL)``; an empty string where classic has no words for it."""
        return "" if dialect == CLASSIC else f"(open {self.deal})"


def read(form: Sexp) -> Notification | None:
    """Return the notification that a form is, None if only a later version of the protocol could know it."""
    match form:
        case ("request", state):
            return Request(views.read(state))
        case ("update" | "moved", str(name), tuple(play)):
            return Update(name, play)
        case ("attacked", tuple(play), str(name), (("game", _), *_) as state):
            return Attacked(play, name, views.read(state))
        case ("attacked", tuple(play), str(name), state):
            return Attacked(play, name, _classic(state, "defend"))
        case ("defended", str(name), tuple(defense)):
            return Defended(name, defense)
        case ("open", deal):
            return Open(FullDeal.read(deal))
        case ("move", state):
            return Request(_classic(state))
        case ("request" | "update" | "moved" | "attacked" | "defended" | "open" | "move", *_):
            raise Malformed(f"a notification of another shape: {write(form)[:200]}")
    return None


def _classic(state: Sexp, phase: str = "") -> View:
    page: Any = views.page("dominion")
    view: View = page.of_classic(state, phase)
    return view
