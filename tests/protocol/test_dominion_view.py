"""What a player of Dominion is told: both dialects byte for byte, and what a bot makes of it."""

from itertools import islice
from random import Random

import pytest
from tests.support.dominion_table import Unmixed, do

from croupier.protocol import views
from croupier.protocol.dominion import PILES, Piles, count_parts, parts, supply
from croupier.protocol.sexp import Malformed, parse
from croupier.protocol.views.dominion import DominionView, Other
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice

NATIVE = (
    "((game dominion) (options (rules official) (turns 200)) (players alice bob) (phase action) (turn 1) "
    "(supply (copper 46) (silver 40) (gold 30) (estate 8) (duchy 8) (province 8) (mine 10) (cellar 10) (market 10) "
    "(remodel 10) (smithy 10) (village 10) (woodcutter 10) (workshop 10) (militia 10) (moat 10)) "
    "(trash) (actions 1) (buys 1) (coins 0) (deck copper copper estate estate estate) "
    "(hand copper copper copper copper copper) (plays) (discards) "
    "(others (bob (deck 5) (hand 5) (discards 0) (top) (owns (copper 7) (estate 3)))) "
    "(legal (add copper) (buy copper) (clean copper)))"
)
COUNTS = [46, 40, 30, 8, 8, 8, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10]
ORDER = (
    "copper silver gold estate duchy province "
    "mine cellar market remodel smithy village woodcutter workshop militia moat"
)
SUPPLY = " ".join(card for card, number in zip(ORDER.split(), COUNTS, strict=True) for _ in range(number))
CLASSIC = (
    f"((players alice bob) (supply {SUPPLY}) (trash) (actions 1) (buys 1) (coins 0) "
    "(deck copper copper estate estate estate) (hand copper copper copper copper copper) (plays) (discards))"
)


@pytest.fixture
def game():
    """Two players at the beginning, with decks as they were bought."""
    return Dominion(("alice", "bob"), {}, Unmixed())


def random_views(seed, rules):
    """List the views of those on turn in a game of random plays."""
    rng = Random(seed)
    game = Dominion(("alice", "bob", "carol"), {"rules": rules, "turns": 25}, Dice(rng))
    while game.turn is not None:
        yield game, game.view(game.turn)
        plays = list(islice(game.legal(), 300))
        word = rng.choice(sorted({play[0] for play in plays}))
        game.play(game.turn, rng.choice([play for play in plays if play[0] == word]))


def test_the_first_state_in_both_dialects(game):
    """Every field stands where it belongs, empty ones too, and cards lie in their pile's order."""
    assert str(game.view(0)) == NATIVE
    assert game.view(0).classic() == CLASSIC


def test_the_fields_are_typed(game):
    """Piles are dicts, cards are tuples, counters are numbers, the others are values of their own."""
    for state in (game.view(0), views.read(parse(NATIVE))):
        assert isinstance(state, DominionView)
        assert (state.supply["copper"], list(state.supply)) == (46, list(PILES))
        assert (state.hand, state.plays, state.discards, state.trash) == (("copper",) * 5, (), (), ())
        assert (state.phase, state.turn, state.actions, state.buys, state.coins) == ("action", 1, 1, 1, 0)
        assert state.others == {"bob": Other(5, 5, 0, None, {"copper": 7, "estate": 3})}
        assert (state.others["bob"].top, state.others["bob"].owns["estate"]) == (None, 3)
        assert sorted(state.owned) == ["copper"] * 7 + ["estate"] * 3
        assert state.me == "alice"


def test_what_arrived_last_is_first(game):
    """In hand, plays, discards; the others see the top of the discards and what everybody owns."""
    do(game, "add copper", "add copper", "buy cellar", "clean copper")
    state = game.view(1)
    alice = state.others["alice"]
    assert (alice.deck, alice.hand, alice.discards, alice.top) == (0, 5, 6, "copper")
    assert alice.owns == {"copper": 7, "estate": 3, "cellar": 1}
    assert game.view(0).discards == ("copper",) * 5 + ("cellar",)
    assert (state.turn, game.view(0).turn, state.supply["cellar"]) == (1, 1, 9)
    do(game, "buy copper")
    assert "(top copper)" in str(game.view(0))


def test_whoever_is_not_on_turn_has_no_counters_and_no_plays(game):
    """Actions, buys and coins are the active player's; nobody else is asked."""
    do(game, "add copper")
    state = game.view(1)
    assert (state.actions, state.buys, state.coins, state.plays, state.legal) == (0, 0, 0, (), None)
    assert "legal" not in str(state)
    with pytest.raises(LookupError):
        state.legal_plays()


