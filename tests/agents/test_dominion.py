"""Dominion's building blocks, and the strategies made of them."""

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.agents.bundled import SEARCH, make, names
from croupier.agents.dominion import (
    BigMoney,
    DominionAgent,
    Miner,
    Smithy,
    always,
    buy_first,
    buy_priority,
    discard,
    discard_first,
    draw_probability,
    expected_draw_value,
    fewer_than,
    mine,
    play,
    rarer_than,
    when_provinces_below,
    while_provinces_last,
)
from croupier.agents.dominion_engine import VillageEngine
from croupier.agents.dominion_plan import Plan, lacking
from croupier.agents.dominion_rival import Rival
from croupier.agents.dominion_siege import Siege
from croupier.agents.driver import respond
from croupier.protocol.dominion import PILES, supply
from croupier.protocol.notifications import CLASSIC, NATIVE, Attacked, Request, read
from croupier.protocol.sexp import parse
from croupier.protocol.views.dominion import DominionView
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice

STRATEGIES = [name for name in names("dominion") if name != SEARCH]

ROOT = Path(__file__).parents[2]
START = {"copper": 7, "estate": 3}


def view(piles=None, **fields):
    """Return a turn at the game's beginning, except for what is given; cards are words in a row."""
    cards = {name: tuple(fields.pop(name, "").split()) for name in ("deck", "hand", "plays", "discards", "trash")}
    plain = {"phase": "action", "turn": 1, "actions": 1, "buys": 1, "coins": 0, "players": ("ann", "bob")}
    return DominionView(game="dominion", supply=supply(2) | (piles or {}), **plain | fields | cards)


def attacked(hand, **fields):
    """Return a Militia by another player, against a hand."""
    fields = {"phase": "defend", "actions": 0, "buys": 0} | fields
    return Attacked(("act", "militia"), "bob", view(hand=hand, **fields))


# The order of a turn


class Eager(DominionAgent):
    """Play smithies and buy silver."""

    tryAction = play("smithy")
    tryBuy = buy_first(("silver", always))


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (view(hand="copper smithy estate", coins=3), ("act", "smithy")),
        (view(hand="copper smithy estate", coins=3, actions=0), ("add", "copper")),
        (view(hand="estate smithy", coins=3, actions=0), ("buy", "silver")),
        (view(hand="estate smithy", coins=2, actions=0), ("clean", "estate")),
        (view(hand="estate smithy", coins=3, actions=0, buys=0), ("clean", "estate")),
        (view(hand="", coins=0, actions=0), ("clean",)),
    ],
)
def test_a_turn_is_actions_then_treasures_then_buys_then_cleaning_up(state, expected):
    """The chain asks each part in turn, and the turn ends when none has anything to do."""
    assert respond(Eager(), Request(state)) == expected


def test_an_agent_of_no_hooks_ends_its_turns():
    """As it stands the base plays treasures and cleans up; a tryPlay that passes cleans up too."""

    class Idle(DominionAgent):
        def tryPlay(self, state):
            return None

    assert respond(DominionAgent(), Request(view(hand="estate copper"))) == ("add", "copper")
    assert respond(DominionAgent(), Request(view(hand="estate"))) == ("clean", "estate")
    assert respond(Idle(), Request(view(hand="estate copper"))) == ("clean", "estate")


# Defending


def test_a_moat_in_hand_is_revealed():
    """A player with a moat need not discard."""
    assert respond(Eager(), attacked("copper moat estate gold silver")) == ("moat",)


def test_the_worst_cards_go_first():
    """Victory cards are discarded first, then what costs least, until three are left."""
    assert respond(Eager(), attacked("gold copper estate silver province")) == ("discard", "province", "estate")
    assert respond(Eager(), attacked("gold copper copper silver copper")) == ("discard", "copper", "copper")
    assert respond(Eager(), attacked("gold copper estate")) == ("discard",)


