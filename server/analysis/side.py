"""Side: an analyzed game with its numbers, and one or two side by side as ``--json`` prints them."""

from __future__ import annotations

from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any

from croupier.server.analysis.basics import Facts
from croupier.server.analysis.character import character
from croupier.server.analysis.measures import Figures, figures
from croupier.server.analysis.proportions import difference
from croupier.server.analysis.tables import Table
from croupier.server.names import game_title
from croupier.server.terminal import printable
from croupier.server.thinking import SENSIBLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.basics import Basics
    from croupier.server.analysis.subject import Subject
    from croupier.server.analysis.tables import AnalyzedGame
    from croupier.server.games.game import OptionInWords
    from croupier.server.tournaments.statistics.intervals import Interval


class Side:
    """One of the games that are compared, or the only one."""

    def __init__(self, subject: Subject, games: Mapping[Table, Sequence[AnalyzedGame]]) -> None:
        self.rules = rules = subject.rules
        self.setting = subject.setting
        self.sensible = SENSIBLE.get(rules.NAME)
        self.games = {table: played for table, played in games.items() if played}
        self.game = game_title(self.setting.game)
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
        options = ", ".join(f"{name} {self.setting.options[name]}" for name in self.telling)
        return f"{self.game} ({options})" if options else self.game

    @property
    def telling_options(self) -> list[OptionInWords]:
        """Return the options in its name, with what they decide."""
        return self.rules.options_in_words({name: self.setting.options[name] for name in self.telling})

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

    # kept, because the tables, the page and the JSON all need them, and intervals take long
    @cached_property
    def figures(self) -> Figures:
        """Compute all numbers."""
        return figures(self.facts, self.games)


def distinguish(sides: Sequence[Side]) -> Sequence[Side]:
    """Name two variants of one game by the options that differ, and two games of the same title as they were named."""
    if len({side.setting.game for side in sides}) < len(sides):
        one, other = (side.setting.options for side in sides)
        for side in sides:
            side.telling = [name for name in one if one[name] != other[name]]
    elif len({side.game for side in sides}) < len(sides):
        for side in sides:
            side.game = printable(side.setting.game)
    return sides


_DIGITS = 6


def document(sides: Sequence[Side]) -> dict[str, Any]:
    """Return the numbers of one game, or of two and their differences."""
    if len(sides) == 1:
        return _one(sides[0])
    numbers = [side.figures.numbers for side in sides]
    return {"games": [_one(side) for side in sides], "differences": numbers_as_json(differences(*numbers))}


def differences(one: Mapping[str, Interval], other: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return each number of the second game less that of the first."""
    return {name: difference(other[name], value) for name, value in one.items() if name in other}


def numbers_as_json(numbers: Mapping[str, Interval]) -> dict[str, Any]:
    """Return numbers with their bounds as JSON objects."""
    return {name: value.document("value", "low", "high", places=_DIGITS) for name, value in numbers.items()}


def _one(side: Side) -> dict[str, Any]:
    setting = side.setting
    return {
        "game": setting.game,
        "options": side.options,
        "players": setting.seats,
        "seed": setting.seed,
        "deals": side.deals,
        "thinking": side.thinking_deals,
        "worlds": setting.worlds,
        "searching": side.searching_deals,
        **({"playouts": setting.playouts} if setting.ms is None else {"ms": setting.ms}),
        "measures": numbers_as_json(side.figures.numbers),
        "tables": {table.value: _table(basics) for table, basics in side.figures.basics.items()},
    }


def _table(basics: Basics) -> dict[str, Any]:
    plain = {name: getattr(basics, name) for name in ("length", "options", "forced", "ties", "void")}
    return {
        "games": basics.games,
        **numbers_as_json(plain),
        "most-options": basics.most,
        "seats": [numbers_as_json(seat._asdict()) for seat in basics.seats],
    }
