"""The law of telling: a view determines the game for anyone who has the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.server.games.world import NotToldError
from croupier.server.laws.trial import Broken, demand, shorter
from croupier.server.laws.worlds import difference

if TYPE_CHECKING:
    from croupier.server.games.game import Game
    from croupier.server.laws.trial import Trial


def views_tell_the_game(trial: Trial) -> None:
    """Every view tells its game: told again from what the player on turn sees, it looks the same to him."""
    for game, rng in trial.decisions(10):
        seat = game.turn or 0
        text = str(game.view(seat))
        try:
            world = trial.rules.WORLD.of_view(trial.rules, views.read(parse(text)))
        except NotToldError:
            continue
        again, name = world.game, trial.players[seat]
        demand(sorted(again.players) == sorted(trial.players), f"the game that {name} sees has other players")
        demand(again.turn is not None and again.players[again.turn] == name, f"{name} is not on turn in what he sees")
        for imagined in (again, world.determinize(again.turn or 0, rng).game):
            _looks(imagined, imagined.turn or 0, text)


def _looks(game: Game, seat: int, text: str) -> None:
    now = str(game.view(seat))
    if now != text:
        raise Broken(f"told again, {game.players[seat]} would see {shorter(difference(text, now))}")
