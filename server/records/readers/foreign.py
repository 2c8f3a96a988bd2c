"""Foreign: a game recorded by another program, as our record and with that program's results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.server.games.game import Game

    Values = Mapping[str, int | str | bool | None]


_LONGEST = 40
RESERVED = frozenset({"nan", "inf", "infinity", "t", "nil", "table"})
"""Names that no player can have on the wire."""


class Unreadable(ValueError):
    """A game is not in the named format; the message says why."""


class NoGame(NamedTuple):
    """A piece of a file that should be a game but cannot be read: its number, its first line, and why."""

    title: str
    line: int
    why: str


class Foreign(NamedTuple):
    """One game from elsewhere.

    ``record`` can be replayed. It has no ``end`` if ``stopped`` says why the game ended before its last card; then
    ``outcome`` counts the rest as the other program does. ``values`` are that program's results, ``outcome`` computes
    the same by our rules from the replayed game.
    """

    title: str
    record: str
    values: Values
    outcome: Callable[[Game], Values]
    stopped: str = ""

    def differences(self, game: Game) -> list[str]:
        """Compare the written results with the replayed game; return a sentence for each difference.

        Results that our rules do not give, such as those of a game that was passed, are not compared.
        """
        ours = self.outcome(game)
        return [
            f"{name} is {ours[name]}, recorded as {recorded}"
            for name, recorded in self.values.items()
            if name in ours and ours[name] != recorded
        ]


def attempt(number: int, line: int, read: Callable[[], Foreign]) -> Foreign | NoGame:
    """Return game ``number`` of a file, which begins at ``line``, or why it cannot be read."""
    try:
        return read()
    except Unreadable as problem:
        return NoGame(f"game {number}", line, str(problem))


def plain(text: object) -> str:
    """Return a stranger's text, shortened and in printable ASCII, so that it can be part of a sentence."""
    said = re.sub(r"[^ -~]", "?", str(text))
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."


def player_names(given: Sequence[str]) -> tuple[str, ...]:
    """Turn what people call themselves elsewhere into valid names: letters, digits, ``-`` and ``_``, all different."""
    names: list[str] = []
    for place, name in enumerate(given, start=1):
        plain = re.sub(r"[^A-Za-z0-9_-]", "-", name)[:28]
        if not plain[:1].isalpha() or plain.lower() in RESERVED:
            plain = f"player-{place}{'-' * bool(plain)}{plain}"[:28]
        names.append(plain if plain not in names else f"{plain}-{place}")
    return tuple(names)
