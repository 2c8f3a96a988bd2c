"""Sedma: what takes a trick, how hands are filled, one round and many, and what is scored."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.games import record_of
from tests.support.trick_table import NAMES, play, played_out, spelled

from croupier.protocol.cards import PACK_32
from croupier.server.deals import Listed
from croupier.server.games.game import Dice, IllegalPlay, Told, UnknownPlay
from croupier.server.games.sedma import PACK, TABLE, Sedma, outcome, worth
from croupier.server.records.replay import judge

GOLDEN = Path(__file__).parents[2] / "golden"
STOP = ("stop",)
rounds = st.sampled_from(["one", "many"])


def table(*hands, stock="", **options):
    """Deal these hands of four from alice on and this top of the stock, then what is left in the order of the pack."""
    given = " ".join([*hands, stock]).split()
    deal = Listed()
    deal.orders.append((*given, *[card for card in PACK_32 if card not in given]))
    return Sedma(NAMES, spelled(options), deal)


FOUR = ("s8 h8 sA sK", "h9 c8 hT hQ", "d7 cJ dA dQ", "cT cQ c9 d8")


def hand(game, seat):
    """Return the cards of a seat."""
    return " ".join(PACK.cards[game.hands[seat]])


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("s8 h9 cA dK", 0),
        ("s8 h8 cA dK", 1),
        ("s8 h8 cA d8", 3),
        ("s8 h7 cA d9", 1),
        ("s8 h7 c8 d9", 2),
        ("s8 h8 c7 d9", 2),
        ("s7 h8 c8 d8", 0),
        ("s7 h8 c7 d8", 2),
        ("sA hT cK d9 cA h8 d7 sQ", 6),
    ],
)
def test_the_last_card_that_matches_the_first_takes_the_trick(trick, winner):
    """Its rank or a seven matches; a seven that is led is just a seven; nobody matching, the leader has it."""
    assert TABLE.winner(trick.split()) == winner


def test_any_card_may_be_played():
    """Nobody has to follow: every card of the hand is legal."""
    game = table(*FOUR)
    play(game, "s8")
    assert [play[1] for play in game.legal()] == hand(game, 1).split()
    with pytest.raises(IllegalPlay, match="not in the hand"):
        game.check(1, ("play", "s9"))
    with pytest.raises(IllegalPlay, match="bob's turn"):
        game.check(2, ("play", "d7"))


@pytest.mark.parametrize("send", [("play", "c6"), ("play",), ("stop", "now"), (), ("play", ("c7",)), ("go",)])
def test_what_is_no_play_is_unknown(send):
    """Sixes are not in the pack, and there is nothing to say but stop."""
    with pytest.raises(UnknownPlay):
        table(*FOUR).check(0, send)


def test_the_winner_leads_and_draws_first():
    """After a trick each draws one card, clockwise from its winner, from the top of the stock."""
    game = table(*FOUR, stock="h7 s7 c7 dK")
    play(game, "s8", "h9", "d7", "d8")
    assert game.turn == 3
    assert [hand(game, seat) for seat in (3, 0, 1, 2)] == [
        "c9 cT cQ h7",
        "h8 s7 sK sA",
        "c7 c8 hT hQ",
        "cJ dQ dK dA",
    ]
    view = game.view(0)
    assert (view.stock, view.won) == (12, {"alice": 0, "bob": 0, "carol": 0, "dave": 1})


def test_nothing_is_drawn_from_an_empty_stock():
    """The sixteen cards of the stock last for four tricks; then hands run out."""
    rng, sizes = Random(3), []
    game = Sedma(NAMES, {}, Dice(rng))
    while game.turn is not None:
        if not game.trick:
            sizes.append((len(hand(game, game.turn).split()), len(game.stock)))
        game.play(game.turn, game.sample(rng))
    assert sizes == [(4, 16), (4, 12), (4, 8), (4, 4), (4, 0), (3, 0), (2, 0), (1, 0)]


# Many rounds


def test_the_leader_may_go_on_with_what_matches():
    """After a full round the leader plays the rank he led or a seven, or stops; nobody else is asked."""
    game = table(*FOUR, rounds="many")
    play(game, "s8", "h9", "d7", "cT")
    assert game.turn == 0
    assert list(game.legal()) == [("play", "h8"), STOP]
    assert game.view(0).legal == (("play", "h8"), STOP)
    with pytest.raises(IllegalPlay, match="matches s8"):
        game.check(0, ("play", "sA"))
    play(game, "h8", "hT", "cJ", "d8")
    assert (game.turn, len(game.trick)) == (0, 8)
    assert list(game.legal()) == [STOP]
    game.play(0, STOP)
    assert game.turn == 3
    assert [len(hand(game, seat).split()) for seat in range(4)] == [4, 4, 4, 4]
    assert (len(game.stock), len(game.tricks[0][1])) == (8, 8)


def test_a_leader_without_a_match_is_asked_all_the_same():
    """If the trick ended by itself, the others would know that he has nothing to go on with."""
    game = table(*FOUR, rounds="many")
    play(game, "sA", "h9", "cJ", "cT")
    assert list(game.legal()) == [STOP]


def test_a_trick_ends_when_the_hands_are_empty():
    """After four rounds there is nothing to decide."""
    game = table("c8 d8 h8 s8", "c9 d9 h9 s9", "cJ dJ hJ sJ", "cQ dQ hQ sQ", rounds="many")
    for card in "cdhs":
        play(game, *[card + rank for rank in "89JQ"])
    assert (game.trick, len(game.stock), game.won) == ([], 0, [1, 0, 0, 0])


@pytest.mark.parametrize("options", [{}, {"rounds": "many"}])
def test_only_the_leader_stops_and_only_after_a_full_round(options):
    """Within a round, before a trick, or where rounds are one, nobody stops."""
    game = table(*FOUR, **options)
    for card in ("s8", "h9", "d7"):
        with pytest.raises(IllegalPlay, match="after a full round"):
            game.check(game.turn, STOP)
        play(game, card)
    with pytest.raises(IllegalPlay, match="dave's turn"):
        game.check(0, STOP)


# The score


@given(st.randoms(use_true_random=False), rounds)
def test_the_winning_pair_has_one_two_or_three_points_and_the_others_none(rng, mode):
    """Ninety points are counted in all, and there is no draw."""
    game = played_out(Sedma, rng, rounds=mode)
    assert sum(game.points) == 90
    a, b, c, d = game.scores()
    assert (a, b) == (c, d)
    assert sorted((a, b)) in ([0, 1], [0, 2], [0, 3])


@pytest.mark.parametrize(
    ("won", "points", "score"),
    [
        ([4, 0, 4, 0], [50, 0, 40, 0], (0, 3)),
        ([0, 8, 0, 0], [0, 90, 0, 0], (1, 3)),
        ([3, 1, 4, 0], [50, 0, 40, 0], (0, 2)),
        ([3, 2, 1, 2], [0, 50, 0, 40], (1, 2)),
        ([4, 2, 1, 1], [40, 10, 40, 0], (0, 1)),
        ([4, 1, 3, 0], [40, 50, 0, 0], (1, 1)),
    ],
)
def test_every_trick_goes_before_every_point(won, points, score):
    """No trick for the losers is three, no points two, anything else one."""
    assert outcome(won, points) == score


def test_aces_and_tens_count_ten():
    """Nothing else counts but the last trick."""
    assert worth(PACK_32) == 80
    assert worth(["cA", "dT", "hK", "s7"]) == 20


@given(st.randoms(use_true_random=False), rounds)
def test_hands_are_played_until_a_pair_has_the_points(rng, mode):
    """With score-to the points of hands add up, the lead of the first trick moving on by one seat."""
    game, told, leaders = Sedma(NAMES, {"score-to": 5, "rounds": mode}, Dice(rng)), [], []
    while game.turn is not None:
        if not game.tricks and not game.trick:
            leaders.append(game.turn)
        told += game.play(game.turn, game.sample(rng))
    hands = [news.play[1:] for news in told if news.play[0] == "score"]
    assert game.scores() == tuple(sum(dict(hand)[name] for hand in hands) for name in NAMES)
    assert 5 <= max(game.scores()) <= 7
    assert leaders == [number % 4 for number in range(len(hands))]
    assert [news.play for news in told if news.play[0] == "deal"] == [("deal", n) for n in range(2, len(hands) + 1)]
    assert told[-1] == Told(("score", *hands[-1]))


@pytest.mark.parametrize(("name", "options"), [("sedma", {}), ("sedma-many", {"rounds": "many", "score-to": 5})])
def test_a_whole_game_is_as_it_was_written_down(name, options):
    """Four bots play this game again to the letter, and its record is valid."""
    golden = (GOLDEN / f"{name}.record").read_text()
    assert record_of("sedma", ["sedma"] * 4, options=options) == golden
    assert judge(golden).valid
