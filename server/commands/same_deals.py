"""``croupier play ... --deals-of CUP``: deals that bots have played before, and the scores of both compared."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.commands import wrong
from croupier.server.commands.columns import print_columns
from croupier.server.commands.dealing import Dealing
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.keeping.store import Store, StoreError, open_for_reading
from croupier.server.tournaments.statistics.intervals import ratio_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame

ALL = "all of them"
"""The name of the first row, which compares with all bots; no player can be called this."""


class SameDeals(NamedTuple):
    """Deals of a finished tournament, and each bot's score in each seat on them."""

    dealing: Dealing
    options: Mapping[str, Atom]
    seats: int
    scores: Mapping[int, Sequence[tuple[str, int, int]]]
    """By deal, for each of its games: the players with their seats and scores there."""

    def options_for(self, players: int) -> Mapping[str, Atom]:
        """Return the options that were played with; refuse the call unless the number of players is the same."""
        if players != self.seats:
            wrong(f"--deals-of: {self.seats} played there, not {players}")
        return self.options

    def comparisons(self, seated: Sequence[Entry], games: Sequence[PlayedGame]) -> list[dict[str, Any]]:
        """Compare each person, or else the first player, with each bot that had the same seat in the same deals."""
        people = [seat for seat, entry in enumerate(seated) if entry.human] or [0]
        counting = [game for game in games if game.scores]
        return [row | {"player": seated[seat].name} for seat in people for row in self._rows(seat, counting)]

    def print(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Print the comparison of the players with those who have played their deals before."""
        columns = {
            "player": [row["player"] for row in rows],
            "beside": [row["beside"] for row in rows],
            "deals": [str(row["deals"]) for row in rows],
            "mean": [f"{row['mean']:.2f}" for row in rows],
            "theirs": [f"{row['theirs']:.2f}" for row in rows],
            "difference": [_difference(row) for row in rows],
        }
        caption = "the same deals in the same seat; the difference with its 95 % interval, once the deals tell enough"
        print_columns(columns, "Beside who has played these deals", caption, spare=(), left=2)

    def _rows(self, seat: int, games: Sequence[PlayedGame]) -> Iterator[dict[str, Any]]:
        names = sorted({name for game in games for name, place, _ in self.scores[game.deal] if place == seat})
        for beside in (ALL, *names):
            pairs = []
            for game in games:
                there = [n for name, place, n in self.scores[game.deal] if place == seat and beside in {name, ALL}]
                if there:
                    pairs.append((game.scores[seat], fmean(there)))
            if pairs:
                yield {"beside": beside, **_compared(pairs)}


def _compared(pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Compare scores on the same deals: the deal is the unit, so its luck drops out of the difference."""
    mine, theirs = zip(*pairs, strict=True)
    differences = [one - other for one, other in pairs]
    found = ratio_intervals([0] * len(pairs), range(len(pairs)), differences, 1)[0]
    mean = {"mean": round(fmean(mine), 6), "theirs": round(fmean(theirs), 6)}
    return {"deals": len(pairs), **mean, "difference": found.mean, "low": found.low, "high": found.high}


def the_same_deals(word: str, rules: type[Game], deals: int) -> SameDeals:
    """Return ``deals`` deals of a tournament, beginning with the named one, or refuse the call."""
    name, colon, first = word.rpartition(":")
    folder, begin = (Path(word), "1") if not colon or Path(word).exists() else (Path(name), first)
    if not begin.isdecimal() or not int(begin[:9]) > 0:
        wrong(f"--deals-of {word}: behind the colon stands the first deal, counted from 1")
    try:
        with open_for_reading(folder) as store:
            return _read(store, rules, int(begin), deals)
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(f"--deals-of: {problem}")


def _read(store: Store, rules: type[Game], first: int, deals: int) -> SameDeals:
    settings = founding.settings_of(store)
    theirs = founding.rules_of(store, settings)
    if (theirs.NAME, getattr(theirs, "PROGRAM_SHA256", None)) != (rules.NAME, getattr(rules, "PROGRAM_SHA256", None)):
        wrong(f"--deals-of: {store.folder} plays {settings.game}, another game")
    key = founding.revealed_key(store, settings.public)
    if key is None:
        wrong(f"--deals-of: {store.folder} is not finished, and its deals may yet be played: its key is not revealed")
    scores: defaultdict[int, list[tuple[str, int, int]]] = defaultdict(list)
    seats = 0
    for each in store.games("WHERE scores != '[]' AND deal >= ? ", (first,)):
        seats = len(each.game.seating)
        scores[each.game.deal] += zip(each.game.seating, range(seats), each.game.scores, strict=True)
    numbers = sorted(scores)[:deals]
    if len(numbers) < deals:
        wrong(f"--deals-of: from deal {first} on {len(numbers)} were played there; --deals {deals} are too many")
    return SameDeals(Dealing(key, numbers), theirs.read_options(settings.options), seats, scores)


def _difference(row: Mapping[str, Any]) -> str:
    half = "" if row["low"] is None else f" ±{(row['high'] - row['low']) / 2:.2f}"
    return f"{row['difference']:+.2f}{half}"
