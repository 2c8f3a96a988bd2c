"""A batch: sets of one pairing on one worker, a pure function of its job. It may run twice, or anywhere."""

from __future__ import annotations

import functools
from collections import defaultdict, deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import trio

from croupier.server import entries, games
from croupier.server.entries import AUTO
from croupier.server.nurseries import unwrapped
from croupier.server.processes.control_group import MachineShort
from croupier.server.processes.host import Host
from croupier.server.processes.keeper_client import Keeper
from croupier.server.processes.sandbox import House
from croupier.server.processes.workplace import workplace
from croupier.server.table.process_seat import MUCH_BURNT
from croupier.server.table.table import Table
from croupier.server.tournaments.fingerprint import ProgramChanged, Watched
from croupier.server.tournaments.parcel import Parcel
from croupier.server.tournaments.shadow import Shadows, to_see

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.table.played import Names, PlayedGame
    from croupier.server.table.referee import Terms
    from croupier.server.tournaments.shadow import Source

TRIES = 3


@dataclass(frozen=True)
class Job:
    """What a worker needs to know to play a batch, and nothing of the others.

    ``games`` are (seating, deal) pairs, no deal twice before all have come once; ``absent`` says why an entry no longer
    plays.
    """

    game: str
    options: Mapping[str, Atom]
    pairing: Names
    games: tuple[tuple[Names, int], ...]
    entries: Mapping[str, Entry]
    deals: Mapping[int, KeyedDeal]
    """The deals by number; of those that have keys of their own, nothing tells the key of the tournament."""
    terms: Terms
    start: float
    house: House = field(default_factory=House)
    at_once: bool = False
    """Whether all seatings of a deal are played at the same time."""
    dice: bytes = b""
    """What the key has drawn for how this batch is cut into pieces, and when they come."""
    turn: int = 0
    """Which time it is that these deals are played: another machine plays them the next time."""
    absent: Mapping[str, str] = field(default_factory=dict)
    program: tuple[str, bytes] | None = None
    """The RECYCLE program that the tournament plays, whatever its file has become, by its name."""
    sha256: Mapping[str, str] = field(default_factory=dict)
    """What each entry's files were when it was entered; raise ProgramChanged when they are others."""
    shadow: tuple[str, ...] = ()
    """The two that may replace each other in shadow play; without them all is played."""
    notes: bool = False
    """Whether it is kept how long each decision took."""
    sources: tuple[Source, ...] = ()
    """Games of the same deals that have been played before."""

    def play(self, stopped: Callable[[], bool]) -> Parcel:
        """Play it; when stopped, finish the game in flight and return what there is."""
        return play(self, stopped)

    @functools.cached_property
    def rules(self) -> type[Game]:
        """Return the rules of its game."""
        return games.carried(*self.program) if self.program else games.find(self.game)


def play(job: Job, stopped: Callable[[], bool] = lambda: False) -> Parcel:
    """Play a batch; when stopped, finish the game in flight and return what there is.

    What this machine was too short for is played again, all from the beginning, and raised the last time. The first
    game says so.
    """
    try:
        return _with_enough(job, stopped).pack(notes=job.notes)
    except ProgramChanged as changed:
        changed.games.pack(notes=job.notes)
        raise


def _with_enough(job: Job, stopped: Callable[[], bool]) -> Parcel:
    """Play a batch until the machine has enough for it; have the first game say what it was too short of before."""
    short = ""
    for _ in range(TRIES - 1):
        try:
            return _having_said(short, trio.run(_play, job, stopped))
        except MachineShort as lack:
            short = str(lack.strerror)
    return _having_said(short, trio.run(_play, job, stopped))


def _having_said(short: str, played: Parcel) -> Parcel:
    if short and played:
        played[0] = played[0]._replace(short=short)
    return played


async def _play(job: Job, stopped: Callable[[], bool]) -> Parcel:
    played = Parcel()
    watched = Watched((job.entries[name] for name in job.pairing if name not in job.absent), job.sha256)
    if job.at_once:
        await _play_at_once(job, watched, played, stopped)
        return played
    with Host(job.house, Keeper.lasting) as host:
        while True:
            try:
                await _play_through(job, host, watched, played, stopped)
                watched.look(played)
            finally:
                if host.misled:
                    played.clear()
            if not host.misled or stopped():
                return played
            host.misled.clear()  # and all from the beginning, each with processes that know nothing


async def _play_through(job: Job, host: Host, watched: Watched, played: Parcel, stopped: Callable[[], bool]) -> None:
    """Play a batch's games into a list."""
    shadows = Shadows(job.shadow, job.sources)
    for sitting in sittings(job.games):
        begun, errors = len(played), dict[tuple[int, str], str]()
        taken = await _taken_over(job, shadows, sitting, stopped) if job.shadow and not job.absent else {}
        watched.look(played)

        def keep(deal: int, name: str, text: str, errors: dict[tuple[int, str], str] = errors) -> None:
            errors[deal, name] = text

        try:
            with workplace() as folder:
                async with Table(seated(job.pairing, job), folder, job.start, host=host, keep=keep) as table:
                    sat: Names = ()
                    for seating, deal in sitting:
                        if stopped():
                            return
                        if (over := taken.get((seating, deal))) is not None and not to_see(job.deals[deal], seating):
                            played.append(over)
                            continue
                        if seating != sat:
                            seat(table, job.pairing, sat := seating)
                        result = await table.play(job.rules, job.options, job.deals[deal], job.terms)
                        game = _kept(job, seating, result)
                        played.append(game)
                        watched.look(played, soon=over is None)
                        shadows.compare(game, over)
                        if host.misled:
                            return
        finally:  # what was written in a game is all there when the next one begins, or the table ends
            played[begun:] = [_with_errors(game, errors) for game in played[begun:]]
        if host.misled:
            return


