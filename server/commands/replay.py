"""``croupier replay``: records played again, and bare lists of cards judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.server.commands import foreign, json_option, print_json, wrong
from croupier.server.lists import judge_jass, judge_sedma
from croupier.server.replay import Failed, Invalid, Replay, Verdict, judge
from croupier.server.terminal import said
from croupier.server.wire import NoSuchPlayer, Wire

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE ... [#N]")
@click.option("--game", "listed", type=click.Choice(["sedma", "jass"]), help="Judge a bare list of cards of this game.")
@click.option("--contract", type=click.Choice(list("cdhsou")), help="With --game jass: the trump suit, o or u.")
@click.option("--from", "source", type=click.Choice(list(foreign.FORMATS)), help="Read another server's format.")
@click.option(
    "--record", type=click.Path(file_okay=False, path_type=Path), help="With --from: write each game as a record."
)
@click.option("--show", is_flag=True, help="Show each play.")
@click.option("--wire", metavar="NAME", help="Print exactly what NAME was sent, with #N up to the Nth question.")
@click.option(
    "--dialect", type=click.Choice(["native", "classic"]), default="native", help="With --wire: in which dialect."
)
@click.option("--clock", type=click.IntRange(0), default=10_000, help="With --wire: the clock in each STATE, ms.")
@json_option
def replay(
    files: Sequence[str],
    *,
    listed: str | None,
    contract: str | None,
    source: str | None,
    record: Path | None,
    show: bool,
    wire: str | None,
    dialect: str,
    clock: int,
    as_json: bool,
) -> int:
    """Play records again: the same game, or the line at which it is not, and why.

    \b
    Example: croupier replay games/*.record
             croupier replay games/deal-1.record --wire smithy '#17' | ./mybot
             croupier replay --from iss games.sgf --record games
             croupier replay --game jass --contract h matrix.txt
    """
    paths, question = _split(files)
    if wire is not None:
        return _print_wire(paths, wire, question, dialect, clock)
    if source is not None:
        return _print_foreign(source, paths, record, as_json=as_json)
    if listed is not None:
        verdicts = [_judge_list(listed, contract, path) for path in paths]
    else:
        verdicts = [_judged(path, show=show and not as_json).json() for path in paths]
    if as_json:
        print_json(verdicts[0] if len(verdicts) == 1 else verdicts)
    else:
        for path, verdict in zip(paths, verdicts, strict=True):
            click.echo(f"{path}: {_said(verdict)}")
    return 0 if all(verdict["valid"] for verdict in verdicts) else 1


def _print_foreign(source: str, paths: list[Path], records: Path | None, *, as_json: bool) -> int:
    verdicts = [verdict for path in paths for verdict in foreign.verdicts(source, path, _text(path), records)]
    if as_json:
        print_json(verdicts)
    else:
        for verdict in verdicts:
            ended = f" ({verdict['stopped']})" if "stopped" in verdict else ""
            click.echo(f"{verdict['game']}: {_said(verdict)}{ended}")
    return 0 if all(verdict["valid"] for verdict in verdicts) else 1


def _split(files: Sequence[str]) -> tuple[list[Path], int | None]:
    """Take ``#17`` apart from the files."""
    numbers = [word[1:] for word in files if word.startswith("#") and not Path(word).exists()]
    paths = [Path(word) for word in files if not (word.startswith("#") and not Path(word).exists())]
    if len(numbers) > 1 or any(not number.isdecimal() for number in numbers):
        wrong("one #N at most, such as #17")
    if not paths:
        wrong("name at least one file")
    return paths, int(numbers[0]) if numbers else None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("latin-1")
    except OSError as problem:
        wrong(f"{path}: {problem.strerror}")


def _judged(path: Path, *, show: bool) -> Verdict:
    text = _text(path)
    if show:
        _show(text)
    return judge(text)


def _show(text: str) -> None:
    try:
        replayed = Replay(text)
        for step in replayed.steps():
            name = replayed.game.players[step.seat]
            click.echo(f"{step.line:5} {name:>12}  {step.kind if isinstance(step, Failed) else said(step.play)}")
    except Invalid:
        return


def _said(verdict: dict[str, object]) -> str:
    if not verdict["valid"]:
        place = ", ".join(f"{key} {verdict[key]}" for key in ("line", "trick", "player") if key in verdict)
        return f"invalid{', ' + place if place else ''}: {verdict['why']}"
    scores = verdict.get("scores")
    if isinstance(scores, dict):
        return "valid: " + " ".join(f"{name} {score}" for name, score in scores.items())
    if "winner" in verdict:
        return f"valid: {verdict['winner']} {verdict['points']}"
    return "valid"


def _judge_list(listed: str, contract: str | None, path: Path) -> dict[str, object]:
    if listed == "sedma":
        return judge_sedma(_text(path)).json()
    if contract is None:
        wrong("a Jass matrix needs its contract: --contract c, d, h, s, o or u")
    return judge_jass(_text(path), contract).json()


def _print_wire(paths: list[Path], name: str, question: int | None, dialect: str, clock: int) -> int:
    name, mark, number = name.partition("#")
    if mark and number.isdecimal():
        question = int(number)
    try:
        for path in paths:
            for line in Wire(Replay(_text(path)), name, dialect, clock).lines(question):
                click.echo(line)
    except NoSuchPlayer as problem:
        wrong(str(problem))
    except Invalid as problem:
        click.echo(f"croupier: {problem}", err=True)
        return 1
    return 0
