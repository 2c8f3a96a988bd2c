"""TerminalSeat: a person at this terminal; and how a game looks there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import trio

from croupier.protocol import views
from croupier.protocol.notifications import TABLE, Attacked, Defended, Update
from croupier.protocol.sexp import Malformed, parse, read, write
from croupier.protocol.views.view import MAX_LEGAL
from croupier.server.table.commentary import heard, in_words, said
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.seat import Seat
from croupier.server.table.talk import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Play
    from croupier.server.table.talk import Question

_SILENT = {"game", "options", "players", "clock", "bank", "legal", "choices"}


class TerminalSeat(Seat):
    """A seat whose player reads and types: told things at once, asked until the play is one of the listed ones."""

    def __init__(
        self, name: str, say: Callable[[str], None] | None = None, hear: Callable[[str], str] | None = None
    ) -> None:
        super().__init__(name)
        self._say = say or (lambda text: print(text, file=sys.stderr, flush=True))
        self._hear = hear or _prompt

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Show what happened."""
        match note:
            case Update(name, ("start", state)) if name == TABLE:
                self._say(f"You are {self.name}, at {' '.join(views.read(state).players)} clockwise from you.")
            case Update(name, play):
                self._say(f"  {name}: {heard(play)}")
            case Defended(name, defense):
                self._say(f"  {name} answers: {said(defense)}")

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Show the state and the legal plays, and read a number or a play."""
        view = question.view
        if isinstance(question, Attacked):
            self._say(f"{question.name} attacks you: {said(question.play)}")
        self._say(shown(view))
        plays: list[Play] = list(view.legal_plays())
        for number, play in enumerate(plays[:MAX_LEGAL], 1):
            self._say(f"  {number:3}  {in_words(view, play)}")
        if len(plays) > MAX_LEGAL:
            self._say(f"  ... and {len(plays) - MAX_LEGAL} more: type the play itself")
        while True:
            try:
                typed = await trio.to_thread.run_sync(self._hear, "your play (number or s-expression): ")
            except EOFError:
                return Answer(Fault(Kind.CRASHED, "the terminal's input ended"))
            chosen = _chosen(typed.strip(), plays)
            if chosen is not None:
                return Answer(chosen)
            self._say("That is none of them.")


def _prompt(text: str) -> str:
    print(text, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _chosen(typed: str, plays: list[Play]) -> Play | None:
    if typed.isdecimal():
        return plays[int(typed) - 1] if 0 < int(typed) <= len(plays) else None
    try:
        form = read((typed if typed.startswith("(") else f"({typed})").encode())
    except Malformed:
        return None
    wanted = _sorted(form)
    return next((play for play in plays if play == form), None) or next(
        (play for play in plays if _sorted(play) == wanted), None
    )


def _sorted(form: object) -> object:
    return (form[0], sorted(map(str, form[1:]))) if isinstance(form, tuple) and form else form


def shown(view: View) -> str:
    """Show what a seat knows, a field a line, without what never changes."""
    fields = views.fields(parse(str(view)))
    return "\n".join(
        f"    {key}: {' '.join(map(write, forms))}" for key, *forms in fields if key not in _SILENT and forms
    )
