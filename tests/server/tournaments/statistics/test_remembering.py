"""A bot that does better when a deal comes again is shown; one that remembers nothing is hardly ever accused."""

import random
import sys
from contextlib import closing

import pytest
from contests import BOTS, Here, bot, contest, document, pretend, settings

from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.formats.fixed import RoundRobin
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.page import page
from croupier.server.tournaments.report.standing import standing
from croupier.server.tournaments.statistics.remembering import later_seatings


def season(seed, names, deals, gains=0.0, seat=0.0):
    """Make up games in the order of play: with luck of the deal, the game and the seat; "a" may cheat."""
    dice, met = random.Random(seed), set()
    for batches in RoundRobin(names, Layout(4), deals, Key.from_seed(str(seed))).rounds(NoResults()):
        for batch in batches:
            luck = {deal: [dice.gauss(0, 3) for _ in range(4)] for deal in batch.deals}
            for seating, deal in batch.games():
                again = (batch.pairing, deal) in met
                met.add((batch.pairing, deal))
                scores = [6 + luck[deal][place] + seat * place + dice.gauss(0, 4) for place in range(4)]
                if "a" in seating and again:
                    scores[seating.index("a")] -= gains
                yield PlayedGame(batch.pairing, deal, seating, tuple(map(round, scores)), (1, 2, 3, 4))


def accused(games):
    """List who is said to remember."""
    return [each.name for each in later_seatings(games, low_wins=Hearts.LOW_WINS) if each.remembers]


def test_who_remembers_is_shown_and_nobody_else():
    """By three points a game over a hundred deals, as much as it brings at Hearts to know all hands."""
    assert accused(season(1, "abcd", 100, gains=3)) == ["a"]
    assert accused(season(2, "abcde", 100, gains=3)) == ["a"]


def test_hardly_anybody_is_accused_by_chance_also_where_seats_are_unequal():
    """One tournament in forty is expected to accuse anybody."""
    false = [accused(season(seed, "abcd", 20, seat=3.0)) for seed in range(120)]
    assert sum(map(bool, false)) <= 7


@pytest.mark.parametrize("deals", [1, 5])
def test_a_few_sets_accuse_nobody(deals):
    """However much better it went."""
    assert accused(season(1, "abcd", deals, gains=30)) == []


def test_the_comparison_is_in_the_standings_and_the_report(tmp_path):
    """And in the report, with its bounds, for everybody."""
    contest(tmp_path, settings(deals=24), Here(pretend(lambda name, deal: deal % 5)))
    with closing(Store(tmp_path, new=False)) as store:
        table = standing(store).document()
        assert 'id="later"' in page(gather(store))
    assert [(each["name"], each["sets"], each["mean"]) for each in table["later_seatings"]] == [
        (name, 24, 0.0) for name in ("ann", "ben", "cat", "dan")
    ]
    assert not any(each["remembers"] for each in table["later_seatings"])


@pytest.mark.soak
def test_a_cheat_that_writes_deals_down_is_found(tmp_path):
    """It plays better by half when it knows all hands; under a sandbox its file would be gone."""
    cheat = bot("cheat") | {"command": [sys.executable, str(BOTS / "rememberer.py"), str(tmp_path / "notes")]}
    bots = [cheat, *({"name": name, "builtin": "duck"} for name in ("ann", "ben", "cat"))]
    contest(tmp_path / "cup", settings(bots, deals=40, sandbox="none"))
    table = document(tmp_path / "cup")
    assert [each["name"] for each in table["later_seatings"] if each["remembers"]] == ["cheat"]
