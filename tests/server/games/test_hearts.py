"""Hearts: every rule and every option, by the words of the rule."""

from pathlib import Path
from random import Random

import pytest
from tests.support.games import record_of
from tests.support.hearts_table import CLUBS, HEARTS, begin, legal, refused
from tests.support.trick_table import NAMES, Stacked, play

from croupier.protocol.cards import PACK_52
from croupier.server.deals import Key
from croupier.server.games.game import BadOption, Dice, Label, Told, UnknownPlay
from croupier.server.games.hearts import Hearts
from croupier.server.games.hearts.cards import PACK
from croupier.server.games.world import world_of

GOLDEN = Path(__file__).parents[2] / "golden"


def finish(game, choose=max):
    """Play to the end, the greatest card first; return the last news."""
    while game.turn is not None:
        news = game.play(game.turn, choose(game.legal(), key=lambda play: PACK_52.index(play[-1])))
    return news


# The deal


def test_each_player_gets_a_block_of_thirteen_in_the_order_listed(key):
    """The first thirteen cards of the shuffle are the first player's, in every hand of a game."""
    cards = key.deal(1).shuffle(Label("deal"), PACK_52)
    game = Hearts(NAMES, {}, key.deal(1))
    assert [set(game.view(seat).hand) for seat in range(4)] == [set(cards[13 * n : 13 * n + 13]) for n in range(4)]


def test_hearts_is_for_four():
    """Three players cannot sit down."""
    with pytest.raises(BadOption):
        Hearts(NAMES[:3], {}, Dice(Random(1)))


# Leading


def test_the_two_of_clubs_leads():
    """The player who holds the two of clubs leads with it, and with nothing else."""
    game = begin("d2", "c2 cA")
    assert (game.turn, legal(game)) == (1, "c2")
    assert refused(game, 1, "play", "cA") == "the two of clubs leads to the first trick"


def test_lead_first_lets_the_first_player_lead_anything():
    """With lead=first the first player leads any card, and the next hand is the second player's lead."""
    game = begin(CLUBS, lead="first", score_to=100)
    assert (game.turn, legal(game)) == (0, CLUBS)
    finish(game.copy())
    while game.number == 1:
        game.play(game.turn, game.legal()[0])
    assert game.turn == 1


def test_the_winner_of_a_trick_leads_the_next():
    """The highest card of the suit led wins, whatever else falls."""
    game = begin("c2", "cT", "cJ", HEARTS.replace("h2", "dA"))
    play(game, "c2 cT cJ dA")
    assert (game.turn, game.leader, game.tricks) == (2, 2, [(0, ("c2", "cT", "cJ", "dA"))])


def test_suit_must_be_followed():
    """A player who has the suit led plays it."""
    game = begin("c2", "c3 d3 h3")
    play(game, "c2")
    assert all(card[0] == "c" for card in legal(game).split())
    assert refused(game, 1, "play", "d3") == "c2 was led and the hand can follow suit, which d3 does not"


def test_whoever_cannot_follow_plays_anything_after_the_first_trick():
    """A void player may discard the queen of spades."""
    game = begin(CLUBS.replace("cA", "s2"), "cA d2", "d4 sQ h2 h3 h4 h5 h6 h7 h8 h9 hT hJ hQ")
    play(game, "c2 cA d4")
    play(game, legal(game).split()[0])
    play(game, "d2")
    assert legal(game) == "h2 h3 h4 h5 h6 h7 h8 h9 hT hJ hQ sQ"


# Points on the first trick


def test_no_points_fall_on_the_first_trick():
    """A player who is void in clubs keeps hearts and the queen of spades back while he has anything else."""
    game = begin(CLUBS, "h2 h3 sQ d2 s2")
    play(game, "c2")
    assert not {"h2", "h3", "sQ"} & set(legal(game).split())
    assert refused(game, 1, "play", "sQ") == "sQ is a point, and none may fall on the first trick"


@pytest.mark.parametrize("hand", [HEARTS, HEARTS.replace("h2 ", "") + " sQ"])
def test_points_fall_on_the_first_trick_if_there_is_nothing_else(hand):
    """A hand of nothing but points plays one of them on the first trick."""
    game = begin(CLUBS, hand)
    play(game, "c2")
    assert legal(game) == hand


def test_the_jack_of_diamonds_is_no_point_card():
    """The jack of diamonds may fall on the first trick, even where it takes ten off."""
    game = begin(CLUBS, "dJ h2 h3 h4", jack=10)
    play(game, "c2")
    assert "dJ" in legal(game)


def test_a_free_first_trick_takes_anything():
    """With first-trick=free points may fall at once."""
    game = begin(CLUBS, "h2 h3 sQ", first_trick="free")
    play(game, "c2")
    assert {"h2", "h3", "sQ"} <= set(legal(game).split())


def test_a_safe_first_trick_binds_its_leader_too():
    """With lead=first nobody begins the first trick with a point while he has anything else."""
    game = begin("sQ h2 d2", lead="first", **{"break": "no"})
    assert not {"sQ", "h2"} & set(legal(game).split())


# Breaking hearts