def test_an_agent_may_say_what_goes():
    """The hook discardTo is asked where no defense was found, with the number of cards to keep."""

    class Generous(DominionAgent):
        discardTo = discard_first("gold")

    assert respond(Generous(), attacked("copper silver gold smithy gold")) == ("discard", "gold", "gold")
    assert respond(Generous(), attacked("copper silver gold smithy mine")) == ("discard", "gold", "copper")


@given(st.lists(st.sampled_from(PILES), max_size=8), st.lists(st.sampled_from(PILES), max_size=6))
def test_discarding_keeps_exactly_as_many_as_asked(hand, priority):
    """Three cards are kept, or all where there are fewer, and what goes was in the hand."""
    going = discard(view(hand=" ".join(hand)), 3, priority)[1:]
    assert len(going) == max(0, len(hand) - 3)
    assert not Counter(going) - Counter(hand)


def test_a_smithy_is_worth_what_it_draws():
    """Smithy keeps it while its three cards are worth more than a silver, and lets it go before a copper else."""
    assert respond(Smithy(), attacked("silver smithy copper gold", deck="gold gold gold")) == ("discard", "copper")
    assert respond(Smithy(), attacked("silver smithy copper gold", deck="estate estate estate")) == (
        "discard",
        "smithy",
    )


# Counting


def test_the_probability_to_draw_is_a_cards_share():
    """One card in four is drawn one time in four; from nothing nothing is drawn."""
    assert draw_probability(("copper", "copper", "smithy", "estate"), "smithy") == 0.25
    assert draw_probability((), "smithy") == 0


def test_the_expected_value_counts_the_discards_that_a_short_deck_needs():
    """Three cards of a deck are three times its mean; what the deck lacks comes from the discards."""
    assert expected_draw_value(view(deck="gold estate"), 2) == 3
    assert expected_draw_value(view(deck="gold", discards="silver copper"), 3) == 3 + 2 * 1.5
    assert expected_draw_value(view(), 3) == 0


# Actions and buys


def test_a_mine_improves_the_dearest_treasure_it_can():
    """A silver becomes a gold, a copper a silver; without a treasure or a pile the mine stays in hand."""
    assert mine(None, view(hand="mine copper silver")) == ("act", "mine", "silver", "gold")
    assert mine(None, view(hand="mine copper gold")) == ("act", "mine", "copper", "silver")
    assert mine(None, view({"gold": 0}, hand="mine copper silver")) == ("act", "mine", "copper", "silver")
    assert mine(None, view({"gold": 0}, hand="mine silver")) is None
    assert mine(None, view(hand="mine estate gold")) is None
    assert mine(None, view(hand="mine silver", actions=0)) is None


def test_the_first_card_that_can_and_should_be_bought_is_bought():
    """Coins, a buy, the pile and the condition decide, in the order of the list."""
    hook = buy_first(("province", always), ("gold", while_provinces_last(5)), ("silver", fewer_than(2)))
    assert hook(None, view(coins=8)) == ("buy", "province")
    assert hook(None, view({"province": 0}, coins=8)) == ("buy", "silver")
    assert hook(None, view(coins=7)) == ("buy", "gold")
    assert hook(None, view({"gold": 0}, coins=7)) == ("buy", "silver")
    assert hook(None, view(coins=5, deck="silver", plays="silver")) is None
    assert hook(None, view(coins=8, buys=0)) is None
    assert buy_priority(rarer_than(0.5), "silver", "estate")(None, view(coins=3, hand="silver")) == ("buy", "estate")


def test_conditions_look_at_the_provinces_and_ones_own_cards():
    """Provinces count as what is left; a card's share is that of all one's cards, wherever they are."""
    assert when_provinces_below(9)(view(), "duchy")
    assert not when_provinces_below(8)(view(), "duchy")
    assert while_provinces_last(8)(view(), "gold")
    assert not while_provinces_last(9)(view(), "gold")
    assert not rarer_than(0.25)(view(hand="smithy", deck="copper", plays="copper", discards="copper"), "smithy")
    assert rarer_than(0.26)(view(hand="smithy", deck="copper", plays="copper", discards="copper"), "smithy")


