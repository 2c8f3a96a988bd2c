"""``croupier review``: where the players of recorded games have lost points."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from croupier.agents.search.budget import Budget
from croupier.server.commands import (
    json_option,
    kept_option,
    on_terminal,
    places_argument,
    print_json,
    workers_option,
    wrong,
)
from croupier.server.commands.columns import games_bar, print_columns
from croupier.server.commands.command import command, option
from croupier.server.commands.find import tell_troubles, write_puzzles
from croupier.server.errors import Milliseconds, complain
from croupier.server.finding.conditions import Query
from croupier.server.finding.search import Search
from croupier.server.records.puzzles import FORMAT, Puzzle, write
from croupier.server.reviewing import run, summary
from croupier.server.reviewing.decision import Label
from croupier.server.reviewing.overview import ask_again, overview_page
from croupier.server.reviewing.reviewed_page import reviewed_data
from croupier.server.terminal import command as command_line
from croupier.server.terminal import say
from croupier.server.tournaments.keeping.store import RunFailed
from croupier.server.viewer import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.server.reviewing.run import Document, Task

MS = 200
REVIEWS = "reviews.jsonl"
"""The file of the folder with a line of JSON per game."""
MOST_SHOWN = 40
"""At most this many decisions of one game are listed; all are in --json."""


@command(
    "croupier review games/deal-01.record",
    "croupier review cup --for duck --out reviews",
)
@places_argument("RECORD|DIR ...")
@option(
    "--for",
    "player",
    metavar="NAME",
    help="For this player alone. Only NAME's decisions are reviewed, and the page of --html holds what NAME knew.",
)
@option(
    "--ms",
    type=Milliseconds(1),
    default=MS,
    show_default=True,
    help="How long a searching player thinks about a decision. No two reviews are then the same.",
)
@option(
    "--playouts",
    type=click.IntRange(1),
    help="Playouts of a searching player for a decision. In place of --ms; the same number gives the same review.",
)
@option("--games", "most", type=click.IntRange(1), help="How many games. The first that are found.")
@workers_option
@kept_option
@option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an HTML page into this file. It steps through the game, and shows what each play was worth. Of several"
    " games it lists the worst decisions, with links to pages of their games beside it.",
)
@option(
    "--puzzles",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of puzzles. The positions of all mistakes are written into it; the best play is right there.",
)
@json_option
def review(
    places: Sequence[Path],
    *,
    player: str | None,
    ms: int,
    playouts: int | None,
    most: int | None,
    workers: int | None,
    out: Path | None,
    html: Path | None,
    puzzles: Path | None,
    as_json: bool,
) -> int:
    """Review recorded games: what every decision was worth, and what each player lost by its own.

    Each legal play is played out by the searching player: from what its seat knew, and with all cards open. The loss is
    the difference between the best play and the one that was made, in points, with its standard error. A mistake is a
    loss of more than two standard errors. RECORD is a file of records, DIR a folder of them or a tournament's.
    """
    for name, path in (("--html", html), ("--puzzles", puzzles)):
        if path is not None and not path.parent.is_dir():
            wrong(f"{name} {path}: there is no folder {path.parent}")
    budget, players = Budget(ms=ms, iterations=playouts), (() if player is None else (player,))
    search = Search(Query.of([]))
    tasks = [
        run.Task(found.record, found.text(), (found.path.parent, found.path.parent / ".."))
        for found in islice(search.run(places), most)
    ]
    tell_troubles(search.troubles)
    if not tasks:
        wrong(f"no game is found in {' '.join(map(str, places))}")
    reviews, shown = [], on_terminal() and not as_json
    with _kept(out, budget, players) as (known, keep), games_bar(shown=shown) as bar:
        row = bar.add_task("", total=len(tasks))
        try:
            for found in run.run(tasks, budget, players, known, keep, workers):
                bar.advance(row)
                if isinstance(found, str):
                    complain(found)
                else:
                    reviews.append(found)
        except (RunFailed, OSError) as problem:
            wrong(str(problem))
    order = {task.record: place for place, task in enumerate(tasks)}
    reviews.sort(key=lambda each: order[each["record"]])
    if not reviews:
        return 1
    if player is not None and not any(each["name"] == player for found in reviews for each in found["players"]):
        wrong(f"--for {player}: nobody of that name plays in these games")
    if puzzles is not None:
        texts = {task.record: task.text for task in tasks}
        write_puzzles([line for each in reviews for line in _puzzles(each, texts[each["record"]])], puzzles)
    if html is not None:
        _write_pages(reviews, {task.record: task for task in tasks}, player, html)
    if as_json:
        print_json({"players": summary.summarize(reviews), "games": reviews})
    else:
        _print(reviews, page_hint=html is None)
    return 0


def _write_pages(reviews: Sequence[Document], tasks: Mapping[str, Task], player: str | None, path: Path) -> None:
    """Write the page of a game, or of several an overview and pages of the games with the worst decisions."""
    pages = {reviews[0]["record"]: path}
    if len(reviews) > 1:
        records = dict.fromkeys(each["record"] for each in summary.worst(reviews))
        pages = {record: path.with_name(f"{path.stem}-{place}.html") for place, record in enumerate(records, 1)}
    try:
        for review in reviews:
            if (file := pages.get(review["record"])) is not None:
                file.write_text(_page(review, tasks[review["record"]], player), "utf-8")
        if len(reviews) > 1:
            path.write_text(overview_page(reviews, {record: file.name for record, file in pages.items()}), "utf-8")
    except OSError as problem:
        wrong(f"--html {path}: {problem.strerror}")


def _page(review: Document, task: Task, player: str | None) -> str:
    """Return the page of a game, for one player what that one knew."""
    names = [each["name"] for each in review["players"]]
    seat = names.index(player) if player in names else None
    return page(reviewed_data(review, task.text, task.find, Path(task.record).name, seat))


def _puzzles(review: Document, text: str) -> Iterator[str]:
    """Yield a line for the position of each mistake of a game."""
    lines, names = text.split("\n"), [player["name"] for player in review["players"]]
    for each in review["decisions"]:
        if each["label"] == Label.MISTAKE.value:
            name, seat = f"{review['record']}#{each['moment']}", names.index(each["player"])
            yield write(Puzzle(FORMAT, name, lines[: each["line"] - 1], seat, [each["best"]], [each["play"]]))


@contextmanager
def _kept(
    out: Path | None, budget: Budget, players: tuple[str, ...]
) -> Iterator[tuple[dict[str, Document], Callable[[Document], object]]]:
    """Open the folder of reviews: give those that it holds, and a way to add others."""
    if out is None:
        yield {}, lambda _: None
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        known = run.read_reviews(out / REVIEWS, budget, players)
        file: TextIO
        with (out / REVIEWS).open("w", encoding="utf-8") as file:
            for document in known.values():
                _write(file, document)
            yield known, lambda document: _write(file, document)
    except run.BadReviews as problem:
        wrong(str(problem))
    except OSError as problem:
        wrong(f"{out}: {problem.strerror}")


def _write(file: TextIO, document: Document) -> None:
    file.write(json.dumps({"version": run.VERSION, **document}, ensure_ascii=False) + "\n")
    file.flush()


def _print(reviews: Sequence[Document], *, page_hint: bool) -> None:
    """Print a game's decisions, or the worst of many, and what each player lost."""
    if len(reviews) == 1:
        _print_decisions(summary.lossy(reviews)[:MOST_SHOWN], "mistakes and inaccuracies")
    else:
        worst = summary.worst(reviews)
        _print_decisions(worst, f"the worst decisions of {len(reviews)} games")
        for each in worst:
            say(f"ask {each['player']} again at {each['record']}#{each['moment']}: {ask_again(each)}")
        for each in summary.commonest(reviews):
            say(f"{each['player']}: {each['decisions']} at {each['kind']} cost {each['loss']:.1f} points in all")
    players = summary.summarize(reviews)
    _print_players(players)
    for player in players:
        if "worth" in player:
            say(_sentence(player))
    if len(reviews) > 1:
        _print_others(players)
    if page_hint and summary.worst(reviews):
        say(f"to look at it: the same command with {command_line('--html', 'review.html')}", err=True)