def test_hearts_are_not_led_before_they_are_broken():
    """The leader keeps to other suits."""
    game = begin("cA h2", first_trick="free", lead="first")
    assert "h2" not in legal(game)
    assert refused(game, 0, "play", "h2") == "hearts are not broken"


def test_hearts_are_led_unbroken_from_a_hand_of_hearts():
    """A player with only hearts leads one."""
    assert legal(begin(HEARTS, lead="first")) == HEARTS


def test_the_queen_of_spades_is_no_heart():
    """From hearts and the queen of spades the queen is led."""
    assert legal(begin(HEARTS.replace("h2 ", "") + " sQ", lead="first")) == "sQ"


def test_any_heart_played_breaks_hearts():
    """After a discarded heart, hearts may be led, and everybody is told so."""
    game = begin("c2 h2", HEARTS.replace("h2", "d2"), first_trick="free")
    assert not game.view(3).broken
    play(game, "c2 h3")
    assert game.view(3).broken


def test_the_queen_of_spades_does_not_break_hearts():
    """Unless queen-breaks=yes."""
    for option, broken in (("no", False), ("yes", True)):
        game = begin("c2 h2", HEARTS.replace("h2", "sQ"), first_trick="free", queen_breaks=option)
        play(game, "c2 sQ")
        assert game.view(0).broken is broken


def test_without_breaking_hearts_are_led_at_any_time():
    """With break=no the leader may begin with a heart."""
    game = begin("cA h2", first_trick="free", lead="first", **{"break": "no"})
    assert "h2" in legal(game)


# The score


def moon(**options):
    """Let alice, who holds all hearts and wins everything, take every trick."""
    game = begin("cA cK cQ cJ dA dK hA hK hQ sA sK sQ sJ", lead="first", first_trick="free", **options)
    while game.turn is not None:
        led = game.trick[0][0] if game.trick else None
        plays = [play[1] for play in game.legal()]
        follow = [card for card in plays if card[0] == led]
        rank = "23456789TJQKA".index
        card = (
            max(follow or plays, key=lambda c: rank(c[1]))
            if game.turn == 0
            else min(follow or plays, key=lambda c: (c[0] != "h", rank(c[1])))
        )
        news = game.play(game.turn, ("play", card))
    return game, news


def test_each_heart_counts_one_and_the_queen_thirteen(key):
    """A hand is worth 26 points in all."""
    for number in range(20):
        game = Hearts(NAMES, {"pass": "none"}, key.deal(number))
        while game.turn is not None:
            assert sum(game.scores()) == sum(game.taken)
            game.play(game.turn, game.legal()[0])
        assert sum(game.scores()) in {26, 78}
        assert sum(game.taken) == 26


def test_the_moon_gives_the_others_26():
    """A player who takes all 26 points has none, and the others have 26 each."""
    game, news = moon()
    assert game.scores() == (0, 26, 26, 26)
    assert news[0] == Told(("score", ("alice", 0), ("bob", 26), ("carol", 26), ("dave", 26)))


def test_the_moon_may_take_26_from_the_shooter():
    """With moon=shooter-down a player who takes all 26 points has 26 less, and the others none."""
    assert moon(moon="shooter-down")[0].scores() == (-26, 0, 0, 0)


def test_the_jack_of_diamonds_takes_ten_off():
    """With jack=10 the player who takes the jack of diamonds has ten less, moon or not."""
    game = Hearts(NAMES, {"pass": "none", "jack": 10}, Dice(Random(2)))
    while game.turn is not None:
        game.play(game.turn, game.legal()[0])
    winner = next(game.around[leader][game.table.winner(cards)] for leader, cards in game.tricks if "dJ" in cards)
    assert 26 not in game.taken
    assert game.scores()[winner] == game.taken[winner] - 10
    game, _ = moon(jack=10)
    assert sum(game.scores()) == 78 - 10


def test_low_wins_and_ties_share():
    """The fewest points rank first."""
    game = begin()
    assert game.ranks((3, 13, 3, 7)) == (1, 4, 1, 3)


def test_hands_are_played_until_somebody_has_the_points():
    """Each hand is announced and scored; the tally is what was before; the game ends at the limit."""
    deal = Stacked(NAMES, (13,) * 4, ())
    game = Hearts(NAMES, {"score-to": 50}, deal)
    said = []
    while game.turn is not None:
        if not game.tricks:
            assert tuple(game.view(2).tally.values()) == game.tally[2:] + game.tally[:2]
            assert max(game.tally) < 50
        said += game.play(game.turn, game.legal()[0])
    words = [news.play[0] for news in said]
    assert words == ["score", "deal"] * (game.number - 1) + ["score"]
    assert [news.play[1] for news in said if news.play[0] == "deal"] == list(range(2, game.number + 1))
    assert max(game.scores()) >= 50
    assert deal.labels == ["deal", *[("deal", number) for number in range(2, game.number + 1)]]
    total = [sum(dict(news.play[1:])[name] for news in said if news.play[0] == "score") for name in NAMES]
    assert tuple(total) == game.scores()


