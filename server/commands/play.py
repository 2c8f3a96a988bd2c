"""``croupier play``: a table, deal after deal, in the seats as given."""

from __future__ import annotations

from contextlib import asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click
import trio
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table as RichTable

from croupier.protocol import record as lines
from croupier.server import extras, games
from croupier.server.commands import (
    Renamed,
    game_option,
    house_options,
    json_option,
    on_terminal,
    print_json,
    start_option,
    the_entries,
    the_game,
    the_house,
    the_options,
    time_option,
    wrong,
)
from croupier.server.commands.completion import bot_names, game_names
from croupier.server.commands.dealing import Dealing, the_dealing
from croupier.server.commands.fault_lines import Committed, Look, fault_lines
from croupier.server.commands.game_json import game_json
from croupier.server.commands.tables import print_again, print_burnt
from croupier.server.commands.terms import network_option, terms_options, with_network
from croupier.server.complaints import complain
from croupier.server.console import Console
from croupier.server.processes.sandbox import House, Level, chosen
from croupier.server.processes.workplace import workplace
from croupier.server.records import notes
from croupier.server.records.blame import blamed
from croupier.server.records.files import shown_by
from croupier.server.table.commentary import in_words
from croupier.server.table.process_seat import MUCH_BURNT
from croupier.server.table.referee import RefereeBug, Terms
from croupier.server.table.table import Table
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game, Play
    from croupier.server.records.blame import Blamed
    from croupier.server.table.played import PlayedGame
    from croupier.server.table.seat import Seat


@click.command()
@click.argument("game", shell_complete=game_names)
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT ...", shell_complete=bot_names)
@click.option("--deals", type=click.IntRange(1), default=1, show_default=True, help="Games to play, one a deal.")
@click.option("--seed", help="Any text: the same text, the same deals.  [default: a fresh secret key]")
@game_option
@click.option(
    "--deals-of",
    "cup",
    metavar="CUP[:FIRST]",
    help="Play deals of a finished tournament, from the FIRST on, and say how you do beside who has played them.",
)
@click.option(
    "--play-on",
    "--from",
    "moment",
    cls=Renamed,
    metavar="RECORD#N",
    help="Play a recorded game on from a moment, as its page counts them: each BOT takes a seat, in their order.",
)
@click.option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a record a game into this folder, and what the bots wrote to standard error.",
)
@click.option(
    "--with-program", is_flag=True, help="With --record: each record carries the RECYCLE program, and replays alone."
)
@click.option(
    "--notes", is_flag=True, help="With --record: keep how long each decision took, and what was written at it."
)
@click.option(
    "--wire",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write all that each bot was sent, answered and wrote to standard error.",
)
@time_option(0)
@start_option
@terms_options
@house_options(Level.LIMITS.value, House.memory)
@network_option
@click.option("--freeze", is_flag=True, help="Stop each bot while others are on turn.")
@click.option("--web", is_flag=True, help="A human plays in a browser, in the page of the viewer.")
@click.option("--show", is_flag=True, help="Show the game as it goes.")
@json_option
def play(game: str, bots: Sequence[str], *, as_json: bool, **how: Any) -> int:
    """Play a table: GAME between BOTs, seats as given.

    A BOT is [NAME=][classic:]COMMAND: a bundled bot's name, a path to a program, a quoted command line, or human.

    \b
    Example: croupier play dominion smithy "python mybot.py" --deals 10 --record games
    """
    rules = the_game(game)
    options: Mapping[str, Atom] = the_options(rules, how["options"])
    seated = the_entries(bots, game, rules)
    dealing, beside = the_dealing(rules, how)
    seated = dealing.seated(seated)
    if beside is not None:
        options = beside.options_for(len(seated))
    seated = with_network(seated, how["network"])
    if len(seated) not in rules.SEATS:
        wrong(f"{rules.NAME} is played by {' or '.join(map(str, rules.SEATS))}, not by {len(seated)}")
    if how["with_program"] and not (how["record"] and hasattr(rules, "PROGRAM_BYTES")):
        wrong("--with-program needs --record and a game from a file: other games have no program to carry")
    if how["notes"] and not how["record"]:
        wrong("--notes are kept beside records: name a folder for them with --record")
    if how["web"]:
        _refuse_web(seated)
    how |= {"house": the_house(how), "game": games.named(game), "dealing": dealing}
    if not how["time_"] and not how["bank"]:
        wrong("--time 0 needs a --bank, which is then all that a bot has for a game")
    for purpose in ("record", "wire"):
        _make(how[purpose])
    _refuse_blinding(seated, how["house"])
    session = Session(rules, options, seated, how, quiet=as_json)
    try:
        session.run()
    except RefereeBug as bug:
        complain(f"{bug}: {bug.__cause__!r}")
        return 1
    told = None if beside is None else beside.told(seated, [result for result, _ in session.results])
    if as_json:
        print_json(session.json() | ({} if told is None else {"beside": told}))
        return 0
    session.print_totals()
    if beside is not None and told is not None:
        beside.print(told)
    return 0


