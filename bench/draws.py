"""Measure how much of the variance between players of a RECYCLE program is luck of drawing during the game.

    python -m bench.draws [GAME ...]

A pile that was shuffled and lies face down is in random order, so drawing from it gives the mean of its cards plus
luck. The value of a card of each rank in each list is fitted to games between random players before the first deal that
counts. Its effect on the variance of a set's difference is measured on other deals. Prints the table of
docs/trust/statistics-evidence.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.deals import Key
from croupier.server.games import find

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from croupier.server.deals import KeyedDeal

    Array = NDArray[np.float64]
    Drawn = list[tuple[int, tuple[str, str], float]]

GAMES = (
    "cuckoo",
    "pairs",
    "ninety-nine",
    "golf",
    "lama",
    "go-fish",
    "crazy-eights",
    "twenty-one",
    "german-whist",
    "briscola",
)
"""The games of the library that shuffle or draw during play, except the slow ones."""
FITTED, SETS = 400, 300
HABIT = 0.7
"""How often a player with a habit takes the first option, or the last; else a random one."""
RIDGE = 5.0


class Played(NamedTuple):
    """The results of a game: scores, and what each player drew of each kind, minus what was expected."""

    scores: Sequence[int]
    drawn: Drawn


class Watched:
    """A game of a program, with its piles that were shuffled and lie face down."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.drawn: Drawn = []

    def piles(self) -> dict[str, list[int]]:
        """Return the game's own lists that nobody may look at."""
        lists = self.game.table.lists[len(self.game.players)]
        return {key: list(held) for key, held in lists.items() if held.kind in {"iloc", "hloc"}}

    def note(self, before: dict[str, list[int]]) -> None:
        """Note what went from a pile to a player's list; a pile that was shuffled meanwhile starts again."""
        for key, now in self.piles().items():
            rest = before.get(key, [])
            gone = rest[len(now) :][::-1]
            if not gone or rest[: len(now)] != now:
                continue
            for card in gone:
                self._draw(card, rest)
                rest = [other for other in rest if other != card]

    def _draw(self, card: int, rest: list[int]) -> None:
        table = self.game.table
        where = table.where[card]
        if where.owner >= len(self.game.players):
            return
        kinds = Counter(_kind(table.deck.cards[each]) for each in rest)
        self.drawn += [
            (where.owner, (where.name, kind), (kind == _kind(table.deck.cards[card])) - number / len(rest))
            for kind, number in kinds.items()
        ]


def _kind(card: Any) -> str:
    return str(card["RANK"] if "RANK" in card else " ".join(card.values()))


def play(rules: Any, deal: KeyedDeal, habits: Sequence[str], dice: Random) -> Played:
    """Play a game between players of these habits."""
    watched = Watched(rules([f"p{seat}" for seat in range(len(habits))], {}, deal))
    game = watched.game
    while game.turn is not None:
        before, habit = watched.piles(), habits[game.turn]
        chance = habit == "chance" or dice.random() > HABIT
        number = 1 if habit == "first" else len(game.ways)
        game.play(game.turn, game.sample(dice) if chance else ("choose", number))
        watched.note(before)
    return Played(game.scores(), watched.drawn)


def against(values: Sequence[float], seat: int) -> float:
    """Return by how much a seat has more than the others on average."""
    return values[seat] - (sum(values) - values[seat]) / (len(values) - 1)


def features(played: Played, seat: int, kinds: dict[tuple[str, str], int]) -> Array:
    """Return what a seat drew of each kind beyond what the others did."""
    found = np.zeros((len(played.scores), len(kinds)))
    for owner, kind, excess in played.drawn:
        if kind in kinds:
            found[owner, kinds[kind]] += excess
    others = np.delete(found, seat, axis=0).mean(axis=0)
    return np.asarray(found[seat] - others)


def row(name: str) -> str:
    """Return a game's row: the share of a set's variance that is removed, and the most that one factor could remove."""
    rules: Any = find(f"recycle:{name}")
    seats, dice = rules.SEATS[0], Random(name)
    training = Key.from_seed("draws, fitted")
    habits = ("chance", "first", "last")
    fitted = [
        play(rules, training.deal(number), [dice.choice(habits) for _ in range(seats)], dice)
        for number in range(FITTED)
    ]
    kinds = {
        kind: number for number, kind in enumerate(dict.fromkeys(kind for one in fitted for _, kind, _ in one.drawn))
    }
    left = np.array([features(one, seat, kinds) for one in fitted for seat in range(seats)])
    right = np.array([against(one.scores, seat) for one in fitted for seat in range(seats)])
    worth = np.linalg.solve(left.T @ left + RIDGE * np.eye(len(kinds)), left.T @ right)
    key, plain, luck = Key.from_seed("draws"), [], []
    for number in range(SETS):
        games = [
            (
                play(rules, key.deal(number), ["first" if seat == turn else "chance" for seat in range(seats)], dice),
                turn,
            )
            for turn in range(seats)
        ]
        plain.append(np.mean([against(one.scores, turn) for one, turn in games]))
        luck.append(np.mean([features(one, turn, kinds) @ worth for one, turn in games]))
    taken = 1 - np.var(np.subtract(plain, luck)) / np.var(plain)
    best = np.corrcoef(plain, luck)[0, 1] ** 2 if np.var(luck) else 0.0
    return f"| {name} | {taken:.0%} | {best:.0%} |"


def main() -> None:
    """Print the table."""
    print(f"| {SETS} sets of | variance of a set taken out | at best, by one factor |\n|---|---|---|")
    for name in sys.argv[1:] or GAMES:
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