@pytest.mark.parametrize(
    ("bot", "coins", "left", "owned", "bought"),
    [
        (Smithy, 8, 1, START, "province"),
        (Smithy, 7, 5, START, "gold"),
        (Smithy, 7, 4, START, "smithy"),
        (Smithy, 4, 8, START, "smithy"),
        (Smithy, 4, 8, START | {"smithy": 1}, "silver"),
        (Smithy, 4, 8, {"copper": 20, "smithy": 1}, "smithy"),
        (Smithy, 4, 8, {"copper": 19, "smithy": 1}, "silver"),
        (Smithy, 5, 5, {"copper": 19, "smithy": 1}, "duchy"),
        (Smithy, 3, 4, START, None),
        (Smithy, 3, 3, START, "estate"),
        (BigMoney, 6, 8, START, "gold"),
        (BigMoney, 6, 4, START, "duchy"),
        (BigMoney, 2, 8, START, None),
        (Miner, 5, 8, START, "mine"),
        (Miner, 4, 8, START, "militia"),
        (Miner, 4, 8, START | {"militia": 1}, "smithy"),
        (Miner, 3, 8, START, "village"),
        (Siege, 8, 8, START | {"gold": 1}, "gold"),
        (Siege, 8, 8, START | {"gold": 2}, "province"),
        (Siege, 6, 6, START, "gold"),
        (Siege, 6, 5, START, "duchy"),
        (Siege, 5, 8, START, "militia"),
        (Siege, 5, 8, START | {"militia": 1}, "market"),
        (Siege, 4, 8, START | {"militia": 1}, "militia"),
        (Siege, 4, 8, START | {"militia": 2}, "silver"),
        (Siege, 3, 3, START, "silver"),
        (Siege, 3, 2, START, "estate"),
        (Siege, 2, 4, START, "estate"),
        (Siege, 2, 5, START, None),
        (VillageEngine, 5, 8, START, "remodel"),
        (VillageEngine, 5, 8, START | {"remodel": 1, "village": 6}, "village"),
        (VillageEngine, 5, 8, START | {"remodel": 1, "village": 7}, "market"),
    ],
)
def test_what_a_strategy_buys(bot, coins, left, owned, bought):
    """The rules of each strategy, at the edge of their conditions."""
    deck = " ".join(card for card, number in owned.items() for _ in range(number))
    state = view({"province": left}, coins=coins, actions=0, deck=deck)
    assert respond(bot(), Request(state)) == (("buy", bought) if bought else ("clean",))


# Plan


class Gardener(Plan):
    """Want silver, then a gold and a market, then estates."""

    early: ClassVar = {"silver": 1}
    midway: ClassVar = {"silver": 2, "gold": 1, "market": 1, "remodel": 1}
    late: ClassVar = {"estate": 8, "province": 1}


@pytest.mark.parametrize(
    ("piles", "coins", "deck", "card"),
    [
        ({}, 3, "copper", "silver"),
        ({}, 4, "copper", "silver"),
        ({}, 6, "copper", "gold"),
        ({}, 2, "copper", None),
        ({}, 5, "silver", "market"),
        ({}, 5, "silver market", "remodel"),
        ({"province": 4}, 5, "copper", "estate"),
        ({"moat": 0, "mine": 0}, 8, "copper", "province"),
    ],
)
def test_a_plan_buys_what_its_deck_of_the_moment_lacks(piles, coins, deck, card):
    """Early until that deck is complete, late when the end is near, midway between; the dearest card first."""
    state = view(piles, coins=coins, actions=0, deck=deck)
    assert respond(Gardener(), Request(state)) == (("buy", card) if card else ("clean",))


