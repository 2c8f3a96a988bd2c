"""Progress: how far a tournament is, for a person who watches and for programs that read events.jsonl."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.server.table.played_game import Names, PlayedGame

EVENTS = "events.jsonl"


@dataclass
class Advance:
    """How far a tournament is, for a progress bar."""

    games: int = 0
    planned: int | None = None
    faults: int = 0
    fresh: int = 0
    sums: dict[str, tuple[float, int]] = field(default_factory=dict)

    def note(self, games: Sequence[PlayedGame], *, low_wins: bool) -> None:
        """Count games; add the scores of one seating by seat, unless no scores may be shown."""
        self.games += len(games)
        self.fresh += len(games)
        alike: defaultdict[Names, list[tuple[int, ...]]] = defaultdict(list)
        for game in games:
            if game.scores and not game.faults and len(set(game.seating)) == len(game.seating):
                alike[game.seating].append(game.scores)
                continue
            self.faults += len(game.misdeeds)
            for name, score in game.entries(low_wins=low_wins) if game.scores else ():
                self._add(name, score, 1)
        for seating, scores in alike.items():
            for name, column in zip(seating, zip(*scores, strict=True), strict=True):
                self._add(name, sum(column), len(column))

    def _add(self, name: str, scored: float, games: int) -> None:
        total, number = self.sums.get(name, (0.0, 0))
        self.sums[name] = (total + scored, number + games)

    def leader(self, *, low_wins: bool) -> str:
        """Return the player with the best mean of this run, an empty string if nobody has played."""
        means = {name: total / number for name, (total, number) in self.sums.items()}
        return (min if low_wins else max)(means, key=means.__getitem__) if means else ""


class Events:
    """A file with a line of JSON for each event, appended at once."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / EVENTS

    def say(self, event: str, **what: object) -> None:
        """Append an event."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event, "at": round(time.time(), 3), **what}) + "\n")
