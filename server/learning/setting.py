"""Setting: what an environment is made of: the game with its options, the learners' seats, the bots, the deals."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from croupier.server import entries, games
from croupier.server.arrays import Encoder
from croupier.server.deals import Key
from croupier.server.learning.sitting import Sitting
from croupier.server.table.ability import inability, with_program

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game


class BadSetting(ValueError):
    """An environment that cannot be made, and the reason."""


class Setting:
    """A game with its options at a table of some size, and who takes which seat.

    ``learners`` are the seats that no bot takes. Raise `BadSetting`, or the error of what could not be read.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Atom] | None = None,
        players: int | None = None,
        seats: Mapping[int, str] | None = None,
        network: Collection[int] = (),
        seconds: float = 10.0,
    ) -> None:
        rules = games.find(game)
        count = rules.SEATS[0] if players is None else players
        if count not in rules.SEATS:
            raise BadSetting(f"{rules.NAME} is played by {' or '.join(map(str, rules.SEATS))}, not by {count}")
        self.name = getattr(rules, "PROGRAM", rules.NAME).replace("-", "_")
        self.encoder = Encoder(rules, count, options or {})
        self.bots = {
            seat: replace(_entry(word, game, rules), network=seat in network)
            for seat, word in sorted((seats or {}).items())
        }
        if wrong := [seat for seat in (*self.bots, *network) if seat not in range(count)]:
            raise BadSetting(f"there is no seat {wrong[0]}: the seats are 0 to {count - 1}")
        self.learners = [seat for seat in range(count) if seat not in self.bots]
        if not self.learners:
            raise BadSetting("bots take all seats: leave one to a learner")
        names = [self.bots[seat].name if seat in self.bots else f"player_{seat}" for seat in range(count)]
        self.players = entries.distinct_names(tuple(names))
        self._seconds = seconds
        self._portal: Any = None

    def sit(self, render_mode: str | None = None) -> Sitting:
        """Return a table; raise BadSetting if there is no such way of rendering."""
        rendering = None
        if render_mode is not None:
            from croupier.server.learning.rendering import RENDERINGS  # noqa: PLC0415  it loads the viewer

            if render_mode not in RENDERINGS:
                raise BadSetting(f"render_mode is one of {', '.join(RENDERINGS)}, not {render_mode}")
            rendering = RENDERINGS[render_mode]
        if not self.bots:
            return Sitting(self.encoder, self.players, rendering)
        # trio and processes are loaded for bots alone
        from croupier.server.learning.hosted_sitting import HostedSitting  # noqa: PLC0415  as said
        from croupier.server.learning.portal import Portal  # noqa: PLC0415  the same

        if self._portal is None:
            self._portal = Portal()
        return HostedSitting(self.encoder, self.players, self.bots, self._seconds, self._portal, rendering)

    def close(self) -> None:
        """Let all bots leave."""
        if self._portal is not None:
            self._portal.close()
            self._portal = None


def deals(seed: object = None) -> Iterator[KeyedDeal]:
    """Yield deals 1, 2 and so on without end: those of `croupier play --seed`, or random ones if there is no seed."""
    key = Key.fresh() if seed is None else Key.from_seed(str(seed))
    return map(key.deal, itertools.count(1))


def _entry(word: str, game: str, rules: type[Game]) -> Entry:
    entry = with_program(entries.read(word), game, rules)
    if entry.human:
        raise BadSetting("a person cannot sit at an environment: name a bot")
    if (why := inability(entry, rules)) is not None:
        raise BadSetting(why)
    return entry
