"""``croupier improve``: whether a new version of a bot is better than the old."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.server.commands import game_option, json_option, on_terminal, print_json, require_able, the_game, wrong
from croupier.server.commands.completion import bot_names, folders, game_names
from croupier.server.commands.standings import FOLDER
from croupier.server.commands.tournament import REFUSALS, interruptible, progress_bar, the_bots
from croupier.server.tournaments import config
from croupier.server.tournaments.ending import asked
from croupier.server.tournaments.improvement import judged
from croupier.server.tournaments.run import Run

if TYPE_CHECKING:
    from croupier.server.tournaments.improvement import Question, Verdict

SETTINGS = ("deals", "seed", "time", "start", "workers", "margin", "sprt_in")


@click.command()
@click.argument("old", shell_complete=bot_names)
@click.argument("new", shell_complete=bot_names)
@click.option("--game", required=True, shell_complete=game_names, help="The game.")
@click.option("--against", multiple=True, metavar="BOT", shell_complete=bot_names, help="Opponents; may be repeated.")
@click.option("--margin", type=click.FloatRange(0, min_open=True), help="The difference in score that does not matter.")
@click.option("--deals", type=click.IntRange(1), default=1000, show_default=True, help="Deal sets, at most.")
@click.option("--sprt", nargs=2, type=float, metavar="A B", help="Decide between a difference of A and of B, no more.")
@click.option("--sprt-in", type=click.Choice(["points", "strength"]), help="What A and B are in.  [default: points]")
@click.option("--seed", help="Any text: the same text, the same deals.  [default: a fresh secret key]")
@click.option("--time", type=click.IntRange(1), help="Milliseconds a reply.")
@click.option("--start", type=click.IntRange(1), help="Milliseconds a program may take to start.")
@game_option
@click.option("--workers", type=click.IntRange(1), help="Worker processes.  [default: one a core]")
@click.option("--out", type=FOLDER, shell_complete=folders, help="Keep the games there.  [default: nowhere]")
@json_option
def improve(old: str, new: str, *, as_json: bool, **how: Any) -> int:
    """Say whether NEW is better than OLD: on the same deals, until that is sure.

    Both play each other, or each the bots --against, which sit in the same seats. The verdict is better, worse, same
    (the difference is below --margin) or undecided (after --deals); the status is 0 for better alone. With --sprt it
    is 0 if B is accepted: 0 2 asks for an improvement, -2 0 for no step back.

    \b
    Example: croupier improve "python old.py" "python new.py" --game hearts --against duck --margin 0.5
    """
    _check_bounds(how)
    rules = the_game(how["game"])
    bots = the_bots([old, new, *how["against"]], how["game"])
    try:
        settings = config.build(
            {"game": how["game"], "bots": bots, "format": "paired"}, until_sure=True, sprt=how["sprt"], **_named(how)
        )
    except config.BadConfig as problem:
        wrong(str(problem))
    require_able(settings.bots, rules)
    with nullcontext(how["out"]) if how["out"] else tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        try:
            run = Run(settings, rules, Path(folder))
            with progress_bar(run, shown=on_terminal() and not as_json), interruptible(run):
                run.play()
        except REFUSALS as problem:
            wrong(str(problem))
        verdict = judged(run.store.counting(), rules, asked(run.settings))
    if as_json:
        print_json(verdict.document())
    else:
        click.echo(_sentence(verdict, asked(run.settings)))
    return 0 if verdict.passed else 1


def _check_bounds(how: dict[str, Any]) -> None:
    """Refuse bounds that cannot be meant."""
    if how["sprt"] is None:
        return
    if how["sprt"][0] >= how["sprt"][1]:
        wrong("--sprt A B: A is to be the lower of the two")
    if how["margin"] is not None:
        wrong("--margin goes with the search for an interval, --sprt has bounds of its own: name one of them")


def _named(how: dict[str, Any]) -> dict[str, Any]:
    named = {name: how[name] for name in SETTINGS if how[name] is not None}
    if how["options"]:
        named["options"] = dict(option.partition("=")[::2] for option in how["options"])
    return named


def _sentence(verdict: Verdict, question: Question) -> str:
    """Say who is better, by how much, and how sure that is."""
    if not verdict.sets:
        return f"{verdict.word}: nothing has been played"
    if verdict.difference is None:
        return f"{verdict.word}: one of them has won all games of {verdict.sets} sets"
    unit = "strength" if question.unit == "strength" else "a game"
    amount = f"{verdict.difference:+.2f} {unit} over {verdict.sets} sets"
    if verdict.low is not None and verdict.high is not None:
        amount += f", between {verdict.low:+.2f} and {verdict.high:+.2f}"
    return f"{verdict.word}: {question.new} has {amount} against {question.old}; more is better"
