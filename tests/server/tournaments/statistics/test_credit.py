"""Nobody gains or loses by a fault that another has committed."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import mean

import pytest

from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, Outcome, PlayerFault, ranks_after
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.intervals import ratio_intervals
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.stopping import decisions

PAIRS = [("friend", "rival"), ("friend", "faulty"), ("rival", "faulty")]
SKILL = {"friend": 0.0, "rival": 1.0, "faulty": -1.0}


class Two(Game):
    """A game for two in which a winner gets 100 at most."""

    NAME, PENALTY, AWARD = "two", -100, 100


class Low(Game):
    """A game for two in which points are bad."""

    NAME, LOW_WINS, PENALTY, AWARD = "low", True, 26, 0


class Partners(Game):
    """A game of partners."""

    NAME, PARTNERS, PENALTY, AWARD = "partners", ((0, 2), (1, 3)), -100, 100


def tournament(seed, faults, sets=80):
    """Play everybody against everybody both ways round; ``faults`` says in which games with friend the third faults."""
    dice = Random(seed)
    games = []
    for deal in range(sets):
        for pairing in PAIRS:
            for seating in (pairing, pairing[::-1]):
                luck = dice.gauss(0, 10)
                scores = [50 + SKILL[seating[0]] * 5 + luck, 50 + SKILL[seating[1]] * 5 - luck]
                marks = ()
                if set(pairing) == {"friend", "faulty"} and faults(deal, dice):
                    guilty = seating.index("faulty")
                    scores[guilty], scores[1 - guilty] = Two.PENALTY, Two.AWARD
                    marks = (PlayerFault(guilty, Fault(Kind.CRASHED, "it did")),)
                games.append(PlayedGame(pairing, deal, seating, tuple(scores), (1, 1), marks))
    return games


def means(games):
    """Return everybody's mean of what games count."""
    counted = credit_games(games, Two)
    names = counted.entries.names(slice(None))
    both = list(zip(names, counted.score.tolist(), strict=True))
    return {name: mean(score for whose, score in both if whose == name) for name in SKILL}


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_neither_who_commits_faults_nor_his_friend_gains_by_them(share):
    """In forty tournaments with forfeits to one opponent alone, that opponent has what it has without them."""
    gained, paid = [], []
    for seed in range(40):
        honest, thrown = (means(tournament(seed, faults)) for faults in (none, at_random(share)))
        assert thrown["rival"] == pytest.approx(honest["rival"])
        gained.append(thrown["friend"] - honest["friend"])
        paid.append(thrown["faulty"] - honest["faulty"])
    assert abs(sum(gained) / 40) < 0.4
    assert max(paid) < 0


def none(deal, dice):
    """Commit no fault; the dice roll all the same."""
    return dice.random() < 0


def at_random(share):
    """Commit faults in this share of the games."""
    return lambda deal, dice: dice.random() < share


