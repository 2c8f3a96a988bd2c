"""Random Jass through the Game interface; beside it two other Python engines, if interpreters that have them are named.

    python -m bench.jass [INTERPRETER ...]

All play whole hands the same way: choose a contract at random, list the legal cards, choose one at random, play. The
other engines are what the interpreters import as ``jass`` and ``pyschieber``. The aim is to be five times as fast as
the faster of them, which is driven by its bare rules, without its agents and their observations.
"""

from __future__ import annotations

from random import Random

from bench.engines import at_random, compare, others

from croupier.server.games.jass.game import Jass

ROUNDS = 5
SECONDS = 1.0

THEIRS = """
import importlib.util

def jass_kit():
    import numpy as np
    from jass.game.game_sim import GameSim
    from jass.game.rule_schieber import RuleSchieber

    rule, cards = RuleSchieber(), list(range(36))
    def play():
        rng.shuffle(cards)
        hands = np.zeros((4, 36), np.int32)
        for seat in range(4):
            hands[seat, cards[9 * seat : 9 * seat + 9]] = 1
        game = GameSim(rule)
        game.init_from_cards(hands, 0)
        game.action_trump(rng.randrange(6))
        state = game.state
        while not game.is_done():
            hand = state.hands[state.player]
            legal = rule.get_valid_cards(hand, state.current_trick, state.nr_cards_in_trick, state.trump)
            game.action_play_card(rng.choice(np.flatnonzero(legal)))
    return play

def schieber():
    from pyschieber.game import Game
    from pyschieber.player.random_player import RandomPlayer
    from pyschieber.team import Team

    def play():
        players = [RandomPlayer(name=str(seat)) for seat in range(4)]
        for seat, player in enumerate(players):
            player.id = seat
        Game([Team(players[::2]), Team(players[1::2])], point_limit=10**9).play(whole_rounds=True)
    return play

NAME, game = ("jass-kit", jass_kit) if importlib.util.find_spec("jass") else ("pyschieber", schieber)
"""


def main() -> None:
    """Measure, and print games a second and the ratios."""
    with others(THEIRS) as engines:
        races = {engine.name: engine.race() for engine in engines}
        compare({"jass": at_random(Jass, {}, Random(1)), **races}, ROUNDS, SECONDS)


if __name__ == "__main__":
    main()
