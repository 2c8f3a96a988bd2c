"""Foreign: a game that another program recorded, as a record of ours and what that program says of its outcome."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.server.games.game import Game

    Values = Mapping[str, int | str | bool | None]


RESERVED = frozenset({"nan", "inf", "infinity", "t", "nil", "table"})
"""Names that nobody can have on the wire."""


class Unreadable(ValueError):
    """The text is not in the format that was named; the message says where and why."""


class Foreign(NamedTuple):
    """One game from elsewhere.

    ``record`` can be replayed. It has no ``end`` where ``stopped`` says why the game ended before its last card, and
    then ``outcome`` reckons from that point on as the other program does. ``values`` is what that program wrote down,
    ``outcome`` what our rules make of the same from the replayed game.
    """

    title: str
    record: str
    values: Values
    outcome: Callable[[Game], Values]
    stopped: str = ""

    def differences(self, game: Game) -> list[str]:
        """Compare what was written down with the replayed game, a sentence for each value that differs."""
        ours = self.outcome(game)
        return [
            f"{name} is {ours[name]}, recorded as {recorded}"
            for name, recorded in self.values.items()
            if ours.get(name) != recorded
        ]


def player_names(given: Sequence[str]) -> tuple[str, ...]:
    """Make players' names of what people call themselves elsewhere: letters, digits, ``-`` and ``_``, all different."""
    names: list[str] = []
    for place, name in enumerate(given, start=1):
        plain = re.sub(r"[^A-Za-z0-9_-]", "-", name)[:28]
        if not plain[:1].isalpha() or plain.lower() in RESERVED:
            plain = f"player-{place}{'-' * bool(plain)}{plain}"[:28]
        names.append(plain if plain not in names else f"{plain}-{place}")
    return tuple(names)
