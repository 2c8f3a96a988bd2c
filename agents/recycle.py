"""Agents for games from files: what a choice offers, as options with the actions that they take.

A player says which option it takes::

    class Miser(RecycleAgent):
        def tryOption(self, state, options):
            return min(options, key=lambda option: option.value("BID") or 0)
"""

from __future__ import annotations

from croupier.agents.agent import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.views.recycle import RecycleView
    from croupier.protocol.views.view import Play

    Form = tuple[Any, ...]


class Option:
    """One way to choose: its number and its actions, as on the wire."""

    __slots__ = ("actions", "number")

    def __init__(self, number: int, actions: tuple[Form, ...]) -> None:
        self.number = number
        self.actions = actions

    @property
    def play(self) -> Play:
        """Return the play that takes this option."""
        return ("choose", self.number)

    def having(self, word: str) -> list[Form]:
        """List the actions that begin with a word: move, set, remember, forget, cycle, shuffle, swap, pass."""
        return [action for action in self.actions if action[0] == word]

    def moved(self, source: str | None = None, target: str | None = None) -> list[int | str]:
        """List the cards that are moved, from and to lists of these names; an unseen card is the back of its deck."""
        return [
            card
            for _, card, here, there, *_ in self.having("move")
            if source in (None, here[2]) and target in (None, there[2])
        ]

    def value(self, name: str) -> int | str | None:
        """Return the number or word that this option puts into the store called ``name``, None if nothing."""
        return next((action[3] for action in self.having("set") if action[2] == name and len(action) == 4), None)


class RecycleAgent(Agent):
    """A player of games from files, which decides by the effects of the options."""

    def tryOption(self, state: RecycleView, options: list[Option]) -> Option | None:
        """Choose an option, or None for the first."""
        return None

    def tryPlay(self, state: RecycleView) -> Play | None:
        """Ask for an option."""
        chosen = self.tryOption(state, [Option(choice[0], choice[1:]) for choice in state.choices])
        return None if chosen is None else chosen.play
