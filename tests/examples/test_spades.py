"""Spades, a game in a package of its own: its rules, its page, its bot, and every command that it is given to."""

import json
import shlex
import sys
from pathlib import Path
from random import Random

import pytest
from command_line import croupier
from packages import install
from trick_table import NAMES, Stacked, play

from croupier.protocol import views
from croupier.server import games
from croupier.server.games.game import Dice, IllegalPlay, UnknownPlay
from croupier.server.games.world import world_of
from croupier.server.laws import LAWS, Trial, judge

EXAMPLE = Path(__file__).parents[2] / "examples" / "spades"
RULES = EXAMPLE / "src" / "spades" / "rules.py"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Install the example where this very process finds it."""
    folder = tmp_path_factory.mktemp("site")
    install(EXAMPLE, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setattr(views, "_pages", {})
        yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "spades"]:
        del sys.modules[name]


@pytest.fixture
def spades(site):
    return games.find("spades")


def begin(rules, *piles, **options):
    """Deal known hands from the first player on, each filled up from the rest of the pack."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    return rules(NAMES, given, Stacked(NAMES, [13] * 4, piles))


def bid(game, *numbers):
    for number in numbers:
        game.check(game.turn, ("bid", number))
        game.play(game.turn, ("bid", number))
    return game


def whole_hand(game):
    """Play the hand out at random."""
    rng, number = Random(1), game.number
    while game.turn is not None and game.phase == "play" and game.number == number:
        game.play(game.turn, game.sample(rng))
    return game


def test_it_took_a_rules_file_under_150_lines():
    """Bidding, nil, bags, partners and what a card shows are one file."""
    assert len(RULES.read_text().splitlines()) < 150


@pytest.mark.parametrize("options", [{}, {"score-to": 200, "nil": 50}], ids=["hand", "match"])
def test_it_keeps_the_laws(spades, options):
    """What check-game tries: also that nobody imagines a deal that cannot be."""
    assert [judge(law, Trial(spades, 4, options)) for law in LAWS] == [None] * len(LAWS)


def test_each_bids_once_in_turn_and_the_first_leads(spades):
    """Bids are open, from 0 to 13; after the fourth the first bidder is on turn."""
    game = begin(spades)
    assert len(game.legal()) == 14
    bid(game, 3, 0)
    assert game.view(3).bids == {"alice": 3, "bob": 0}
    for wrong in (("bid", 14), ("bid", -1), ("bid",), ("bid", "x"), ("pass",)):
        with pytest.raises(UnknownPlay):
            game.check(2, wrong)
    with pytest.raises(IllegalPlay, match="carol's turn"):
        game.check(0, ("bid", 3))
    with pytest.raises(IllegalPlay, match="not played yet"):
        game.check(2, ("play", "c2"))
    bid(game, 4, 13)
    assert (game.phase, game.turn) == ("play", 0)
    with pytest.raises(IllegalPlay, match="all have bid"):
        game.check(0, ("bid", 3))


def test_spades_are_trumps_and_are_led_only_once_broken(spades):
    """A player who cannot follow may trump; only then, or with nothing else, may a spade be led."""
    game = bid(begin(spades, "cA sA", "d2 s2 h2 h3 h4 h5 h6 h7 h8 h9 hT hJ hQ", "c3", "c4"), 1, 1, 1, 1)
    with pytest.raises(IllegalPlay, match="spades are not broken"):
        game.check(0, ("play", "sA"))
    assert not game.view(0).broken
    play(game, "cA s2")
    assert game.view(0).broken
    play(game, "c3 c4")
    assert (game.turn, game.won) == (1, [0, 1, 0, 0])
    play(game, "d2")
    game = bid(begin(spades, "s2 s3 s4 s5 s6 s7 s8 s9 sT sJ sQ sK sA"), 1, 1, 1, 1)
    assert len(game.legal()) == 13


def scored(spades, bids, won, bags=(0, 0), **options):
    """Return what the pairs score with these bids, tricks and bags, and their bags after that."""
    game = begin(spades, **options)
    game.bids, game.won, game.bags = list(bids), list(won), list(bags)
    return [game.points(pair) for pair in (0, 1)], game.bags


