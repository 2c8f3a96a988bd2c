"""Games as arrays: the same games, and what the statistics make of them is what one counts game by game."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from random import Random

import pytest
from contests import Here, contest, pretend, settings

from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.statistics.columns import Columns, entries
from croupier.server.tournaments.statistics.credit import credit_games, opponents, opposing_pairs, seats_of, shares

LAYOUTS = [("a", "b", "c", "d"), ("b", "c", "d", "a"), ("a", "b", "a", "b"), ("e", "b", "b", "b"), ("d", "a")]


class Low(Game):
    """A game whose lowest score wins."""

    NAME, LOW_WINS, PENALTY, AWARD = "low", True, 26, 0


class Pairs(Game):
    """A game of partners."""

    NAME, PARTNERS, PENALTY, AWARD = "pairs", ((0, 2), (1, 3)), 0, 1


def games(number=400, *, faulty=0.1, layouts=LAYOUTS, seed=1):
    """Make games up, some with faults, of tables with two seats and four, and with entries that hold several."""
    dice = Random(seed)
    made = []
    for place in range(number):
        seating = layouts[place % len(layouts)]
        seats = range(len(seating))
        scores = tuple(dice.randrange(20) for _ in seats)
        ranks = tuple(1 + sum(other < mine for other in scores) for mine in scores)
        faults = tuple(
            PlayerFault(seat, Fault(dice.choice([*Kind]), "it did")) for seat in seats if dice.random() < faulty
        )
        helped = (0,) if dice.random() < faulty / 2 else ()
        times = tuple(((dice.randrange(40), 2), (50, 1)) for _ in seats) if place % 3 else ()
        pairing = tuple(sorted(seating))
        made.append(PlayedGame(pairing, 1 + place // 5, seating, scores, ranks, faults, helped, times))
    return made


def by_game(found, values):
    """Return what belongs to each game's entries, by name."""
    listed = defaultdict(dict)
    for game, name, value in zip(found.game.tolist(), found.names(slice(None)), values.tolist(), strict=True):
        listed[game][name] = value
    return listed


@pytest.mark.parametrize("low_wins", [True, False])
def test_an_entry_has_the_score_that_its_game_gives_it(low_wins):
    """The mean of its seats, or the worst of them after a fault."""
    made = games()
    found = entries(Columns.of(made), low_wins=low_wins)
    scores = by_game(found, found.score)
    assert [scores[place] for place in range(len(made))] == [dict(each.entries(low_wins=low_wins)) for each in made]


@pytest.mark.parametrize("rules", [Low, Pairs])
def test_opponents_meet_as_their_seats_say(rules):
    """Each two in alphabetical order, partners apart, with the share of comparisons that each has won."""
    made = games(faulty=0, layouts=LAYOUTS[:-1])
    found = entries(Columns.of(made), low_wins=rules.LOW_WINS)
    pairs = opposing_pairs(found, rules)
    told = zip(found.game[pairs.one].tolist(), *map(found.names, pairs), *shares(found, pairs), strict=True)
    wanted = []
    for place, game in enumerate(made):
        seats = seats_of(game.seating)
        for one, other in opponents(seats, rules):
            both = [(game.ranks[mine], game.ranks[yours]) for mine in seats[one] for yours in seats[other]]
            won, lost = (sum(sign * mine < sign * yours for mine, yours in both) for sign in (1, -1))
            wanted.append((place, one, other, won / len(both), lost / len(both)))
    assert list(told) == wanted


def test_who_is_not_guilty_has_what_is_usual():
    """In each set with a fault; the mean is over the clean sets of that pairing."""
    made = games(faulty=0.02)
    counted = credit_games(made, Low)
    scores = by_game(counted.entries, counted.score)
    spoilt, usual = defaultdict(set), defaultdict(list)
    for game in made:
        if not game.clean:
            spoilt[game.pairing, game.deal] |= {game.seating[seat] for seat in game.offenders}
    for game in made:
        for name, score in game.entries(low_wins=True):
            if (game.pairing, game.deal) not in spoilt:
                usual[game.pairing, name].append(score)
    assert spoilt
    for place, game in enumerate(made):
        guilty = spoilt.get((game.pairing, game.deal))
        for name, score in game.entries(low_wins=True):
            clean = usual[game.pairing, name]
            due = score if guilty is None or name in guilty or not clean else sum(clean) / len(clean)
            if name not in {game.seating[seat] for seat in game.offenders}:
                assert scores[place][name] == pytest.approx(due)


def test_times_and_faults_are_added_up_by_name():
    """Of all seats that an entry holds."""
    made = games()
    found = Columns.of(made)
    times, faults = defaultdict(Counter), Counter()
    for game in made:
        for name, histogram in zip(game.seating, game.times, strict=False):
            times[name].update(dict(histogram[:1]))
            times[name].update(dict(histogram[1:]))
        faults.update((game.seating[seat], fault) for seat, fault in game.faults)
    assert found.times == times
    assert found.faults == faults


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A tournament in which one faults now and then."""
    folder = tmp_path_factory.mktemp("columns") / "cup"
    dice = Random(2)
    contest(folder, settings(deals=30), Here(pretend(lambda name, deal: dice.randrange(-1, 9))))
    return folder


def test_a_store_reads_as_columns_what_it_reads_as_games(cup):
    """In the order in which they were played."""
    with closing(Store(cup, new=False)) as store:
        found, other = store.columns(), Columns.of(stored.game for stored in store.games())
    assert found.clean.any()
    assert not found.clean.all()
    for name in ("pairing", "deal", "scores", "ranks", "guilty", "clean", "seats"):
        assert (getattr(found, name) == getattr(other, name)).all()
    assert (found.names, found.pairings, found.faults) == (other.names, other.pairings, other.faults)


def test_who_is_retired_is_in_none_of_them(cup, tmp_path):
    """Nor are his opponents' games with him."""
    with closing(sqlite3.connect(cup / "tournament.db")) as source, closing(sqlite3.connect(tmp_path / "db")) as copy:
        source.backup(copy)
    (tmp_path / "db").rename(tmp_path / "tournament.db")
    with closing(Store(tmp_path)) as store:
        store.retire("ann")
        assert len(store.columns()) == 0


@pytest.mark.parametrize(
    ("column", "value"), [("scores", "[1,\n2]"), ("ranks", "[]"), ("times", "[[[1, 1]], []]"), ("whys", '[[0, "x"]]')]
)
def test_the_game_that_cannot_be_read_is_named(cup, tmp_path, column, value):
    """Though many are read at once."""
    with closing(sqlite3.connect(cup / "tournament.db")) as source, closing(sqlite3.connect(tmp_path / "db")) as copy:
        source.backup(copy)
        copy.execute(f"UPDATE games SET {column} = ? WHERE deal = 7", (value,))
        copy.commit()
    (tmp_path / "db").rename(tmp_path / "tournament.db")
    with (
        closing(Store(tmp_path, new=False)) as store,
        pytest.raises(StoreError, match=r"the game of deal 7, .* cannot be read"),
    ):
        store.columns()


def test_pairings_are_numbered_alike_whatever_order_games_come_in():
    """Sorted they are the same."""
    made = games(60)
    one, other = (Columns.of(each).sort() for each in (made, Random(3).sample(made, len(made))))
    assert (one.scores == other.scores).all()
    assert [one.pairings[number] for number in one.pairing] == sorted(game.pairing for game in made)
