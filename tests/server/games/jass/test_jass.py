"""Jass: its contracts, what may be played, what counts, and what one seat may conclude."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.games import record_of
from tests.support.jass_table import finish, hands, say, table
from tests.support.trick_table import NAMES, play, played_out

from croupier.server.deals import Listed
from croupier.server.games.game import BadOption, Dice, IllegalPlay, Told, UnknownPlay
from croupier.server.games.jass.contracts import PACK, contract
from croupier.server.games.jass.game import Jass
from croupier.server.games.world import world_of
from croupier.server.records.replay import judge

GOLDEN = Path(__file__).parents[3] / "golden"

contracts = st.sampled_from("cdhsou")


def may(name, hand, trick, undertrump="seed"):
    """Return what of a hand may be played to a trick in a contract."""
    return " ".join(PACK.cards[contract(name, undertrump).playable(PACK.hand(hand.split()), trick.split())])


# The choice of the contract


def test_who_leads_chooses_or_shifts_to_the_partner_who_must_choose():
    """Forehand has seven choices; after the shift the partner has six, and forehand leads all the same."""
    game = table()
    assert [" ".join(play) for play in game.legal()] == [*(f"trump {name}" for name in "cdhsou"), "shift"]
    game.play(0, ("shift",))
    assert game.turn == 2
    assert ("shift",) not in game.legal()
    with pytest.raises(IllegalPlay, match="has to choose"):
        game.check(2, ("shift",))
    game.play(2, ("trump", "u"))
    view = game.view(1)
    assert (view.contract, view.chosen_by, view.phase, game.turn) == ("u", "carol", "play", 0)
    assert "(contract u) (chosen-by carol)" in str(view)


@pytest.mark.parametrize("fixed", "cdhsou")
def test_a_fixed_contract_is_played_at_once(fixed):
    """With trump=X nobody chooses, and nobody has chosen."""
    view = table(trump=fixed).view(0)
    assert (view.phase, view.contract, view.chosen_by) == ("play", fixed, None)


def test_the_next_hand_is_led_by_the_next_player():
    """From hand to hand the one who chooses and leads moves one seat on."""
    rng = Random(1)
    game = Jass(NAMES, {"score-to": 10_000}, Dice(rng))
    for number in range(1, 7):
        assert (game.number, game.turn) == (number, (number - 1) % 4)
        game.play(game.turn, ("trump", "h"))
        while game.number == number:
            game.play(game.turn, game.sample(rng))


# The play


@pytest.mark.parametrize("name", "ou")
def test_without_trumps_suit_is_followed(name):
    """In Obenabe and Undenufe a player who has the suit led plays it; others play anything."""
    assert may(name, "c6 cA h7 sJ", "cK") == "c6 cA"
    assert may(name, "c6 cA h7 sJ", "dK") == "c6 cA h7 sJ"


def test_a_trump_may_be_played_where_one_could_follow():
    """On a plain suit, its cards and all trumps may be played while no trump lies."""
    assert may("h", "c6 cA h7 hJ s9", "cK") == "c6 cA h7 hJ"


def test_who_can_follow_may_overtrump_but_not_undertrump():
    """Once a trump lies on a plain suit, who can follow plays the suit or a higher trump."""
    assert may("h", "c6 h7 hK hJ s9", "cK hQ") == "c6 hJ hK"
    assert may("h", "c6 h7 hK hJ s9", "cK h6 h9") == "c6 hJ"


def test_who_cannot_follow_may_play_anything_but_an_undertrump():
    """There is no duty to trump; a trump lower than one that lies is for who has nothing else."""
    assert may("h", "h7 hK s9 dA", "cK hQ") == "dA hK s9"
    assert may("h", "h7 hT s9 dA", "cK hQ") == "dA s9"


def test_who_has_nothing_but_undertrumps_plays_one():
    """A hand of trumps that are all lower than the one that lies may undertrump."""
    assert may("h", "h6 h7 hT", "cK hQ") == "h6 h7 hT"


def test_who_has_nothing_but_trumps_overtrumps_unless_he_is_free():
    """A hand of trumps only has to overtrump if it can; with free-with-only-trumps it may play any."""
    assert may("h", "h6 h7 hK", "cK hQ") == "hK"
    assert may("h", "h6 h7 hK", "cK hQ", "free-with-only-trumps") == "h6 h7 hK"
    assert may("h", "h6 hK s7", "cK hQ", "free-with-only-trumps") == "hK s7"


def test_the_highest_trump_on_the_table_counts_for_undertrumping():
    """Of two trumps that lie the higher has to be beaten, whichever fell first."""
    assert may("h", "hK hJ s9 c6", "cK hQ h9") == may("h", "hK hJ s9 c6", "cK h9 hQ") == "c6 hJ"


def test_by_the_rule_of_jass_kit_the_trump_that_is_lowest_in_a_plain_suit_counts():
    """The ace lies above the ten there as here; the nine and the jack are below both, and beat them."""
    assert may("h", "hK h7 s9 c6", "cK hA hT") == "c6"
    assert (
        may("h", "hK h7 s9 c6", "cK hA hT", "lower-of-two")
        == may("h", "hK h7 s9 c6", "cK hT hA", "lower-of-two")
        == "c6 hK"
    )
    assert may("h", "hK hJ s9 c6", "cK hQ h9", "lower-of-two") == "c6 hJ"
    assert may("h", "h6 h7 hK", "cK hQ", "lower-of-two") == "h6 h7 hK"
    assert may("h", "h7 hT s9 dA", "cK hQ", "lower-of-two") == "dA s9"


def test_trumps_are_followed_but_the_puur_is_never_forced():
    """When trumps are led, trumps are played, the jack as one likes; who has no other plays anything."""
    assert may("h", "h6 hJ s9 dA", "hK") == "h6 hJ"
    assert may("h", "hJ s9 dA", "hK") == "dA hJ s9"
    assert may("h", "s9 dA", "hK") == "dA s9"


def test_anything_may_be_led():
    """A trick is begun with any card."""
    assert may("h", "hJ s9 dA", "") == "dA hJ s9"


@pytest.mark.parametrize(
    ("name", "trick", "winner"),
    [
        ("h", "hA h9 hJ hK", 2),
        ("h", "hA h9 hK hQ", 1),
        ("h", "cA h6 cK cQ", 1),
        ("h", "c7 c9 cT c8", 2),
        ("h", "c7 s9 dA s8", 0),
        ("o", "c7 cA cK hA", 1),
        ("u", "c7 cA c6 h6", 2),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(name, trick, winner):
    """Trumps go jack, nine, ace, king, queen, ten, eight, seven, six; Undenufe is all upside down."""
    assert contract(name).table.winner(trick.split()) == winner


@pytest.mark.parametrize(
    ("send", "refused", "why"),
    [
        (("play", "c6"), IllegalPlay, "has some, so that c6"),
        (("play", "c7"), IllegalPlay, "not in the hand"),
        (("play", "c2"), UnknownPlay, "a play of jass"),
        (("weis",), IllegalPlay, "before one's first card"),
        (("trump", "h"), IllegalPlay, "the contract is known"),
        (("trump", "x"), UnknownPlay, "a play of jass"),
        ((), UnknownPlay, "a play of jass"),
        ((("play",), 7), UnknownPlay, "a play of jass"),
    ],
)
def test_what_is_refused_is_refused_with_the_rule(send, refused, why):
    """A card against the rules is illegal, what is no play of the game unknown."""
    game = table("h6", "hA c6", trump="s")
    play(game, "h6")
    with pytest.raises(IllegalPlay, match=why) as problem:
        game.check(1, send)
    assert problem.type is refused


# The points


@pytest.mark.parametrize("name", "cdhsou")
def test_the_cards_count_152_in_every_contract(name):
    """With five for the last trick a hand has 157 points."""
    assert sum(contract(name).points.values()) == 152


def test_what_each_card_counts():
    """Puur and nine of trumps 20 and 14; eights 8 without trumps; sixes 11 in Undenufe in the aces' place."""
    counted = {name: " ".join(str(contract(name).points["h" + rank]) for rank in "6789TJQKA") for name in "hsou"}
    assert counted == {
        "h": "0 0 0 14 10 20 3 4 11",
        "s": "0 0 0 0 10 2 3 4 11",
        "o": "0 0 8 0 10 2 3 4 11",
        "u": "11 0 8 0 10 2 3 4 0",
    }