def _print_others(players: Sequence[Document]) -> None:
    """Print what each player lost by seat, and with each other player."""
    seats = [(player["name"], each) for player in players for each in player["seats"]]
    others = [(player["name"], name, each) for player in players for name, each in player["opponents"].items()]
    by_seat = {
        "player": [name for name, _ in seats],
        "seat": [str(each["seat"]) for _, each in seats],
        "games": [str(each["games"]) for _, each in seats],
        "loss a game": [_amount(each) for _, each in seats],
    }
    by_other = {
        "player": [name for name, _, _ in others],
        "with": [name for _, name, _ in others],
        "games": [str(each["games"]) for _, _, each in others],
        "loss a game": [_amount(each) for _, _, each in others],
        "brought by its losses": [_amount(each["brought"]) if "brought" in each else "" for _, _, each in others],
    }
    for columns, title, left in ((by_seat, "by seat", 1), (by_other, "by opponent", 2)):
        if len(columns["player"]) <= MOST_SHOWN:
            print_columns(columns, f"what each player lost {title}", left=left)
        else:
            say(f"what each player lost {title}: --json has it")


def _print_decisions(decisions: Sequence[Document], title: str) -> None:
    if not decisions:
        say("no mistake was found")
        return
    several = len({each["record"] for each in decisions}) > 1
    columns = {
        **({"record": [each["record"] for each in decisions]} if several else {}),
        "#": [str(each["moment"]) for each in decisions],
        "player": [each["player"] for each in decisions],
        "kind": [each["kind"] for each in decisions],
        "play": [each["play"] for each in decisions],
        "best": [each["best"] for each in decisions],
        "loss": [_amount(each) for each in decisions],
        "with open cards": [_amount({"loss": each["loss_open"], "error": each["error_open"]}) for each in decisions],
        "label": [each["label"] for each in decisions],
    }
    print_columns(columns, title, spare=("with open cards", "kind", "best"), left=len(columns))


def _print_players(players: Sequence[Document]) -> None:
    columns = {
        "player": [each["name"] for each in players],
        "decisions": [str(each["decisions"]) for each in players],
        **{label: [str(each["labels"].get(label, 0)) for each in players] for label in (each.value for each in Label)},
        "loss a game": [_amount(each) for each in players],
        "most by": [next(iter(each["kinds"]), "") if each["loss"] > 0 else "" for each in players],
    }
    print_columns(columns, "what each player lost", spare=("forced", "equal"))


def _amount(loss: dict[str, Any]) -> str:
    return f"{loss['loss']:.2f} ± {2 * loss['error']:.2f}"


def _sentence(player: Document) -> str:
    """Return a player's result and its causes, which add up to it."""
    parts = {"deal": "the deal", "others": "others' mistakes", "own": "its own"}
    known = [(name, player[part]) for part, name in parts.items() if part in player]
    causes = ", ".join(f"{name} {part['loss']:+.1f} ± {2 * part['error']:.1f}" for name, part in known)
    if len(known) < len(parts):
        causes += "; without --for the rest is split into the deal and others' mistakes"
    return f"{player['name']}: {player['worth']:+.1f} a game against the others' mean: {causes}"
