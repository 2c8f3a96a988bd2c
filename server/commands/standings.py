"""``croupier standings``: a tournament's current table."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from croupier.protocol import record as lines
from croupier.server import games
from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import folders
from croupier.server.commands.fault_lines import Committed, FaultFiles, fault_lines
from croupier.server.commands.tables import (
    print_again,
    print_bond,
    print_burnt,
    print_confinement,
    print_neighbours,
    print_probe,
    print_short,
    print_standings,
    print_usage,
)
from croupier.server.entries import distinct_names
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.records.blame import faults_by_player, meant_play
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.notes import BadNotes, said_at_last
from croupier.server.terminal import printable, say
from croupier.server.tournaments.entering.founding import settings_of
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.stderr_and_notes import errors_of
from croupier.server.tournaments.keeping.store import Store, StoreError, open_for_reading
from croupier.server.tournaments.proof.bond import Bond, Confinement
from croupier.server.tournaments.report.document import document
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.probe import read_probe
from croupier.server.tournaments.report.standing import standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.tournaments.keeping.store import Stored
    from croupier.server.tournaments.statistics.standings import Standings

T = TypeVar("T")
FOLDER = click.Path(file_okay=False, path_type=Path)


@command(
    "croupier standings cup",
)
@click.argument("folder", type=FOLDER, metavar="DIR", shell_complete=folders)
@option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@option("--neighbors", "--neighbours", is_flag=True, help="Print how often each bot sat right after each other.")
@json_option
def standings(folder: Path, *, as_csv: bool, neighbors: bool, as_json: bool) -> int:
    """Print a tournament's current table."""
    try:
        if neighbors:
            with open_for_reading(folder) as store:
                found = Counter(pair for stored in store.games() for pair in _neighbours(stored.game.seating))
            print_neighbours(found, as_json=as_json)
        else:
            print_folder(folder, as_json=as_json, as_csv=as_csv)
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    return 0


def print_folder(folder: Path, *, as_json: bool, as_csv: bool = False) -> None:
    """Print the standings of a tournament's folder."""
    with open_for_reading(folder) as store:
        _print_store(store, as_json=as_json, as_csv=as_csv)


def _print_store(store: Store, *, as_json: bool, as_csv: bool) -> None:
    if as_json:
        print_json(document(gather(store)))
        return
    table, spent, budget = standing(store), Spent.read(store), settings_of(store).budget
    costs = bool(budget or spent.usage)
    if as_csv:
        _print_csv(table)
    else:
        print_standings(table.with_titles(), _fault_lines(store, table.titles))
        print_confinement(Confinement.of(store))
        print_bond(Bond.of(store))
        print_probe(_by_title(read_probe(store), table.titles))
        print_usage(_by_title(spent.usage, table.titles))
        if costs:
            say(f"spent so far: {spent.words(budget)}")
        print_burnt(_by_title(store.burnt(), table.titles))
        print_again(_by_title(_returned_seconds(store), table.titles))
        print_short(
            [stored.game.short for stored in store.games("WHERE whys LIKE '%\"short\"%' ") if stored.game.short]
        )


def _neighbours(seating: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each pair of neighbors, the one who plays first before the other."""
    return pairwise([*seating, seating[0]])


def _by_title(amounts: Mapping[str, T], titles: Mapping[str, str]) -> dict[str, T]:
    """Return the players' amounts by title, where they have one."""
    return {titles.get(name, name): value for name, value in amounts.items()}


def _fault_lines(store: Store, titles: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the lines that report each player's faults, by titles where players have one."""
    records = store.folder / RECORDS
    return fault_lines(
        Committed(
            titles.get(name := stored.game.seating[seat], name),
            fault,
            stored.game.deal,
            partial(_look, records, stored, seat),
        )
        for stored in store.games("WHERE faults != '[]' ")
        for seat, fault in stored.game.misdeeds
    )


def _look(records: Path, stored: Stored, seat: int) -> FaultFiles:
    """Return the evidence of a fault; only the path of its record if that cannot be read."""
    path, number = records / stored.file, stored.place + 1
    kept = errors_of(records.parent, stored.game.seating[seat], stored.file)
    errors, said = (kept, _said(kept, stored)) if kept.is_file() else (None, "")
    try:
        text = read_records(path)[stored.place].text
        found = faults_by_player(line for _, line in lines.read(text))
    except (OSError, IndexError, BadFile, lines.BadRecord):
        return FaultFiles(None, path, number, errors=errors, said=said)
    name = distinct_names(stored.game.seating)[seat]
    meant = meant_play(text, name, partial(games.find, near=[records.parent]))
    return FaultFiles(found.get(name), path, number, errors=errors, said=said, meant=meant)


def _said(kept: Path, stored: Stored) -> str:
    """Return a bot's last standard error in a game; an empty string if its file cannot be read."""
    try:
        return said_at_last(kept, stored.game.deal, stored.game.seating)
    except BadNotes:
        return ""


def _returned_seconds(store: Store) -> dict[str, float]:
    """Return the seconds that were given back to each entry's replies because the machine had withheld them."""
    told = dict[str, float]()
    for stored in store.games("WHERE whys LIKE '%\"again\"%' "):
        for name, seconds in zip(stored.game.seating, stored.game.again, strict=False):
            told[name] = told.get(name, 0.0) + seconds
    return dict(sorted(told.items()))


def _print_csv(table: Standings) -> None:
    """Print a row per player: its numbers, a column per kind of fault, one for the difference to each other player."""
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
        rows.append(line | inner | faults | {"causes": printable(causes)} | differences)
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else ["name"])
    writer.writeheader()
    writer.writerows(rows)
