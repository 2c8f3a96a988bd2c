"""Snapshots: collects the moments of a game during play, for one viewpoint or several.

The viewpoint that sees everything is ``table``; a player sees what his view shows, and is told what he was told at the
table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.views.view import MAX_LEGAL
from croupier.server.games.broadcast import Said
from croupier.server.games.game import Told
from croupier.server.names import game_title
from croupier.server.viewer.viewpoint import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.server.games.broadcast import Broadcast
    from croupier.server.games.game import Game, News, Play

    Heard = dict[int | None, list[Said]]

STEP, TOGETHER, HAND = 0, 1, 2
"""The unit that a moment begins or ends: none, a trick or turn, a hand."""


class Snapshots:
    """Takes the table for each viewpoint when told of a play, `before` it is applied and `after` it."""

    def __init__(self, game: Game, seats: Sequence[int | None]) -> None:
        self.game = game
        self.broadcast = game.BROADCAST(game)
        self.broadcast.drawn = True
        self.viewpoints = [Viewpoint(game.players, seat) for seat in seats]
        self.moments: list[list[int]] = []
        self.progress = self.broadcast.progress()
        self._unsettled: tuple[int, int, Mapping[int | None, Sequence[Said]]] | None = None

    def before(self, seat: int, play: Play, seen: Play, by: str = "") -> Heard:
        """Return what each viewpoint is told of a play that is about to be applied."""
        own = self.broadcast.chosen(self.game.view(seat), play)
        words = {None: self.broadcast.before(seat, play), seat: own}
        heard = self.broadcast.words_for_others(seat, seen)
        return {
            each.seat: [Said(seat, words.get(each.seat, heard).removeprefix("play ") + by)] for each in self.viewpoints
        }

    def after(self, line: int, seat: int, heard: Heard, news: Sequence[News]) -> None:
        """Take the result of a play; if the table was cleared at once, take it before that, and `settle` the rest."""
        open_ = [*self.broadcast.endings()]
        told = [Said(None, self.broadcast.announced(item.play)) for item in news if isinstance(item, Told)]
        moved = [*self.broadcast.automatic_moves()]
        before, self.progress = self.progress, self.broadcast.progress()
        swept = self.broadcast.before_sweep()
        now = () if swept is not None else moved
        lines = {eye: [*mine, *open_, *(now if eye is None else ()), *told] for eye, mine in heard.items()}
        self.take(TOGETHER if before != self.progress else STEP, line, seat, lines, swept)
        level = HAND if before[0] != self.progress[0] else STEP
        self._unsettled = None if swept is None else (level, line, {None: moved})

    def settle(self) -> bool:
        """Take the table after it was cleared, if it was."""
        if self._unsettled is None:
            return False
        level, line, lines = self._unsettled
        self._unsettled = None
        self.take(level, line, lines=lines)
        return True

    def take(
        self,
        level: int,
        line: int = 0,
        seat: int = -1,
        lines: Mapping[int | None, Sequence[Said]] | None = None,
        swept: Broadcast | None = None,
    ) -> None:
        """Take a picture of the table for each viewpoint."""
        self.moments.append([level, line, seat])
        legal = self._legal() if swept is None else None
        turn = None if swept is not None else self.game.turn
        for each in self.viewpoints:
            each.take((swept or self.broadcast).picture(each.seat), turn, legal, (lines or {}).get(each.seat, ()))

    def end(self, lines: Mapping[int | None, Sequence[Said]], scores: Sequence[int] = ()) -> None:
        """Take the last picture, with each seat's rank if the game has scores."""
        self.take(HAND, lines=lines)
        for each in self.viewpoints if scores else ():
            each.add("ranks", list(self.game.ranks(scores)))

    def _legal(self) -> list[str] | int | None:
        """Return the legal plays of the seat on turn in words, 0 if there are too many to read."""
        game = self.game
        if game.turn is None:
            return None
        view = game.view(game.turn)
        plays = view.legal if view.legal is not None else ()
        return [self.broadcast.words_for_choice(view, play) for play in plays[:MAX_LEGAL]] or 0


def head(game: Game, about: str = "") -> dict[str, object]:
    """Return the facts of a game that stay the same on its page; ``about`` distinguishes it from others."""
    broadcast = game.BROADCAST(game)
    title = (game_title(getattr(game, "PROGRAM", game.NAME)), about, ", ".join(game.players))
    return {
        "title": " \N{MIDDLE DOT} ".join(filter(None, title)),
        "options": [option[:2] for option in game.options_in_words(game.options) if not option.is_usual],
        "players": game.players,
        "together": broadcast.together,
        "suits": broadcast.SUITS,
        "faces": broadcast.FACES,
    }
