"""Differences of scores against the field, asked after every round."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from croupier.server.deals import Key
from croupier.server.games.game import Game
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.formats import Balanced
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.field import field
from croupier.server.tournaments.statistics.gaps import Gaps

NAMES = [f"b{number}" for number in range(8)]
PAIRS = list(combinations(NAMES, 2))


class High(Game):
    """A game whose highest score wins."""

    NAME, PENALTY, AWARD = "high", -10, 1


def rounds(skill, seats, deals=30, number=12, seed=1):
    """Yield the games of each round of a balanced tournament."""
    dice = np.random.default_rng(seed)
    for batches in Balanced(NAMES, Layout(seats), deals, Key.from_seed(f"gaps {seed}"), number).rounds(NoResults()):
        games = []
        for batch in batches:
            means = np.array([skill[name] for name in batch.pairing])
            for deal in batch.deals:
                scores = means - means.mean() + dice.normal(size=len(means)) * 2
                games.append(PlayedGame(batch.pairing, deal, batch.pairing, tuple(scores), (1,) * len(means)))
        yield games


@pytest.mark.parametrize("seats", [2, 4])
def test_all_are_told_apart_and_those_who_are_equal_are_alike(seats):
    """As the table's own scores say; what is decided stays."""
    skill = dict(zip(NAMES, [0, 0, 3, 6, 9, 12, 15, 18], strict=True))
    gaps = Gaps(High, PAIRS, margin=1.5)
    games, before = [], {}
    for played in rounds(skill, seats):
        games += played
        gaps.look(played)
        assert all(gaps.decided[pair] == decision for pair, decision in before.items())
        before = {pair: decision for pair, decision in gaps.decided.items() if decision.verdict}
    verdicts = {pair: decision.verdict for pair, decision in gaps.decided.items()}
    assert verdicts.pop(("b0", "b1")) == "alike"
    assert set(verdicts.values()) == {"different"}
    found = dict(zip(NAMES, field(credit_games(games, High)), strict=True))
    decision = gaps.decided["b0", "b1"]
    assert decision.low < found["b0"].mean - found["b1"].mean < decision.high


def test_equals_are_seldom_told_apart_however_often_one_looks():
    """In none of some tournaments, with 28 pairs and twelve looks each."""
    wrong = 0
    for seed in range(6):
        gaps = Gaps(High, PAIRS)
        for played in rounds(dict.fromkeys(NAMES, 0), 2, seed=seed):
            gaps.look(played)
        wrong += any(decision.verdict for decision in gaps.decided.values())
    assert wrong <= 1


def test_those_whom_no_table_links_are_not_compared():
    """However clear their scores are."""
    gaps = Gaps(High, [("b0", "b2")])
    pairs = (("b0", "b1", 9), ("b2", "b3", 1))
    gaps.look([PlayedGame((a, b), deal, (a, b), (gain, -gain), (1, 2)) for deal in range(200) for a, b, gain in pairs])
    assert gaps.decided["b0", "b2"].verdict is None
