"""The verdict: from games alone."""

from __future__ import annotations

import json
import time
from collections import Counter
from itertools import combinations, count
from math import log2
from random import Random
from statistics import mean

import pytest

from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.entering.scheduling import Sets
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.times import histograms, quantile


class Low(Game):
    """A game for four whose lowest score wins."""

    NAME, LOW_WINS, PENALTY, AWARD = "low", True, 26, 0


class Pairs(Game):
    """A game of partners."""

    NAME, PARTNERS, PENALTY, AWARD = "pairs", ((0, 2), (1, 3)), 0, 1


class High(Game):
    """A game for two whose higher score wins."""

    NAME, PENALTY, AWARD = "high", -10, 1


def ranked(scores, *, low=False):
    """Rank scores as games do."""
    return tuple(1 + sum(other < mine if low else other > mine for other in scores) for mine in scores)


def row(seating, scores, deal=1, *, low=False, **more):
    """Make the row of a game."""
    return PlayedGame(tuple(sorted(seating)), deal, tuple(seating), tuple(scores), ranked(scores, low=low), **more)


def fault(seat, kind):
    """Let the player in this seat have committed a fault."""
    return (PlayerFault(seat, Fault(kind, "he did")),)


def hearts(games, names="abcdef", seed=1):
    """Play sets of something like Hearts in rotation; who comes later in the alphabet takes a little more."""
    dice = Random(seed)
    rows = []
    for deal in count(1):
        for members in combinations(names, 4):
            for turn in range(4):
                seating = members[turn:] + members[:turn]
                scores = [dice.choice([0, 0, 1, 2, 3, 5, 13, 15]) + names.index(name) // 2 for name in seating]
                rows.append(row(seating, scores, deal, low=True))
                if len(rows) == games:
                    return rows
    raise AssertionError


def test_the_document_has_the_shape_that_scripts_rely_on():
    """Best first; every kind of fault is counted, also at zero."""
    document = standings([row("ab", (3, 1)), row("ba", (0, 2))], High, names=["c"]).document()
    assert list(document)[:5] == ["game", "games", "finished", "players", "ranked_by"]
    assert [player["name"] for player in document["players"]] == ["a", "b", "c"]
    agreed = {"name", "games", "mean", "low", "high", "wins", "strength", "rank", "faults"}
    assert agreed <= set(document["players"][0])
    assert document["players"][0]["faults"] == {kind.value: 0 for kind in Kind}
    assert document["players"][0]["mean"] == 2.5
    assert json.loads(json.dumps(document)) == document


def test_the_document_says_all_that_is_known():
    """Ranks, intervals of strength and differences, thinking times in milliseconds, causes of faults, who is gone."""
    rows = [row("ab", (3, 1), deal, times=(((80, 4),), ((96, 4),))) for deal in (1, 2, 3)]
    dice = Random(1)
    rows += [row("ab", (4, dice.randrange(9)), deal) for deal in range(5, 55)]
    rows.append(row("ba", (9, 0), 4, faults=fault(1, Kind.ILLEGAL)))
    document = standings(rows, High, gone={"b": "replaced"}, points={"a": 2.0}, void={"it went round": 2}).document()
    one, other = document["players"]
    assert [one["rank"], other["rank"]] == [1, 2]
    assert {one["name"]: one["status"], other["name"]: other["status"]} == {"a": "", "b": "replaced"}
    first = one if one["name"] == "a" else other
    assert first["points"] == 2
    assert first["causes"] == {"illegal: he did": 1}
    assert first["strength_low"] <= first["strength"] <= first["strength_high"]
    assert first["milliseconds"]["median"] == pytest.approx(1.07, rel=0.01)
    assert first["clean"]["mean"] > first["mean"]
    assert document["void"] == {"it went round": 2}
    [difference] = document["differences"]
    assert (difference["players"], difference["sets"]) == (["a", "b"], 54)
    assert difference["low"] < difference["mean"] < difference["high"]
    assert not difference["sure"]
    assert json.loads(json.dumps(document)) == document


def test_the_lowest_mean_is_best_where_low_wins():
    """Hearts' scores are penalties."""
    found = standings(hearts(600), Low)
    assert found.players[0].name in "ab"
    means = [player.score.mean for player in found.players]
    assert means == sorted(means)


def test_the_order_of_the_rows_does_not_matter_to_the_last_byte():
    """A continued tournament stores its games in another order."""
    rows = hearts(400)
    mixed = Random(3).sample(rows, len(rows))
    assert json.dumps(standings(rows, Low).document()) == json.dumps(standings(mixed, Low).document())


def test_ten_thousand_games_take_under_two_seconds():
    """Four seats, six bots."""
    rows = hearts(10_000)
    taken = []
    for _ in range(3):
        start = time.process_time()
        standings(rows, Low)
        taken.append(time.process_time() - start)
    assert min(taken) < 2


def test_means_and_wins_are_what_one_counts_by_hand():
    """A win is a game in which nobody was ranked above; shared ones count too, and are told apart."""
    rows = [row("ab", (3, 1), 1), row("ba", (2, 2), 1), row("ab", (0, 4), 2), row("ba", (1, 1), 2)]
    found = {player.name: player for player in standings(rows, High).players}
    assert (found["a"].score.mean, found["b"].score.mean) == (1.5, 2)
    assert (found["a"].wins, found["a"].shared, found["b"].wins) == (3, 2, 3)
    assert found["a"].score.sets == 2
    assert found["a"].seats == ((2, 1.5), (2, 1.5))


def test_the_unit_of_an_interval_is_the_deal_in_all_its_games():
    """Repeating every game of every deal proves nothing more, but that a single game counts for less."""
    rows = hearts(600)
    once, twice = standings(rows, Low), standings(rows * 2, Low)
    for one, other in zip(once.players, twice.players, strict=True):
        assert one.score == pytest.approx(other.score, rel=0.02)


def test_the_cross_table_has_paired_differences():
    """What is common to both at a table, the luck of the deal, drops out."""
    dice = Random(1)
    luck = [dice.randrange(1000) for _ in range(51)]
    rows = [row("ab", (luck[deal] + 1 + deal % 3, luck[deal]), deal) for deal in range(51)]
    found = standings(rows, High)
    [difference] = found.cross
    assert (difference.one, difference.other, difference.score.mean, difference.sure) == ("a", "b", 2, True)
    assert difference.score.high - difference.score.low < 0.5
    assert (difference.won, difference.lost, difference.tied) == (51, 0, 0)
    assert found.players[0].score.high - found.players[0].score.low > 100


def test_partners_are_not_compared_and_their_common_win_is_not_shared():
    """They have the same score by the rules."""
    found = standings([row("abcd", (3, 0, 3, 0)), row("bcda", (3, 0, 3, 0), 2)], Pairs)
    assert {(one.one, one.other) for one in found.cross} == {("a", "b"), ("a", "d"), ("b", "c"), ("c", "d")}
    assert [(player.wins, player.shared) for player in found.players] == [(1, 0)] * 4


def test_an_entry_in_several_seats_has_one_score_a_game():
    """One against many: the mean of the many's seats, one comparison's weight, one game."""
    rows = [PlayedGame(("a", "b", "b", "b"), 1, ("a", "b", "b", "b"), (9, 3, 0, 0), (1, 2, 3, 3))]
    found = {player.name: player for player in standings(rows, High).players}
    assert (found["a"].score.mean, found["b"].score.mean) == (9, 1)
    assert (found["b"].games, found["a"].wins, found["b"].wins) == (1, 1, 0)


def test_faults_are_counted_by_kind_and_shown_without():
    """The clean score leaves out whole sets, not games: half a set is not fair."""
    rows = [
        row("ab", (3, 1), 1),
        row("ba", (1, 3), 1),
        row("ab", (-10, 1), 2, faults=fault(0, Kind.ILLEGAL)),
        row("ba", (1, 3), 2),
    ]
    found = {player.name: player for player in standings(rows, High).players}
    assert found["a"].faults["illegal"] == 1
    assert sum(found["b"].faults.values()) == 0
    assert found["a"].score.mean == -0.25
    assert (found["a"].clean.mean, found["a"].clean.sets) == (3, 1)


def test_means_without_faults_are_shown_where_there_are_any():
    """A bot that was withdrawn leaves no set without a fault, so there is nothing to compare with."""
    withdrawn = fault(0, Kind.WITHDRAWN)
    spoilt = [row("ab", (-10, 1), 1, faults=withdrawn), row("ba", (1, -10), 1, faults=fault(1, Kind.WITHDRAWN))]
    whole = [row("ab", (3, 1), 2), row("ba", (1, 3), 2)]
    assert [standings(rows, High).spoilt for rows in (spoilt, spoilt + whole, whole)] == [False, True, False]


def test_a_fault_never_pays():
    """Of two twins one faults in a game of ten: its mean is never above the other's, in no set of one deal or many."""
    dice = Random(5)
    for _ in range(8):
        honest, faulty = [], []
        for deal in range(20):
            scores = [dice.randrange(26) for _ in range(4)]
            honest.append(row("abcd", scores, deal, low=True))
            faulted = dice.random() < 0.1
            marks = {"faults": fault(0, Kind.TIMEOUT)} if faulted else {}
            faulty.append(
                row("abcd", [max(26, scores[0]) if faulted else scores[0], *scores[1:]], deal, low=True, **marks)
            )
        one, other = (
            next(player for player in standings(rows, Low).players if player.name == "a") for rows in (honest, faulty)
        )
        assert other.score.mean >= one.score.mean
        assert other.wins <= one.wins


def test_a_partner_that_is_a_copy_does_not_soften_the_fault():
    """Both seats of an entry take the worse score."""
    rows = [PlayedGame(("a", "b"), 1, tuple("abab"), (0, 3, 3, 3), (4, 1, 1, 1), fault(0, Kind.CRASHED))]
    found = {player.name: player for player in standings(rows, Pairs).players}
    assert found["a"].score.mean == 0


@pytest.mark.parametrize("ranked_by", ["mean", "field", "match points"])
def test_where_opponents_differ_neither_mean_nor_strength_has_bounds(ranked_by):
    """Only where all have met the same opponents do they tell how good a bot is."""
    dice = Random(3)
    rows = [row("ab", (dice.randrange(9), dice.randrange(9)), deal) for deal in range(200)]
    table = standings(rows, High, ranked_by=ranked_by)
    bounds = [each.low for player in table.players for each in (player.score, player.clean, player.strength)]
    assert [bound is None for bound in bounds] == [ranked_by != "mean"] * 6
    assert table.doubtful == []
    assert all(player.ranking.low is not None for player in table.players) == (ranked_by != "match points")


@pytest.mark.parametrize(("ranked_by", "first"), [("mean", "a"), ("field", "a"), ("match points", "c")])
def test_the_table_says_which_number_ranks(ranked_by, first):
    """The mean, the mean against the field, or what the format counts."""
    rows = [row("abc", scores, deal) for deal, scores in enumerate([(99, 0, 0), (0, 2, 1), (0, 2, 1), (0, 2, 1)])]
    found = standings(rows, High, ranked_by=ranked_by, points={"c": 3, "a": 1, "b": 2})
    assert (found.players[0].name, found.ranked_by) == (first, ranked_by)


def test_no_games_yet_is_a_table_too():
    """Nobody has a mean."""
    document = standings([], High, names=["x", "y"], finished=False).document()
    assert [player["mean"] for player in document["players"]] == [None, None]
    assert document["finished"] is False


def test_thinking_times_keep_their_median_and_ninety_ninth():
    """Within a tenth, in buckets that stay small however many decisions there are."""
    dice = Random(2)
    times = sorted(dice.lognormvariate(6, 1) for _ in range(10_000))
    ((kept, nobody), nothing) = histograms([([time / 1e6 for time in times], []), ()])
    assert (nobody, nothing) == ((), ())
    assert len(kept) < 100
    assert kept == tuple(sorted(Counter(int(8 * log2(max(time / 1e6 * 1e6, 1))) for time in times).items()))
    found = standings([row("ab", (1, 0), times=(kept, ()))], High).players[0]
    assert found.median == pytest.approx(times[5_000], rel=0.1)
    assert found.slowest == pytest.approx(times[9_900], rel=0.1)
    assert quantile({}, 0.5) is None


def test_played_turns_low_scores_round_and_waits_for_whole_sets():
    """What an adaptive schedule asks."""
    rows = [row("ab", (3, 1), deal) for deal in (1, 2)] + [row("ba", (5, 1), 1)]
    assert Sets(rows, 2).scores(("a", "b"), range(1, 2)) == {"a": 2, "b": 3}
    assert Sets(rows, 2, low_wins=True).scores(("a", "b"), range(1, 2)) == {"a": -2, "b": -3}
    assert Sets(rows, 2).scores(("a", "b"), range(1, 3)) is None


def test_means_agree_with_arithmetic():
    """Whatever the number of tables a deal is played at."""
    rows = hearts(500)
    for player in standings(rows, Low).players:
        scores = [
            score for one in rows for name, score in zip(one.seating, one.scores, strict=True) if name == player.name
        ]
        assert player.score.mean == pytest.approx(mean(scores))
