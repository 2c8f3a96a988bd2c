"""ClassicGames: where games of the classic dialect begin and end, which that dialect leaves unsaid."""

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
    """Return whether a form is one that only the classic dialect has: each of its games begins with such a one."""
    return isinstance(form, tuple) and form[:1] != () and form[0] in _HEADS


class ClassicGames:
    """Put the start and the end of each game, as the table tells them in the native dialect, where they belong.

    A game begins with one's first STATE, and with the next one whose supply has grown, as none does within a game.
    What others do is held back until then, for it may belong to either.
    """

    def __init__(self) -> None:
        self._held: list[Notification] = []
        self._supply = 0

    def feed(self, note: Notification) -> list[Notification]:
        """Return what an agent is told now that this was sent."""
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
        """Return what an agent is told at the end of file: the rest of its game, and its end."""
        return [*self._held, _END] if self._supply else []


def _opening(view: View, held: Sequence[Notification]) -> int:
    """Return where among what was held back the new game begins: with the turns of those who sit before oneself."""
    index = view.me.partition("-")[0]
    turns = int(index) if index.isdecimal() else 0
    ends = [place for place, note in enumerate(held, 1) if isinstance(note, Update) and note.play[0] == "clean"]
    return ends[-1 - turns] if len(ends) > turns else 0
