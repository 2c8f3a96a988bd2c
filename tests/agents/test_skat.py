"""Skat's players: a bot of a few lines plays whole games, and the club player bids what it can play."""

from itertools import combinations
from random import Random

import pytest
from tests.support.skat_table import NULL, THREE, begin, declared, fore_plays, say

from croupier.agents.driver import respond
from croupier.agents.skat import SkatAgent, SkatClub, longest, weakest_two
from croupier.agents.skat_cards import Cards, Order
from croupier.agents.skat_hand import danger, least_danger
from croupier.agents.skat_play import defend, drive_home
from croupier.protocol.cards import bits
from croupier.protocol.notifications import Request
from croupier.protocol.skat import PACK
from croupier.protocol.views.skat import SkatSight
from croupier.server.games.game import Dice
from croupier.server.games.skat.game import Skat


class Bold(SkatAgent):
    """Bids to 20 with the old one."""

    def bidUpTo(self, state):
        """Look for the jack of clubs only."""
        return 20 if "cJ" in state.hand else 0


class Shy(SkatAgent):
    """Declines in every hook."""

    def tryBid(self, state):
        """Leave it to the next player."""

    trySkat = tryDeclare = tryContra = tryPlay = tryBid


def play(agents, rng, **options):
    """Play one game between agents."""
    game = Skat(THREE, {name.replace("_", "-"): value for name, value in options.items()}, Dice(rng))
    while game.turn is not None:
        chosen = respond(agents[game.turn], Request(game.view(game.turn)))
        game.check(game.turn, chosen)
        game.play(game.turn, chosen)
    return game


@pytest.mark.parametrize("kind", [SkatAgent, Bold, Shy, SkatClub])
@pytest.mark.parametrize(
    "options", [{}, {"contra": "yes", "all_pass": "ramsch"}, {"impossible_null": "lose", "scoring": "seeger-fabian"}]
)
def test_a_player_plays_legally_whatever_the_options(kind, options):
    """Whatever is dealt, its answers are legal plays."""
    rng = Random(5)
    for _ in range(25):
        play([kind(), kind(), kind()], rng, list=2, **options)


def test_a_first_bot_of_one_hook_bids_and_declares():
    """An agent that only overrides bidUpTo still bids, picks up, puts down, declares and plays."""
    rng = Random(1)
    games = [play([Bold(), Bold(), Bold()], rng) for _ in range(30)]
    played = [game for game in games if game.results[0]]
    assert len(played) > 20
    assert all(game.auction.value <= 20 for game in played)


def test_nobody_bids_without_reason():
    """Where every hook declines, the auction is passed."""
    assert play([Shy(), Shy(), Shy()], Random(2)).results == [None]


def test_the_club_player_bids_what_it_can_play():
    """Under a fifth are passed in, two thirds are won, hardly any overbid."""
    rng = Random(3)
    club = [SkatClub() for _ in THREE]
    results = [play(club, rng).results[0] for _ in range(150)]
    played = [result for result in results if result]
    assert len(played) > 0.8 * len(results)
    assert sum(result.won for result in played) > 0.7 * len(played)
    assert sum(result.overbid for result in played) < 0.02 * len(played)


def choice_of(game):
    """Return what the club player does on turn."""
    return respond(SkatClub(), Request(game.view(game.turn)))


GRAND = "cJ sJ hJ dJ cA cT sA sT hA d7"
LONG_CLUBS = "cJ hJ cA cT cK cQ c9 sA hA d7"


@pytest.mark.parametrize(
    ("hand", "declaration"),
    [
        (GRAND, "declare grand"),
        ("cJ sJ hJ dJ cA cT sA sT hA hT", "declare grand schneider"),
        (NULL, "declare null ouvert"),
        (LONG_CLUBS, "declare clubs"),
    ],
    ids=["four jacks and three aces", "every trick", "a null without danger", "seven trumps and two aces"],
)
def test_the_club_player_leaves_the_skat_if_the_hand_is_good_enough(hand, declaration):
    """Schneider is announced where hardly anything can be lost, and a Null that cannot be lost is played ouvert."""
    game = begin(hand)
    fore_plays(game)
    assert choice_of(game) == ("hand",)
    say(game, "hand")
    assert " ".join(choice_of(game)) == declaration


