"""Results: the games in a table, and what is known of their deals and seats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.games.game import ranks_by_score
from croupier.server.tournaments.foreign.table_rows import PLAYER_TAGS, POINT_TAGS, BadTable, is_pgn, read_rows
from croupier.server.tournaments.statistics.columns import Columns, Lists
from croupier.server.tournaments.statistics.scoring import Scoring

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.tournaments.foreign.table_rows import Row

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MOST_POINTS = 1e12
"""Larger scores are refused, because their fourth powers lose the digits of all others."""
MOST_SEATS = 64
MOST_PAIRS = 50_000_000
"""The most pairs of seats in all games: each pair takes a hundred bytes."""
MOST_CELLS = 10_000_000
"""The most players times deals, for the same reason."""
LONGEST_NAME = 100
_MOST_NAMED = 12


class ColumnNames(NamedTuple):
    """Which columns of a table have what. One column of players is a row per player, several are a row per game."""

    players: Sequence[str] = ()
    scores: Sequence[str] = ()
    deal: Sequence[str] = ()
    """Together they name a deal; if there are none, each game is a deal of its own."""
    seat: str | None = None
    game: str | None = None
    """Rows with the same value, within a deal, are one game."""
    side: str | None = None
    """Players with the same value in a game are partners."""

    @property
    def wide(self) -> bool:
        """Whether a row is a game."""
        return len(self.players) > 1

    def for_chess(self) -> ColumnNames:
        """Return the same with the columns of a chess game where none are named."""
        if self.players or self.scores:
            return self
        return self._replace(players=PLAYER_TAGS, scores=POINT_TAGS)


class TableResults(NamedTuple):
    """The games of a table in its order. Deals are numbered from 1 as they occur."""

    games: Columns
    scoring: Scoring
    deals: Sequence[str]
    """The name of each deal; empty if each game is a deal of its own."""
    seats_known: bool
    left_out: int
    """The number of games that were not finished."""


class _Seat(NamedTuple):
    """A player's place in a game; its label and side are empty if the table has none."""

    label: str
    player: str
    score: float
    side: str


@dataclass(slots=True)
class _Game:
    """A game whose rows are read, and the line where it begins."""

    line: int
    deal: tuple[str, ...]
    seats: list[_Seat] = field(default_factory=list)

    def is_taken(self, seat: _Seat) -> bool:
        """Return whether the seat is taken; without labels, whether its player has one."""
        return any(other.label == seat.label and (seat.label or other.player == seat.player) for other in self.seats)


def read_results(text: str, name: str, columns: ColumnNames, *, low_wins: bool) -> TableResults:
    """Return the results in a table called ``name``; raise BadTable where the table cannot be understood."""
    read = list(_a_row_per_game(text, columns)) if columns.wide else _a_row_per_player(text, columns)
    games = [game for game in read if game.seats]
    if not games:
        raise BadTable("it has no finished game")
    _arrange(games, columns)
    _check(games)
    partners = _partners(games) if columns.side else ()
    deals: dict[tuple[str, ...] | int, int] = {}
    lists = _lists(
        games, [deals.setdefault(game.deal or game.line, len(deals) + 1) for game in games], low_wins=low_wins
    )
    found = Columns.join([lists])
    if len(found.names) * len(deals) > MOST_CELLS:
        raise BadTable(f"{len(found.names):,} players on {len(deals):,} deals are too many: keep the rows of a few")
    named = [" ".join(key) for key in deals if isinstance(key, tuple)]
    worst = float(found.scores.max() if low_wins else found.scores.min())
    seats_known = columns.wide or columns.seat is not None
    return TableResults(found, Scoring(name, low_wins, worst, partners), named, seats_known, len(read) - len(games))


def _lists(games: Sequence[_Game], deals: Sequence[int], *, low_wins: bool) -> Lists:
    """Return the games as the lists of which columns are made."""
    seatings = [tuple(seat.player for seat in game.seats) for game in games]
    scores = [tuple(seat.score for seat in game.seats) for game in games]
    return Lists(
        pairings=[tuple(sorted(seating)) for seating in seatings],
        deals=deals,
        seatings=seatings,
        scores=scores,
        ranks=[ranks_by_score(each, low_wins=low_wins) for each in scores],
        times=[()] * len(games),
        faults={},
        assisted=(),
        cut=(),
        luck={},
    )


# The games


def _a_row_per_game(text: str, columns: ColumnNames) -> Iterator[_Game]:
    """Yield the games of a table with several columns of players; an unfinished game of chess has no seats."""
    width, pgn = len(columns.players), is_pgn(text)
    for row in read_rows(text, [*columns.players, *columns.scores, *columns.deal]):
        players, scores, deal = row.cells[:width], row.cells[width : 2 * width], row.cells[2 * width :]
        game = _Game(row.line, _deal(row, deal, columns))
        for place in range(0 if pgn and not all(scores) else width):
            player = _name(row, players[place], columns.players[place])
            game.seats.append(_Seat("", player, _score(row, scores[place], columns.scores[place]), ""))
        yield game