def test_a_plan_plays_its_actions_towards_its_deck():
    """Remodel and workshop make what is lacking, of what is not; a cellar changes idle cards."""
    assert respond(Gardener(), Request(view(hand="remodel estate silver copper"))) == (
        "act", "remodel", "estate", "silver",
    )  # fmt: skip
    assert respond(Gardener(), Request(view(hand="workshop estate", deck="silver"))) == ("act", "workshop", "remodel")
    assert respond(Gardener(), Request(view(hand="cellar estate copper province"))) == (
        "act", "cellar", "estate", "province",
    )  # fmt: skip


def test_a_deck_lacks_nothing_that_is_out_of_supply():
    """An empty pile is nothing to wait for."""
    assert lacking({"gold": 1, "silver": 1}, view({"gold": 0}), 8) == "silver"
    assert lacking({"gold": 1}, view({"gold": 0}), 8) is None


# Engine


@pytest.mark.parametrize(
    ("coins", "deck", "card"),
    [
        (4, "", "militia"),
        (4, "militia", "village"),
        (4, "militia village", "remodel"),
        (5, "militia remodel village", "market"),
        (4, "militia remodel village village", "smithy"),
        (6, "militia remodel village market market market", "village"),
        (6, f"militia remodel {'village smithy ' * 5}{'village ' * 4}market market market", "gold"),
        (8, "militia gold gold gold gold", "market"),
        (8, "militia gold gold gold gold silver", "province"),
        (2, "", "moat"),
        (2, "moat", "cellar"),
        (2, "moat cellar", None),
    ],
)
def test_an_engine_keeps_villages_and_terminals_even(coins, deck, card):
    """It buys by its parts' order, and provinces once its coins are enough for two."""
    state = view(coins=coins, actions=0, deck=deck)
    assert respond(make("engine"), Request(state)) == (("buy", card) if card else ("clean",))


@pytest.mark.parametrize(
    ("provinces", "coins", "card"), [(4, 8, "province"), (4, 5, "duchy"), (4, 3, "village"), (2, 3, "estate")]
)
def test_an_engine_takes_points_when_few_provinces_are_left(provinces, coins, card):
    """Whatever its deck lacks."""
    state = view({"province": provinces}, coins=coins, actions=0, deck="militia smithy")
    assert respond(make("engine"), Request(state)) == ("buy", card)


@pytest.mark.parametrize(
    ("hand", "actions", "deck", "play"),
    [
        ("smithy militia", 1, "copper", ("act", "militia")),
        ("smithy militia", 2, "copper", ("act", "smithy")),
        ("smithy militia", 2, "", ("act", "militia")),
        ("smithy village", 1, "copper", ("act", "village")),
        ("cellar estate copper silver", 1, "gold", ("act", "cellar", "estate", "copper")),
        ("remodel copper estate", 1, "", ("act", "remodel", "estate", "village")),
        ("remodel gold estate", 1, "gold gold gold gold gold", ("act", "remodel", "gold", "province")),
        ("moat", 1, "copper", ("act", "moat")),
        ("moat", 1, "", ("clean", "moat")),
    ],
)
def test_an_engine_draws_before_it_pays(hand, actions, deck, play):
    """Villages first; then smithies as long as an action is left for what they draw."""
    assert respond(make("engine"), Request(view(hand=hand, actions=actions, deck=deck, buys=0))) == play


def test_a_rival_is_known_by_its_deck():
    """With money and no village it buys and discards like `siege`, else like `engine`."""
    for owned, bought, discarded in (
        ("copper", "village", "market"),
        ("silver", "silver", "smithy"),
        ("gold", "silver", "smithy"),
        ("silver village", "village", "market"),
    ):
        state = view(coins=3, actions=0, deck=f"{owned} militia militia")
        assert respond(Rival(), Request(state)) == ("buy", bought)
        assert respond(Rival(), attacked("smithy market market market", deck=owned)) == ("discard", discarded)