def test_the_club_player_picks_up_a_skat_that_it_needs():
    """Six trumps, an ace and losers."""
    game = begin("cJ hJ cT cK c9 c8 sA hK h8 d7")
    fore_plays(game)
    assert choice_of(game) == ("pick-up",)


def test_the_club_player_bids_on_what_a_hand_game_is_worth():
    """With one jack spades are worth 22, from the hand 33; at 33 it has to leave the skat."""
    game = begin("cJ sA sT sK sQ s9 s8 s7 dA h7")
    assert SkatClub().bidUpTo(game.view(0)) == 33
    fore_plays(game, at=33)
    assert choice_of(game) == ("hand",)


def test_the_club_player_bids_on_a_null_that_the_skat_need_not_save():
    """The king of clubs is two ranks too high if the diamonds go."""
    assert SkatClub().bidUpTo(begin("c7 c9 cK s7 s9 h7 h8 hT dQ dJ").view(0)) == 23


@pytest.mark.parametrize(
    ("cards", "game"),
    [("sJ hJ dJ cK c9 c7 sA sT hT hK hQ h7", "hearts"), ("cJ sJ hJ cK c9 c8 sT sK sQ s7 dA d8", "spades")],
)
def test_the_club_player_plays_a_sure_suit_and_no_doubtful_grand(cards, game):
    """With one ace a Grand needs luck; seven trumps do not."""
    hand, skat = cards[:29], cards[30:]
    table = declared("pick-up", piles=(hand, "", "", skat))
    assert choice_of(table)[1] == game


def test_the_club_player_beats_players_that_bid_on_five_trumps():
    """In the same deals, sitting once in each seat, it brings more than those around it."""
    totals = [0, 0, 0]
    for number in range(120):
        deal, seat = divmod(number, 3)
        agents = [SkatAgent(), SkatAgent(), SkatAgent()]
        agents[seat] = SkatClub()
        scores = play(agents, Random(deal)).scores()
        totals = [before + scores[(seat + place) % 3] for place, before in enumerate(totals)]
    assert totals[0] > max(totals[1:])


@pytest.mark.parametrize(
    ("cards", "game"),
    [("cJ c7 c8 h7 hA d7 s9", "clubs"), ("sJ h7 h8 cA cT d7 s9", "hearts"), ("dJ d7 d8 d9 cA", "diamonds")],
)
def test_the_longest_suit_is_played(cards, game):
    """Trumps are counted; of equals the suit is trump that has fewer points, so that aces and tens stay outside."""
    assert longest(cards.split()) == game


def test_short_suits_go_first():
    """A bare ten is put down before anything, an ace last."""
    assert weakest_two("clubs", ["cJ", "sJ", "cA", "cT", "c9", "c7", "sT", "hA", "hK", "h9", "d8", "d7"])[0] == "sT"
    assert len(weakest_two("clubs", ["cJ", "sJ", "hJ", "dJ", "cA", "cT", "cK", "cQ", "c9", "c8", "c7", "sA"])) == 2


def test_danger_of_a_null():
    """Every second rank from the seven cannot take a trick; what stands above is danger."""
    assert danger(bits(["c7", "c9", "cJ", "s7", "s8", "h7", "d7", "d9", "dJ", "dK"])) == 0
    assert danger(bits(["c8"])) == 1
    assert danger(bits(["cA"])) == 7


def test_the_least_danger_is_that_without_the_best_pair():
    """What is looked up suit by suit is the least of what is left by putting each pair down."""
    rng = Random(4)
    for _ in range(100):
        hand = rng.sample(PACK, 10)
        left = [danger(bits([card for card in hand if card not in pair])) for pair in combinations(hand, 2)]
        assert least_danger(bits(hand)) == min(left)