@given(st.randoms(use_true_random=False), contracts)
def test_partners_share_157_points_or_257(rng, name):
    """Both pairs together have the points of the cards and the last trick, and a hundred where one has all tricks."""
    game = played_out(Jass, rng, trump=name)
    a, b, c, d = game.scores()
    assert (a, b) == (c, d)
    assert sorted((a, b)) == [0, 257] or a + b == 157


@pytest.mark.parametrize(("name", "factor"), [("c", 1), ("h", 1), ("s", 2), ("d", 2), ("o", 3), ("u", 3)])
def test_schieber_multiplies_all_points_by_the_contract(name, factor):
    """Clubs and hearts count once, spades and diamonds twice, Obenabe and Undenufe three times; or all once."""
    simple = played_out(Jass, Random(name), trump=name, factors="one").scores()
    schieber = played_out(Jass, Random(name), trump=name, factors="schieber").scores()
    assert schieber == tuple(factor * one for one in simple)


HIGH = ("hJ", "h9", "hA", "hK", "hQ", "hT", "h8", "h7", "h6")


def test_a_match_is_all_nine_tricks():
    """A pair that wins every trick has a hundred points more."""
    game = table("h6 h7 h8 h9 hT hJ hQ hK hA", trump="h")
    assert finish(game, *HIGH) == [Told(("score", ("alice", 257), ("bob", 0), ("carol", 257), ("dave", 0)))]
    assert game.scores() == (257, 0, 257, 0)


