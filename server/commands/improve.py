"""``croupier improve``: whether a new version of a bot is better than the old."""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from croupier.server.commands import (
    blind_option,
    game_option,
    json_option,
    named_game_option,
    network_option,
    on_terminal,
    print_json,
    probe_option,
    require_able,
    sandbox_options,
    terms_options,
    the_game_first,
    time_options,
    workers_option,
    wrong,
)
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import bot_names, folders, game_then_bots
from croupier.server.commands.question import question_options, require_one_question, sentence
from croupier.server.commands.standings import FOLDER
from croupier.server.commands.tables import print_probe
from croupier.server.commands.tournament import (
    budget_option,
    interruptible,
    keys_on_call,
    print_audit_hash,
    progress_bar,
    tell_shortfall,
    the_bots,
    with_sights,
)
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.terminal import say
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.config.budget import SECONDS, Budget
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.store import RunFailed
from croupier.server.tournaments.playing.run import REFUSALS, Run
from croupier.server.tournaments.playing.shadow import Unlike
from croupier.server.tournaments.proof.bond import Bond
from croupier.server.tournaments.report.probe import read_probe
from croupier.server.tournaments.statistics.ending import question_of
from croupier.server.tournaments.statistics.improvement import judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import Probed
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.statistics.columns import Columns
    from croupier.server.tournaments.statistics.improvement import Question


class PlayedComparison(NamedTuple):
    """The question, the games that answer it, how many of them were copied from others of their deals, and the cost.

    ``probed`` is what a probe found of each bot, ``link`` the hash that binds all of it.
    """

    question: Question
    games: Columns
    shadowed: int
    probed: Mapping[str, Probed]
    link: str | None
    spent: Spent
    used_up: bool
    """Whether the budget ended it."""


@command(
    "croupier improve dominion big-money smithy",
)
@click.argument("words", nargs=-1, required=True, metavar="GAME OLD NEW", shell_complete=game_then_bots)
@named_game_option
@option(
    "--against",
    multiple=True,
    metavar="BOT",
    shell_complete=bot_names,
    help="Play both versions against this bot. May be repeated.  [default: each other]",
)
@option(
    "--deals",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="How many deals are played. At most, each in all seatings.",
)
@question_options
@budget_option
@option("--seed", help="Any text. The same text gives the same deals.  [default: a fresh secret key]")
@time_options(1)
@terms_options
@sandbox_options()
@network_option
@game_option
@workers_option
@option(
    "--shadow/--no-shadow",
    default=None,
    help="Do not play a game again that would go as another of its deal."
    "  [default: --shadow, without --out and --bank]",
)
@probe_option()
@blind_option
@option("--out", type=FOLDER, shell_complete=folders, help="Keep the results in this folder.  [default: nowhere]")
@json_option
def improve(
    words: Sequence[str],
    *,
    game: str | None,
    against: Sequence[str],
    options: Sequence[str],
    network: Sequence[str],
    shadow: bool | None,
    out: Path | None,
    blind: bool,
    as_json: bool,
    **keys: Any,
) -> int:
    """Test whether NEW is better than OLD, on the same deals, until that is sure.

    Both play each other, or each plays the bots of --against in the same seats. The verdict is better, worse, same
    (the difference is below --margin) or undecided (after --deals, or at the end of --budget). The exit status is 0 for
    better alone; with --sprt it is 0 if B is accepted. --sprt 0 2 asks for an improvement of two points, --sprt -2 0
    for no loss.
    """
    require_one_question(keys["sprt"], keys["margin"])
    kept_as, rules, versions = the_game_first(words, game)
    if len(versions) != 2:
        wrong(f"name two versions of a bot, OLD and NEW, not {len(versions)}; opponents go by --against")
    document = {"game": kept_as, "bots": the_bots([*versions, *against], kept_as, rules, network), "format": "paired"}
    try:
        if shadow is None:
            budget = keys["budget"]
            counts_tokens = budget is not None and Budget.parse(budget).kind != SECONDS
            shadow = not (out or keys["bank"] or counts_tokens)
        settings = tournament_file.build(document, until_sure=True, shadow=shadow, **keys_on_call(keys, options))
    except ValueError as problem:
        wrong(str(problem))
    settings = with_sights(settings, blind=blind)
    require_able(settings.bots, rules)
    tell_shortfall(settings)
    with nullcontext(out) if out else temporary_folder() as folder:
        try:
            played = _play(settings, rules, Path(folder), kept=out is not None, shown=on_terminal() and not as_json)
        except RunFailed as problem:
            raise click.ClickException(str(problem)) from None
        except REFUSALS as problem:
            wrong(str(problem))
    games, taken, budget = played.games, played.shadowed, settings.budget
    verdict = judge(games, rules, played.question)
    if as_json:
        counts = {"games": len(games), "shadowed": taken, "spent": played.spent.document(budget)}
        probed = {name: found.document() for name, found in played.probed.items()}
        print_json(verdict.document() | counts | ({"probe": probed} if probed else {}))
    else:
        over = f"; {taken} of {len(games)} games were taken over from others of their deals" if taken else ""
        ended = f"; the budget of {budget} is used" if played.used_up else ""
        say(sentence(verdict, played.question) + over + ended, f"spent: {played.spent.words(budget)}")
        print_probe(played.probed)
    if out is not None:
        print_audit_hash(out, played.link)
    return 0 if verdict.passed else 1


def _play(settings: Settings, rules: type[Game], folder: Path, *, kept: bool, shown: bool) -> PlayedComparison:
    """Play until the result is certain; replay all games if nothing is kept and none can be copied."""
    began = monotonic()
    try:
        return _run(settings, rules, folder, began, shown=shown)
    except Unlike as problem:
        if kept:
            raise
        say(f"{problem}. All games are played now, from the beginning", err=True)
    return _run(msgspec.structs.replace(settings, shadow=False), rules, folder / "all", began, shown=shown)


def _run(settings: Settings, rules: type[Game], folder: Path, began: float, *, shown: bool) -> PlayedComparison:
    run = Run(settings, rules, folder, began=began)
    with closing(run.store) as store, progress_bar(run, shown=shown), interruptible(run):
        run.play()
        shadowed, probed, spent = Bond.of(store).shadowed, read_probe(store), Spent.read(store)
        games, link = store.columns(), store.last_link()
        return PlayedComparison(question_of(run.settings), games, shadowed, probed, link, spent, used_up=run.used_up)
