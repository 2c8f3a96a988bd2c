"""Moons: hands of Hearts in numbers follow the rules, and their players shoot the moon and stop others."""

import json
from random import Random

import pytest
from needs import NUMBA
from plain import without_numba
from tests.support.hearts_table import begin as stacked
from tests.support.trick_table import play

from croupier.agents import hearts_moons as moons
from croupier.agents.bundled import make
from croupier.agents.driver import decide
from croupier.agents.hearts_playout import DUCK, SHOOTER, HeartsPlayout
from croupier.agents.search.compiled import COMPILED
from croupier.agents.search.playout import ask
from croupier.protocol.cards import PACK_52, bits
from croupier.protocol.hearts import DIVIDED, NOBODY, OpenHearts
from croupier.protocol.notifications import Request
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of

NAMES = ("me", "left", "across", "right")
ME, LEFT, ACROSS, RIGHT = range(4)
NUMBER = {card: number for number, card in enumerate(PACK_52)}
OPTIONS = [
    {},
    {"moon": "shooter-down", "jack": 10, "queen-breaks": "yes"},
    {"break": "no", "first-trick": "free"},
    {"lead": "first", "pass": "none"},
]


def begin(options, seed):
    """Deal a hand, and give random cards away."""
    rng = Random(f"moons {seed}")
    game = games.find("hearts")(NAMES, options, Dice(rng))
    while game.phase == "give":
        game.play(game.turn, game.sample(rng))
    return game, rng


def facts(hand, game):
    """Return a record without what nobody reads: the cards of a finished trick, the jack where it has no worth."""
    read = [*range(moons.TRICK + hand[moons.PLACE]), *range(moons.PLACE, moons.JACK_TAKER + (game.jack > 0))]
    return [int(hand[field]) for field in read]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_rules_are_those_of_the_game(options):
    """Card by card, what may be played and what a trick changes is the same."""
    for seed in range(30):
        game, rng = begin(options, seed)
        hand = moons.record(world_of(game).open_hearts(), 0)
        while game.turn is not None:
            assert facts(moons.record(world_of(game).open_hearts(), 0), game) == facts(hand, game)
            assert moons.playable(hand, game.turn) == game.playable(game.turn)
            card = game.sample(rng)
            moons.lay(hand, game.turn, NUMBER[card[1]])
            game.play(game.turn, card)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_hand_is_scored_by_the_rules(options):
    """Played out in numbers, it has the scores of the game in which the same cards are played."""
    for seed in range(30):
        game, _ = begin(options, seed)
        world, shooter = world_of(game.copy()), seed % 5 - 1
        hand = moons.record(world.open_hearts(), 0)
        moons.play_out(hand, shooter, 0)
        world.settle(*moons.result(hand))
        while game.turn is not None:
            now = moons.record(world_of(game).open_hearts(), 0)
            card = moons.choose(now, game.turn, moons.playable(now, game.turn), shooter)
            game.play(game.turn, ("play", PACK_52[card]))
        assert (world.game.turn, world.game.scores()) == (None, game.scores())


def ends():
    """Return how some hands end, with random cards and without."""
    found = []
    for seed in range(20):
        hand = moons.record(world_of(begin({}, seed)[0]).open_hearts(), seed)
        moons.play_out(hand, seed % 5 - 1, 100 * (seed % 3))
        found.append(moons.result(hand))
    return [[taken, jack] for taken, jack in found]


@NUMBA
def test_without_numba_the_same_is_played():
    """One source: a process in which numba compiles nothing ends the same hands alike."""
    assert COMPILED
    assert without_numba(__file__) == [False, ends()]


def test_without_a_moon_in_sight_they_play_like_duck():
    """Of the cards of random games nearly all: a lead whose risk is hardly another's may be the other one."""
    alike, differ = 0, []
    for seed in range(60):
        game, rng = begin({}, seed)
        while game.turn is not None:
            now, world = moons.record(world_of(game).open_hearts(), 0), world_of(game)
            if moons.find_shooter(now, NOBODY) == NOBODY and not game.view(game.turn).sight.sweeping:
                mine = moons.choose(now, game.turn, moons.playable(now, game.turn), NOBODY)
                if ask(DUCK, world) == ("play", PACK_52[mine]):
                    alike += 1
                else:
                    differ.append(len(game.trick))
            game.play(game.turn, game.sample(rng))
    assert alike > 2000
    assert len(differ) < alike / 500
    assert not any(differ)


def test_each_card_is_as_random_as_another():
    """Among several cards all come up, and no others."""
    hand, cards = moons.record(table({}), 1), ["c2", "dA", "h7", "s2", "sA"]
    assert {PACK_52[moons.random_card(hand, bits(cards))] for _ in range(200)} == set(cards)


def table(hands, trick="", leader=ME, sweeper=NOBODY, points=0):
    """Return a hand after the first trick, with hearts broken."""
    return OpenHearts(
        hands=[bits(hands.get(seat, "").split()) for seat in range(4)],
        taken=[points * (seat == sweeper) for seat in range(4)],
        trick=[NUMBER[card] for card in trick.split()],
        leader=leader,
        sweeper=sweeper,
        broken=True,
        opening=False,
        bars=True,
        queen_breaks=False,
        safe=True,
        two_leads=True,
        jack_taker=NOBODY,
    )


def chosen(seat, hand, shooter=NOBODY):
    """Return the card that a seat plays."""
    record = moons.record(hand, 0)
    return PACK_52[moons.choose(record, seat, moons.playable(record, seat), shooter)]


