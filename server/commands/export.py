"""``croupier export``: games as a table of columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.server import extras
from croupier.server.commands import json_option, places_argument, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.find import tell_troubles, the_query, where_option
from croupier.server.exporting.columns import CannotExport
from croupier.server.exporting.files import FORMS, write
from croupier.server.exporting.tables import TABLES
from croupier.server.finding.search import Search
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence


@command(
    "croupier export cup --to games.csv",
    'croupier export cup --table decisions --where "player=duck" --to decisions.csv',
)
@places_argument()
@where_option
@option(
    "--to",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file to write. Its ending chooses the form: {', '.join(FORMS)}.",
)
@option("--table", type=click.Choice([*TABLES]), default="games", show_default=True, help="Which table: one per file.")
@json_option
def export(places: Sequence[Path], *, conditions: Sequence[str], to: Path, table: str, as_json: bool) -> int:
    """Export games as a table, from tournaments' folders and files of records.

    The tables are games, decisions, deals and bots. Decisions have the fields of STATE, the legal plays and the play,
    from a replay of each game. --where takes the conditions of `croupier find`. The exit status is 1 if the table has
    no rows.
    """
    if to.suffix not in FORMS:
        wrong(f"--to {to}: the ending chooses the form, and is one of {', '.join(FORMS)}")
    if to.suffix == ".parquet" and (how := extras.missing("columns")):
        wrong(f"--to {to}: Parquet is written by pyarrow, which is not installed; install it, or use .csv: {how}")
    search = Search(the_query(conditions))
    try:
        rows = TABLES[table].rows(search.run(places), search.troubles.append)
        number = write(rows, to)
    except CannotExport as problem:
        wrong(str(problem))
    except OSError as problem:
        wrong(f"--to {to}: {problem.strerror}")
    tell_troubles(search.troubles)
    columns = [column.name for column in rows.columns]
    if as_json:
        print_json({"file": str(to), "table": table, "rows": number, "columns": columns})
    else:
        say(f"{number:,} {'row' if number == 1 else 'rows'} of {len(columns)} columns in {to}")
    return 0 if number else 1