def test_a_defender_sees_no_counters(game):
    """In a defense actions, buys and coins are 0 and nothing is in play, in both dialects."""
    game.sides[0].hand[0] = "militia"
    do(game, "act militia")
    state = game.view(1)
    assert state.phase == "defend"
    assert "(actions 0) (buys 0) (coins 0)" in str(state)
    assert "(actions 0) (buys 0) (coins 0)" in state.classic()
    assert "(plays)" in state.classic()
    assert state.legal == (("discard", "copper", "copper"),)
    assert (game.view(0).coins, game.view(0).plays) == (2, ("militia",))


def test_a_view_stays_what_it_was(game):
    """Plays made later change nothing in a view that somebody keeps."""
    state = game.view(0)
    do(game, "add copper", "buy copper", "clean copper")
    assert (str(state), state.classic()) == (NATIVE, CLASSIC)


def test_more_than_64_plays_are_left_to_the_view(game):
    """A Cellar's many choices are not listed; the view lists them in the same order as the rules."""
    game.sides[0].hand = ["cellar", *PILES[:7]]
    state = views.read(parse(str(game.view(0))))
    assert state.legal is None
    plays = list(state.legal_plays())
    assert len(plays) > 128
    assert plays == list(game.legal())
    for play in plays:
        game.check(0, play)


@pytest.mark.parametrize("rules", ["official", "classic"])
def test_the_view_lists_what_the_rules_list(rules):
    """From the fields alone a bot finds the same plays, whether STATE lists them or not."""
    for game, state in random_views(1, rules):
        legal = list(islice(game.legal(), 500))
        assert list(islice(state.legal_plays(), 500)) == legal
        if rules == "classic":
            again = DominionView.of_classic(parse(state.classic()), "defend" if game.attack else "")
            assert list(islice(again.legal_plays(), 500)) == legal


def test_the_classic_state_reads_back():
    """Reading and writing are inverse, and a bot finds in it all that the dialect tells."""
    for game, state in random_views(2, "classic"):
        again = DominionView.of_classic(parse(state.classic()), "defend" if game.attack else "")
        assert again.classic() == state.classic()
        for field in ("game", "players", "phase", "supply", "trash", "actions", "deck", "hand", "plays", "discards"):
            assert getattr(again, field) == getattr(state, field)
        assert (again.turn, again.others, again.legal) == (None, None, None)
        assert again.options["rules"] == "classic"


WRONG = ["()", "3", "((players a))", NATIVE, CLASSIC.replace("(coins 0)", "(coins x)"), CLASSIC.replace("(trash) ", "")]


@pytest.mark.parametrize("state", WRONG)
def test_another_shape_is_no_classic_state(state):
    """A field missing, moved or of another kind is Malformed."""
    with pytest.raises(Malformed):
        DominionView.of_classic(parse(state))


@pytest.mark.parametrize("look", [True, False])
def test_piles_with_another_number_are_those_that_were_made_so(look):
    """What was found of the piles before says nothing of another number: how they are written, and which are sold."""
    rng, left = Random(1), supply(2)
    for _ in range(500):
        if look and rng.random() < 0.5:
            assert (left.text(), left.empty_piles()) == (Piles(left).text(), Piles(left).empty_piles())
        card = rng.choice(PILES)
        left = left.but(card, max(left[card] + rng.choice((-4, 1)), 0))
        assert list(left) == list(PILES)
    assert left.empty_piles() == tuple([card for card in PILES if not left[card]]) != ()
    assert left.text() == "".join([f" ({card} {left[card]})" for card in PILES])


def test_others_are_values():
    """Equal by what they say, written once, and shown as the call that makes them."""
    one, other = (Other(3, 5, 2, "gold", {"copper": 7}) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Other(3, 5, 2, "estate", {"copper": 7})
    assert eval(repr(one)) == one
    assert str(one) == "(deck 3) (hand 5) (discards 2) (top gold) (owns (copper 7))"


def test_parts_lists_every_choice_once():
    """The choices of a Cellar: as many as are counted, all different, each sorted, nothing first."""
    cards = ["moat", "copper", "copper", "estate"]
    choices = list(parts(cards))
    assert choices[0] == ()
    assert len(choices) == len(set(choices)) == count_parts(cards) == 12
    assert all(list(choice) == sorted(choice) for choice in choices)
