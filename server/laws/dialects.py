"""The law of dialects: JSON and s-expressions express the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol import json_dialect, notifications
from croupier.protocol.notifications import TABLE, Attacked, Defended, Request, Update
from croupier.protocol.sexp import Malformed, parse, write
from croupier.server.games.game import Told
from croupier.server.laws.trial import Broken, choose_varied, demand, shorter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game
    from croupier.server.laws.trial import Trial


def both_dialects_say_the_same(trial: Trial) -> None:
    """Every view, play and piece of news reads back from JSON as it does from s-expressions."""
    for game, rng in trial.decisions(12):
        for seat, name in enumerate(trial.players):
            _same_view(name, game.view(seat))
        for note in _said(game, rng):
            _same(note)


def _said(game: Game, rng: Random) -> Iterator[Notification]:
    """Continue in a copy; yield what the table would send."""
    copy, play, author = game.copy(), choose_varied(game, rng), game.turn or 0
    read = json_dialect.read_play(json_dialect.write_play(play).encode("ascii"))
    demand(read == play, f"the play {write(play)} is {json_dialect.write_play(play)} in JSON, which reads as {read!r}")
    yield Update(game.players[author], game.public(author, play))
    if game.attack is not None:
        yield Attacked(game.attack.play, game.players[game.attack.attacker], game.view(author))
    for item in copy.play(author, play):
        if isinstance(item, Told):
            yield Update(TABLE, item.play)
        else:
            yield Defended(game.players[item.seat], item.defense)


def _same(note: Notification) -> None:
    line = json_dialect.write(note)
    demand(json_dialect.read(line) == notifications.read(parse(note.write())), f"in JSON it reads otherwise: {line}")


def _same_view(name: str, view: View) -> None:
    """Demand the same values, of the same types, in the views of both dialects."""
    line = json_dialect.write(Request(view))
    try:
        native, told = (note.view for note in _requests(str(view), line))
        for field in view.NAMES:
            there, here = repr(getattr(native, field)), repr(getattr(told, field))
            demand(there == here, f"{name} sees {field} as {shorter(there)}, in JSON as {shorter(here)}")
    except (Malformed, TypeError, KeyError) as problem:
        raise Broken(f"what {name} sees cannot be read back from JSON, {problem!r}: {shorter(line)}") from problem


def _requests(state: str, line: str) -> Iterator[Request]:
    """Yield a question as read from the native dialect, and from JSON."""
    for note in (notifications.read(parse(f"(request {state})")), json_dialect.read(line)):
        if not isinstance(note, Request):
            raise Broken(f"in JSON a question reads as none: {shorter(line)}")
        yield note
