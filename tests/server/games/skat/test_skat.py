"""Skat at the table: every rule and every option of deal, play and score, by the words of the rule."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.games import record_of
from tests.support.skat_table import (
    FOUR,
    NULL,
    SOLID,
    THREE,
    begin,
    cards,
    dealt,
    declared,
    fore_plays,
    play_out,
    refused,
    say,
)

from croupier.protocol.skat import PACK, card_points
from croupier.server.games.game import BadOption, Dice, Told
from croupier.server.games.skat.contract import ORDERS
from croupier.server.games.skat.game import Skat
from croupier.server.games.world import world_of

GOLDEN = Path(__file__).parents[3] / "golden"


# The deal


def test_ten_cards_each_and_two_in_the_skat():
    """The first ten of the pack are forehand's, then middlehand's and rearhand's; two are left."""
    game = begin()
    assert [set(game.view(seat).hand) for seat in range(3)] == [set(dealt(seat)) for seat in range(3)]


def test_three_at_the_table_the_first_listed_is_forehand():
    """Forehand, middlehand, rearhand sit as they are listed; the forehand moves a seat every hand."""
    game = begin(list=4)
    seen = []
    for _ in range(4):
        seen.append([game.view(seat).position for seat in range(3)])
        say(game, "pass", "pass", "pass")
    assert seen[0] == ["forehand", "middlehand", "rearhand"]
    assert seen[1] == ["rearhand", "forehand", "middlehand"]
    assert seen[0] == seen[3]
    assert game.deal.labels == ["deal", ("deal", 2), ("deal", 3), ("deal", 4)]


def test_four_at_the_table_the_dealer_sits_out():
    """The fourth listed deals first; then the first deals and the second is forehand."""
    game = begin(players=FOUR, list=2)
    assert [game.view(seat).position for seat in range(4)] == ["forehand", "middlehand", "rearhand", None]
    assert (game.view(3).hand, game.view(3).points) == ((), None)
    say(game, "pass", "pass", "pass")
    assert [game.view(seat).position for seat in range(4)] == [None, "forehand", "middlehand", "rearhand"]
    assert game.turn == 2


def test_two_or_five_do_not_play_skat():
    """Three or four sit at the table."""
    with pytest.raises(BadOption, match="3 or 4"):
        begin(players=THREE[:2])


# The play


