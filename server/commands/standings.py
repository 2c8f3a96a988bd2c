"""``croupier standings``: a tournament's table as it stands."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.completion import folders
from croupier.server.commands.tables import (
    print_again,
    print_bond,
    print_burnt,
    print_neighbours,
    print_short,
    print_standings,
)
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.records.files import shown_by
from croupier.server.tournaments.folder import RECORDS
from croupier.server.tournaments.manifest import Bond
from croupier.server.tournaments.results import standing
from croupier.server.tournaments.statistics.neighbours import neighbours as counted
from croupier.server.tournaments.store import Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.tournaments.statistics.standings import Standings

T = TypeVar("T")
FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("folder", type=FOLDER, metavar="DIR", shell_complete=folders)
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@click.option("--neighbours", is_flag=True, help="Print how often each sat next to each.")
@json_option
def standings(folder: Path, *, as_csv: bool, neighbours: bool, as_json: bool) -> int:
    """Print a tournament's table as it stands.

    \b
    Example: croupier standings cup --csv
    """
    try:
        if neighbours:
            games = (stored.game for stored in Store(folder, new=False).games())
            print_neighbours(counted(game.seating for game in games), as_json=as_json)
        else:
            print_folder(folder, as_json=as_json, as_csv=as_csv)
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    return 0


def print_folder(folder: Path, *, as_json: bool, as_csv: bool = False) -> None:
    """Print the standings of a tournament's folder."""
    store = Store(folder, new=False)
    table = standing(store)
    if as_json:
        print_json(table.document() | Bond.of(store).document())
    elif as_csv:
        _print_csv(table)
    else:
        print_standings(table.titled(), again=_titled(_again(store), table.titles))
        print_bond(Bond.of(store))
        print_burnt(_titled(store.burnt(), table.titles))
        print_again(_titled(_given_back(store), table.titles))
        print_short(
            [stored.game.short for stored in store.games("WHERE whys LIKE '%\"short\"%' ") if stored.game.short]
        )


def _titled(told: Mapping[str, T], titles: Mapping[str, str]) -> dict[str, T]:
    """Return what is told of players by their titles, where they have one."""
    return {titles.get(name, name): value for name, value in told.items()}


def _again(store: Store) -> dict[str, str]:
    """Return the command that shows the first game with a fault of each who committed one."""
    first: dict[str, str] = {}
    for stored in store.games("WHERE faults != '[]' "):
        for name in {stored.game.seating[fault.seat] for fault in stored.game.misdeeds} - first.keys():
            first[name] = shown_by(store.folder / RECORDS / stored.file, stored.place + 1)
    return first


def _given_back(store: Store) -> dict[str, float]:
    """Return the seconds that each entry's replies got again, as the machine had withheld them."""
    told = dict[str, float]()
    for stored in store.games("WHERE whys LIKE '%\"again\"%' "):
        for name, seconds in zip(stored.game.seating, stored.game.again, strict=False):
            told[name] = told.get(name, 0.0) + seconds
    return dict(sorted(told.items()))


def _print_csv(table: Standings) -> None:
    """Print a row a player: its numbers, a column a kind of fault, and one for the difference to each other player."""
    names = [player.name for player in table.players]
    mean = {each.one + " " + each.other: each.score.mean for each in table.cross}
    mean |= {f"{each.other} {each.one}": -each.score.mean for each in table.cross if each.score.mean is not None}
    rows = []
    for line in table.document()["players"]:
        faults, clean, times = line.pop("faults"), line.pop("clean"), line.pop("milliseconds")
        causes = "; ".join(f"{number} {cause}" for cause, number in line.pop("causes").items())
        inner = {f"clean_{key}": value for key, value in clean.items()}
        inner |= {f"{key}_ms": value for key, value in times.items()}
        differences = {f"minus {other}": mean.get(f"{line['name']} {other}") for other in names}
        rows.append(line | inner | faults | {"causes": causes} | differences)
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else ["name"])
    writer.writeheader()
    writer.writerows(rows)
