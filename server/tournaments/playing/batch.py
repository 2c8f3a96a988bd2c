"""A batch: sets of one pairing on one worker, a pure function of its job. It can be repeated, and on any machine."""

from __future__ import annotations

import functools
from collections import defaultdict, deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import trio

from croupier.server import entries, games
from croupier.server.entries import AUTO
from croupier.server.nurseries import unwrap_errors
from croupier.server.probing import Probe, SeatedGame
from croupier.server.processes.control_group import MachineShort
from croupier.server.processes.host import Host
from croupier.server.processes.keeper_client import Keeper
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table.process_seat import MUCH_BURNT
from croupier.server.table.table import Table
from croupier.server.tournaments.entering.fingerprint import ProgramChanged, Watched
from croupier.server.tournaments.keeping.packed_games import PackedGames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.table.referee import Terms
    from croupier.server.table.seat import Seat

    Sitting = Sequence[tuple[Names, int]]
    """Games as (seating, deal) pairs, of which no two have the same deal."""

TRIES = 3


class Dealer:
    """Plays the games of a sitting at its table, and keeps them. This class plays all of them."""

    def __init__(self, job: Job, played: PackedGames, watched: Watched) -> None:
        self.job = job
        self.played = played
        self.watched = watched

    async def look_ahead(self, sitting: Sitting, stopped: Callable[[], bool]) -> None:
        """Do what must be done before the processes of a sitting meet its deals: here, nothing."""

    async def deal(self, table: Table, seating: Names, deal: int) -> None:
        """Keep a game of this deal in this seating."""
        await self.play(table, seating, deal)

    async def play(self, table: Table, seating: Names, deal: int, *, soon: bool = True) -> PlayedGame:
        """Play and keep a game; raise ProgramChanged if a check, with ``soon`` as in `Watched.look`, finds a change."""
        self.job.seat(table, seating)
        game = await self.job.play_at(table, seating, deal)
        self.played.append(game)
        self.watched.look(self.played, soon=soon)
        return game


@dataclass(frozen=True)
class Job:
    """What a worker needs to know to play a batch, and nothing about others.

    ``games`` are (seating, deal) pairs, in which every deal occurs once before any occurs again; ``absent`` says why an
    entry no longer plays.
    """

    game: str
    options: Mapping[str, Atom]
    pairing: Names
    games: tuple[tuple[Names, int], ...]
    entries: Mapping[str, Entry]
    deals: Mapping[int, KeyedDeal]
    """The deals by number; if they have keys of their own, they do not reveal the key of the tournament."""
    terms: Terms
    start: float
    sandboxing: SandboxSettings = field(default_factory=SandboxSettings)
    at_once: bool = False
    """Whether all seatings of a deal are played at the same time."""
    dice: bytes = b""
    """Key-drawn bytes that decide how this batch is cut into pieces, and when they are played."""
    turn: int = 0
    """How often these deals were played before; each time goes to another machine."""
    absent: Mapping[str, str] = field(default_factory=dict)
    program: tuple[str, bytes] | None = None
    """The tournament's RECYCLE program, whatever its file contains now, by name."""
    sha256: Mapping[str, str] = field(default_factory=dict)
    """The hashes of each entry's files when it was entered; raise ProgramChanged when they differ."""
    notes: bool = False
    """Whether the time of each decision is kept."""
    probe: int = 0
    """In how many other worlds the bots are asked again about the games."""
    dealer: Callable[[Job, PackedGames, Watched], Dealer] = Dealer
    """Makes the dealer, unless deals are played at once."""
    in_one: bool = False
    """Whether one worker plays all of it, one sitting after another."""

    def play(self, stopped: Callable[[], bool]) -> PackedGames:
        """Play it; when stopped, finish the current game and return the games so far."""
        return play(self, stopped)

    # kept, because finding a RECYCLE program compiles it
    @functools.cached_property
    def rules(self) -> type[Game]:
        """Return the rules of its game."""
        return games.carried_game(*self.program) if self.program else games.find(self.game)

    def pieces(self) -> list[tuple[tuple[Names, int], ...]]:
        """Cut its games into pieces, each of which any worker can play."""
        in_one = self.in_one or self.at_once
        return [self.games] if in_one else [tuple(sitting) for sitting in sittings(self.games)]

    def entries_by_seat(self, seating: Names) -> list[Entry]:
        """Return the entries by seat; one with several seats appears under several names."""
        return entries.distinct([self.entries[name].absent(self.absent.get(name)) for name in seating])

    def entries_for_one_game(self) -> list[Entry]:
        """Return the pairing's entries for a table at which no process is tried for a second game."""
        seated = self.entries_by_seat(self.pairing)
        return [replace(one, lifetime="game") if one.lifetime == AUTO else one for one in seated]

    def seat(self, table: Table, seating: Names) -> None:
        """Seat the players of the pairing in this order from the next game on."""
        table.change_seats(_places(self.pairing, seating), entries.distinct_names(seating))

    async def play_at(
        self,
        table: Table,
        seating: Names,
        deal: int,
        terms: Terms | None = None,
        fronts: Sequence[Seat] | None = None,
    ) -> PlayedGame:
        """Play a deal at a table with this seating; return the game by the entries' names.

        Its record is one text until it is packed. ``fronts`` are placed before the table's seats, as in `Table.play`.
        """
        game = await table.play(self.rules, self.options, self.deals[deal], terms or self.terms, None, fronts)
        burnt = tuple([spent if spent > MUCH_BURNT else 0.0 for spent in game.burnt])
        record = ("\n".join(game.record),)
        return game._replace(pairing=self.pairing, seating=seating, burnt=burnt, record=record)


