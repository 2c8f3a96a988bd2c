"""Poker learned by self-play: counterfactual regret minimization (CFR+) for Kuhn and Leduc poker from their programs.

    python examples/poker/regret.py learn kuhn-poker 1000 kuhn.json      learns, and measures what it has learned
    croupier play recycle:kuhn-poker "python examples/poker/regret.py play kuhn.json" random

A player's situation is what it sees and what was said so far. In each, regret says how much better each choice would
have been; a choice is made as often as its regret is positive. The mean of all strategies is what is learned. CFR+ is
by Tammelin (2014). The value of Kuhn poker for the first player is -1/18 (Kuhn 1950).
"""

import json
import random
import sys
from collections import defaultdict
from itertools import permutations
from pathlib import Path

from croupier.agents import Agent, drive
from croupier.protocol.sexp import write
from croupier.server import games
from croupier.server.games.game import Stacked

REPORTS = 8
"""How often learning measures how far it is."""


def situation(view, said):
    """Return a player's situation as text: the ranks that it sees, and all that was said."""
    seen = [view.pile(view.me, "HAND"), view.pile("table", "BOARD")]
    ranks = ["".join(view.card(card)["RANK"] for card in pile) for pile in seen]
    return " ".join([*ranks, *said])


def anonymous(actions, players):
    """Return what a choice does as text, with seats in place of names."""
    text = write(tuple(actions))
    for seat, name in enumerate(players):
        text = text.replace(f"({name} ", f"({seat} ").replace(f" {name} ", f" {seat} ")
    return text


class Node:
    """A decision of the game tree, or its end: who is on turn in which situation, and the node after each choice."""

    def __init__(self, game, said=()):
        self.seat = game.turn
        if self.seat is None:
            self.gains = game.scores()
            return
        view = game.view(self.seat)
        self.situation = f"{self.seat}: {situation(view, said)}"
        self.after = []
        for choice in view.choices:
            later = game.copy()
            later.play(self.seat, ("choose", choice[0]))
            self.after.append(Node(later, (*said, anonymous(choice[1:], game.players))))


def trees(rules):
    """Return the tree of each deal of ranks; all are equally likely."""
    deck = rules.compiled().start.deck
    deals = {tuple(deck.cards[int(card)]["RANK"] for card in deal): deal for deal in permutations(deck.words)}
    return [Node(rules(("p0", "p1"), {}, Stacked(deal))) for deal in deals.values()]


class Learner:
    """The regrets and the sums of strategies, by situation."""

    def __init__(self, roots):
        self.roots = roots
        self.regrets, self.sums = {}, {}

    def strategy(self, node):
        """Return the probability of each choice, by the regrets."""
        regrets = self.regrets.setdefault(node.situation, [0.0] * len(node.after))
        total = sum(regrets)
        return [regret / total for regret in regrets] if total else [1 / len(regrets)] * len(regrets)

    def mean(self, node):
        """Return the mean of all strategies."""
        sums = self.sums.get(node.situation, [1.0] * len(node.after))
        total = sum(sums)
        return [each / total for each in sums] if total else [1 / len(sums)] * len(sums)

    def learn(self, rounds):
        """Go through all deals, first for one player, then for the other; later rounds weigh more."""
        for number in range(1, rounds + 1):
            for seat in (0, 1):
                gains = defaultdict(lambda: defaultdict(float))
                for root in self.roots:
                    self._walk(root, seat, 1.0, 1.0, number, gains)
                for where, gained in gains.items():
                    regrets = self.regrets[where]
                    self.regrets[where] = [max(0.0, regret + gained[place]) for place, regret in enumerate(regrets)]

    def _walk(self, node, seat, own, others, weight, gains):
        """Return a seat's value of a node; note its gains of regret, and its strategy as often as it comes here."""
        if node.seat is None:
            return node.gains[seat]
        shares = self.strategy(node)
        if node.seat != seat:
            return sum(
                share * self._walk(after, seat, own, others * share, weight, gains)
                for share, after in zip(shares, node.after, strict=True)
                if share
            )
        values = [
            self._walk(after, seat, own * share, others, weight, gains)
            for share, after in zip(shares, node.after, strict=True)
        ]
        value = sum(share * each for share, each in zip(shares, values, strict=True))
        sums = self.sums.setdefault(node.situation, [0.0] * len(shares))
        for place, (share, each) in enumerate(zip(shares, values, strict=True)):
            gains[node.situation][place] += others * (each - value)
            sums[place] += weight * own * share
        return value

    def value(self, seat=0):
        """Return what a seat gains on average where both play the mean strategies."""

        def of(node):
            if node.seat is None:
                return node.gains[seat]
            return sum(share * of(after) for share, after in zip(self.mean(node), node.after, strict=True))

        return sum(map(of, self.roots)) / len(self.roots)

    def exploitability(self):
        """Return the mean gain of a best answer to the mean strategy, over both seats: 0 where nothing beats it."""
        return sum(map(self.best_answer, (0, 1))) / 2

    def best_answer(self, seat):
        """Return what a seat gains with a best answer to the mean strategy of the other."""
        here, best = defaultdict(list), {}

        def arrive(node, reach):
            if node.seat is None:
                return
            if node.seat == seat:
                here[node.situation].append((node, reach))
            for share, after in zip(self.mean(node), node.after, strict=True):
                arrive(after, reach if node.seat == seat else reach * share)

        def of(node):
            if node.seat is None:
                return node.gains[seat]
            if node.seat != seat:
                return sum(share * of(after) for share, after in zip(self.mean(node), node.after, strict=True))
            if node.situation not in best:
                choices = range(len(node.after))
                worth = [sum(reach * of(each.after[at]) for each, reach in here[node.situation]) for at in choices]
                best[node.situation] = worth.index(max(worth))
            return of(node.after[best[node.situation]])

        for root in self.roots:
            arrive(root, 1.0)
        return sum(map(of, self.roots)) / len(self.roots)

    def policy(self):
        """Return the mean strategy by situation."""
        return {where: [round(each / (sum(sums) or 1), 4) for each in sums] for where, sums in self.sums.items()}


class Regretless(Agent):
    """Plays a learned strategy: it draws its choices, and remembers what was said."""

    def __init__(self, policy):
        self.policy = policy

    def started(self, state):
        self.said, self.players = [], None

    def heard(self, name, play):
        if play[0] == "choose":
            self.said.append(play[1:])

    def tryPlay(self, state):
        first, (me, other) = state.at[1], state.players
        players = (me, other) if first == me else (other, me)
        said = [anonymous(actions, players) for actions in self.said]
        shares = self.policy[f"{players.index(me)}: {situation(state, said)}"]
        (choice,) = random.choices(state.choices, shares)
        self.said.append(choice[1:])
        return ("choose", choice[0])


def main():
    match sys.argv[1:]:
        case ["learn", name, rounds, file]:
            learner, each = Learner(trees(games.find(f"recycle:{name}"))), max(1, int(rounds) // REPORTS)
            for number in range(REPORTS):
                learner.learn(each)
                measured = f"value {learner.value():+.4f}, exploitability {learner.exploitability():.4f}"
                print(f"after {each * (number + 1)} rounds: {measured}", flush=True)
            Path(file).write_text(json.dumps(learner.policy()))
        case ["play", file]:
            drive(Regretless(json.loads(Path(file).read_text())))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