@pytest.mark.parametrize(
    ("game", "trick", "winner"),
    [
        ("clubs", "hA c7 hT", 1),
        ("clubs", "dJ cA c7", 0),
        ("clubs", "dJ hJ cJ", 2),
        ("clubs", "h7 hT hA", 2),
        ("clubs", "h7 sA dA", 0),
        ("grand", "c7 cA dJ", 2),
        ("grand", "sJ hJ cA", 0),
        ("hearts", "hA h7 dJ", 2),
        ("null", "hT hJ h9", 1),
        ("null", "hK hA hT", 1),
        ("null", "dT dJ cJ", 1),
        ("ramsch", "cA cT hJ", 2),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(game, trick, winner):
    """Jacks, then ace, ten, king, queen, nine, eight, seven; in a Null ace, king, queen, jack, ten."""
    assert ORDERS[game].winner(trick.split()) == winner


def test_forehand_leads_whoever_declares():
    """Forehand leads to the first trick of every game."""
    game = begin()
    say(game, "bid 18", "pass", "pass", "hand", "declare grand")
    assert (game.declarer, game.turn) == (1, 0)


def test_a_suit_is_followed_and_jacks_are_trumps():
    """A player with a card of the effective suit led must play one; a jack is none of its printed suit."""
    game = declared("hand", "declare hearts", piles=("h7 sA", "dJ d7 c7", "hA hK hJ hT hQ h9 h8 cJ sJ"))
    cards(game, "h7")
    assert game.legal() == (("play", "dJ"),)
    refused(game, "play d7", "follow")
    refused(game, "play h7", "not in the hand")


def test_who_cannot_follow_may_play_anything():
    """There is no duty to trump."""
    game = declared("hand", "declare clubs", piles=("dA", "cJ c7 sA sT s9 s8 s7 hA hT hK", "d7 d8"))
    cards(game, "dA")
    assert len(game.legal()) == 10


def test_in_a_null_jacks_belong_to_their_suits():
    """A Null has no trumps."""
    game = declared("hand", "declare null", piles=("h7", "hJ d7 cJ", "h8"))
    cards(game, "h7")
    assert ("play", "hJ") in game.legal()
    assert ("play", "cJ") not in game.legal()


def test_who_wins_a_trick_leads_the_next():
    """The winner of a trick leads; its cards are seen by all, with who led."""
    game = declared("hand", "declare clubs", piles=("dA", "d7", "d8"))
    cards(game, "dA d7 d8")
    assert game.turn == 0
    assert [(trick.leader, trick.cards) for trick in game.view(2).tricks] == [("fore", ("dA", "d7", "d8"))]
    assert [game.view(seat).points for seat in range(3)] == [11, 0, 0]


def test_defenders_count_their_points_together():
    """``points`` are of the seat's own side."""
    game = declared("hand", "declare clubs", piles=("d7", "dA", "dT"))
    cards(game, "d7 dA dT")
    assert [game.view(seat).points for seat in range(3)] == [0, 21, 21]


# The score


def test_a_won_game_scores_its_value_for_the_declarer():
    """Clubs with seven, game eight, schneider nine, schwarz ten: 120."""
    game = declared("pick-up", "declare clubs h7 h8", piles=(SOLID, "", "", "h7 h8"))
    result = play_out(game)
    assert (result.matadors, result.points, result.tricks) == (7, 120, 10)
    assert game.scores() == (12 * 10, 0, 0)


def test_the_skat_counts_for_the_declarer_and_among_his_matadors():
    """In a hand game the skat's jack lengthens the run, and its points are the declarer's."""
    game = declared("hand", "declare grand", piles=("cJ sJ cA cT cK cQ sA hA dA dT", "", "", "hJ hT"))
    result = play_out(game)
    assert result.matadors == 3
    assert result.points >= 10


def test_a_jack_in_the_skat_can_make_a_hand_game_overbid():
    """Hearts from the hand without two were worth 40; with the jack of clubs in the skat it is with one, worth 30."""
    game = begin("hJ dJ hA hT hK hQ h9 c8 s8 d8", "", "", "cJ c7")
    say(game, "bid 40", "hold", "pass", "pass", "hand", "declare hearts")
    result = play_out(game)
    assert 30 < result.points < 90
    assert (result.matadors, result.overbid, result.value) == (1, True, -80)


def test_a_null_ends_with_the_declarers_first_trick():
    """It is lost at once; the rest is not played."""
    game = declared("pick-up", "declare null cA cT", piles=("cA cT sA", "s7", "s8"))
    news = cards(game, "sA s7 s8")
    assert game.turn is None
    assert news[0] == Told(("score", ("fore", -46), ("middle", 0), ("rear", 0)))


def test_a_null_without_a_trick_is_won():
    """Ten tricks for the others."""
    game = declared("hand", "declare null ouvert", piles=(NULL,))
    assert play_out(game, lambda plays: plays[-1]).value == 59
    assert len(game.tricks) == 10


def test_a_null_ouvert_after_picking_up_is_worth_46():
    """Null ouvert may be played with the skat picked up."""
    game = declared("pick-up", "declare null cA sA ouvert", piles=(NULL, "", "", "cA sA"))
    assert game.view(1).open == game.view(0).hand
    assert play_out(game, lambda plays: plays[-1]).value == 46


def test_an_ouvert_hand_lies_open_from_the_declaration_on():
    """Everybody sees the declarer's cards before the first is played."""
    game = declared("hand", "declare clubs ouvert")
    assert game.view(2).open == game.view(0).hand
    assert declared("hand", "declare clubs schwarz").view(2).open is None


def test_a_list_adds_up_its_hands():
    """``list`` hands make a game; each is scored when it ends, the next dealt at once."""
    game = begin(list=3)
    say(game, "pass", "pass")
    news = say(game, "pass")
    assert news == (Told(("score", ("fore", 0), ("middle", 0), ("rear", 0))), Told(("deal", 2)))
    rng = Random(1)
    while game.turn is not None:
        game.play(game.turn, game.sample(rng))
    values = [result.value if result else 0 for result in game.results]
    assert len(values) == 3
    assert sum(values) == sum(game.scores())


def test_tally_is_the_score_before_this_hand():
    """A view shows what the finished hands brought, the seat itself first."""
    game = begin("cA cT sA", "s7", "s8", list=2)
    fore_plays(game)
    say(game, "pick-up", "declare null cA cT")
    cards(game, "sA s7 s8")
    assert game.view(2).tally == {"rear": 0, "fore": -46, "middle": 0}
    assert list(game.view(2).tally) == ["rear", "fore", "middle"]


# The options


def test_scoring_seeger_fabian_pays_the_others_for_a_lost_game():
    """``scoring=seeger-fabian``: value and fifty for or against; forty each, or thirty of four, for a lost one."""
    for players, each in ((THREE, 40), (FOUR, 30)):
        game = begin("cA cT sA", "s7", "s8", players=players, scoring="seeger-fabian")
        fore_plays(game)
        say(game, "pick-up", "declare null cA cT")
        cards(game, "sA s7 s8")
        assert game.scores() == (-96, *[each] * (len(players) - 1))


def test_impossible_null_is_refused():
    """``impossible-null=reject``: a Null below the bid cannot be declared, and is not listed."""
    game = begin(NULL)
    say(game, "bid 24", "hold", "pass", "pass", "pick-up")
    refused(game, "declare null c7 c8", "worth 23, less than the bid of 24")
    say(game.copy(), "declare null c7 c8 ouvert")
    assert not [play for play in game.legal() if play[1] == "null" and play[-1] != "ouvert"]
    say(game := begin(NULL), "bid 36", "hold", "pass", "pass", "hand")
    refused(game, "declare null", "worth 35")
    assert ("declare", "null", "ouvert") in game.legal()


def test_impossible_null_is_lost_at_once():
    """``impossible-null=lose``: it costs twice the cheapest suit game or Grand that holds the bid."""
    game = begin("cJ sA", "sJ", "", "h7 h8", impossible_null="lose")
    say(game, "bid 24", "hold", "pass", "pass", "pick-up", "declare null h7 h8")
    assert game.turn is None
    assert game.results[0].overbid
    assert game.scores() == (-48, 0, 0)


def test_all_pass_can_be_a_ramsch():
    """``all-pass=ramsch``: each for himself, jacks are trumps, the last trick takes the skat, most points lose."""
    game = begin(all_pass="ramsch")
    say(game, "pass", "pass", "pass")
    assert (game.view(0).contract, game.view(0).declarer, game.turn) == (("ramsch",), None, 0)
    play_out(game)
    assert sum(game.points) + card_points(game.PACK.cards[game.skat]) == 120
    assert min(game.scores()) < 0 or max(game.scores()) == 120


def test_contra_doubles_and_re_doubles_again():
    """``contra=yes``: a defender doubles the value, the declarer doubles it again."""
    for said, factor in (("contra pass", 2), ("contra re", 4), ("pass contra re", 4), ("pass pass", 1)):
        piles = "cA cT sA", "s7", "s8"
        game = declared("pick-up", "declare null cA cT", *said.split(), piles=piles, contra="yes")
        cards(game, "sA s7 s8")
        assert game.scores()[0] == -46 * factor


def test_contra_is_for_defenders_and_re_for_the_declarer():
    """The defenders are asked one after the other, the declarer after a contra; forehand leads then."""
    game = declared("hand", "declare grand", contra="yes")
    assert (game.phase, game.turn) == ("contra", 1)
    refused(game, "re", "defender says contra")
    say(game, "pass")
    assert game.turn == 2
    say(game, "contra")
    assert game.turn == 0
    refused(game, "contra", "the declarer re")
    assert game.view(1).contra == (("middle", "pass"), ("rear", "contra"))
    say(game, "re")
    assert (game.phase, game.turn) == ("play", 0)


def test_without_the_option_nobody_is_asked_for_contra():
    """``contra=no``: the cards follow the declaration."""
    game = declared("hand", "declare grand")
    assert game.phase == "play"
    refused(game, "contra", "belongs to contra")


# What is seen, and what may be so


def looks(game, seat):
    """Return what a seat sees."""
    return str(game.view(seat))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_redealt_game_keeps_what_the_seat_knows(seed):
    """Suits not followed, an open hand, the own skat: all stay as they are; the rest is dealt again."""
    rng = Random(seed)
    game = Skat(THREE, {"contra": "yes"}, Dice(rng))
    while game.turn is not None:
        seat = rng.randrange(3)
        twin = world_of(game).determinize(seat, rng).game
        assert looks(twin, seat) == looks(game, seat)
        everything = [*twin.hands, twin.skat]
        assert sum(everything) == sum([*game.hands, game.skat])
        assert [hand.bit_count() for hand in twin.hands] == [hand.bit_count() for hand in game.hands]
        for lacks, hand in zip(world_of(game).lacks(), twin.hands, strict=True):
            assert not lacks & hand
        game.play(game.turn, game.sample(rng))


def test_others_never_see_what_was_put_down():
    """Two games that differ only in the two cards put down are byte-equal to the defenders, until a card tells."""
    one, two = declared("pick-up"), declared("pick-up")
    say(one, "declare clubs hA dA")
    say(two, "declare clubs sA dA")
    for seat in (1, 2):
        assert looks(one, seat) == looks(two, seat)


def test_random_plays_are_legal_and_spread():
    """A random play is drawn from all that are legal, the pairs to put down included."""
    game = declared("pick-up")
    rng = Random(3)
    drawn = {game.sample(rng) for _ in range(3000)}
    assert drawn <= set(game.legal())
    assert len(drawn) > 440
    assert len(game.legal()) == 7 * 66


@pytest.mark.parametrize(("players", "options"), [(3, {"list": 3}), (4, {"list": 4, "scoring": "seeger-fabian"})])
def test_a_golden_list_comes_out_the_same(players, options):
    """A whole list of Skat between bundled bots, as text; only a changed rule or bot may change it."""
    text = record_of("skat", ["skat-club"] * players, options=options)
    assert text == (GOLDEN / f"skat-{players}.record").read_text()


def test_every_card_is_worth_its_points():
    """Ace 11, ten 10, king 4, queen 3, jack 2: 120 in all."""
    assert card_points(PACK) == 120
    assert card_points(("cA", "sT", "hK", "dQ", "cJ", "s9", "h8", "d7")) == 30