@pytest.mark.parametrize("share", [0.02, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("best", [False, True])
def test_who_chooses_the_games_for_its_faults_gains_on_nobody(share, best):
    """Neither by its worst games, which are the best of who sits opposite, nor by its best."""
    mine, yours = moved(share, best)
    assert mine < min(yours, 0)


def moved(share, best):
    """Return the changes for both where one gives up this many of its best or worst games."""
    dice = Random(7)
    luck = [dice.gauss(0, 30) for _ in range(2000)]
    chosen = set(sorted(range(2000), key=luck.__getitem__, reverse=best)[: int(share * 2000)])
    means = [meetings(luck, faults) for faults in (chosen, ())]
    return [thrown - honest for thrown, honest in zip(*means, strict=True)]


def meetings(luck, faults):
    """Return the means of two who meet both ways round on each deal; the first commits a fault in some games."""
    games = []
    for number, score in enumerate(luck):
        deal, turn = divmod(number, 2)
        guilty = number in faults
        pair = (Two.PENALTY, Two.AWARD) if guilty else (score, -score)
        marks = (PlayerFault(turn, Fault(Kind.CRASHED, "on purpose")),) if guilty else ()
        way = 1 - 2 * turn
        games.append(PlayedGame(("one", "two"), deal, ("one", "two")[::way], pair[::way], (1, 1), marks))
    counted = credit_games(games, Two)
    return [float(counted.score[counted.entries.who == number].mean()) for number in range(2)]


def test_low_wins_where_they_do_and_an_offender_has_more():
    """What another may have lost is added to the penalty where points are bad."""
    names = ("a", "b")
    fault = (PlayerFault(0, Fault(Kind.ILLEGAL, "it did")),)
    games = [PlayedGame(names, deal, names, (20, score), (2, 1)) for deal, score in enumerate((0, 10, 20))]
    games.append(PlayedGame(names, 9, names, (26, 0), (2, 1), fault))
    assert credit_games(games, Low).score[-2:].tolist() == [36, 10]


def test_a_pairing_without_a_clean_set_counts_as_it_was():
    """What somebody would have had is not known there."""
    found = means(tournament(1, lambda deal, dice: True))
    assert found["friend"] > 70


def test_two_are_not_compared_where_a_third_has_come_between_them():
    """In the cross table and by the search for an early end; the offender himself is."""
    names = ("a", "b", "c")
    fault = (PlayerFault(2, Fault(Kind.ILLEGAL, "it did")),)
    games = [
        PlayedGame(names, deal, names, (deal, 2 * deal, 0), (2, 1, 3), fault if deal > 8 else ()) for deal in range(12)
    ]
    found = {(each.one, each.other): each.score.sets for each in standings(games, Two).cross}
    assert found == {("a", "b"): 9, ("a", "c"): 12, ("b", "c"): 12}
    decided = decisions(games, Two, list(combinations(names, 2)))
    assert (decided["a", "b"].sets, decided["a", "c"].sets) == (9, 12)


def test_partners_are_no_opponents_that_always_differ_by_nothing():
    """A pair of bots is watched where they sit against each other."""
    names = ("a", "b", "c", "d")
    turned = ("a", "c", "b", "d")
    games = [PlayedGame(names, deal, names, (9, 0, 9, 0), (1, 2, 1, 2)) for deal in range(60)]
    games += [PlayedGame(turned, deal, turned, (9, 0, 9, 0), (1, 2, 1, 2)) for deal in range(60)]
    decided = decisions(games, Partners, list(combinations(names, 2)))
    for pair in (("a", "b"), ("a", "c"), ("a", "d")):
        assert (decided[pair].low + decided[pair].high) / 2 == pytest.approx(9)
        assert decided[pair].verdict == "different"


FOUR = ("ant", "bee", "cow", "fox")


class Four(Game):
    """A game for four in which a fault costs more than any luck."""

    NAME, PENALTY, AWARD = "four", -40, 40


def table_of_four(deals, failing, outcome=Outcome.FINISHED):
    """Play sets of four seatings in which bees have 3 points more than ants; ``failing`` says who fails in a game."""
    dice, games = Random(5), []
    for deal in range(deals):
        for turn in range(4):
            seating = FOUR[turn:] + FOUR[:turn]
            failed = failing(deal, turn)
            scores = [dice.gauss(3 * FOUR.index(name), 9) + 20 * (failed is not None) for name in seating]
            guilty = [seat for seat, name in enumerate(seating) if name == failed]
            for seat in guilty:
                scores[seat] = Four.PENALTY
            marks = tuple(PlayerFault(seat, Fault(Kind.CRASHED, "it did")) for seat in guilty)
            places = ranks_after([1 + sum(other > mine for other in scores) for mine in scores], guilty)
            ends = outcome if failed else Outcome.FINISHED
            games.append(PlayedGame(FOUR, deal, seating, tuple(scores), places, marks, outcome=ends))
    return games


def test_where_one_always_fails_the_others_are_compared():
    """The same stand-in sits in every seating, so means, differences and strengths are those of the three."""
    table = standings(table_of_four(60, lambda deal, turn: "fox"), Four)
    found = {(each.one, each.other): each.score for each in table.cross}
    assert found["ant", "bee"].sets == 60
    assert found["ant", "cow"].low < -6 < found["ant", "cow"].high < 0
    lines = {player.name: player for player in table.players}
    assert [player.name for player in table.players] == ["cow", "bee", "ant", "fox"]
    assert lines["cow"].score.low is not None
    assert lines["cow"].strength.mean > lines["ant"].strength.mean
    assert lines["fox"].score.mean == Four.PENALTY


def test_where_a_fault_ends_the_game_there_is_nothing_to_compare():
    """What a forfeit brings all others is the same."""
    table = standings(table_of_four(20, lambda deal, turn: "fox", Outcome.FORFEIT), Four)
    assert {"fox" in {each.one, each.other} for each in table.cross} == {True}


def test_a_bot_that_fails_in_some_games_of_a_set_stands_between_the_others():
    """A stand-in in one seating of four makes seats unequal: the set is spoilt for them."""
    table = standings(table_of_four(20, lambda deal, turn: "fox" if deal < 5 and turn == 1 else None), Four)
    found = {(each.one, each.other): each.score.sets for each in table.cross}
    assert (found["ant", "bee"], found["ant", "fox"]) == (15, 20)
    assert {player.name: player.score.sets for player in table.players} == {"ant": 15, "bee": 15, "cow": 15, "fox": 20}


def test_what_ranks_is_the_same_whether_sets_count_as_observations_or_not():
    """An average of other sets keeps its weight in the mean, and has none in the spread."""
    games = table_of_four(40, lambda deal, turn: "fox" if deal % 4 == 0 and turn == 1 else None)
    counted = credit_games(games, Four)
    clean = [game for game in games if game.deal % 4]
    for player in standings(games, Four).players:
        if player.name != "fox":
            deals, scores = zip(*((game.deal, of(game, player.name)) for game in clean), strict=True)
            [alone] = ratio_intervals([0] * len(deals), deals, scores, 1, worst=Four.PENALTY)
            assert player.score == pytest.approx(alone)
            number = FOUR.index(player.name)
            assert player.score.mean == pytest.approx(counted.score[counted.entries.who == number].mean())


def of(game, name):
    """Return what somebody scored."""
    return game.scores[game.seating.index(name)]
