"""Sitting: one table of an environment, which asks for a play whenever a learner is on turn.

At a `Sitting` all seats are learners', and the rules are applied at once. At a `HostedSitting` other bots sit too, and
the table's own referee runs the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.arrays.array_sheet import ArraySheet
from croupier.server.games.game import Told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.server.arrays import Encoder
    from croupier.server.arrays.encoder import Moment
    from croupier.server.deals import KeyedDeal
    from croupier.server.games.game import Game, Play
    from croupier.server.learning.rendering import Rendering


class Gains:
    """What each seat has gained since it was last asked for: points of finished hands, negative where low wins."""

    def __init__(self, rules: type[Game], players: Sequence[str]) -> None:
        self._players = players
        self._sign = -1.0 if rules.LOW_WINS else 1.0
        self._paid = [0] * len(players)
        self.new = [0.0] * len(players)
        self.is_new = False
        """Whether anything was paid since then."""

    def hear(self, play: Play) -> None:
        """Pay for a hand, if the table's news is its score."""
        if play[0] == "score":
            points: Any = dict(play[1:])  # type: ignore[arg-type]  # pairs of a name and a number
            self.pay([points[name] for name in self._players])

    def pay(self, points: Iterable[int]) -> None:
        """Pay each seat these points."""
        self.is_new = True
        for seat, gained in enumerate(points):
            self._paid[seat] += gained
            self.new[seat] += self._sign * gained

    def settle(self, scores: Sequence[int]) -> None:
        """Pay what the final scores have in addition to the hands."""
        self.pay([score - paid for score, paid in zip(scores, self._paid, strict=True)])

    def void(self) -> None:
        """Take back what was not yet taken: the game counts for nobody."""
        self.new = [0.0] * len(self._players)

    def take(self) -> list[float]:
        """Return what is new, and begin to count again."""
        new, self.new, self.is_new = self.new, [0.0] * len(self._players), False
        return new


class Sitting:
    """A table whose seats are all learners'."""

    game: Game

    def __init__(
        self, encoder: Encoder, players: tuple[str, ...], rendering: Callable[[Game], Rendering] | None = None
    ) -> None:
        self.encoder = encoder
        self.players = players
        self._rendering = rendering
        self.rendered: Rendering | None = None
        self.sheets = [ArraySheet(encoder, players, seat) for seat in range(len(players))]

    @property
    def turn(self) -> int | None:
        """The seat to decide, None once the game is over."""
        return self.game.turn

    @property
    def is_void(self) -> bool:
        """Return whether the game is over and counts for nobody."""
        return self.game.turn is None and bool(self.game.void)

    def begin(self, deal: KeyedDeal) -> None:
        """Begin a game, whatever has become of the last one."""
        encoder = self.encoder
        self.game = encoder.rules(self.players, encoder.options, deal)
        self.gains = Gains(encoder.rules, self.players)
        self.rendered = None if self._rendering is None else self._rendering(self.game)

    def moment(self, seat: int) -> Moment:
        """Return what a seat sees now."""
        return self.sheets[seat].moment(self.game)

    def play(self, play: Play) -> None:
        """Apply a legal play of the seat on turn."""
        game, rendered = self.game, self.rendered
        seat: Any = game.turn
        if rendered is not None:
            rendered.before(seat, play, game.public(seat, play))
        news = game.play(seat, play)
        if rendered is not None:
            rendered.after(seat, news)
        for item in news:
            if isinstance(item, Told):
                self.gains.hear(item.play)
        if game.turn is None:
            self._end()

    def _end(self) -> None:
        if self.game.void:
            self.gains.void()
        else:
            self.gains.settle(self.game.scores())

    def close(self) -> None:
        """Let everybody leave."""
