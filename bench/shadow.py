"""Compare bots with patches of them, with and without shadow play: the same scores, and how many fewer games.

    python -m bench.shadow

Prints the table of docs/trust/stopping-evidence.md. The bots play in this process.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.populations import Cheaper, Closer, Eager, Keeper, Late

from croupier.agents.hearts import Duck
from croupier.agents.jass import TrumpCounter
from croupier.agents.sedma import SevenSaver
from croupier.agents.tricks import ACE_HIGH, card, playable
from croupier.server import games
from croupier.server.table import table
from croupier.server.table.seat import LocalSeat
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.playing.run import Run

if TYPE_CHECKING:
    from croupier.agents.agent import Agent
    from croupier.server.entries import Entry
    from croupier.server.tournaments.workers import Work

DEALS = 150
"""The number of sets, of which the first are played in full."""


class Queenless(Duck):
    """A duck that keeps the queen of spades while all its tricks but one are to come: the rarest difference."""

    def tryDiscard(self, state: Any) -> Any:
        """Keep the queen that one time."""
        cards = [name for name in playable(state) if name != "sQ"]
        if len(state.hand) > 11 and cards:
            return card(max(cards, key=lambda name: ACE_HIGH[name[1]]))
        return super().tryDiscard(state)


class Compared(NamedTuple):
    """A game, a bot, its patch and the other players."""

    game: str
    old: type[Agent]
    new: type[Agent]
    field: tuple[type[Agent], ...] = ()


ROWS = {
    "Hearts, a patch, each other": Compared("hearts", Duck, Keeper),
    "Hearts, a rare patch, each other": Compared("hearts", Duck, Cheaper),
    "Hearts, a rarer patch, each other": Compared("hearts", Duck, Closer),
    "Hearts, the rarest patch, each other": Compared("hearts", Duck, Queenless),
    "Hearts, a rare patch, against Keeper": Compared("hearts", Duck, Cheaper, (Keeper,)),
    "Hearts, the rarest patch, against Keeper": Compared("hearts", Duck, Queenless, (Keeper,)),
    "Jass, a patch, against the old": Compared("jass", TrumpCounter, Late, (TrumpCounter,)),
    "Sedma, a rare patch, against the old": Compared("sedma", SevenSaver, Eager, (SevenSaver,)),
}


class Here:
    """A crew of one that plays in this process."""

    number = 1
    lost = (OSError,)

    def submit(self, job: Work[Any]) -> Future[Any]:
        """Do it immediately."""
        future: Future[Any] = Future()
        future.set_result(job.play(lambda: False))
        return future

    def stop(self) -> None:
        """Do nothing."""

    drop = close = stop


def played(row: Compared, *, shadow: bool) -> tuple[dict[Any, Any], int]:
    """Return the scores of each game, and how many were really played."""
    kinds = {"Old": row.old, "New": row.new} | {f"Other{place}": kind for place, kind in enumerate(row.field)}

    def seated(entry: Entry, *_: object, **__: object) -> LocalSeat:
        return LocalSeat(entry.name, kinds[entry.name.partition("-")[0]]())

    setattr(table, "ProcessSeat", seated)  # noqa: B010  a process for each would take minutes
    bots = [{"name": name, "builtin": "random"} for name in kinds]
    settings = tournament_file.build(
        {"game": row.game, "bots": bots, "format": "paired", "deals": DEALS, "seed": "shadow", "shadow": shadow}
    )
    with tempfile.TemporaryDirectory() as folder:
        here: Any = Here()  # has as much of a crew as a run needs
        run = Run(settings, games.find(row.game), Path(folder), crew=lambda *_: here)
        run.play()
        kept = [stored.game for stored in run.store.games()]
        run.store.close()
    scores = {(game.pairing, game.deal, game.seating): game.scores for game in kept}
    return scores, sum(not game.shadow for game in kept)


def main() -> None:
    """Print the table."""
    print("| population | games | really played | fewer |")
    print("|---|---|---|---|")
    for name, row in ROWS.items():
        (every, all_), (same, some) = played(row, shadow=False), played(row, shadow=True)
        if every != same:
            raise SystemExit(f"{name}: shadow play gave other scores")
        print(f"| {name} | {all_:,} | {some:,} | {all_ / some:.1f} times |", flush=True)


if __name__ == "__main__":
    main()
