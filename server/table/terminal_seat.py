"""TerminalSeat: a person at this terminal.

With NO_COLOR, on a dumb terminal and in a file there are no colors; where suits cannot be written, their letters are.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import trio
from rich.table import Table
from rich.text import Text

from croupier.protocol import views
from croupier.protocol.notifications import TABLE, Attacked, Defended, Update
from croupier.protocol.views.recycle import RecycleView
from croupier.server.console import Console
from croupier.server.games.broadcast import Role, facts, say
from croupier.server.games.recycle.broadcast import say_table
from croupier.server.table.commentary import in_words
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.meant_play import MOST_PLAYS, nearest
from croupier.server.table.messages import Answer
from croupier.server.table.seat import Seat
from croupier.server.table.spelling import SUITS, find_play, in_reach, numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.broadcast import Broadcast, Picture, Place
    from croupier.server.games.game import Game, Play
    from croupier.server.table.messages import Question


FEW = 20
"""At most this many plays are listed below the hand, or it would be pushed off the screen."""
PROMPT = "your play (its number, or itself; help, quit): "
HELP = """\
Type the number that stands before a card or a play, or the play itself: play h9, or (play h9), or 9h alone.
Cards may be in any order: give h9 s2 cK. In RECYCLE, choose 3 is the third choice, and so are
words that stand in it alone: k clubs.
  all    lists every play
  last   shows the last trick again
  table  draws the table again; more says all that you know, in words
  undo   takes back what is not sent yet; Enter sends it
  sure   sends a play as soon as it is typed, from now on
  quit   ends the game, as Ctrl-C does; it counts for nobody"""


class TerminalSeat(Seat):
    """A seat whose player reads and types: told things at once, asked until the input is a legal play.

    At a real terminal, a play waits for Enter before it is sent, so that it can be taken back.
    """

    def __init__(self, name: str, console: Console | None = None, hear: Callable[[str], str] | None = None) -> None:
        super().__init__(name)
        self.pen = Pen(console or Console(stderr=True, highlight=False))
        self.holds = hear is None and os.isatty(_STANDARD_INPUT)
        """Whether a play must be confirmed before it is sent."""
        self._hear = hear or self._prompt
        self._broadcast: Broadcast | None = None
        self._place = 0

    def follow(self, game: Game, seat: int) -> None:
        """Draw this game from this seat's view."""
        self._broadcast = game.BROADCAST(game)
        self._broadcast.drawn = True
        self._place = seat

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Show what happened."""
        match note:
            case Update(name, ("start", state)) if name == TABLE:
                self._say(f"You are {self.name}, at {' '.join(views.read(state).players)} clockwise from you.")
            case Update(name, ("end", *scores)) if name == TABLE:
                said_ = ", ".join(" ".join(map(str, score)) for score in scores if isinstance(score, tuple))
                self._say(f"The game is over: {said_ or 'it counts for nobody'}.")
            case Update(name, play) if name == TABLE:
                self._say(f"  {self._here().announced(play)}")
            case Update(name, play):
                self._say(f"  {name}: {self._of_another(name, play)}")
            case Defended(name, defense):
                self._say(f"  {name} answers: {say(defense)}")

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Show the table with the legal plays, and read a number or a play."""
        if isinstance(question, Attacked):
            self._say(f"{question.name} attacks you: {say(question.play)}")
        offer = _Offer(question.view, self._here(), self._place)
        self._draw(offer)
        held: Play | None = None
        while True:
            try:
                typed = (await self._read(offer, held)).strip()
            except EOFError:
                return Answer(Fault(Kind.CRASHED, "the terminal's input ended"))
            if typed == "sure":
                self.holds = False
            if held is not None and typed in {"", "sure"}:
                return Answer(held)
            if self._answer_question(typed, offer):
                held = None if typed == "undo" else held
                continue
            play = find_play(typed, offer.plays, offer.spoken)
            if play is None:
                guess = nearest(typed.split(), offer.words[:MOST_PLAYS])
                self._say(f"That is none of them; {guess or 'help says how to type a play.'}")
            elif not self.holds:
                return Answer(play)
            held = play or held

    async def _read(self, offer: _Offer, held: Play | None) -> str:
        words = PROMPT if held is None else f"{offer.words[offer.plays.index(held)]}  (Enter sends it, undo does not): "
        return await trio.to_thread.run_sync(self._hear, words, abandon_on_cancel=True)

    def _answer_question(self, typed: str, offer: _Offer) -> bool:
        """Answer the input if it was a question, not a play; return whether it was."""
        match typed:
            case "quit":
                raise KeyboardInterrupt
            case "help":
                self._say(HELP)
            case "all":
                self._list(offer, range(len(offer.plays)), 0)
            case "more":
                self._say(describe_view(offer.view))
            case "table":
                self._draw(offer)
            case "last":
                self._last(offer, "no trick has been taken yet")
            case "undo" | "sure":
                self._say("Take your time." if typed == "undo" else "Plays are sent as they are typed.")
            case _:
                return False
        return True

    def _here(self) -> Broadcast:
        if self._broadcast is None:
            raise RuntimeError("a person is asked about a game that he was not shown")
        return self._broadcast

    def _of_another(self, name: str, play: Play) -> str:
        broadcast = self._here()
        return broadcast.words_for_others(broadcast.game.players.index(name), play)

    def _draw(self, offer: _Offer) -> None:
        """Draw the table, and list the plays that no card on it stands for."""
        self._last(offer, "")
        players = offer.broadcast.game.players
        self.pen.console.print(self.pen.table(offer.picture, players, self._place, offer.numbers))
        marked = set(offer.numbers.values())
        others = [at for at in range(len(offer.plays)) if at + 1 not in marked]
        self._say(offer.broadcast.question(offer.view))
        self._list(offer, others[:FEW], len(others) - FEW)

    def _last(self, offer: _Offer, otherwise: str) -> None:
        """Show the trick before the current one."""
        last = offer.broadcast.last(self._place)
        if last is not None and last not in (offer.picture.places if not otherwise else ()):
            text = Text("last  ", "dim").append_text(self.pen.place(last, offer.broadcast.game.players, {}))
            self.pen.console.print(text)
        elif otherwise and last is None:
            self._say(otherwise)

    def _list(self, offer: _Offer, places: Sequence[int], more: int) -> None:
        """List plays with their numbers."""
        for at in places:
            self._say(f"  {at + 1:3}  {offer.words[at]}")
        if more > 0:
            self._say(f"  ... and {more} more: type all to see them, or the play itself, such as {offer.words[-1]}")

    def _say(self, words: str) -> None:
        self.pen.console.print(self.pen.words(words))

    def _prompt(self, words: str) -> str:
        self.pen.console.print(self.pen.words(words), end="")
        return _stdin.line()