def _a_row_per_player(text: str, columns: ColumnNames) -> list[_Game]:
    """Group rows by their game; within a deal a new one begins at a seat that is taken."""
    games: list[_Game] = []
    latest: dict[tuple[str, ...], _Game] = {}
    more = [name for name in (columns.seat, columns.side, columns.game) if name]
    for row in read_rows(text, [*columns.players, *columns.scores, *columns.deal, *more]):
        deal = _deal(row, row.cells[2 : 2 + len(columns.deal)], columns)
        seat, number = _seat(row, row.cells[2 + len(columns.deal) :], columns)
        game = latest.get((*deal, number))
        if game is None or game.is_taken(seat):
            if game is not None and number:
                raise BadTable(
                    f"line {row.line}: {f'seat {seat.label}' if seat.label else seat.player} is already taken in the"
                    f" game of line {game.line}: give every game its own {columns.game}"
                )
            latest[*deal, number] = game = _Game(row.line, deal)
            games.append(game)
        game.seats.append(seat)
        if len(game.seats) > MOST_SEATS:
            raise BadTable(
                f"line {row.line}: the game that begins in line {game.line} has more than {MOST_SEATS} players: give"
                " every game its own --game-id, or its own seats"
            )
    return games


def _seat(row: Row, more: Sequence[str], columns: ColumnNames) -> tuple[_Seat, str]:
    """Return the seat that a row is about, and the number of its game; ``more`` are its cells after the deal."""
    rest = iter(more)
    names = (columns.seat, columns.side, columns.game)
    label, side, number = (next(rest) if name else "" for name in names)
    for value, name in zip((label, side, number), names, strict=True):
        if name and not value:
            raise BadTable(f"line {row.line}: {name} is empty")
    player, score = _name(row, row.cells[0], columns.players[0]), _score(row, row.cells[1], columns.scores[0])
    return _Seat(label, player, score, side), number


def _name(row: Row, value: str, column: str) -> str:
    if not value or not value.isprintable() or len(value) > LONGEST_NAME:
        wrong = "is empty" if not value else f"is longer than {LONGEST_NAME} characters or has an invisible one"
        raise BadTable(f"line {row.line}: the player in {column} {wrong}")
    return value


def _score(row: Row, value: str, column: str) -> float:
    if not _NUMBER.fullmatch(value) or abs(float(value)) > MOST_POINTS:
        shown = value[:LONGEST_NAME] or "empty"
        raise BadTable(f"line {row.line}: {column} is {shown}; write a number such as 12, -3.5 or 1e6")
    return float(value)


def _deal(row: Row, values: Sequence[str], columns: ColumnNames) -> tuple[str, ...]:
    for value, column in zip(values, columns.deal, strict=True):
        if not value:
            raise BadTable(f"line {row.line}: {column} is empty; name each deal, or leave --deal out")
    return tuple(values)


# Their seats


def _arrange(games: Sequence[_Game], columns: ColumnNames) -> None:
    """Put each game's players in order of their seats; where these are unknown, of their sides and names."""
    if columns.wide:
        return
    for game in games:
        game.seats.sort(key=lambda seat: (seat.label,) if columns.seat else (seat.side, seat.player))
        labels, others = ([seat.label for seat in one.seats] for one in (game, games[0]))
        if columns.seat and labels != others:
            raise BadTable(
                f"line {game.line}: the game that begins here has the seats {', '.join(labels[:_MOST_NAMED])}, and that"
                f" of line {games[0].line} has {', '.join(others[:_MOST_NAMED])}: sort the rows by game, or name a"
                " column with --game-id"
            )


def _partners(games: Sequence[_Game]) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side, which are the same in all games."""
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    for game in games:
        sides: dict[str, tuple[int, ...]] = {}
        for place, seat in enumerate(game.seats):
            sides[seat.side] = (*sides.get(seat.side, ()), place)
        found.setdefault(tuple(sides.values()), game.line)
    (first, begin), *others = found.items()
    if others:
        raise BadTable(
            f"line {others[0][1]}: partners sit in other seats than in the game of line {begin}: leave out --side"
        )
    if len(first) < 2:
        raise BadTable(f"line {begin}: all players of the game that begins here are on one side")
    return first


def _check(games: Sequence[_Game]) -> None:
    """Raise BadTable unless each game has the same number of players, at least two, and not too many."""
    first, width = games[0], len(games[0].seats)
    for game in games:
        if len(game.seats) != width:
            raise BadTable(
                f"line {game.line}: the game that begins here has {len(game.seats)} players, and that of line"
                f" {first.line} has {width}: keep games of one size"
            )
        if len(players := {seat.player for seat in game.seats}) < 2:
            raise BadTable(
                f"line {game.line}: nobody plays against {min(players)} in the game that begins here: sort the rows by"
                " game, or name a column with --game-id"
            )
    if len(games) * width * width > MOST_PAIRS:
        raise BadTable(f"{len(games):,} games of {width} players are too many: keep a part of them")
