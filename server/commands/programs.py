"""``croupier check-game``, and what ``croupier games FILE`` says of a RECYCLE program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.games.recycle.check import check
from croupier.server.games.recycle.describe import describe

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("check-game")
@click.argument("files", nargs=-1, required=True, metavar="FILE ...")
@json_option
def check_game(files: Sequence[str], *, as_json: bool) -> int:
    """Check RECYCLE programs: each problem with its line and column, and whether they can be played.

    \b
    Example: croupier check-game whist.gdl
    """
    try:
        checked = [check(file) for file in files]
    except (BadGame, NoSuchGame) as problem:
        wrong(str(problem))
    if as_json:
        documents = [found.document() for found in checked]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for file, found in zip(files, checked, strict=True):
            for bad in found.problems:
                click.echo(f"{file}:{bad.line}:{bad.column}: {bad.severity}: {bad.message}")
            click.echo(f"{file}: {'can be played' if found.passed else 'cannot be played'}")
    return 0 if all(found.passed for found in checked) else 1


def described(file: str) -> dict[str, Any]:
    """Describe a program, or refuse the call."""
    try:
        return describe(file)
    except (BadGame, NoSuchGame) as problem:
        wrong(str(problem))


def print_described(known: dict[str, Any]) -> None:
    """Print what a program plays: players, pack, stages, and what a few random games were like."""
    click.echo(f"{known['program']}: {known['about'] or 'a game from a file'}")
    teams = "".join(f"; partners {' and '.join(map(str, team))}" for team in known["teams"])
    click.echo(f"Players: {known['players']}{teams}. {'Low' if known['low_wins'] else 'High'} scores win.")
    pack = "; ".join(f"{key} {' '.join(values)}" for key, values in known["pack"].items())
    click.echo(f"Pack: {known['cards']} cards. {pack}")
    click.echo("Stages:")
    for stage in known["stages"]:
        click.echo(f"  {stage['line']:4}  {'  ' * stage['depth']}{stage['what']}")
    sample = known["sample"]
    ended = ", ".join(f"{number} {outcome}" for outcome, number in sample["outcomes"].items())
    click.echo(f"Of {sample['games']} random games: {ended}; {sample['choices_a_game']} choices a game, ", nl=False)
    click.echo(f"{sample['options_a_choice']} options a choice, {sample['most_options']} at most. Options such as:")
    for example in sample["examples"]:
        click.echo(f"  {example}")
