"""Games as environments for programs that learn, and the way back from what they learned to a bot.

`env` is one table, as PettingZoo has it. `tables` are many that step together, in numpy arrays alone. `PolicyAgent` is
a bot from any function of an observation and its mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server import extras
from croupier.server.learning.policy import PolicyAgent
from croupier.server.learning.setting import BadSetting, Setting
from croupier.server.learning.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from croupier.protocol.sexp import Atom
    from croupier.server.learning.environment import Environment

__all__ = ["BadSetting", "PolicyAgent", "Tables", "env", "tables"]


def env(
    game: str,
    *,
    options: Mapping[str, Atom] | None = None,
    players: int | None = None,
    seats: Mapping[int, str] | None = None,
    network: Collection[int] = (),
    seconds: float = 10.0,
    render_mode: str | None = None,
) -> Environment:
    """Return a game as an AEC environment of PettingZoo.

    ``game`` is a name or a RECYCLE program, ``options`` are its options, ``players`` the size of the table, by default
    the smallest. ``seats`` gives seats, from 0, to bots: bundled ones by name, or commands. A bot has ``seconds`` for a
    reply, and may use the network if its seat is in ``network``. ``render_mode`` is ``ansi`` or ``html``.

    Raise ValueError for what cannot be played, and ImportError with the command that installs what is missing.
    """
    if how := extras.missing("rl"):
        raise ImportError(f"an environment needs libraries that are not installed here: {how}")
    from croupier.server.learning.environment import Environment  # noqa: PLC0415  it needs the extra

    return Environment(Setting(game, options, players, seats, network, seconds), render_mode)


def tables(
    game: str,
    number: int,
    *,
    options: Mapping[str, Atom] | None = None,
    players: int | None = None,
    seats: Mapping[int, str] | None = None,
    network: Collection[int] = (),
    seconds: float = 10.0,
) -> Tables:
    """Return ``number`` tables of a game that step together; the rest is as for `env`. No extra is needed."""
    return Tables(Setting(game, options, players, seats, network, seconds), number)