# Whole games


def in_either_dialect(asked, dialect):
    """Return a notification as a client of the dialect reads it."""
    return read(parse(asked.write(dialect)))


def played(bots, seed, rules="official", heard=lambda asked: asked):
    """Play a game in this process and return it; a bot is a bundled one's name or an agent."""
    agents = [make(bot) if isinstance(bot, str) else bot for bot in bots]
    game = Dominion([f"p{seat}" for seat in range(len(bots))], {"rules": rules}, Dice(random.Random(seed)))
    while (seat := game.turn) is not None:
        if attack := game.attack:
            asked = Attacked(attack.play, game.players[attack.attacker], game.view(seat))
        else:
            asked = Request(game.view(seat))
        answer = respond(agents[seat], heard(asked))
        game.check(seat, answer)
        game.play(seat, answer)
    return game


def share_of_wins(bot, other, games):
    """Return the bot's share of the games that are no ties, seats alternating."""
    wins = losses = 0
    for number in range(games):
        place = number % 2
        ranks = played((bot, other) if place == 0 else (other, bot), number).ranks()
        wins += ranks[place] < ranks[1 - place]
        losses += ranks[place] > ranks[1 - place]
    return wins / (wins + losses)


@pytest.mark.parametrize("rules", ["official", "classic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_bots_play_whole_games_by_the_rules(players, rules):
    """Every bundled strategy at every table size plays legal cards to the end, militias and all."""
    for seed, bot in enumerate(STRATEGIES):
        table = ([bot, "miner", "plan", "random"] * 2)[:players]
        assert played(table, seed, rules).turn is None


@pytest.mark.parametrize(
    "table",
    [
        ("plan", "plan"),
        ("plan", "idle"),
        ("plan", "random"),
        ("plan", "idle", "idle", "idle"),
        ("plan",) * 4,
        ("gardener", "idle", "idle"),
        ("siege", "idle"),
        ("siege",) * 4,
        ("engine", "idle"),
        ("engine",) * 4,
    ],
)
def test_the_strongest_bots_end_their_games(table):
    """Where only empty provinces end a game a plan empties them, alone in it or beyond its decks; so do the others."""
    kinds = {"idle": DominionAgent, "gardener": Gardener}
    for seed in range(8):
        bots = [kinds[bot]() if bot in kinds else bot for bot in table]
        assert not played(bots, seed, "classic").supply["province"]


@pytest.mark.parametrize("bot", STRATEGIES)
def test_bots_play_the_same_in_both_dialects(bot):
    """What classic leaves out, no bundled strategy needs; chance apart, the same deal becomes the same game."""
    native, classic = (
        played((bot, "miner"), 5, "classic", lambda asked, dialect=dialect: in_either_dialect(asked, dialect))
        for dialect in (NATIVE, CLASSIC)
    )
    assert classic.turn is None
    assert native.scores() == classic.scores() or bot == "random"


def test_strategies_do_not_depend_on_the_process():
    """Equal games come of equal deals in every process, however Python hashes its strings there."""
    program = (
        "from tests.agents.test_dominion import played; "
        "print([played(('plan', bot), 3).scores() for bot in ('smithy', 'miner', 'big-money')])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("bot", "other", "least"),
    [
        ("smithy", "miner", 0.8),
        ("smithy", "big-money", 0.5),
        ("plan", "big-money", 0.6),
        ("siege", "plan", 0.5),
        ("siege", "big-money", 0.75),
        ("engine", "siege", 0.65),
        ("engine", "plan", 0.65),
        (VillageEngine(), "engine", 0.6),
        ("big-money", "random", 0.9),
    ],
)
def test_the_better_strategy_wins(bot, other, least):
    """Over a hundred and fifty games the order of the strategies shows."""
    assert share_of_wins(bot, other, 150) > least
