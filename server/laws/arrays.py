"""The laws of arrays: what a seat sees as numbers, for programs that learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.server.arrays import Encoder
from croupier.server.arrays.array_sheet import ArraySheet
from croupier.server.arrays.columns import Word
from croupier.server.games.world import world_of
from croupier.server.laws.trial import demand

if TYPE_CHECKING:
    from croupier.server.games.game import Game
    from croupier.server.laws.trial import Trial

MOMENTS = 60
"""How many decisions of a game are considered."""


def arrays_keep_their_shapes(trial: Trial) -> None:
    """Show each seat arrays of the promised shapes, the same from the rules and from STATE, with listed words."""
    encoder = Encoder(trial.rules, trial.seats, trial.options)
    sheets = [ArraySheet(encoder, trial.players, seat) for seat in range(trial.seats)]
    shapes = encoder.shapes()
    for game, _ in trial.decisions(13, most=MOMENTS):
        for seat, sheet in enumerate(sheets):
            name, here = trial.players[seat], encoder.observation(sheet.moment(game))
            read = views.read(parse(str(game.view(seat))))
            there = encoder.observation(encoder.of_view(read, asked=seat == game.turn))
            for field, (shape, dtype, most) in shapes.items():
                array = here[field]
                demand((array.shape, array.dtype) == (shape, dtype), f"{field} is {array.dtype}{array.shape} of {name}")
                demand(most is None or array.max(initial=0) <= most, f"{field} of {name} is more than {most}")
                demand(np.array_equal(array, there[field]), f"{field} of {name} is different when read from STATE")
            for field, column in encoder.columns.items():
                if isinstance(column, Word) and trial.rules.PAGE.WORDS:
                    demand(not here[field][-1], f"{field} of {name} has a word that is not among the page's WORDS")


def equal_knowledge_is_equal_arrays(trial: Trial) -> None:
    """Dealing again what a seat cannot see changes no number of what it is given."""
    encoder = Encoder(trial.rules, trial.seats, trial.options)
    for game, rng in trial.decisions(4, most=MOMENTS):
        for seat in range(trial.seats):
            here = _numbers(encoder, trial, game, seat)
            there = _numbers(encoder, trial, world_of(game).determinize(seat, rng).game, seat)
            for field, array in here.items():
                demand(array == there[field], f"{trial.players[seat]} would be given another {field}")


def _numbers(encoder: Encoder, trial: Trial, game: Game, seat: int) -> dict[str, bytes]:
    moment = ArraySheet(encoder, trial.players, seat).moment(game)
    return {field: array.tobytes() for field, array in encoder.observation(moment).items()}
