"""The question whether one of two is better, as options, and its answer as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from croupier.server.commands import wrong
from croupier.server.commands.command import option
from croupier.server.errors import Finite

if TYPE_CHECKING:
    from croupier.server.tournaments.statistics.improvement import Question, Verdict


def question_options(run: Any) -> Any:
    """Add the margin of an interval, or the two hypotheses of a sequential test and their unit."""
    units = click.Choice(["points", "strength"])
    run = option("--sprt-in", type=units, help="The unit of A and B.  [default: points]")(run)
    run = option(
        "--sprt",
        nargs=2,
        type=Finite(),
        metavar="A B",
        help="Decide which fits better: the second of the two has A points a game more than the first, or B.",
    )(run)
    amount = Finite(0, min_open=True)
    return option("--margin", type=amount, help="The difference in mean score that does not matter to you.")(run)


def require_one_question(sprt: tuple[float, float] | None, margin: float | None) -> None:
    """Refuse bounds that make no sense."""
    if sprt is None:
        return
    if sprt[0] >= sprt[1]:
        wrong("--sprt A B: A is to be the lower of the two")
    if margin is not None:
        wrong("--margin goes with the search for an interval, --sprt has bounds of its own: name one of them")


def sentence(verdict: Verdict, question: Question, nothing: str = "nothing has been played") -> str:
    """Return a sentence that says who is better, by how much, and how certain that is; ``nothing`` if no set does."""
    if not verdict.sets:
        return f"{verdict.word}: {nothing}"
    if verdict.difference is None:
        return f"{verdict.word}: one of them has won all games of {verdict.sets} sets"
    unit = "strength" if question.unit == "strength" else "a game"
    amount = f"{verdict.difference:+.2f} {unit} over {verdict.sets} sets"
    if verdict.low is not None and verdict.high is not None:
        amount += f", between {verdict.low:+.2f} and {verdict.high:+.2f}"
    return f"{verdict.word}: {question.new} has {amount} against {question.old}; more is better" + (
        f"; {verdict.ratio}" if verdict.ratio else ""
    )
