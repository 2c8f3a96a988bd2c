"""Formats: each module has one, or several similar ones; this module alone gives them their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.fixed import Gauntlet, OneAgainstMany, Paired, RoundRobin
from croupier.server.tournaments.formats.knockout import Knockout
from croupier.server.tournaments.formats.ladder import Ladder
from croupier.server.tournaments.formats.swiss import Swiss

if TYPE_CHECKING:
    from croupier.server.tournaments.formats.schedule import Schedule

MANY = 8
"""With more entries than this, a round-robin has too many tables."""

FORMATS: dict[str, type[Schedule]] = {
    "round-robin": RoundRobin,
    "balanced": Balanced,
    "gauntlet": Gauntlet,
    "one-against-many": OneAgainstMany,
    "paired": Paired,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
}


def default_format(entries: int) -> str:
    """Return the format of a tournament that names none."""
    return "balanced" if entries > MANY else "round-robin"