@pytest.mark.parametrize(
    ("mine", "trick", "shot", "otherwise"),
    [
        ("c2 dA dK d3", "", "dA", "c2"),  # it leads its winners
        ("c2 d3 dA", "d5 d6 h2", "dA", "d3"),  # it takes points
        ("d3 d9 dA", "d5 d6 h2", "d9", "d3"),  # last, with as little as it needs
        ("d3 dA", "d5", "dA", "d3"),  # it takes what nobody can take from it
        ("d3 dK", "d5", "d3", "d3"),  # but waits while the ace is out
        ("c2 hA s9", "d5 d6 d8", "c2", "hA"),  # void, it spares a low card
    ],
)
def test_a_shooter_takes_what_others_duck(mine, trick, shot, otherwise):
    """The same hand is played in the opposite way by a seat that wants the moon."""
    rest = "cA c5 d4 d7 h3 h4 hK sA sK" + ("" if "dA" in mine else " dA")
    hand = table({ME: mine, LEFT: rest}, trick, -len(trick.split()) % 4)
    assert (chosen(ME, hand, ME), chosen(ME, hand)) == (shot, otherwise)


def test_who_cannot_get_all_points_any_more_shoots_no_longer():
    """Once another has a point, or takes one, it ducks and dumps as before."""
    hand = table({ME: "dA d3", LEFT: "dK d2"}, "d5 d6 h2", LEFT)
    assert chosen(ME, hand, ME) == "dA"
    for lost in (hand._replace(sweeper=DIVIDED), hand._replace(sweeper=LEFT)):
        assert chosen(ME, lost, ME) == "d3"
    assert chosen(ME, table({ME: "d3 d4", LEFT: "dK d2"}, "d5 d6 h2", LEFT), ME) == "d4"


@pytest.mark.parametrize(
    ("mine", "trick", "played"),
    [
        ("d3 dK", "dQ h2 d5", "dK"),  # last, it takes points from the sweeper
        ("d3 dK", "d5 dQ h2", "d3"),  # but not from another who has them
        ("c2 hK h3", "d5 d9 d8", "h3"),  # void, it gives a heart to another's trick
        ("c2 hK s3", "dQ h2 d5", "c2"),  # or keeps its hearts from the sweeper's
    ],
)
def test_a_sweeper_is_stopped(mine, trick, played):
    """A player who alone has points and few losers is not left the rest; one who has many is no danger."""
    hands = {ME: mine, LEFT: "cA cK cQ", ACROSS: "c3 d2 s2", RIGHT: "c4 d4 s5"}
    hand = table(hands, trick, LEFT, LEFT, 16)
    assert chosen(ME, hand) == played
    weak = table({**hands, LEFT: "s2 c3 d2", ACROSS: "cA cK cQ"}, trick, LEFT, LEFT, 16)
    assert chosen(ME, weak) == chosen(ME, hand._replace(sweeper=DIVIDED))


def test_search_begins_to_shoot_the_moon():
    """With eight sure tricks and a long suit it takes them, where a bot that ducks leads its lowest card."""
    game = stacked("cQ cA cK cJ c6 dA hA hK hQ hJ h8 sA sK", "c2", "c3", "c4")
    play(game, "c2 c3 c4 cQ")
    question = Request(game.view(0))
    assert decide(DUCK, question) == ("play", "c6")
    assert decide(make("search", ("--iterations", "300")), question) == ("play", "cA")


def test_search_keeps_the_card_that_stops_a_moon():
    """Under the king of hearts it plays the four and keeps the queen, which beats the jack; a duck does not."""
    game = stacked(
        "c3 c5 c9 cT cJ dJ dK h2 h4 hQ s2 s6 s7",
        "c4 cQ cK cA d6 dA dQ h8 hJ hK hA s8 sA",
        "c2 c6 dT d9 s5 h3 h6 hT",
        "c7 c8 d5 d7 s4 sQ h5 h9",
    )
    play(game, "c2 c8 c9 c4 dJ d6 dT d7 cT cQ c6 c7 s8 s5 s4 s7 dA d9 d5 dK cK hT sQ cJ hA h6 h5 h2 hK h3 h9")
    question = Request(game.view(0))
    assert decide(DUCK, question) == ("play", "hQ")
    assert decide(make("search", ("--iterations", "1000")), question) == ("play", "h4")


def test_the_shooter_gives_its_losers_away_and_is_tried_even_with_the_same_card():
    """What it gives are low cards, low hearts first; a plan is a line of its own; without hope there is none."""
    playout = HeartsPlayout()
    game = stacked("cA cK cQ c2 dA dK d2 hA hK hQ h2 sA sK", **{"pass": "left"})
    (_, one), (gift, other) = playout.proposals(world_of(game))
    assert (one, other) == (DUCK, SHOOTER)
    assert {"d2", "h2"} <= set(gift)
    assert not {"cA", "dA", "hA", "sA"} & set(gift)
    game = stacked("c2 cA cK cQ dA dK dQ hA hK hQ sA sK sQ")
    assert playout.proposals(world_of(game)) == [(("play", "c2"), DUCK), (("play", "c2"), SHOOTER)]
    game = stacked("c2 c3 c4 d2 d3 d4 h2 h3 h4 s2 s3 s4 s5")
    assert playout.proposals(world_of(game)) == [(("play", "c2"), DUCK)]


if __name__ == "__main__":
    print(json.dumps([COMPILED, ends()]))
