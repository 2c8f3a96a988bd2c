"""Luck: by how much the shuffles of a game favor each seat, if its rules define that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.game import Game, Label


class LuckTally:
    """The luck of each seat in the shuffles so far; the deal reports each shuffle to `watch`."""

    def __init__(self, rules: type[Game], seats: int) -> None:
        self.game: Game | None = None
        """The game, once it is set up."""
        self._rules = rules
        self._gains = [0.0] * seats

    def watch(self, label: Label, order: Sequence[str]) -> None:
        """Weigh a shuffle, with the current state of the game."""
        found = self._rules.luck(self.game, label, order, len(self._gains))
        self._gains = [gain + more for gain, more in zip(self._gains, found, strict=True)]

    @property
    def gains(self) -> tuple[float, ...]:
        """The luck by seat, at full precision; empty if the game does not define luck."""
        return tuple(round(gain, 6) + 0.0 for gain in self._gains) if self._rules.LUCK else ()
