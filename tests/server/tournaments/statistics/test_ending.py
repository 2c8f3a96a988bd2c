"""A search for an early end ends, in the formats in which not everybody meets everybody too."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from random import Random

import forger
import pytest
from contests import Here, bot, contest, document, pretend, settings

from croupier.server.deals import Key
from croupier.server.games import find
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.entering import manifest
from croupier.server.tournaments.entering.scheduling import schedule_for
from croupier.server.tournaments.formats.schedule import ScheduleError
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.bond import OLDER, Bond
from croupier.server.tournaments.proof.verify import verify
from croupier.server.tournaments.statistics.ending import pairs

GAIN = {"ann": 9, "ben": 4, "cat": 6, "dan": 7}


FORMS = [
    {"format": "gauntlet"},
    {"format": "round-robin"},
    {"format": "paired"},
    {"format": "paired", "sprt": (0, 3)},
    {"format": "round-robin", "sprt": (0, 3), "until_sure": False},
    {"format": "round-robin", "sprt": (0, 100), "sprt_in": "strength"},
    {"format": "balanced", "deals": 30, "rounds": 40},
    {"format": "swiss", "deals": 30, "rounds": 40},
    {"format": "ladder", "deals": 30},
]


@pytest.mark.parametrize("keys", FORMS)
def test_it_ends_when_all_that_is_asked_is_known_and_verify_says_the_plan_was_kept(tmp_path, keys):
    """No game after that is played, and none of those before is missed."""
    luck, said = Random(1), []
    asked = settings([bot(name) for name in GAIN], **{"deals": 900, "until_sure": True} | keys)
    score = pretend(lambda name, deal: GAIN[name] + luck.randrange(3))
    run = contest(tmp_path, asked, Here(score), say=said.extend)
    assert said[-1].startswith("sure: ")
    assert run.complete
    with closing(Store(tmp_path)) as store:
        assert 0 < store.counts()[0] < (run.lineup.schedule.planned_games() or 40 * 30 * 4) / 2
    assert not unplanned(tmp_path)


TWO = {"game": "dominion", "options": {}, "format": "round-robin", "until_sure": True, "deals": 900}


@pytest.fixture
def dropped(tmp_path):
    """Play a round robin two by two, of which ann and ben are hard to tell apart."""
    gain, luck = {"ann": 40, "ben": 41, "cat": 60, "dan": 80}, Random(2)
    crew = Here(pretend(lambda name, deal: gain[name] + luck.randrange(12)))
    contest(tmp_path, settings([bot(name) for name in gain], **TWO), crew)
    return tmp_path


def deals_of(folder):
    """Count the deals of each table."""
    store = Store(folder, new=False)
    found = Counter(frozenset(pairing) for pairing, _ in {(game.pairing, game.deal) for game, *_ in store.games()})
    store.close()
    return found


def unplanned(folder):
    """List what verify says of the plan."""
    with closing(Store(folder, new=False)) as store:
        return [str(each) for each in verify(store).problems if "planned" in each.why]


def test_those_who_are_told_apart_meet_no_more(dropped):
    """The others play on; verify asks for no more, the table says so, and a second run keeps nothing more."""
    deals = deals_of(dropped)
    assert deals.pop(frozenset(("ann", "ben"))) > 3 * max(deals.values())
    assert not unplanned(dropped)
    table = document(dropped)
    assert (table["left_early"], table["ranked_by"], table["finished"]) == (5, "field", True)
    contest(dropped, settings([bot(name) for name in GAIN], **TWO), Here(pretend()))
    assert document(dropped) == table


@pytest.mark.parametrize("table", [("ann", "ben"), ("cat", "dan")])
def test_an_organiser_who_drops_more_is_found_out(dropped, table):
    """Whether all was known of two follows from the games: of whom it was not, every set is asked for."""
    with closing(Store(dropped, new=False)) as store:
        last = max(game.deal for game, *_ in store.games() if set(game.pairing) == set(table))
    for names in (table, table[::-1]):
        forger.change(dropped, "DELETE FROM games WHERE pairing = ? AND deal = ?", " ".join(names), last)
    assert any("these were planned and are missing" in each for each in unplanned(dropped))


def test_a_folder_whose_tables_were_drawn_by_other_rules_is_read_and_told(tmp_path, monkeypatch):
    """Nobody is accused of what cannot be repeated."""
    monkeypatch.setattr(manifest, "SCHEDULE", 1)
    contest(tmp_path, settings(deals=3), Here(pretend()))
    monkeypatch.undo()
    forger.change(tmp_path, "DELETE FROM games WHERE deal = 2")
    assert not unplanned(tmp_path)
    with closing(Store(tmp_path, new=False)) as store:
        bond = Bond.of(store)
    assert OLDER in bond.lines()
    assert bond.document()["older"]


def test_a_gauntlet_asks_for_the_pairs_of_its_first():
    """The others are not what it is played for; elsewhere all pairs are."""
    assert pairs(["cat", "ann", "dan"], "gauntlet") == [("ann", "cat"), ("cat", "dan")]
    assert pairs(["cat", "ann", "dan"], "swiss") == [("ann", "cat"), ("ann", "dan"), ("cat", "dan")]


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"sprt": [3, 0]}, "sprt has two bounds, the lower first"),
        ({"sprt": [0, 3], "margin": 1}, "name one of them"),
        ({"sprt_in": "strength"}, "there is no sprt"),
    ],
)
def test_bounds_are_two_the_lower_first_and_need_no_margin(keys, why):
    """Anything else is told with its key."""
    with pytest.raises(tournament_file.BadConfig, match=why):
        settings(**keys)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"format": "swiss"}, "which they play in: round-robin, gauntlet, one-against-many, paired"),
        ({"format": "paired", "sprt_in": "strength"}, "only without others"),
    ],
)
def test_bounds_are_for_two_on_equal_deals_and_of_strength_for_two_who_meet(keys, why):
    """Elsewhere no sentence could say what was decided."""
    with pytest.raises(ScheduleError, match=why):
        schedule_for(settings(sprt=[0, 3], **keys), find("hearts"), Key.from_seed("bounds"))
