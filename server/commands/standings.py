"""``croupier standings``: a tournament's table as it stands."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.tables import print_burnt, print_standings
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.tournaments.results import standing
from croupier.server.tournaments.store import Store, StoreError

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@json_option
def standings(folder: Path, *, as_csv: bool, as_json: bool) -> int:
    """Print a tournament's table as it stands.

    \b
    Example: croupier standings cup --csv
    """
    try:
        print_folder(folder, as_json=as_json, as_csv=as_csv)
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    return 0


def print_folder(folder: Path, *, as_json: bool, as_csv: bool = False) -> None:
    """Print the standings of a tournament's folder."""
    store = Store(folder, new=False)
    table = standing(store)
    if as_json:
        print_json(table.document())
    elif as_csv:
        players = table.document()["players"]
        flat = [{**player, **player.pop("faults")} for player in players]
        writer = csv.DictWriter(sys.stdout, list(flat[0]) if flat else ["name"])
        writer.writeheader()
        writer.writerows(flat)
    else:
        print_standings(table)
        print_burnt(store.burnt())
