"""Counterparts: games that OpenSpiel and we know by the same rules, and what a play is there.

An action is a number, of a card that is dealt as well as of a play. A history of them leads to a position.
"""

from __future__ import annotations

from croupier.agents.recycle import Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from croupier.protocol.views.view import Play

    Views = Mapping[str, Any]
    """What each player sees of one full deal, the player to move first."""


class Counterpart:
    """A game that both know by the same rules."""

    def name(self, view: Any) -> str:
        """Return OpenSpiel's game with its parameters."""
        raise NotImplementedError

    def why_not(self, view: Any) -> str:
        """Return the rule in which the options of this game differ from OpenSpiel's; empty if none does."""
        return ""

    def history(self, views: Views) -> list[int]:
        """Return the actions that lead to a position."""
        raise NotImplementedError

    def steps(self, view: Any) -> int:
        """Return how many actions of OpenSpiel are one play here."""
        return 1

    def actions(self, view: Any) -> dict[int, Play]:
        """Return the legal plays by their actions."""
        return {self.action(view, Option(choice[0], choice[1:])): ("choose", choice[0]) for choice in view.choices}

    def action(self, view: Any, option: Option) -> int:
        """Return the action that an option of a RECYCLE game is."""
        raise NotImplementedError

    def play(self, view: Any, actions: Sequence[int]) -> Play:
        """Return the play that these actions are."""
        return self.actions(view)[actions[0]]
