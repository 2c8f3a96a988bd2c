"""``croupier play``: a table, deal after deal, in the seats as given."""

from __future__ import annotations

from collections import deque
from contextlib import asynccontextmanager, nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import click
import trio
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from croupier.server import extras, games
from croupier.server.commands import (
    START,
    TIME,
    blind_option,
    game_option,
    json_option,
    network_option,
    on_terminal,
    print_json,
    probe_option,
    sandbox_options,
    terms_options,
    the_entries,
    the_game,
    the_options,
    the_sandboxing,
    the_sights,
    time_options,
    with_network,
    wrong,
)
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import bot_names, game_names
from croupier.server.commands.dealing import the_dealing
from croupier.server.commands.game_files import Keeping
from croupier.server.commands.play_totals import Totals
from croupier.server.console import Console
from croupier.server.errors import complain
from croupier.server.probing import Probe, SeatedGame
from croupier.server.processes.sandbox import Level, SandboxSettings, choose_level
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table.commentary import in_words
from croupier.server.table.played_game import probed_by_player
from croupier.server.table.referee import RefereeBug, Terms
from croupier.server.table.table import Table
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.commands.dealing import Dealing
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game, Play
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.web.web_seat import WebSeat


@command(
    "croupier play hearts duck random random random --show",
    "croupier play hearts human duck duck duck",
    "croupier play hearts duck random random random --deals 10 --record games",
)
@click.argument("game", shell_complete=game_names)
@click.argument("bots", nargs=-1, required=True, metavar="BOT ...", shell_complete=bot_names)
@option(
    "--deals", type=click.IntRange(1), default=1, show_default=True, help="How many deals are played. Each is one game."
)
@option("--seed", help="Any text. The same text gives the same deals.  [default: a fresh secret key]")
@game_option
@option(
    "--deals-of",
    "cup",
    metavar="CUP[:FIRST]",
    help="Play the deals of a finished tournament, from number FIRST on, and compare the results with those there.",
)
@option(
    "--play-on",
    "--from",
    "moment",
    metavar="RECORD#N",
    help="Continue a recorded game from moment N of its page. Each BOT takes a seat, in their order.",
)
@option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a record of each game into this folder. What bots wrote to standard error lies beside them.",
)
@option(
    "--with-program",
    is_flag=True,
    help="With --record: put the RECYCLE program into each record, which then replays alone.",
)
@option(
    "--notes",
    is_flag=True,
    help="How long each decision took, and what the bot wrote at it. Kept beside the record of --record.",
)
@option(
    "--wire",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write into this folder all that each bot was sent, answered and wrote to standard error.",
)
@time_options(0, TIME, START)
@terms_options
@sandbox_options(Level.LIMITS.value, SandboxSettings.memory)
@network_option
@probe_option()
@blind_option
@option("--freeze", is_flag=True, help="Stop each bot while others are on turn.")
@option("--web", is_flag=True, help="Let `human` play in a browser instead of this terminal.")
@option("--show", is_flag=True, help="Show the game in words. Each line comes as it happens.")
@json_option
def play(
    game: str,
    bots: Sequence[str],
    *,
    deals: int,
    seed: str | None,
    options: Sequence[str],
    cup: str | None,
    moment: str | None,
    record: Path | None,
    with_program: bool,
    notes: bool,
    wire: Path | None,
    time: int,
    start: int,
    bank: int | None,
    total: int | None,
    on_fault: str | None,
    sandbox: str,
    memory: str,
    network: Sequence[str],
    probe: int | None,
    blind: bool,
    freeze: bool,
    web: bool,
    show: bool,
    as_json: bool,
) -> int:
    """Play GAME at one table between BOTs, in the seats as given.

    A BOT is a bundled bot's name (`croupier bots`), a path to a program, a quoted command line, or human. NAME= before
    it names it, json: or classic: says that it speaks that dialect, open: that it is told all hands.
    """
    rules = the_game(game)
    settled: Mapping[str, Atom] = the_options(rules, options)
    seated = the_entries(bots, game, rules)
    dealing, beside = the_dealing(rules, deals=deals, seed=seed, options=options, cup=cup, moment=moment)
    seated = dealing.entries(seated)
    if beside is not None:
        settled = beside.options_for(len(seated))
    seated = with_network(seated, network)
    sights = the_sights({entry.name: entry.sight for entry in seated}, blind=blind, probe=probe)
    seated = [replace(entry, sight=sights[entry.name]) for entry in seated]
    if probe:
        _refuse_probe(seated, moment)
    if len(seated) not in rules.SEATS:
        wrong(f"{rules.NAME} is played by {' or '.join(map(str, rules.SEATS))}, not by {len(seated)}")
    if with_program and not (record and hasattr(rules, "PROGRAM_BYTES")):
        wrong("--with-program needs --record and a game from a file: other games have no program to carry")
    if notes and not record:
        wrong("--notes are kept beside records: name a folder for them with --record")
    if web:
        _refuse_web(seated)
    written = [folder for folder in (record, wire) if folder is not None]
    sandboxing = the_sandboxing(sandbox, memory, freeze=freeze, hidden=written)
    if not time and not bank:
        wrong("--time 0 needs a --bank, which is then all that a bot has for a game")
    for folder in written:
        _make(folder)
    _refuse_blinding(seated, sandboxing)
    kept = None if record is None else Keeping(record, dealing, rules if with_program else None, notes=notes)
    totals = Totals(rules, seated, kept, None if with_program else _program(rules, games.find_name(game)))
    terms = Terms.of(time, bank, total, on_fault)
    modes = {"web": web, "endless": cup is None and moment is None, "show": show, "quiet": as_json}
    session = Session(totals, settled, dealing, terms, sandboxing, start / 1000, wire, probe or 0, **modes)
    try:
        session.run()
    except RefereeBug as bug:
        complain(f"{bug}: {bug.__cause__!r}")
        return 1
    told = None if beside is None else beside.comparisons(seated, [result for result, _ in totals.results])
    if as_json:
        print_json(totals.json() | ({} if told is None else {"beside": told}))
        return 0
    totals.print()
    if beside is not None and told is not None:
        beside.print(told)
    return 0