def test_an_order_knows_what_beats_what():
    """Trumps beat plain suits, a suit not led beats nothing."""
    order = Order("hearts")
    assert order.best(("sA", "h7", "dJ")) == 2
    assert order.best(("sA", "cA", "dA")) == 0
    assert Order("null").best(("sT", "sJ", "hA")) == 1


def test_a_base_player_knows_suits_and_strengths():
    """The hooks that ask for a suit or a strength are answered by the contract."""
    game = begin("hJ h7 sA", "dJ", "cJ")
    fore_plays(game)
    say(game, "hand", "declare hearts", "play sA")
    state = game.view(game.turn)
    agent = SkatAgent()
    assert agent.suit("dJ", state) == "trump"
    assert agent.strength("cJ", state) > agent.strength("hA", state)
    assert agent.best(state) == "sA"


def play_of(game, hand, trick="", *, declarer="bob", before=(), may=""):
    """Return the card that ann plays to a trick, after the tricks ``before``; bob and carl sit after her."""
    led = trick.split()
    tricks = [*before, *([(("ann", "carl", "bob")[len(led)], led)] if led else [])]
    seen = {*hand.split(), *[card for _, cards in tricks for card in cards]}
    out = [card for card in PACK if card not in seen]
    who = ("ann", declarer)
    sight = SkatSight(game, who, ("ann", "bob", "carl"), hand.split(), (may or hand).split(), out, tricks)
    return (drive_home if declarer == "ann" else defend)(Cards(sight))


@pytest.mark.parametrize(
    ("hand", "trick", "may", "card"),
    [
        ("dJ cQ sA s7 h8", "cJ", "dJ cQ", "cQ"),
        ("dJ s7 sK h8 h9", "c7 cA", "dJ", "dJ"),
        ("dJ sT s7 h8 h9", "d8 d7", "", "s7"),
        ("dJ sT s7 h8 h9", "dA dT", "", "dJ"),
        ("cA cQ s7 h8 h9", "c7", "cA cQ", "cA"),
    ],
    ids=[
        "no jack under a higher one", "a jack that must be played", "no jack for an empty trick",
        "a jack for a good trick", "points in a trick that is the own side's",
    ],
)  # fmt: skip
def test_a_defender_spends_no_jack_for_nothing(hand, trick, may, card):
    """At clubs, the declarer leading, or sitting before the one who leads."""
    declarer = "bob" if len(trick.split()) == 2 else "carl"
    assert play_of("clubs", hand, trick, declarer=declarer, may=may) == card


def test_a_defender_gives_points_where_the_partner_probably_takes_the_trick():
    """The partner comes last; once he has shown that he has neither the suit nor a trump, nothing is given."""
    no_heart, no_trump = ("carl", ["h8", "h7", "dK"]), ("carl", ["c7", "c8", "s9"])
    where = {"trick": "hK", "may": "sT s7", "declarer": "carl"}
    assert play_of("clubs", "sT s7", **where) == "sT"
    assert play_of("clubs", "sT s7", **where, before=[no_heart, no_trump]) == "s7"


def test_a_defender_leads_no_ace_into_a_suit_that_the_declarer_trumps():
    """Once the declarer has shown that he lacks the suit; before that the ace is led."""
    assert play_of("clubs", "hA h8 s7 d8") == "hA"
    assert play_of("clubs", "hA h8 s7 d8", before=[("ann", ["h7", "c7", "hK"])]) != "hA"


def test_a_declarer_trumps_no_poor_trick():
    """As the last player: a jack is for ten points."""
    assert play_of("clubs", "cJ d7 s8", "h7 hQ", declarer="ann") == "d7"
    assert play_of("clubs", "cJ d7 s8", "hT hQ", declarer="ann") == "cJ"