def _refuse_web(seated: Sequence[Entry]) -> None:
    """Refuse the call if nobody would play in a browser, or nothing is there to serve its page."""
    if not any(entry.human for entry in seated):
        wrong("--web shows the table to a person: seat human")
    if how := extras.missing("web"):
        wrong(f"--web needs libraries that are not installed here: {how}")


def _make(folder: Path | None) -> None:
    """Make a folder that was asked for, or refuse the call before anything is played."""
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
    except OSError as problem:
        wrong(f"{folder}: {problem.strerror}; name a folder that can be written to")


def _refuse_blinding(seated: Sequence[Entry], house: House) -> None:
    """Refuse the call if a bot could not import its own files, as the games are written where they lie."""
    if house.hidden and chosen(house) is Level.BWRAP:
        from croupier.server.tournaments.fingerprint import blinding  # noqa: PLC0415  no other table needs it

        if why := blinding(seated, house.hidden):
            wrong(why)


class Session:
    """The games of one ``croupier play``."""

    def __init__(
        self,
        rules: type[Game],
        options: Mapping[str, Atom],
        seated: Sequence[Entry],
        how: Mapping[str, Any],
        *,
        quiet: bool,
    ) -> None:
        self.rules = rules
        self.options = options
        self.seated = seated
        self.how = how
        self.quiet = quiet
        self.dealing: Dealing = how["dealing"]
        self.results: list[tuple[PlayedGame, Path | None]] = []
        self.thinking: dict[str, Sequence[float]] = {}
        self.written: dict[str, str] = {}
        """Of the last game with --notes: the seconds of each decision, and what was written to standard error."""
        self.errors: dict[tuple[int, str], Path] = {}
        """Where that lies which a bot wrote to standard error, by deal and name."""
        self.blamed: dict[tuple[int, str], Blamed] = {}
        """The faults as the records have them, by deal and name."""
        self.misled: list[str] = []

    def run(self) -> None:
        """Play all deals."""
        bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True)
        )
        shown = on_terminal() and not self.quiet and not self.how["show"] and not any(e.human for e in self.seated)
        with bar if shown else nullcontext(), workplace() as folder:
            task = bar.add_task("games", total=self.how["deals"])
            trio.run(self._play, folder, lambda: bar.advance(task))
        self._reveal()

    async def _play(self, folder: Path, advance: Callable[[], None]) -> None:
        how = self.how
        terms = Terms.of(how["time_"], how["bank"], how["total"], how["on_fault"])
        keep = self._write_errors if how["record"] else None
        start, wire, house = how["start"] / 1000, how["wire"], how["house"]
        async with (
            self._people() as person,
            Table(self.seated, folder, start, wire, house, keep=keep, person=person) as table,
        ):
            for number in self.dealing.numbers:
                try:
                    deal, begun = self.dealing.key.deal(number), self.dealing.begun
                    result = await table.play(self.rules, self.options, deal, terms, self._watch(), begun=begun)
                except BaseException:
                    self._write(number, table.record)
                    raise
                path = self._write(number, result.record)
                if how["notes"]:
                    self._begin_notes(number, result)
                if result.faults:
                    found = blamed(line for _, line in lines.read("\n".join(result.record)))
                    self.blamed |= {(number, name): fault for name, fault in found.items()}
                self.results.append((result._replace(record=(), thinking=()), path))  # there may be many games
                advance()
        self.misled = sorted(table.host.misled)

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[Callable[[str], Seat] | None]:
        """Serve a page to each person who plays in a browser; yield what makes their seats."""
        if not self.how["web"]:
            yield None
            return
        from croupier.server.web.people import people  # noqa: PLC0415  an extra

        names = [entry.name for entry in self.seated if entry.human]
        async with people(names, partial(say, err=True)) as seats:
            yield seats.__getitem__

    def _watch(self) -> Callable[[Game, int, Play], None] | None:
        if not self.how["show"]:
            return None
        return lambda game, seat, play: say(
            f"{game.players[seat]:>12}  {in_words(game.view(seat), play)}", err=self.quiet
        )

    def _write(self, number: int, record: Sequence[str]) -> Path | None:
        if self.how["record"] is None:
            return None
        return self._write_file(f"{self.dealing.called(number)}.record", "\n".join(self._carrying(record)) + "\n")

    def _carrying(self, record: Sequence[str]) -> Iterator[str]:
        """Yield a record's lines, the program's behind the one that names it if they were asked for."""
        rules: Any = self.rules
        carried = any(line.startswith("(source ") for line in record)
        for line in record:
            yield line
            if self.how["with_program"] and line.startswith("(program ") and not carried:
                yield from map(str, lines.Source.lines(rules.PROGRAM, rules.PROGRAM_BYTES))

    def _write_errors(self, number: int, name: str, text: str) -> None:
        """Write what a bot wrote to standard error in one game beside the game's record."""
        self.errors[number, name] = self._write_file(f"{self.dealing.called(number)}.{name}.stderr", text)
        if self.how["notes"]:
            self.written[name] = text
            self._write_notes(number)

    def _begin_notes(self, number: int, result: PlayedGame) -> None:
        """Write down how long each decision of a game took; what was written to standard error comes later."""
        self.thinking = dict(zip(result.seating, result.thinking, strict=True))
        self.written = {}
        self._write_notes(number)

    def _write_notes(self, number: int) -> None:
        self._write_file(
            f"{self.dealing.called(number)}.notes", notes.written(notes.gathered(self.thinking, self.written))
        )

    def _write_file(self, name: str, text: str) -> Path:
        path: Path = self.how["record"] / name
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as problem:
            path.unlink(missing_ok=True)
            raise OSError(problem.errno, problem.strerror, str(path)) from None
        return path

    def _reveal(self) -> None:
        """Add the key to every record: nobody will play these deals again."""
        for result, path in self.results:
            if path is not None:
                with path.open("a", encoding="ascii") as file:
                    file.write(self.dealing.last_line(result.deal))

    def totals(self) -> dict[str, int]:
        """Return each player's sum of scores."""
        return {
            entry.name: sum(result.scores[seat] for result, _ in self.results if result.scores)
            for seat, entry in enumerate(self.seated)
        }

    def network(self) -> list[str]:
        """List the bots that may use the network."""
        return [entry.name for entry in self.seated if entry.network]

    def json(self) -> dict[str, object]:
        """Return the shape that scripts rely on."""
        return {
            "game": self.rules.NAME,
            "players": [entry.name for entry in self.seated],
            "games": [game_json(result, path) for result, path in self.results],
            "totals": self.totals(),
            "network": self.network(),
        }

    def print_totals(self) -> None:
        """Print who won and how."""
        games = [result for result, _ in self.results]
        title = f"{self.rules.NAME}: games {len(games)}, {'low' if self.rules.LOW_WINS else 'high'} scores win"
        table = RichTable("player", "wins", "shared", "total", "mean", "faults", title=title)
        for column in table.columns[1:]:
            column.justify = "right"
        totals = self.totals()
        counting = sum(bool(result.scores) for result in games)
        for seat, entry in enumerate(self.seated):
            faults = sum(fault.seat == seat for result in games for fault in result.faults)
            mean = f"{totals[entry.name] / counting:.2f}" if counting else ""
            row = (*self._wins(seat), totals[entry.name], mean, faults)
            table.add_row(entry.name, *map(str, row))
        Console().print(table)
        if network := self.network():
            say(f"may use the network: {', '.join(network)}")
        self._print_trouble()
        for name in self.misled:
            say(f"{name} remembers earlier games, and was taken to forget them: it played one otherwise", err=True)
        print_burnt({entry.name: self._burnt(seat) for seat, entry in enumerate(self.seated)})
        print_again({entry.name: self._given_back(seat) for seat, entry in enumerate(self.seated)})

    def _print_trouble(self) -> None:
        """Say which games count for nobody and why, who faulted, and how to see that again."""
        for result, path in self.results:
            if result.void:
                say(f"deal {result.deal} counts for nobody: {result.void}", err=True)
                if path is not None:
                    say(f"    again: {shown_by(path, program=self._program())}", err=True)
        faults = [
            Committed(name := result.seating[seat], fault, result.deal, partial(self._look, result.deal, name, path))
            for result, path in self.results
            for seat, fault in result.faults
        ]
        for told in fault_lines(faults).values():
            for line in told:
                say(line, err=True)
        if faults and not self.how["record"]:
            say(
                "--record DIR keeps the games, and what each bot wrote to standard error,"
                " and names the commands that show a fault.",
                err=True,
            )

    def _look(self, deal: int, name: str, path: Path | None) -> Look:
        """Return what there is to look at of a fault."""
        fault, errors = self.blamed.get((deal, name)), self.errors.get((deal, name))
        return Look(fault, path, program=self._program(), errors=errors)

    def _program(self) -> str | None:
        """Return the file of a RECYCLE program, if its records do not carry it."""
        file = self.how["game"].removeprefix("recycle:")
        wanted = hasattr(self.rules, "PROGRAM") and not self.how["with_program"]
        return file if wanted and Path(file).is_file() else None

    def _wins(self, seat: int) -> tuple[int, int]:
        """Count the games in which nobody was ranked above a seat, and those of them that it shares with opponents."""
        won = [result.winners for result, _ in self.results if seat in result.winners]
        partners = next((set(side) for side in self.rules.PARTNERS if seat in side), {seat})
        return len(won), sum(not partners.issuperset(winners) for winners in won)

    def _burnt(self, seat: int) -> float:
        """Return the seconds of CPU time off turn in the games in which they were many."""
        return sum(result.burnt[seat] for result, _ in self.results if result.burnt[seat] > MUCH_BURNT)

    def _given_back(self, seat: int) -> float:
        """Return the seconds that a seat's replies got again, as the machine had withheld them."""
        return sum(result.again[seat] for result, _ in self.results if result.again)
