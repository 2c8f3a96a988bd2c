"""Document: one analysis, or two side by side, as ``--json`` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.analysis.proportions import difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.server.analysis.basics import Basics
    from croupier.server.analysis.side import Side
    from croupier.server.tournaments.statistics.intervals import Interval

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
