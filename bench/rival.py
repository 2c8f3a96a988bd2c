"""Play Hearts against OpenSpiel's information-set MCTS, with equal time per move.

    PYTHON -m bench.rival [--ms N] [--deals N] [--seconds N] [--out FILE]
    croupier play hearts -o pass=none "search --ms 20" "PYTHON -m bench.rival --bot --ms 20" duck duck

PYTHON is one that has both croupier and `open_spiel`. Nothing is passed (`pass=none`), so that a decision is a card on
both sides. Every deal is played in both seatings, two against two, each player alone. OpenSpiel counts simulations. Its
number of them fits the milliseconds of processor time, by the rate of a tenth of them before each move.
"""

from __future__ import annotations

import argparse
import time
from math import inf
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from bench.strength import Row, before, measured

from croupier.agents import drive
from croupier.agents.agent import Agent
from croupier.server.games.hearts import Hearts
from croupier.server.thinking import Thinker

if TYPE_CHECKING:
    from croupier.protocol.views.view import Play

OPTIONS = {"pass": "none"}
PILOT = 40
"""Simulations at first, by which the rate is measured."""
C = 1.4 * 26
"""The constant of exploration, in the points of a hand."""


class OpenSpiel(Agent):
    """OpenSpiel's `ISMCTSBot` with random playouts; it is given a hand that could have led here."""

    def __init__(self, ms: float, rng: Random) -> None:
        import pyspiel  # noqa: PLC0415  # another engine, in whose interpreter this runs

        self.spiel: Any = pyspiel
        self.game = pyspiel.load_game("hearts", {"pass_cards": False, "qs_breaks_hearts": False})
        self.ms = ms
        self.rng = rng

    def tryPlay(self, state: Any) -> Play:
        """Search."""
        told = self.state(state)
        legal = told.legal_actions()
        if len(legal) == 1:
            return self.play(told, legal[0])
        began = time.process_time()
        self.search(told, PILOT)
        spent = max(1e-6, time.process_time() - began)
        return self.play(told, self.search(told, max(1, int(PILOT * (self.ms / 1000 - spent) / spent))))

    def search(self, told: Any, simulations: int) -> int:
        """Return the action of a search with ``simulations`` simulations."""
        judge = self.spiel.RandomRolloutEvaluator(1, self.rng.randrange(2**31))
        most = self.spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = self.spiel.ISMCTSBot(self.rng.randrange(2**31), judge, C, simulations, -1, most, False, False)
        action: int = bot.step(told)
        return action

    def state(self, view: Any) -> Any:
        """Deal and play the hand again in OpenSpiel, with hidden cards in possible places."""
        told = Hearts.WORLD.of_view(Hearts, view)
        world = told.determinize(told.game.turn or 0, self.rng).game
        hands = [list(world.PACK.cards[hand]) for hand in world.hands]
        played = list(world.cards_in_order())
        for other, card in reversed(played):
            hands[other].insert(0, card)
        state = self.game.new_initial_state()
        if state.is_chance_node() and "Pass" in state.action_to_string(state.legal_actions()[0]):
            state.apply_action(0)
        for place in range(52):
            self.apply(state, hands[place % 4][place // 4])
        for _, card in played:
            self.apply(state, card)
        return state

    def apply(self, state: Any, card: str) -> None:
        """Let a card be dealt or played."""
        state.apply_action(next(one for one in state.legal_actions() if self.card(state, one) == card))

    def play(self, state: Any, action: int) -> Play:
        """Return an action as a play."""
        return ("play", self.card(state, action))

    def card(self, state: Any, action: int) -> str:
        """Return an action's card as we write it."""
        rank, suit = state.action_to_string(action)[-2:]
        return f"{suit.lower()}{rank}"


def main() -> None:
    """Play as a bot, or measure and print a row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ms", type=int, default=20)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=inf)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--bot", action="store_true")
    how = parser.parse_args()
    theirs = OpenSpiel(how.ms, Random(1))
    if how.bot:
        drive(theirs)
        return
    ours, other = f"search, {how.ms} ms", f"OpenSpiel's IS-MCTS, {how.ms} ms"
    row = Row("hearts", ours, other, before(how.out, "hearts", ours, other), whole=True)
    print(measured(row, Thinker("--ms", str(how.ms)), theirs, how, OPTIONS))


if __name__ == "__main__":
    main()
