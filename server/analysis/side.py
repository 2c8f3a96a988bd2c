"""Side: an analyzed game with its numbers."""

from __future__ import annotations

from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from croupier.server.analysis.basics import Facts
from croupier.server.analysis.character import character
from croupier.server.analysis.measures import Figures, figures
from croupier.server.analysis.tables import Table
from croupier.server.thinking import SENSIBLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.subject import Subject
    from croupier.server.analysis.tables import AnalyzedGame


class Side:
    """One of the games that are compared, or the only one."""

    def __init__(self, subject: Subject, games: Mapping[Table, Sequence[AnalyzedGame]]) -> None:
        self.rules = rules = subject.rules
        self.setting = subject.setting
        self.sensible = SENSIBLE.get(rules.NAME)
        self.games = {table: played for table, played in games.items() if played}
        self.telling = list(self.options)
        self.facts = Facts(self.setting.seats, rules.PARTNERS, rules.LOW_WINS)

    @property
    def options(self) -> dict[str, Atom]:
        """Return the options that differ from their defaults."""
        usual = self.rules.read_options({})
        return {name: value for name, value in self.setting.options.items() if usual[name] != value}

    @property
    def name(self) -> str:
        """Return its name: the game with its options; of two variants of a game, only the options that differ."""
        game = "".join(
            sign if sign.isprintable() else "?" for sign in self.setting.game
        )  # a file's name may be anything
        return " ".join([game, *(f"{name}={self.setting.options[name]}" for name in self.telling)])

    @property
    def deals(self) -> int:
        """Return the number of deals between random players."""
        return self._last(Table.RANDOM)

    @property
    def thinking_deals(self) -> int:
        """Return the number of deals with thinking."""
        return self._last(Table.ONE_THINKING)

    @property
    def searching_deals(self) -> int:
        """Return the number of deals with searching."""
        return self._last(Table.ONE_SEARCHING)

    def _last(self, table: Table) -> int:
        return self.games[table][-1].deal if table in self.games else 0

    @property
    def summary(self) -> list[str]:
        """Return what was played, in words."""
        setting = self.setting
        said = [f"{self.facts.seats} players", f"{self.deals} deals at random"]
        if by_bot := self._last(Table.SENSIBLE):
            said.append(f"{by_bot} by {self.sensible}")
        if self.thinking_deals:
            said.append(f"{self.thinking_deals} thought about in {setting.worlds} worlds an option")
        if self.searching_deals:
            spent = f"{setting.playouts} playouts" if setting.ms is None else f"{setting.ms} ms"
            said.append(f"{self.searching_deals} searched with {spent} a decision")
        return said

    @property
    def character(self) -> list[str]:
        """Return in a few sentences what kind of game it is."""
        options = [number for game in self.games[Table.RANDOM] for number in game.options]
        return character(self.name, self.figures, self.facts, median(options))

    @cached_property
    def figures(self) -> Figures:
        """Compute all numbers."""
        return figures(self.facts, self.games)


def distinguish(sides: Sequence[Side]) -> Sequence[Side]:
    """Name two variants of one game by the options that differ."""
    if len({side.setting.game for side in sides}) < len(sides):
        one, other = (side.setting.options for side in sides)
        for side in sides:
            side.telling = [name for name in one if one[name] != other[name]]
    return sides
