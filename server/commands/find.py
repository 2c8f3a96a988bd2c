"""``croupier find``: games among many records."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.server import games, terminal
from croupier.server.commands import json_option, places_argument, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.errors import complain
from croupier.server.finding.conditions import BadCondition, Condition, Query
from croupier.server.finding.found_game import longest
from croupier.server.finding.positions import puzzles_of
from croupier.server.finding.search import Search
from croupier.server.records.files import page_by
from croupier.server.records.puzzles import write as write_puzzle
from croupier.server.records.replay import Invalid, Replay
from croupier.server.table.faults import Outcome
from croupier.server.terminal import say
from croupier.server.viewer import page, page_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.commands.command import Added
    from croupier.server.finding.found_game import FoundGame

MOST_TROUBLES = 5
where_option: Added = option(
    "--where", "conditions", multiple=True, metavar="CONDITION", help="What must hold. May be repeated: all must hold."
)


@command(
    'croupier find cup games --where player=duck --where "score>3"',
    'croupier find cup --where "margin<5" --html close.html',
)
@places_argument()
@where_option
@option("--games", "--first", "most", type=click.IntRange(1), help="How many games. The first that are found.")
@option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an HTML page into this file. It steps through one of the games: see --number.",
)
@option(
    "--number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With --html: which of the games, as they are numbered.",
)
@option(
    "--puzzles",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of puzzles. The positions of the games are written into it; what the players of the conditions"
    " played there is right, or only the play that play=... names.",
)
@option("--wrong", "is_wrong", is_flag=True, help="With --puzzles: what they played there is wrong.")
@json_option
def find(
    places: Sequence[Path],
    *,
    conditions: Sequence[str],
    most: int | None,
    html: Path | None,
    number: int,
    puzzles: Path | None,
    is_wrong: bool,
    as_json: bool,
) -> int:
    """Find games by what happened in them, in tournaments' folders and files of records.

    These conditions are about a player, and one player must meet all of them: player=alice, score>20, rank=1, fault,
    fault=timeout, thought>900 (the longest decision, in milliseconds), play=(play sQ). These are about the game:
    with=bob, game=skat, deal=17, outcome=forfeit, faults=0, margin<5, decisions>200, contract=grand. The exit status
    is 1 if no game is found.
    """
    if is_wrong and puzzles is None:
        wrong("--wrong is about the plays of --puzzles")
    query = the_query(conditions)
    search, positions = Search(query), list[str]()
    found: list[Any] = []
    for each in islice(search.run(places), most):
        found.append(_json(each) if as_json else each.record)
        if not as_json:
            say(f"{len(found):5}  {_line(each)}")
        if html is not None and len(found) == number:
            _write(each, html)
        if puzzles is not None:
            positions += _puzzles(each, query, is_wrong=is_wrong)
    if not found and (why := search.problem()):
        wrong(f"--where contract: {why}")
    if as_json:
        print_json({"games": found})
    _tell(search, len(found))
    if puzzles is not None:
        write_puzzles(positions, puzzles)
    if html is not None and len(found) < number:
        wrong(f"--number {number}: {len(found) or 'no'} games are found")
    if found and html is None and not as_json:
        say(f"to step through the first: {page_by(found[0])}", err=True)
    return 0 if found else 1


def the_query(conditions: Sequence[str]) -> Query:
    """Read --where words, or refuse the call."""
    read = []
    for text in conditions:
        try:
            read.append(Condition.parse(text))
        except BadCondition as problem:
            wrong(f"{terminal.command('--where', text)}: {problem}")
    return Query.of(read)


def _line(found: FoundGame) -> str:
    """Describe a game in a line: where it is, its deal, its scores, who faulted."""
    played, names = found.played, found.names
    told = [found.record, f"deal {played.deal}" if played.deal else found.called]
    scores = [f"{name} {score}" for name, score in zip(names, played.scores, strict=True)] if played.scores else names
    told.append(" ".join(scores))
    if played.outcome is not Outcome.FINISHED:
        told.append(played.outcome.value)
    told += [f"{names[fault.seat]}: {fault.fault.kind.value}" for fault in played.faults]
    return "  ".join(told)


def _json(found: FoundGame) -> dict[str, object]:
    """Return a game as the JSON that scripts rely on."""
    played, names = found.played, found.names

    def by_name(values: Sequence[object]) -> dict[str, object] | None:
        return dict(zip(names, values, strict=True)) if values else None

    thought = [longest(played, seat) for seat in range(len(names))]
    return {
        "record": found.record,
        "game": found.called,
        "deal": played.deal,
        "seating": names,
        "scores": by_name(played.scores),
        "ranks": by_name(played.ranks),
        "margin": played.margin if played.ranks else None,
        "outcome": played.outcome.value,
        "faults": [{"player": names[fault.seat], "kind": fault.fault.kind.value} for fault in played.faults],
        "decisions": played.decisions,
        "thought": by_name([each and round(each, 3) for each in thought]) if any(thought) else None,
    }


def _tell(search: Search, number: int) -> None:
    """Print how many games were found, and what could not be read."""
    tell_troubles(search.troubles)
    if search.untimed:
        complain(f"of {search.untimed} games it is not known how long anybody thought: --notes keeps that")
    say(f"{number or 'no'} {'game' if number == 1 else 'games'}", err=True)


def _puzzles(found: FoundGame, query: Query, *, is_wrong: bool) -> list[str]:
    """Return the lines of a game's puzzles; none if its record breaks the rules."""
    try:
        return [write_puzzle(each) for each in puzzles_of(found, query, wrong=is_wrong)]
    except Invalid as problem:
        complain(f"{found.record} has no puzzles: {problem}")
        return []


def write_puzzles(positions: Sequence[str], path: Path) -> None:
    """Write the lines of puzzles into a file, and print how many they are."""
    try:
        path.write_text("".join(positions), encoding="ascii")
    except OSError as problem:
        wrong(f"--puzzles {path}: {problem.strerror}")
    say(f"{len(positions)} puzzles in {path}", err=True)


def tell_troubles(troubles: Sequence[str]) -> None:
    """Print what could not be read, the first few in full."""
    for trouble in troubles[:MOST_TROUBLES]:
        complain(trouble)
    if more := len(troubles[MOST_TROUBLES:]):
        complain(f"and {more} more that are no records or tournaments")


def _write(found: FoundGame, path: Path) -> None:
    """Write the page of a game, as far as it follows the rules."""
    near = [found.path.parent, found.path.parent / ".."]
    try:
        replay = Replay(found.text(), partial(games.find, near=near))
        path.write_text(page(page_data(replay, Path(found.record).name)), encoding="utf-8")
    except Invalid as problem:
        wrong(f"{found.record} is no record to show: {problem}")
    except OSError as problem:
        wrong(f"{path}: {problem.strerror}")