async def _taken_over(
    job: Job, shadows: Shadows, sitting: Sequence[tuple[Names, int]], stopped: Callable[[], bool]
) -> dict[tuple[Names, int], PlayedGame]:
    """Return those games of a sitting that go as others of their deals, by processes that play none of them."""
    taken: dict[tuple[Names, int], PlayedGame] = {}
    hopeful = [game for game in sitting if shadows.best(*game)]
    with workplace() as folder:
        async with Table(_untried(job), folder, job.start, house=job.house) as table:
            for seating, deal in hopeful:
                if stopped():
                    break
                seat(table, job.pairing, seating)
                game = await shadows.take_over(table, job.rules, job.options, job.deals[deal], job.terms, seating)
                if game is not None:
                    taken[seating, deal] = _kept(job, seating, game)
    return taken


def _untried(job: Job) -> list[Entry]:
    """Return a batch's entries where nobody's processes are tried for a second game."""
    return [replace(one, lifetime="game") if one.lifetime == AUTO else one for one in seated(job.pairing, job)]


async def _play_at_once(job: Job, watched: Watched, played: Parcel, stopped: Callable[[], bool]) -> None:
    """Play a batch's games into a list, at as many tables as a deal has seatings: none of them comes after another."""
    deals: defaultdict[int, list[Names]] = defaultdict(list)
    for seating, deal in job.games:
        deals[deal].append(seating)
    watched.look(played)
    errors: list[dict[tuple[int, str], str]] = [{} for _ in range(max(map(len, deals.values())))]
    at: list[int] = []

    async def play(place: int, table: Table, seating: Names, deal: int, results: dict[int, PlayedGame]) -> None:
        seat(table, job.pairing, seating)
        results[place] = await table.play(job.rules, job.options, job.deals[deal], job.terms)

    try:
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(workplace())
            sitting = [_table(job, folder / str(place), kept) for place, kept in enumerate(errors)]
            tables = [await stack.enter_async_context(table) for table in sitting]
            for deal, seatings in deals.items():
                if stopped():
                    return
                results: dict[int, PlayedGame] = {}
                with unwrapped():
                    async with trio.open_nursery() as nursery:
                        for place, seating in enumerate(seatings):
                            nursery.start_soon(play, place, tables[place], seating, deal, results)
                played += [_kept(job, seating, results[place]) for place, seating in enumerate(seatings)]
                at += range(len(seatings))
                watched.look(played)
    finally:
        together = zip(played, at, strict=False)
        played[:] = [_with_errors(game, errors[place]) for game, place in together]


def _table(job: Job, folder: Path, errors: dict[tuple[int, str], str]) -> Table:
    """Return a table of its own for a batch's entries; nobody's processes are tried for a second game here."""
    folder.mkdir()

    def keep(deal: int, name: str, text: str) -> None:
        errors[deal, name] = text

    return Table(_untried(job), folder, job.start, house=job.house, keep=keep, beside_others=True)


def sittings(games: Iterable[tuple[Names, int]]) -> Iterator[list[tuple[Names, int]]]:
    """Cut games into as few runs as can be in which no deal comes twice: no process may meet a deal again."""
    sitting: list[tuple[Names, int]] = []
    met: set[int] = set()
    for seating, deal in games:
        if deal in met:
            yield sitting
            sitting, met = [], set()
        sitting.append((seating, deal))
        met.add(deal)
    yield sitting


def _with_errors(game: PlayedGame, errors: Mapping[tuple[int, str], str]) -> PlayedGame:
    """Return a game with what each seat wrote to standard error in it."""
    if not errors:
        return game
    written = tuple(errors.get((game.deal, name), "") for name in entries.distinct_names(game.seating))
    return game._replace(errors=written) if any(written) else game


def seat(table: Table, pairing: Names, seating: Names) -> None:
    """Seat the players of a pairing in this order from the next game on."""
    table.change_seats(_places(pairing, seating), entries.distinct_names(seating))


@functools.lru_cache(1 << 10)
def _places(pairing: Names, seating: Names) -> Sequence[int]:
    """Return which of a pairing's places sits at each seat; of an entry with several, each once."""
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, name in enumerate(pairing):
        places[name].append(place)
    return [places[name].popleft() for name in seating]


def seated(seating: Sequence[str], job: Job) -> list[Entry]:
    """Return the entries by seat; one that holds several seats sits there under several names."""
    return entries.distinct([job.entries[name].absent(job.absent.get(name)) for name in seating])


def _kept(job: Job, seating: Names, game: PlayedGame) -> PlayedGame:
    """Return a game as it is stored: by the entries' names, its record in one piece until it is packed."""
    burnt = tuple([spent if spent > MUCH_BURNT else 0.0 for spent in game.burnt])
    return game._replace(pairing=job.pairing, seating=seating, burnt=burnt, record=("\n".join(game.record),))