class _Offer:
    """The plays that a person may make now, as the table is drawn."""

    def __init__(self, view: View, broadcast: Broadcast, seat: int) -> None:
        self.view, self.broadcast = view, broadcast
        self.plays: list[Play] = list(view.legal_plays())
        self.picture = broadcast.picture(seat)
        self.words = [broadcast.words_for_choice(view, play) for play in self.plays]
        self.numbers = numbers(self.words, in_reach(self.picture, seat))
        self.spoken: list[tuple[str, ...]] = [(words,) for words in self.words]
        if isinstance(view, RecycleView):
            self.spoken = [(words, in_words(view, play)) for play, words in zip(self.plays, self.words, strict=True)]


_STANDARD_INPUT = 0


class TypedLine:
    """Lines typed at a file descriptor, read by read(2).

    A thread that stays in a read of sys.stdin would hold its lock, and Python could not exit.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._ahead = b""

    def line(self) -> str:
        """Wait for a line; raise EOFError after the last one."""
        while b"\n" not in self._ahead:
            more = os.read(self._descriptor, 4096)
            if not more:
                if not self._ahead:
                    raise EOFError
                more = b"\n"
            self._ahead += more
        line, _, self._ahead = self._ahead.partition(b"\n")
        return line.decode(errors="replace")


_stdin = TypedLine(_STANDARD_INPUT)


def describe_view(view: View) -> str:
    """Describe a seat's knowledge, a line per field, without what never changes."""
    if isinstance(view, RecycleView):
        return "\n".join(f"    {line}" for line in say_table(view))
    return "\n".join(f"    {key}: {value}" for key, value in facts(view).items())


_CARD = re.compile(r"\b([cdhs][2-9TJQKA])\b")
_COLOURS = {"c": "", "d": "red", "h": "red", "s": ""}