def play(job: Job, stopped: Callable[[], bool] = lambda: False) -> PackedGames:
    """Play a batch; when stopped, finish the current game and return the games so far.

    If the machine runs out of something, the whole batch is played again; the last time the error is raised. The first
    game records it.
    """
    try:
        return _with_enough(job, stopped).pack(notes=job.notes)
    except ProgramChanged as changed:
        changed.games.pack(notes=job.notes)
        raise


def _with_enough(job: Job, stopped: Callable[[], bool]) -> PackedGames:
    """Play a batch until the machine has enough for it; record in the first game what it ran out of before."""
    short = ""
    for _ in range(TRIES - 1):
        try:
            return _having_said(short, trio.run(_play, job, stopped))
        except MachineShort as lack:
            short = str(lack.strerror)
    return _having_said(short, trio.run(_play, job, stopped))


def _having_said(short: str, played: PackedGames) -> PackedGames:
    if short and played:
        played[0] = played[0]._replace(short=short)
    return played


async def _play(job: Job, stopped: Callable[[], bool]) -> PackedGames:
    played = PackedGames()
    watched = Watched((job.entries[name] for name in job.pairing if name not in job.absent), job.sha256)
    if job.at_once:
        await _play_at_once(job, watched, played, stopped)
        return played
    with Host(job.sandboxing, Keeper.lasting) as host:
        while True:
            try:
                await _play_in_turn(job.dealer(job, played, watched), host, stopped)
                watched.look(played)  # also after the last game, which counts only if the files are still the same
            finally:
                if host.misled:
                    played.clear()
            if not host.misled or stopped():
                return played
            host.misled.clear()  # start from the beginning, with fresh processes


async def _play_in_turn(dealer: Dealer, host: Host, stopped: Callable[[], bool]) -> None:
    """Play a batch one sitting after another, until it is stopped or the host is misled."""
    for sitting in sittings(dealer.job.games):
        await dealer.look_ahead(sitting, stopped)
        dealer.watched.look(dealer.played)
        if not await _sit(dealer, sitting, host, stopped):
            return


async def _sit(dealer: Dealer, sitting: Sitting, host: Host, stopped: Callable[[], bool]) -> bool:
    """Play the games of a sitting with the same processes; return whether the next sitting may begin."""
    job, played = dealer.job, dealer.played
    begun, errors = len(played), Errors()
    try:
        with temporary_folder() as folder:
            async with Table(job.entries_by_seat(job.pairing), folder, job.start, host=host, keep=errors.keep) as table:
                for seating, deal in sitting:
                    if host.misled or stopped():
                        return False
                    await dealer.deal(table, seating, deal)
    finally:  # standard error of a game is complete only when the next one begins, or the table ends
        played[begun:] = map(errors.with_errors, played[begun:])
    if job.probe and not host.misled:
        played[begun:] = await _probed(job, played[begun:], host)
    return not host.misled


