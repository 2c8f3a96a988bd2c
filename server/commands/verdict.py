"""``croupier verdict``: what results from elsewhere prove."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import files
from croupier.server.commands.question import question_options, require_one_question, sentence
from croupier.server.commands.tables import print_standings
from croupier.server.suggestions import did_you_mean
from croupier.server.terminal import say
from croupier.server.texts import BadText, read_text
from croupier.server.tournaments.foreign.fairness import Fairness, games_of_two
from croupier.server.tournaments.foreign.results import ColumnNames, read_results
from croupier.server.tournaments.foreign.table_rows import BadTable, is_pgn
from croupier.server.tournaments.statistics.improvement import ImprovementTest, Question, judge_counts
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.stopping import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.tournaments.foreign.results import TableResults
    from croupier.server.tournaments.statistics.standings import Standings

    Unit = Literal["points", "strength"]

_COUNT = re.compile("[0-9]{1,12}")


@command(
    "croupier verdict results.csv --player player --score points --seat seat --deal board",
    "croupier verdict games.pgn --deal Date --deal Round",
    "croupier verdict --counts 17 253 1042 337 39",
)
@click.argument("words", nargs=-1, required=True, metavar="FILE | W D L | LL LD DD WD WW", shell_complete=files)
@option(
    "--player",
    "players",
    multiple=True,
    metavar="COLUMN",
    help="The column of the player, in a table with a row per player. With a row per game: one for each seat.",
)
@option("--score", "scores", multiple=True, metavar="COLUMN", help="The column of the score, or one for each --player.")
@option("--low-wins", is_flag=True, help="The lowest score wins.")
@option("--deal", multiple=True, metavar="COLUMN", help="The column that names the deal. Several name it together.")
@option("--seat", metavar="COLUMN", help="The column of the seat. A game begins at a seat that is taken.")
@option("--game-id", metavar="COLUMN", help="The column whose value is the same in all rows of a game, within a deal.")
@option("--side", metavar="COLUMN", help="The column whose value partners share in a game.")
@option(
    "--counts",
    is_flag=True,
    help="Judge numbers: of games that the new one won, drew and lost, or of pairs, from both lost to both won.",
)
@option("--old", metavar="PLAYER", help="The player against whom --new is judged.")
@option("--new", metavar="PLAYER", help="The player who may be better than --old.")
@question_options
@json_option
def verdict(
    words: Sequence[str],
    *,
    players: Sequence[str],
    scores: Sequence[str],
    low_wins: bool,
    deal: Sequence[str],
    seat: str | None,
    game_id: str | None,
    side: str | None,
    counts: bool,
    old: str | None,
    new: str | None,
    margin: float | None,
    sprt: tuple[float, float] | None,
    sprt_in: Unit | None,
    as_json: bool,
) -> int:
    """Judge results from elsewhere: who is better, by how much, and how sure that is.

    FILE has a table with the names of its columns in the first line (CSV, semicolons, tabs), or a JSON object per line.
    It may also have games of chess (PGN); their tags are columns. With --old and --new the verdict is better, worse,
    same (the difference is below --margin) or undecided. The exit status is 0 for better alone; with --sprt it is 0 if
    B is accepted. Numbers of --counts are judged in strength.
    """
    require_one_question(sprt, margin)
    bounds = None if sprt is None else Bounds(*sprt)
    columns = ColumnNames(players, scores, deal, seat, game_id, side)
    if counts:
        if any(columns) or low_wins or old or new:
            wrong(
                "--counts goes with --margin, --sprt, --sprt-in and --json alone: they have neither columns nor names"
            )
        return _judge_counts(
            words, Question("the old", "the new", margin, bounds, sprt_in or "strength"), as_json=as_json
        )
    if (old is None) != (new is None) or (old is None and (margin or sprt)):
        wrong("name the two to compare: --old PLAYER --new PLAYER")
    results = _read(words, columns, low_wins=low_wins)
    question = None
    if old is not None and new is not None:
        _require_players(results, old, new)
        question = Question(old, new, margin, bounds, sprt_in or "points")
    return _judge(results, question, as_json=as_json)


# Numbers


def _judge_counts(words: Sequence[str], question: Question, *, as_json: bool) -> int:
    if len(words) not in {3, 5} or not all(_COUNT.fullmatch(word) for word in words):
        wrong("--counts: write the games won, drawn and lost, or five numbers of pairs, from both lost to both won")
    numbers = [int(word) for word in words]
    if not any(numbers):
        wrong("--counts: all numbers are 0, so there is nothing to judge")
    found = judge_counts(numbers if len(numbers) == 5 else numbers[::-1], question)
    if as_json:
        print_json(found.document())
    else:
        say(sentence(found, question))
    return 0 if found.passed else 1


# A table


def _read(words: Sequence[str], columns: ColumnNames, *, low_wins: bool) -> TableResults:
    """Return the results in the file, or refuse the call."""
    if len(words) != 1:
        wrong("name one FILE; numbers of games go with --counts")
    path = Path(words[0])
    try:
        text = read_text(path, "utf-8")
        if is_pgn(text):
            columns = columns.for_chess()
        _require_columns(columns)
        return read_results(text, path.name, columns, low_wins=low_wins)
    except (BadText, BadTable) as problem:
        wrong(f"{path}: {problem}")
    except OSError as problem:
        wrong(f"{path}: {problem.strerror or problem}")


def _require_columns(columns: ColumnNames) -> None:
    """Refuse columns from which no games follow."""
    if not columns.players or len(columns.players) != len(columns.scores):
        wrong(
            "name as many columns with --player as with --score: one of each in a table with a row per player, one for"
            " each seat in a table with a row per game"
        )
    if columns.wide and (columns.seat or columns.game or columns.side):
        wrong("--seat, --game-id and --side are for a table with a row per player, which has one --player")
    if not columns.wide and not (columns.seat or columns.game):
        wrong("name --seat or --game-id: without them it is unknown where a game ends")


def _require_players(results: TableResults, old: str, new: str) -> None:
    """Refuse names that are not in the table."""
    names = results.games.names
    for name in (old, new):
        if name not in names:
            wrong(f"nobody is called {name}{did_you_mean(name, names)}; the table has {', '.join(names[:12])}")
    if old == new:
        wrong(f"--old and --new are both {new}: name two players")


def _judge(results: TableResults, question: Question | None, *, as_json: bool) -> int:
    """Print the standings and, if there is a question, its answer."""
    fair = Fairness.of(results)
    table, lines, passed = _standings(results, fair), [], True
    document = table.document() | {"deals": len(results.deals) or None, "sets": fair.sets, "uneven_sets": fair.uneven}
    if question is not None:
        trial = ImprovementTest(results.scoring, question)
        trial.look(games_of_two(results, question.old, question.new))
        document["comparison"] = {"old": question.old, "new": question.new, **trial.verdict.document()}
        never = "they were never opponents, nor in the same seat with the same others"
        lines, passed = [sentence(trial.verdict, question, never)], trial.verdict.passed
    if as_json:
        print_json(document)
    else:
        say(*_basis(results, fair))
        print_standings(table, {})
        say(*lines)
    return 0 if passed else 1


def _standings(results: TableResults, fair: Fairness) -> Standings:
    table = standings(
        results.games,
        results.scoring,
        ranked_by=fair.ranked_by,
        sampled=False,
        void={"they are not finished": results.left_out} if results.left_out else {},
    )
    # nobody knows of faults elsewhere, which is not the same as none
    return replace(table, players=tuple(replace(player, faults={}) for player in table.players))


def _basis(results: TableResults, fair: Fairness) -> list[str]:
    """Return, in sentences, what the deals and seats allow to say."""
    if not results.deals:
        luck = "each game counts as a deal of its own, because --deal names none. The luck of deals does not cancel"
    elif fair.uneven is None:
        luck = "without --seat it is unknown whether everybody had every seat. The luck of deals may not cancel"
    elif fair.uneven:
        luck = (
            f"in {fair.uneven} of {fair.sets} sets, first in deal {fair.first_uneven}, not everybody had every seat"
            " equally often. There the luck of the deal does not cancel"
        )
    else:
        luck = "in every set everybody had every seat equally often. So the luck of deals cancels"
    told = [f"{len(results.games)} games, {len(results.deals) or 'no'} deals: {luck}."]
    if fair.ranked_by != "mean":
        number = {"field": "score against the field", "strength": "strength"}[fair.ranked_by]
        told.append(f"Not all players met equally often: the {number} ranks, and means are not comparable.")
    return told
