"""``croupier check-game``: laws tried on games, and problems in RECYCLE programs; the text of ``games FILE``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from croupier.server import games, laws
from croupier.server.commands import game_option, json_option, on_terminal, print_json, the_game, the_options, wrong
from croupier.server.commands.command import command
from croupier.server.commands.completion import game_names
from croupier.server.commands.listing import game_name
from croupier.server.console import Console
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.games.recycle.check import check
from croupier.server.games.recycle.describe import describe
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence


@command(
    "croupier check-game spades",
    name="check-game",
)
@click.argument("names", nargs=-1, required=True, metavar="GAME|FILE ...", shell_complete=game_names)
@game_option
@json_option
def check_game(names: Sequence[str], options: Sequence[str], *, as_json: bool) -> int:
    """Check that a GAME keeps the laws of all games, or that a RECYCLE FILE can be played.

    The laws are tried in random games at every size of table, with the default and each listed value of each option;
    with -o only with these. Each law is a line, and if it was broken, how. Each problem of a program is told with its
    line and column.
    """
    names = [game_name(name) for name in names]
    if options and any(map(games.is_program, names)):
        wrong("-o is for a GAME by its name: the laws are tried with it, and a program is checked without")
    checks = [_program_check if games.is_program(name) else _law_check for name in names]
    documents = [check(name, options, quiet=as_json) for name, check in zip(names, checks, strict=True)]
    if as_json:
        print_json(documents[0] if len(documents) == 1 else {"games": documents})
    return 0 if all(document["passed"] for document in documents) else 1


def _law_check(name: str, options: Sequence[str], *, quiet: bool) -> dict[str, Any]:
    """Try all laws on a game; print each finding as it comes."""
    rules = the_game(name)
    found: list[laws.Judgement] = []
    with Console(stderr=True, quiet=quiet or not on_terminal()).status(f"{name}: trying {len(laws.LAWS)} laws"):
        for judgement in laws.examine(rules, the_options(rules, options) if options else {}):
            found.append(judgement)
            if not quiet:
                word = {True: "ok", False: "BROKEN", None: "UNTRIED"}[judgement.holds]
                say(f"{len(found):>2}. {word:<7} {laws.sentence(judgement.law)}")
                if detail := judgement.why or judgement.untried:
                    say(f"    {detail}")
    broken = sum(judgement.holds is False for judgement in found)
    if not quiet:
        say(f"{name}: {_summary(len(found), broken, sum(judgement.holds is None for judgement in found))}")
    said = [
        {"law": laws.sentence(each.law), "passed": each.holds, "detail": each.why or each.untried} for each in found
    ]
    return {"game": name, "passed": not broken, "laws": said}


def _summary(laws_: int, broken: int, untried: int) -> str:
    """Return the verdict on a game as one line."""
    kept = f"breaks {broken} of {laws_} laws" if broken else f"keeps {laws_ - untried or 'none'} laws"
    return f"{kept}; {untried} of {laws_} could not be tried" if untried else kept


def _program_check(file: str, _: Sequence[str], *, quiet: bool) -> dict[str, Any]:
    """Check a program; print its problems."""
    file = file.removeprefix("recycle:")
    try:
        found = check(file)
    except (BadGame, NoSuchGame) as problem:
        wrong(str(problem))
    if not quiet:
        for bad in found.problems:
            say(f"{file}:{bad.line}:{bad.column}: {bad.severity}: {bad.message}")
        say(f"{file}: {'can be played' if found.passed else 'cannot be played'}")
    return found.document()


def describe_program(file: str) -> dict[str, Any]:
    """Describe a program, or refuse the call."""
    try:
        return describe(file)
    except (BadGame, NoSuchGame) as problem:
        wrong(str(problem))


def print_description(known: dict[str, Any]) -> None:
    """Print what a program plays: players, pack, stages, and statistics of a few random games."""
    say(f"{known['program']}: {known['about'] or 'a game from a file'}")
    teams = "".join(f"; partners {' and '.join(map(str, team))}" for team in known["teams"])
    say(f"Players: {known['players']}{teams}. {'Low' if known['low_wins'] else 'High'} scores win.")
    pack = "; ".join(f"{key} {' '.join(values)}" for key, values in known["pack"].items())
    say(f"Pack: {known['cards']} cards. {pack}")
    say("Stages:")
    for stage in known["stages"]:
        say(f"  {stage['line']:4}  {'  ' * stage['depth']}{stage['what']}")
    sample = known["sample"]
    ended = ", ".join(f"{number} {outcome}" for outcome, number in sample["outcomes"].items())
    say(
        f"Of {sample['games']} random games: {ended}; {sample['choices_a_game']} choices a game,"
        f" {sample['options_a_choice']} options a choice, {sample['most_options']} at most. Options such as:"
    )
    for example in sample["examples"]:
        say(f"  {example}")