async def _probed(job: Job, games: Sequence[PlayedGame], host: Host | None = None) -> list[PlayedGame]:
    """Return games that the same processes played, those that were not copied with what the probe finds."""
    probe = Probe(
        job.entries_by_seat(job.pairing),
        job.rules,
        job.options,
        job.terms,
        job.probe,
        job.start,
        job.sandboxing,
        host,
    )
    seated = [
        SeatedGame(job.deals[game.deal], _places(job.pairing, game.seating), entries.distinct_names(game.seating), game)
        for game in games
        if not game.shadow
    ]
    rest = iter(await probe.ask(seated))
    return [game if game.shadow else next(rest) for game in games]


async def _play_at_once(job: Job, watched: Watched, played: PackedGames, stopped: Callable[[], bool]) -> None:
    """Play a batch's games into a list, at as many tables as a deal has seatings, so that none comes after another."""
    deals: defaultdict[int, list[Names]] = defaultdict(list)
    for seating, deal in job.games:
        deals[deal].append(seating)
    watched.look(played)
    errors = [Errors() for _ in range(max(map(len, deals.values())))]
    at: list[int] = []

    async def play(place: int, table: Table, seating: Names, deal: int, results: dict[int, PlayedGame]) -> None:
        job.seat(table, seating)
        results[place] = await job.play_at(table, seating, deal)

    try:
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(temporary_folder())
            sitting = [_table(job, folder / str(place), kept) for place, kept in enumerate(errors)]
            tables = [await stack.enter_async_context(table) for table in sitting]
            for deal, seatings in deals.items():
                if stopped():
                    return
                results: dict[int, PlayedGame] = {}
                with unwrap_errors():
                    async with trio.open_nursery() as nursery:
                        for place, seating in enumerate(seatings):
                            nursery.start_soon(play, place, tables[place], seating, deal, results)
                played += [results[place] for place in range(len(seatings))]
                at += range(len(seatings))
                watched.look(played)
    finally:
        played[:] = [errors[place].with_errors(game) for game, place in zip(played, at, strict=False)]
    if job.probe:
        for place in set(at):
            mine = [number for number, other in enumerate(at) if other == place]
            for number, game in zip(mine, await _probed(job, [played[each] for each in mine]), strict=True):
                played[number] = game


def _table(job: Job, folder: Path, errors: Errors) -> Table:
    """Return a table beside others for a batch's entries."""
    folder.mkdir()
    return Table(
        job.entries_for_one_game(), folder, job.start, sandboxing=job.sandboxing, keep=errors.keep, beside_others=True
    )


class Errors:
    """The standard error of bots at one table."""

    def __init__(self) -> None:
        self._texts: dict[tuple[int, str], str] = {}

    def keep(self, deal: int, name: str, text: str) -> None:
        """Keep a bot's standard error in the game of a deal."""
        self._texts[deal, name] = text

    def with_errors(self, game: PlayedGame) -> PlayedGame:
        """Return a game with each seat's standard error in it."""
        if not self._texts:
            return game
        written = tuple(self._texts.get((game.deal, name), "") for name in entries.distinct_names(game.seating))
        return game._replace(errors=written) if any(written) else game


def sittings(games: Iterable[tuple[Names, int]]) -> Iterator[list[tuple[Names, int]]]:
    """Cut games into as few runs as possible in which no deal repeats, because no process may meet a deal again."""
    sitting: list[tuple[Names, int]] = []
    met: set[int] = set()
    for seating, deal in games:
        if deal in met:
            yield sitting
            sitting, met = [], set()
        sitting.append((seating, deal))
        met.add(deal)
    yield sitting


@functools.lru_cache(1 << 10)
def _places(pairing: Names, seating: Names) -> Sequence[int]:
    """Return which of a pairing's places is in each seat; an entry with several gets each once."""
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, name in enumerate(pairing):
        places[name].append(place)
    return [places[name].popleft() for name in seating]
