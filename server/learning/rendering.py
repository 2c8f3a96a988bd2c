"""Rendering: a game as lines of text, or as the viewer's page, up to any moment of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server import viewer
from croupier.server.table.commentary import Commentary
from croupier.server.viewer.snapshots import HAND, Snapshots, head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.broadcast import Said
    from croupier.server.games.game import Game, News, Play
    from croupier.server.viewer.snapshots import Heard


class Rendering:
    """Follows a game; is told of each play, `before` it is applied and `after` it."""

    def before(self, seat: int, play: Play, seen: Play) -> None:
        """Look at a play that is about to be applied; ``seen`` is what others are told of it."""
        raise NotImplementedError

    def after(self, seat: int, news: Sequence[News]) -> None:
        """Look at the result of a play."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the game so far."""
        raise NotImplementedError


class Lines(Rendering):
    """A game in words, with all cards open."""

    def __init__(self, game: Game) -> None:
        self._players = game.players
        self._commentary = Commentary(game)
        self._lines = [*self._commentary.opening()]

    def before(self, seat: int, play: Play, seen: Play) -> None:
        """Write the play."""
        self._lines.append(f"{self._players[seat]}: {self._commentary.before(seat, play)}")

    def after(self, seat: int, news: Sequence[News]) -> None:
        """Write its results."""
        self._lines += self._commentary.after(news)

    def text(self) -> str:
        """Return the lines."""
        return "\n".join(self._lines)


class Page(Rendering):
    """The viewer's page, with the viewpoint of each seat."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._snapshots = Snapshots(game, [None, *range(len(game.players))])
        self._snapshots.take(HAND)
        self._heard: Heard = {}

    def before(self, seat: int, play: Play, seen: Play) -> None:
        """Note what each viewpoint is told of the play."""
        self._heard = self._snapshots.before(seat, play, seen)

    def after(self, seat: int, news: Sequence[News]) -> None:
        """Take the table after it."""
        self._snapshots.after(0, seat, self._heard, news)
        self._snapshots.settle()
        if self._game.turn is None:
            nothing: dict[int | None, list[Said]] = {}
            self._snapshots.end(nothing, () if self._game.void else self._game.scores())

    def text(self) -> str:
        """Return the page as HTML."""
        shots = zip(*(each.shots for each in self._snapshots.viewpoints), strict=True)
        return viewer.page(
            head(self._game, self._game.NAME)
            | {
                "valid": True,
                "moments": self._snapshots.moments,
                "eyes": [each.name for each in self._snapshots.viewpoints],
                "shots": [*shots],
            }
        )


RENDERINGS: dict[str, type[Rendering]] = {"ansi": Lines, "html": Page}
"""By the name that PettingZoo gives a way of rendering."""
