"""Commentary: a game as lines of text: hands, plays, tricks with their winners, and the table's news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.views.recycle import RecycleView
from croupier.server.games.broadcast import say
from croupier.server.games.game import Told
from croupier.server.games.recycle.broadcast import say_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from croupier.protocol.views.view import View
    from croupier.server.games.broadcast import Said
    from croupier.server.games.game import Game, News, Play


class Commentary:
    """The commentary of a game, asked for around each play: `opening`, then `before` it and `after` it.

    All cards are open here, so it is not for players.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._broadcast = game.BROADCAST(game)

    def opening(self) -> Iterator[str]:
        """Yield the hands as they were dealt."""
        yield from self._lines(self._broadcast.open_hands())
        yield from self._lines(self._broadcast.automatic_moves())

    def before(self, seat: int, play: Play) -> str:
        """Return the play that is about to be applied, in words."""
        return self._broadcast.before(seat, play)

    def after(self, news: Sequence[News]) -> Iterator[str]:
        """Yield the results of a play: the trick that it ended, what a program did by itself, news, new hands."""
        yield from self._lines(self._broadcast.endings())
        yield from self._lines(self._broadcast.automatic_moves())
        yield from (say(item.play) for item in news if isinstance(item, Told))
        yield from self._lines(self._broadcast.open_hands())

    def _lines(self, sentences: Iterable[Said]) -> Iterator[str]:
        return (sentence.line(self._game.players) for sentence in sentences)


def in_words(view: View, play: Play) -> str:
    """Return in words a play of the seat that has this view; a RECYCLE choice by what it does."""
    return say_option(view, play) if isinstance(view, RecycleView) else say(play)
