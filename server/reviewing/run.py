"""A run: reviews many games with all workers, and keeps each in a file, so that a stopped run is continued."""

from __future__ import annotations

import json
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server import games
from croupier.server.records.replay import Invalid
from croupier.server.reviewing.review import review
from croupier.server.tournaments.keeping.store import RunFailed
from croupier.server.tournaments.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from croupier.agents.search.budget import Budget
    from croupier.server.games.game import Game

    Document = dict[str, Any]

WAITING = 2
"""Games that are handed out per worker, so that none waits for the next."""


class Task(NamedTuple):
    """A game to review, and where its program may be."""

    record: str
    text: str
    near: tuple[Path, ...]

    def find(self, name: str) -> type[Game]:
        """Return the rules of the game."""
        return games.find(name, near=self.near)


class ReviewJob(NamedTuple):
    """The work of a worker: one game."""

    task: Task
    budget: Budget
    players: tuple[str, ...]

    def play(self, stopped: Callable[[], bool]) -> Document | str:
        """Review the game; return why that is impossible, if it is."""
        try:
            found = review(self.task.text, self.task.find, self.budget, self.players)
        except Invalid as problem:
            return f"{self.task.record} is no game: {problem}"
        return {"record": self.task.record, "budget": said(self.budget), "for": list(self.players), **found.document()}


class BadReviews(ValueError):
    """A file that holds no reviews; the message says why."""


def said(budget: Budget) -> dict[str, float]:
    """Return a budget as the JSON that is kept with each review."""
    return {"ms": budget.ms} if budget.iterations is None else {"iterations": budget.iterations}


def read_reviews(file: Path, budget: Budget, players: tuple[str, ...]) -> dict[str, Document]:
    """Return the reviews of a file by their records; raise BadReviews if one is different in budget or players.

    The last line may have been cut off, when a run was stopped in the middle of it.
    """
    found = {}
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            break
        try:
            document = json.loads(line)
            kept = document["budget"], tuple(document["for"])
            record = document["record"]
        except (ValueError, KeyError, TypeError):
            raise BadReviews(f"{file}: line {number} is no review: name another file") from None
        if kept != (said(budget), players):
            raise BadReviews(f"{file} holds reviews with another budget or of other players: name another file")
        found[record] = document
    return found


def run(
    tasks: Iterable[Task],
    budget: Budget,
    players: tuple[str, ...],
    known: Mapping[str, Document],
    keep: Callable[[Document], object],
    workers: int | None = None,
) -> Iterator[Document | str]:
    """Yield the review of each game, in the order in which they are finished, or why it could not be reviewed.

    Raise RunFailed if a worker dies, OSError if there can be none.
    """
    crew: Workers | None = None
    pending: set[Future[Document | str]] = set()
    try:
        for task in tasks:
            if task.record in known:
                yield known[task.record]
                continue
            crew = crew or Workers(workers)
            pending.add(crew.submit(ReviewJob(task, budget, players)))
            if len(pending) >= WAITING * crew.number:
                pending, done = _finish(pending, keep)
                yield from done
        while pending:
            pending, done = _finish(pending, keep)
            yield from done
    except Workers.lost:
        raise RunFailed("a worker process died; the system's log may say why (too little memory?)") from None
    except BaseException:
        if crew is not None:
            crew.drop()
        raise
    finally:
        if crew is not None:
            crew.close()


def _finish(
    pending: set[Future[Document | str]], keep: Callable[[Document], object]
) -> tuple[set[Future[Document | str]], list[Document | str]]:
    """Wait for the next reviews, and keep them."""
    finished, rest = wait(pending, return_when=FIRST_COMPLETED)
    results = [each.result() for each in finished]
    for each in results:
        if not isinstance(each, str):
            keep(each)
    return rest, results
