"""Games: the games of a tournament that are worth a look, each as a page: faults, close games, lopsided ones."""

from __future__ import annotations

from collections import Counter
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from croupier.server import games
from croupier.server.pages.drawing import section, table, tag, text
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay
from croupier.server.tournaments.entering.founding import titles_of
from croupier.server.tournaments.keeping.folder import PAGES, RECORDS
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.viewer import page, page_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from croupier.server.pages.drawing import Section
    from croupier.server.table.faults import Fault, PlayerFault
    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.keeping.store import Store
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.report.hard_games import HardGame


class GamePage(NamedTuple):
    """A game with a page of its own."""

    deal: int
    seating: tuple[str, ...]
    why: str
    """Why it is worth a look, without revealing the winner."""
    file: str
    place: int
    """The place of its record: the file, and the index there, from 0."""
    page: str
    """The address of its page, relative to the report."""


class Candidate(NamedTuple):
    """The facts that decide whether a game is worth a look, and the place of its record."""

    deal: int
    seating: Names
    margin: int
    misdeeds: tuple[PlayerFault, ...]
    file: str
    place: int


def candidates(store: Store) -> list[Candidate]:
    """Return every game that counts and in which everybody was asked, without withdrawn bots."""
    return [
        Candidate(game.deal, game.seating, game.margin, tuple(game.misdeeds), file, place)
        for game, file, place in store.games()
        if game.scores and len(game.misdeeds) == len(game.faults)
    ]


def choose(
    played: Iterable[Candidate], most: int, own: str | None = None, hard: Sequence[HardGame] = ()
) -> list[tuple[Candidate, PlayerFault | None]]:
    """Return the games most worth a look: one for each cause of a fault, then close games, then lopsided ones.

    The last two share the rest, and have a game of each deal before a second one of any. With ``own`` they are that
    bot's games and its faults, and the ``hard`` ones precede other lopsided ones.
    """
    mine = [each for each in played if own is None or own in each.seating]
    faulted = _of_each_cause(mine, own)[:most]
    clean = [each for each in mine if not each.misdeeds]
    room = most - len(faulted)
    close = dict.fromkeys(_one_a_deal(clean, lambda each: (each.margin, 0))[: (room + 1) // 2])
    others = [each for each in clean if each not in close]
    ranks = {(each.file, each.place): rank for rank, each in enumerate(hard, -len(hard))}
    lopsided = _one_a_deal(others, lambda each: (ranks.get((each.file, each.place), 0), -each.margin))
    return faulted + [(each, None) for each in (*close, *lopsided[: room - len(close)])]


def _of_each_cause(played: Iterable[Candidate], own: str | None) -> list[tuple[Candidate, PlayerFault | None]]:
    """Return the first game of each cause of a fault, the most frequent cause first."""
    causes: dict[Fault, list[tuple[Candidate, PlayerFault]]] = {}
    for each in played:
        for misdeed in each.misdeeds:
            if own in {None, each.seating[misdeed.seat]}:
                causes.setdefault(misdeed.fault.plain, []).append((each, misdeed))
    firsts: dict[Candidate, PlayerFault | None] = {}
    for found in sorted(causes.values(), key=len, reverse=True):
        firsts.setdefault(*found[0])
    return list(firsts.items())


def _one_a_deal(played: Iterable[Candidate], interest: Callable[[Candidate], tuple[int, int]]) -> list[Candidate]:
    """Sort games, with the first game of each deal before any second one."""
    turns, before = [], Counter[int]()
    for each in sorted(played, key=interest):
        turns.append((before[each.deal], each))
        before[each.deal] += 1
    return [each for _, each in sorted(turns, key=itemgetter(0))]


class GamePages:
    """Writes pages of games into a folder beside a report."""

    def __init__(self, store: Store, home: Path, most: int) -> None:
        self.store, self.home, self.most = store, home, most
        self.played, self.titles = candidates(store), titles_of(store)
        folder = home / PAGES
        if folder.is_symlink():
            raise StoreError(f"{folder} is a link: pages are written into a folder of their own")
        folder.mkdir(exist_ok=True)

    def write(self, own: str | None, hard: Sequence[HardGame] = ()) -> list[GamePage]:
        """Write pages of the games most worth a look; with ``own`` they show what that entry knew of its games.

        Missing records, and records that are not games, are left out.
        """
        return [
            shown
            for each, misdeed in choose(self.played, self.most, own, hard)
            for shown in self._write(each, misdeed, own)
        ]

    def _write(self, each: Candidate, misdeed: PlayerFault | None, own: str | None) -> Iterator[GamePage]:
        path = self.store.folder / RECORDS / each.file
        name = f"{each.file.removesuffix('.records.gz')}-{each.place + 1}{f'-{own}' if own else ''}.html"
        try:
            replay = Replay(
                read_records(path)[each.place].text, partial(games.find, near=[path.parent, self.store.folder])
            )
            written = page(page_data(replay, seat=None if own is None else each.seating.index(own)))
        except (OSError, IndexError, BadFile, Invalid):
            return
        file = self.home / PAGES / name
        file.unlink(missing_ok=True)  # it may be a link
        file.write_text(written, encoding="utf-8")
        seated = tuple(self.titles.get(player, player) for player in each.seating)
        yield GamePage(each.deal, seated, _why(each, misdeed, seated), each.file, each.place, f"{PAGES}/{quote(name)}")


def _why(each: Candidate, misdeed: PlayerFault | None, seated: Sequence[str]) -> str:
    if misdeed is None:
        return decided(each.margin)
    return f"{seated[misdeed.seat]}: {misdeed.fault.kind.value}: {misdeed.fault.why}"


def decided(margin: int) -> str:
    """Return in words by how many points a game was won."""
    return f"won by {margin} point{'' if margin == 1 else 's'}" if margin else "a shared win"


def said_of(game: PlayedGame, titles: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """Return the seating by titles, and why a game is worth a look, without revealing the winner."""
    seated = tuple(titles.get(name, name) for name in game.seating)
    faults = ", ".join(f"{seated[seat]}: {fault.kind.value}" for seat, fault in game.faults)
    return seated, faults or (decided(game.margin) if game.scores else game.outcome.value)


def worth_seeing(findings: Findings) -> Section | None:
    """List the games that have a page."""
    if not findings.games:
        return None
    about = (
        "One of each cause of a fault, then close games, then lopsided ones. Each opens in a page to step through,"
        " which tells nothing ahead; the pages lie beside this one."
    )
    rows = [
        [tag("a", f"deal {shown.deal}", href=shown.page), text(", ".join(shown.seating)), text(shown.why)]
        for shown in findings.games
    ]
    return section("games", "Games worth a look", about, table(["game", "seats", "why"], rows, "games"))