def _refuse_web(seated: Sequence[Entry]) -> None:
    """Refuse the call if no person would play in a browser, or the page cannot be served."""
    if not any(entry.human for entry in seated):
        wrong("--web shows the table to a person: seat human")
    if how := extras.missing("web"):
        wrong(f"--web needs libraries that are not installed here: {how}")


def _refuse_probe(seated: Sequence[Entry], moment: str | None) -> None:
    """Refuse the call if the games cannot be played again as they were."""
    if any(entry.human for entry in seated):
        wrong("--probe asks every player again, and people are not asked twice: seat programs only")
    if moment is not None:
        wrong("--probe asks about whole games, and --play-on plays the end of one: name one of them")


def _make(folder: Path) -> None:
    """Make a folder, or refuse the call before anything is played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as problem:
        wrong(f"{folder}: {problem.strerror}; name a folder that can be written to")


def _refuse_blinding(seated: Sequence[Entry], sandboxing: SandboxSettings) -> None:
    """Refuse the call if writing the records would hide a bot's own files from it."""
    if sandboxing.hidden and choose_level(sandboxing) is Level.BWRAP:
        from croupier.server.tournaments.entering.fingerprint import blinding  # noqa: PLC0415  no other table needs it

        if why := blinding(seated, sandboxing.hidden):
            wrong(why)


def _program(rules: type[Game], game: str) -> str | None:
    """Return the file of a RECYCLE program by its registered name."""
    file = game.removeprefix("recycle:")
    return file if hasattr(rules, "PROGRAM") and Path(file).is_file() else None


@dataclass(frozen=True)
class Session:
    """The games of one ``croupier play``, with their totals."""

    totals: Totals
    options: Mapping[str, Atom]
    dealing: Dealing
    terms: Terms
    sandboxing: SandboxSettings
    start: float
    """Seconds for a program to start."""
    wire: Path | None
    """The folder for everything that bots are sent and answer."""
    probe: int
    """In how many other worlds the bots are asked again."""
    _: KW_ONLY
    web: bool
    """Whether people play in a browser."""
    endless: bool
    """Whether they may play more deals than requested."""
    show: bool
    played: list[PlayedGame] = field(default_factory=list, init=False)
    """The games with their records, which a probe needs."""
    quiet: bool
    """Whether standard output is reserved for JSON."""

    def run(self) -> None:
        """Play all deals."""
        bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True)
        )
        shown = on_terminal() and not self.quiet and not self.show and not any(e.human for e in self.totals.seated)
        with bar if shown else nullcontext(), temporary_folder() as folder:
            task = bar.add_task("games", total=len(self.dealing.numbers))
            trio.run(self._play, folder, lambda: bar.advance(task))
        if self.probe:
            with Console(stderr=True).status("asking again ...") if shown else nullcontext():
                self._ask_again()
        if self.totals.kept is not None:
            self.totals.kept.reveal()

    def _ask_again(self) -> None:
        totals, places = self.totals, range(len(self.totals.seated))
        probe = Probe(totals.seated, totals.rules, self.options, self.terms, self.probe, self.start, self.sandboxing)
        deal = self.dealing.key.deal
        games = [SeatedGame(deal(game.deal), places, game.seating, game) for game in self.played]
        totals.probed = probed_by_player(trio.run(probe.ask, games))

    async def _play(self, folder: Path, advance: Callable[[], None]) -> None:
        kept = self.totals.kept
        errors = self.totals.take_errors
        numbers = deque(self.dealing.numbers)
        async with (
            self._people() as people,
            Table(
                self.totals.seated,
                folder,
                self.start,
                self.wire,
                self.sandboxing,
                keep=errors,
                person=people.__getitem__ if people else None,
            ) as table,
        ):
            while numbers:
                number = numbers.popleft()
                try:
                    result = await self._game(table, number)
                except BaseException:
                    if kept is not None:
                        kept.write(number, table.record)
                    raise
                if self.probe:
                    self.played.append(result)
                self.totals.add(result, None if kept is None else kept.write_game(result))
                advance()
                for person in people.values():
                    person.keep(result, self.totals.rules)
                if people and not numbers and await self._is_another_wanted(people.values()):
                    numbers.append(number + 1)
        self.totals.misled = sorted(table.host.misled)

    async def _game(self, table: Table, number: int) -> PlayedGame:
        deal, begun = self.dealing.key.deal(number), self.dealing.begun
        return await table.play(self.totals.rules, self.options, deal, self.terms, self._watch(), begun=begun)

    async def _is_another_wanted(self, people: Iterable[WebSeat]) -> bool:
        """Wait until all who play in a browser have seen the last game; return whether they want another deal."""
        return all([await person.decide_on_another(possible=self.endless) for person in people])

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[Mapping[str, WebSeat]]:
        """Serve a page to each person who plays in a browser; yield their seats by name."""
        if not self.web:
            yield {}
            return
        from croupier.server.web.person_pages import people  # noqa: PLC0415  an extra

        names = [entry.name for entry in self.totals.seated if entry.human]
        async with people(names, partial(say, err=True)) as seats:
            yield seats

    def _watch(self) -> Callable[[Game, int, Play], None] | None:
        if not self.show:
            return None
        return lambda game, seat, play: say(
            f"{game.players[seat]:>12}  {in_words(game.view(seat), play)}", err=self.quiet
        )
