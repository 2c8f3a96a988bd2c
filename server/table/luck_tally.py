"""Luck: by how much the shuffles of a game favour each seat, where its rules say what that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.game import Game, Label


class LuckTally:
    """What the shuffles of a game have brought each seat so far; whoever deals tells `watch` of them."""

    def __init__(self, rules: type[Game], seats: int) -> None:
        self.game: Game | None = None
        """The game, once it has been set up."""
        self._rules = rules
        self._gains = [0.0] * seats

    def watch(self, label: Label, order: Sequence[str]) -> None:
        """Weigh a shuffle, in the game as it stands."""
        found = self._rules.luck(self.game, label, order, len(self._gains))
        self._gains = [gain + more for gain, more in zip(self._gains, found, strict=True)]

    @property
    def gains(self) -> tuple[float, ...]:
        """By seat, as finely as they are kept; nothing where the game does not say what luck is."""
        return tuple(round(gain, 6) + 0.0 for gain in self._gains) if self._rules.LUCK else ()
