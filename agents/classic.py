"""ClassicGames: the starts and ends of games in the classic dialect, which does not state them."""

from __future__ import annotations

from croupier.protocol.notifications import TABLE, Attacked, Request, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.notifications import Notification
    from croupier.protocol.sexp import Sexp
    from croupier.protocol.views.view import View

_HEADS = ("move", "moved")
_END = Update(TABLE, ("end",))


def is_classic(form: Sexp) -> bool:
    """Return whether a form exists only in the classic dialect. Each of its games begins with such a form."""
    return isinstance(form, tuple) and form[:1] != () and form[0] in _HEADS


class ClassicGames:
    """Insert the start and the end of each game, as the native dialect has them, into a classic conversation.

    A game begins with the seat's first STATE, and again with each STATE whose supply has grown, which never happens
    within a game. Moves of other players are held back until then, because they may belong to either game.
    """

    def __init__(self) -> None:
        self._held: list[Notification] = []
        self._supply = 0

    def feed(self, note: Notification) -> list[Notification]:
        """Return the notifications that the agent should see after this one arrived."""
        if not isinstance(note, Request | Attacked):
            self._held.append(note)
            return []
        view, held = note.view, self._held
        before, self._supply, self._held = self._supply, sum(view.supply.values()), []
        if self._supply <= before:
            return [*held, note]
        cut = _opening(view, held) if before else 0
        ended = [*held[:cut], _END] if before else []
        return [*ended, Update(TABLE, ("start", view)), *held[cut:], note]

    def rest(self) -> list[Notification]:
        """Return the notifications left at the end of file: the rest of the game, and its end."""
        return [*self._held, _END] if self._supply else []


def _opening(view: View, held: Sequence[Notification]) -> int:
    """Return the index in ``held`` at which the new game begins: with the turns of the seats before this one."""
    index = view.me.partition("-")[0]
    turns = int(index) if index.isdecimal() else 0
    ends = [place for place, note in enumerate(held, 1) if isinstance(note, Update) and note.play[0] == "clean"]
    return ends[-1 - turns] if len(ends) > turns else 0