def test_a_pair_takes_what_it_bid_or_loses_it(spades):
    """Ten a trick bid, one a trick more; ten a trick bid lost with one too few."""
    assert scored(spades, (3, 4, 2, 4), (4, 4, 2, 3)) == ([51, -80], [1, 0])
    assert scored(spades, (3, 4, 3, 3), (2, 4, 4, 3)) == ([60, 70], [0, 0])


def test_nil_is_won_without_a_trick(spades):
    """A hundred more or less; the tricks of a lost nil are bags and do not help the partner."""
    assert scored(spades, (0, 4, 4, 4), (0, 5, 4, 4)) == ([140, 81], [0, 1])
    assert scored(spades, (0, 4, 4, 4), (2, 4, 3, 4)) == ([-138, 80], [2, 0])
    assert scored(spades, (0, 0, 4, 9), (0, 0, 4, 9), nil=50) == ([90, 140], [0, 0])


def test_ten_bags_cost_a_hundred(spades):
    """Each is a point when it is taken; the tenth costs, and what is over stays."""
    assert scored(spades, (1, 4, 1, 4), (3, 4, 2, 4), bags=(8, 9)) == ([20 + 3 - 100, 80], [1, 9])
    assert scored(spades, (1, 4, 1, 4), (3, 4, 2, 4), bags=(8, 0), bag_penalty=0) == ([23, 80], [1, 0])


def test_a_match_ends_when_a_pair_has_enough_or_has_lost_as_much(spades):
    """Bags are carried on from hand to hand; partners share; the first to speak moves on."""
    game = begin(spades, score_to=60)
    for one, other, goes_on in ((59, -59, True), (60, 0, False), (0, -60, False)):
        game.tally = (one, other, one, other)
        assert game.goes_on() is goes_on
    game = begin(spades, score_to=60)
    whole_hand(bid(game, 13, 13, 13, 13))
    assert game.turn is None
    assert game.scores() == (-260,) * 4
    game = begin(spades, score_to=500)
    whole_hand(bid(game, 1, 1, 1, 1))
    assert (game.number, game.turn, game.phase) == (2, 1, "bid")
    assert game.bags == [0, 1], "dave, who has all spades, and his partner take eleven more than they bid"
    assert game.view(1).bags == {"bob": 1, "carol": 0, "dave": 1, "alice": 0}
    assert game.scores()[0] == game.scores()[2]


def test_who_leads_a_spade_early_has_nothing_else(spades):
    """A spade led before they were broken shows a hand of spades."""
    game = bid(begin(spades, "s2 s3 s4 s5 s6 s7 s8 s9 sT sJ sQ sK sA"), 13, 0, 0, 0)
    play(game, "s2")
    imagined = world_of(game).determinize(1, Random(1)).game
    assert all(card[0] == "s" for card in imagined.PACK.cards[imagined.hands[0]])


def test_the_page_says_that_bids_are_bids(site):
    """TryBid is asked in its phase, by the page that its entry point brings."""
    page = views.page("spades")
    assert page.BIDDING == ("bid",)
    assert page.__module__ == "spades.page"


def test_it_is_checked_played_over_pipes_recorded_and_replayed(site, tmp_path):
    """Everything that works with bundled games works with it; its bot takes what it bids more often than chance."""
    assert "keeps" in croupier("check-game", "spades", "-o", "bag-penalty=0")[0]
    bot = shlex.join(["env", f"PYTHONPATH={site}", sys.executable, "-m", "spades.bot"])
    seats = [f"north={bot}", "random", f"south={bot}", "random"]
    played = croupier("play", "spades", *seats, "--deals", 15, "--seed", "x", "--record", tmp_path / "games", "--json")
    out = json.loads(played[0])
    assert not [fault for game in out["games"] for fault in game["faults"]]
    assert sum(game["scores"]["north"] > game["scores"]["random"] for game in out["games"]) > 10
    verdicts = json.loads(croupier("replay", *sorted((tmp_path / "games").glob("*.record")), "--json")[0])["records"]
    assert [verdict["scores"] for verdict in verdicts] == [game["scores"] for game in out["games"]]


def test_a_game_at_random_ends(spades):
    """Also to five hundred, where chance goes down rather than up."""
    game, rng = spades(NAMES, {"score-to": 500}, Dice(Random(5))), Random(5)
    while game.turn is not None:
        game.play(game.turn, game.sample(rng))
    assert max(game.tally) >= 500 or min(game.tally) <= -500
