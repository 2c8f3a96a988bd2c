"""TerminalSeat: a person at this terminal; and how a game looks there."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import trio

from croupier.protocol import views
from croupier.protocol.notifications import TABLE, Attacked, Defended, Update
from croupier.protocol.sexp import parse, write
from croupier.protocol.views.recycle import RecycleView
from croupier.server.games.broadcast import said
from croupier.server.games.recycle.words import laid_out
from croupier.server.table.commentary import heard, in_words
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.seat import Seat
from croupier.server.table.talk import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Play
    from croupier.server.table.talk import Question

FEW = 20
"""So many plays are listed below the hand without pushing it off the screen."""
PROMPT = "your play (its number, or itself; help, quit): "
HELP = """\
Type the number that stands before a play, or the play itself: play h9, or (play h9), or 9h alone.
Cards may be in any order: give h9 s2 cK. In RECYCLE, choose 3 is the third choice, and so are
words that stand in it alone: k clubs.
  all    lists every play
  quit   ends the game, as Ctrl-C does; it counts for nobody"""

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
        self._offer(view, plays[:FEW], len(plays) - FEW)
        while True:
            try:
                typed = await trio.to_thread.run_sync(self._hear, PROMPT, abandon_on_cancel=True)
            except EOFError:
                return Answer(Fault(Kind.CRASHED, "the terminal's input ended"))
            match typed.strip():
                case "quit":
                    raise KeyboardInterrupt
                case "help":
                    self._say(HELP)
                case "all":
                    self._offer(view, plays, 0)
                case words:
                    chosen = _chosen(words, plays) or _meant(words, view, plays)
                    if chosen is not None:
                        return Answer(chosen)
                    self._say("That is none of them; help says how to type a play.")

    def _offer(self, view: View, plays: Sequence[Play], more: int) -> None:
        """List plays with their numbers."""
        for number, play in enumerate(plays, 1):
            self._say(f"  {number:3}  {in_words(view, play)}")
        if more > 0:
            self._say(f"  ... and {more} more: type all to see them, or the play itself, such as {said(plays[-1])}")


class Typed:
    """Lines typed at a file descriptor, read by read(2).

    A thread that is left behind in a read of sys.stdin holds its lock, without which Python does not end.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._ahead = b""

    def line(self) -> str:
        """Wait for a line; raise EOFError behind the last one."""
        while b"\n" not in self._ahead:
            more = os.read(self._descriptor, 4096)
            if not more:
                if not self._ahead:
                    raise EOFError
                more = b"\n"
            self._ahead += more
        line, _, self._ahead = self._ahead.partition(b"\n")
        return line.decode(errors="replace")


_stdin = Typed(0)


def _prompt(text: str) -> str:
    print(text, end="", file=sys.stderr, flush=True)
    return _stdin.line()


def _chosen(typed: str, plays: Sequence[Play]) -> Play | None:
    """Find the play that was typed: its number, or its words in any order, without the first where that is clear."""
    if typed.isdecimal():
        return plays[int(typed) - 1] if 0 < int(typed) <= len(plays) else None
    words = _words(typed)
    exact = [play for play in plays if _words(said(play)) == words]
    same = [play for play in plays if sorted(_words(said(play))) == sorted(words)]
    bare = [play for play in plays if len(play) > 1 and sorted(_words(said(play))[1:]) == sorted(words)]
    return next(iter(exact or same or (bare if len(bare) == 1 else ())), None)


def _meant(typed: str, view: View, plays: Sequence[Play]) -> Play | None:
    """Find the only choice of a RECYCLE program in whose description all the words stand that were typed."""
    words = set(typed.lower().split())
    if not words or not isinstance(view, RecycleView):
        return None
    found = [play for play in plays if words <= set(in_words(view, play).replace(",", " ").lower().split())]
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    """Take a play's words apart; of a card's name, h9 or 9h, the order of its two characters does not matter."""
    words = text.replace("(", " ").replace(")", " ").lower().split()
    return ["".join(sorted(word)) if len(word) == 2 else word for word in words]


def shown(view: View) -> str:
    """Show what a seat knows, a field a line, without what never changes."""
    if isinstance(view, RecycleView):
        return "\n".join(f"    {line}" for line in laid_out(view))
    fields = views.fields(parse(str(view)))
    return "\n".join(
        f"    {key}: {' '.join(map(write, forms))}" for key, *forms in fields if key not in _SILENT and forms
    )
