"""What holds in every game of Dominion, whatever is played."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.protocol.dominion import COST, PILES, START, supply
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice, IllegalPlay, UnknownPlay
from croupier.server.games.world import world_of

NAMES = ("alice", "bob", "carol", "dave")

choices = st.lists(st.integers(0, 10**6), min_size=30, max_size=250)
seatings = st.sampled_from([(players, rules) for players in (2, 3, 4) for rules in ("official", "classic")])


def chosen(seating, seed, numbers):
    """Play as the numbers say; yield the game before every decision and at the end."""
    players, rules = seating
    game = Dominion(NAMES[:players], {"rules": rules, "turns": 12}, Dice(Random(seed)))
    for number in numbers:
        yield game
        if game.turn is None:
            return
        plays = list(islice(game.legal(), 500))
        game.play(game.turn, plays[number % len(plays)])
    yield game


@given(seatings, st.integers(0, 99), choices)
@settings(max_examples=40, deadline=None)
def test_cards_are_conserved(seating, seed, numbers):
    """No card is ever made or lost: sixty coppers, and all others as many as there were."""
    players = seating[0]
    whole = Counter(supply(players)) + Counter(START * players)
    for game in chosen(seating, seed, numbers):
        there = Counter(game.supply) + Counter(game.trash)
        for side in game.sides:
            piles = Counter([*side.deck, *side.hand, *side.plays, *side.discards])
            assert piles == +Counter(side.owns)
            there += piles
        assert there == whole
        assert there["copper"] == 60
        assert min(game.actions, game.buys, game.coins) >= 0


@given(seatings, st.integers(0, 99), choices)
@settings(max_examples=25, deadline=None)
def test_what_is_checked_is_what_is_listed(seating, seed, numbers):
    """Of all plays but a cellar's discards, check allows exactly the listed ones."""
    every = (
        [(word, card) for word in ("act", "add", "buy", "clean") for card in PILES]
        + [("act", "mine", old, new) for old in ("copper", "silver", "gold") for new in ("copper", "silver", "gold")]
        + [("act", "remodel", old, new) for old in PILES for new in PILES]
        + [("act", "workshop", new) for new in PILES]
        + [("clean",), ("moat",), ("discard",)]
    )
    for game in islice(chosen(seating, seed, numbers), 0, None, 7):
        if game.turn is None:
            return
        listed = set(game.legal())
        for play in every:
            try:
                game.check(game.turn, play)
            except IllegalPlay:
                assert play not in listed
            else:
                assert play in listed


@given(seatings, st.integers(0, 99), choices, st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_an_imagined_deal_keeps_what_everybody_saw(seating, seed, numbers, other):
    """Known discards stay discards, cards known to be held stay in the hand, and every pile keeps its size."""
    *_, game = chosen(seating, seed, numbers)
    imagined = world_of(game).determinize(0, Random(other)).game
    assert Counter(imagined.sides[0].deck) == Counter(game.sides[0].deck)
    assert imagined.sides[0].hand == game.sides[0].hand
    for before, after in zip(game.sides[1:], imagined.sides[1:], strict=True):
        assert [len(pile) for pile in (before.deck, before.hand, before.discards)] == [
            len(pile) for pile in (after.deck, after.hand, after.discards)
        ]
        assert Counter(after.seen) <= Counter(after.discards)
        assert Counter(after.held) <= Counter(after.hand)
        assert Counter([*after.deck, *after.hand, *after.discards, *after.plays]) == +Counter(after.owns)


NONSENSE = [
    *[(), ((),), (0,), ("pass",), ("moat", "moat"), ("add",), ("add", "estate"), ("clean", "copper", "estate")],
    *[("act",), ("act", "copper"), ("act", "market", "copper"), ("act", ("mine",)), ("act", "remodel", "copper")],
    *[("act", "mine", "copper"), ("act", "mine", "estate", "silver")],
    *[("act", "cellar", "queen"), ("act", "cellar", ("copper",)), ("discard", "queen"), ("discard", ("copper",))],
    *[("buy",), ("buy", 3), ("buy", "curse"), ("buy", "copper", "copper")],
]


@pytest.mark.parametrize("play", NONSENSE)
def test_nonsense_is_unknown(play):
    """What nobody may ever play is no play, at any seat and at any time."""
    game = Dominion(NAMES[:2], {}, Dice(Random(1)))
    for seat in (0, 1):
        with pytest.raises(UnknownPlay):
            game.check(seat, play)


def test_nobody_plays_out_of_turn():
    """A play that the seat on turn could make is illegal for another, and the reason names whose turn it is."""
    game = Dominion(NAMES[:2], {}, Dice(Random(1)))
    with pytest.raises(IllegalPlay, match="alice's turn"):
        game.check(1, ("buy", "copper"))


def test_a_gold_that_was_mined_stays_in_the_imagined_hand():
    """What a play told everybody is part of what a seat knows."""
    game = Dominion(NAMES[:2], {}, Dice(Random(1)))
    game.sides[0].hand[:2] = ["mine", "silver"]
    game.play(0, ("act", "mine", "silver", "gold"))
    for seed in range(20):
        assert "gold" in world_of(game).determinize(1, Random(seed)).game.sides[0].hand


def test_the_stand_in_chooses_evenly_among_all_that_a_cellar_may_discard():
    """Each legal play is as likely as any other, be it one of many of a Cellar."""
    game = Dominion(NAMES[:2], {}, Dice(Random(1)))
    game.sides[0].hand = ["cellar", "copper", "copper", "estate"]
    plays, rng = list(game.legal()), Random(1)
    drawn = Counter(game.sample(rng) for _ in range(200 * len(plays)))
    assert set(drawn) == set(plays)
    assert min(drawn.values()) > 140
    assert max(drawn.values()) < 260


def test_seats_meet_the_same_luck_whoever_sits_there():
    """Shuffles are keyed by seat, deal and label, so equal decks come in equal orders."""
    one = Dominion(("alice", "bob"), {}, Key.from_seed("x").deal(4))
    other = Dominion(("bob", "alice"), {}, Key.from_seed("x").deal(4))
    assert [side.hand for side in one.sides] == [side.hand for side in other.sides]
    assert [side.hand for side in one.sides] != [
        side.hand for side in Dominion(NAMES[:2], {}, Key.from_seed("x").deal(5)).sides
    ]


def test_every_card_has_a_cost_and_a_pile():
    """The tables of facts speak of the same sixteen cards."""
    assert set(COST) == set(PILES)
    assert len(PILES) == 16