def test_a_penalty_is_no_better_than_any_score():
    """Taking all points of a last hand, one short of losing, is the worst that reasonably happens."""
    assert begin().penalty() == 26
    assert begin(score_to=100).penalty() == 99 + 26
    assert begin().award() == 0


# What is refused


@pytest.mark.parametrize(
    "said",
    [
        (),
        ("play",),
        ("play", "x9"),
        ("play", ("c2",)),
        ("play", 7),
        ("give",),
        ("give", "c2", "c3"),
        ("give", "c2", "c2", "c3"),
        ("give", "c2", ("c3",), 4),
        ("pass",),
        (("play",), "c2"),
    ],
)
def test_what_is_no_play_of_hearts(said):
    """Anything but (play C) and (give C C C) is unknown at any time."""
    for passing in ("none", "left"):
        with pytest.raises(UnknownPlay):
            begin(**{"pass": passing}).check(0, said)


def test_reasons_are_given():
    """A card that is not in the hand, playing out of turn, giving when nothing is given."""
    game = begin(CLUBS, "d2")
    assert refused(game, 0, "play", "d2") == "d2 is not in the hand"
    assert refused(game, 1, "play", "d2") == "it is alice's turn"
    assert refused(game, 0, "give", "c2", "c3", "c4") == "no cards are given away now"
    finish(game)
    assert refused(game, 0, "play", "d2") == "the game is over"
    assert refused(begin(CLUBS, **{"pass": "left"}), 0, "give", "c2", "c3", "d4") == "d4 is not in the hand"


def test_the_seeds_variant_stands_for_four_options():
    """variant=seed: no passing, the first player leads, points on the first trick, the moon is the shooter's."""
    options = Hearts.read_options({"variant": "seed", "moon": "others-up"})
    assert (options["pass"], options["lead"], options["first-trick"], options["moon"]) == (
        "none",
        "first",
        "free",
        "others-up",
    )


# What is known of other hands


def rules_of_the_past(game):
    """Play the hand of a determinized game again from its beginning: every card must have been legal."""
    past = game.copy()
    played = game.cards_in_order()
    for seat, card in played:
        past.hands[seat] += PACK.units[card]
    past.tricks, past.trick, past.taken, past.broken, past.jack_taker = [], [], [0] * 4, False, None
    past.target = 0
    past.open()
    for seat, card in played:
        past.check(seat, ("play", card))
        past.play(seat, ("play", card))


@pytest.mark.parametrize("options", [{}, {"variant": "seed"}, {"pass": "none", "break": "no"}, {"lead": "first"}])
def test_what_is_dealt_again_could_have_been_played_so(options):
    """Every imagined deal explains every card played: suits not followed, forced hearts, forced points."""
    for seed in range(25):
        rng = Random(seed)
        game = Hearts(NAMES, options, Key.from_seed("past").deal(seed))
        while game.turn is not None:
            game.play(game.turn, game.sample(rng))
            seat = rng.randrange(4)
            if game.phase == "play" and game.turn is not None:
                rules_of_the_past(world_of(game).determinize(seat, rng).game)


def test_a_heart_led_unbroken_tells_that_there_is_nothing_else():
    """A player who leads a heart before they are broken has only hearts."""
    game = begin(HEARTS, lead="first")
    play(game, "h5")
    assert all(card[0] == "h" for card in world_of(game).determinize(1, Random(1)).game.view(0).hand)


def test_a_whole_game_of_ducks():
    """Four ducks play this game, card for card, exactly as recorded."""
    assert record_of("hearts", ["duck"] * 4) == (GOLDEN / "hearts.record").read_text()


def test_a_whole_match_of_ducks():
    """Four ducks play this match by the seed's variant, hand after hand, exactly as recorded."""
    options = {"variant": "seed", "score-to": 50}
    assert record_of("hearts", ["duck"] * 4, options=options) == (GOLDEN / "hearts-match.record").read_text()


@pytest.mark.parametrize(
    ("hand", "trick", "others", "distinct"),
    [
        ("c3 c4 c6 c7", "", "c5 d2", "c3 c6"),
        ("c3 c4 c6 c7", "c5", "d2 d3", "c3 c6"),
        ("c3 c4 c6 c7", "", "d2 d3", "c3"),
        ("sJ sQ sK", "", "d2 d3", "sJ sQ"),
        ("dT dJ dQ", "", "c2 c3", "dT dJ"),
        ("c3 d3 h3", "", "c9 d9", "c3 d3 h3"),
    ],
)
def test_cards_next_to_each_other_come_to_the_same(hand, trick, others, distinct):
    """None of the others' lies between, in their hands or on the table, and they count the same."""
    game = Hearts(NAMES, {"pass": "none", "jack": 10, "lead": "first"}, Key.from_seed("x").deal(1))
    game.hands = [PACK.hand(others.split()), PACK.hand(hand.split()), 0, 0]
    game.trick, game.turn = trick.split(), 1
    plays = [("play", card) for card in hand.split()]
    assert world_of(game).distinct(plays) == [("play", card) for card in distinct.split()]
    assert world_of(game).distinct(plays[::-1])[0] == plays[-1]  # the first of those that are listed