class Pen:
    """Draws on a console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._suits = SUITS if _can_write(console.encoding, "".join(SUITS.values())) else {suit: suit for suit in SUITS}

    def words(self, words: str) -> Text:
        """Write a sentence in which each card is drawn."""
        drawn = Text()
        for at, part in enumerate(_CARD.split(words)):
            drawn.append_text(self._card(part) if at % 2 else Text(part))
        return drawn

    def table(self, picture: Picture, players: Sequence[str], me: int, numbers: Mapping[str, int]) -> Table:
        """Draw the others clockwise, then the table, and the player's own cards last, with the numbers of plays."""
        around = [*range(me + 1, len(players)), *range(me)]
        grid = Table.grid(padding=(0, 2))
        for seat in around:
            self._seat(grid, picture, players, seat, {})
        mine = {card for place in picture.places if place.owner == me for card in place.cards}
        others = {card: number for card, number in numbers.items() if card not in mine}
        for place in picture.places:
            if place.owner is None and (place.cards or place.hidden):
                self._row(grid, place.name, self.place(place, players, others))
        if picture.facts:
            self._row(grid, "", self._list(map(self.words, picture.facts)))
        self._seat(grid, picture, players, me, numbers)
        return grid

    def place(self, place: Place, players: Sequence[str], numbers: Mapping[str, int]) -> Text:
        """Draw the cards of a place as they are laid out."""
        if place.role is Role.TRICK:
            return self._trick(place, players)
        if place.role is Role.SUPPLY:
            return Text("   ").join(
                self._card(card, numbers).append(f"\u00d7{many}" if self._suits is SUITS else f"x{many}", "dim")
                for card, many in zip(place.cards, place.counts, strict=True)
            )
        if place.role is Role.PILE:
            top = [Text("on top ").append_text(self._card(place.cards[-1]))] if place.cards else []
            return self._list([Text(_many(len(place.cards) + place.hidden)), *top])
        seen = [self._card(card, numbers) for card in place.cards]
        hidden = [Text(_many(place.hidden) + (" face down" if seen else ""), "dim")] if place.hidden else []
        return Text("  ").join([*seen, *hidden])

    def _seat(
        self, grid: Table, picture: Picture, players: Sequence[str], seat: int, numbers: Mapping[str, int]
    ) -> None:
        """Add a player's rows: the notes beside the name, the hand, and the player's other places."""
        mine = [place for place in picture.places if place.owner == seat and (place.cards or place.hidden)]
        parts = [self.place(place, players, numbers) for place in mine if not place.name and not place.cards]
        parts += map(self.words, picture.beside[seat])
        self._row(grid, players[seat], self._list(parts), style="bold")
        for place in mine:
            if place.name or place.cards:
                self._row(grid, f"  {place.name or 'hand'}", self.place(place, players, numbers))

    def _row(self, grid: Table, label: str, drawn: Text, style: str = "dim") -> None:
        grid.add_row(Text(label, style), drawn)

    def _trick(self, place: Place, players: Sequence[str]) -> Text:
        """Draw who played which card, who led, and who won a finished trick."""
        parts = []
        for at, (card, seat) in enumerate(zip(place.cards, place.counts, strict=True)):
            said = [word for word, true in (("led", at == 0), ("took it", seat == place.winner)) if true]
            drawn = Text(f"{players[seat]} ").append_text(self._card(card))
            parts.append(drawn.append(f" {', '.join(said)}", "dim") if said else drawn)
        return Text("   ").join(parts)

    def _card(self, card: str, numbers: Mapping[str, int] | None = None) -> Text:
        """Draw a card; a playable one with its number, the other cards faint."""
        number = (numbers or {}).get(card)
        style = "" if not numbers else "dim" if number is None else "bold"
        drawn = Text() if number is None else Text.assemble((f"{number}:", "cyan"))
        if not _CARD.fullmatch(card):
            return drawn.append(card, style)
        rank = "10" if card[1] == "T" and self._suits is SUITS else card[1]
        return drawn.append(self._suits[card[0]] + rank, f"{style} {_COLOURS[card[0]]}".strip())

    def _list(self, parts: Iterator[Text] | Sequence[Text]) -> Text:
        return Text(" \u00b7 " if self._suits is SUITS else ", ").join(parts)


def _many(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _can_write(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