def test_a_trick_without_points_denies_the_match():
    """A pair with all the points but not all the tricks has 157."""
    game = table("c6 h7 h8 h9 hT hJ hQ hK hA", "c9 d6", "c7", "c8", trump="h")
    play(game, "c6", "c9", "c7", "c8", "d6")
    finish(game, *HIGH)
    assert game.scores() == (157, 0, 157, 0)


def test_the_view_counts_the_points_of_the_hand_by_pairs():
    """STATE has each player's pair's points so far, with the factor, and the tally before the hand."""
    game = table("sJ", "s6", "s7", "s9", trump="s", factors="schieber")
    play(game, "sJ", "s6", "s7", "s9")
    view = game.view(1)
    assert view.points == {"bob": 0, "carol": 68, "dave": 0, "alice": 68}
    assert view.tally == {"bob": 0, "carol": 0, "dave": 0, "alice": 0}
    assert view.weis is None


# To a number of points


def test_a_match_ends_at_the_moment_when_a_pair_has_the_points():
    """With score-to the game is over in the middle of a hand; the hand counts as far as it was played."""
    game = table("h6 h7 h8 h9 hT hJ hQ hK hA", trump="h", score_to=30)
    assert play(game, "hJ", *[hand[0] for hand in hands(game)[1:]]) == []
    news = play(game, "h9", *[hand[0] for hand in hands(game)[1:]])
    assert [told.play[0] for told in news] == ["score"]
    assert game.turn is None
    assert game.scores()[0] == game.scores()[2] >= 30
    assert len(game.tricks) == 2


@pytest.mark.parametrize("weis", ["yes", "no"])
def test_hands_are_played_until_a_pair_has_the_points(weis):
    """Scores add up from hand to hand, each told on its own, and exactly one pair reaches the target."""
    rng, told = Random(5), []
    game = Jass(NAMES, {"score-to": 1000, "weis": weis, "stoeck": "yes", "factors": "schieber"}, Dice(rng))
    while game.turn is not None:
        told += [news.play[1:] for news in game.play(game.turn, game.sample(rng)) if news.play[0] == "score"]
    scores = game.scores()
    assert scores == tuple(sum(dict(hand)[name] for hand in told) for name in NAMES)
    assert len(told) == game.number
    assert sum(score >= 1000 for score in scores) == 2


def test_score_to_takes_a_whole_number():
    """A target that is none is refused."""
    with pytest.raises(BadOption, match="score-to takes a whole number"):
        table(score_to="many")


# What one seat may conclude


def dealt(game):
    """Return the hands as they were before the first card."""
    hands = game.hands[:]
    for seat, card in game.cards_in_order():
        hands[seat] += PACK.units[card]
    return [PACK.cards[hand] for hand in hands]


@given(
    st.randoms(use_true_random=False),
    contracts,
    st.sampled_from(["seed", "free-with-only-trumps"]),
    st.sampled_from(["yes", "no"]),
    st.integers(0, 40),
    st.integers(0, 3),
)
def test_an_imagined_deal_could_have_been_played_like_this(rng, name, undertrump, weis, steps, seat):
    """In a determinized copy every card that was played was legal, and every Weis that was shown was there."""
    options = {"trump": name, "undertrump": undertrump, "weis": weis}
    game = Jass(NAMES, options, Dice(rng))
    for _ in range(steps):
        if game.turn is not None:
            game.play(game.turn, game.sample(rng))
    imagined = world_of(game).determinize(seat, rng).game
    deal = Listed()
    deal.orders.append(sum(dealt(imagined), ()))
    again = Jass(NAMES, options, deal)
    for player, card in imagined.cards_in_order():
        if again.phase == "weis":
            say(again, *PACK.cards[game.shown[player]])
        assert again.turn == player
        play(again, card)
    assert again.hands == imagined.hands


def test_a_bare_puur_may_be_held_back():
    """A player who does not play a trump when trumps are led has at most the jack."""
    assert contract("h").lacking(("h6",), "cA") == PACK.hand(["h6", "h7", "h8", "h9", "hT", "hQ", "hK", "hA"])


def test_who_undertrumps_has_nothing_else():
    """A trump under another shows a hand of lower trumps (the other itself lies); free, a hand of trumps."""
    assert PACK.everything & ~contract("h").lacking(("cA", "hT"), "h7") == PACK.hand(["h6", "h7", "h8", "hT"])
    free = contract("h", "free-with-only-trumps").lacking(("cA", "hT"), "h7")
    assert PACK.everything & ~free == contract("h").trumps


# Whole games


@pytest.mark.parametrize(
    ("name", "options"),
    [("jass", {}), ("jass-match", {"score-to": 1000, "weis": "yes", "stoeck": "yes", "factors": "schieber"})],
)
def test_a_whole_game_is_as_it_was_written_down(name, options):
    """Four bots play this game again to the letter, and its record is valid."""
    golden = (GOLDEN / f"{name}.record").read_text()
    assert record_of("jass", ["jass"] * 4, options=options) == golden
    assert judge(golden).valid
