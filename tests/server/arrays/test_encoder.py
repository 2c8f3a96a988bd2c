"""What a seat sees and may do as arrays, of every game: complete, of fixed shapes, and the same from STATE."""

from itertools import islice
from random import Random

import numpy as np
import pytest

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.server import games
from croupier.server.arrays import Encoder
from croupier.server.arrays.array_sheet import ArraySheet
from croupier.server.arrays.encoder import CANDIDATES, MASK
from croupier.server.games.game import Dice
from croupier.server.games.hearts.cards import PACK
from croupier.server.games.sheets import text
from croupier.server.laws import Trial, arrays, judge
from croupier.server.laws.trial import MANY

LIBRARY = games.library()
OPTIONS = [
    ("hearts", {}),
    ("hearts", {"pass": "none"}),
    ("jass", {"weis": "yes"}),
    ("skat", {"contra": "yes", "all-pass": "ramsch", "list": 2}),
    ("doppelkopf", {"poverty": "yes", "duty-solo": "yes", "list": 2}),
    ("sedma", {"rounds": "many"}),
    ("dominion", {}),
]


def encoder(name, seats=None, **options):
    """Return a game's encoder, at its smallest table."""
    rules = games.find(name)
    return Encoder(rules, seats or rules.SEATS[0], options)


def begin(of, seed=1):
    """Begin a game, with the sheet of each seat."""
    players = tuple("abcd"[: of.seats])
    sheets = [ArraySheet(of, players, seat) for seat in range(of.seats)]
    return of.rules(players, of.options, Dice(Random(seed))), sheets


def decisions(of, seed=1):
    """Play a random game; yield it with its sheets before each decision."""
    game, sheets = begin(of, seed)
    rng = Random(seed)
    while game.turn is not None:
        yield game, sheets
        game.play(game.turn, game.sample(rng))


@pytest.mark.parametrize("name", LIBRARY)
@pytest.mark.parametrize("law", [arrays.arrays_keep_their_shapes, arrays.equal_knowledge_is_equal_arrays])
def test_every_program_keeps_the_laws_of_arrays(law, name):
    """The games of the library, too: what its laws say of numbers holds for each."""
    rules = games.find(f"recycle:{name}")
    assert judge(law, Trial(rules, rules.SEATS[0], {})) is None


@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_each_legal_play_has_one_action(name, options):
    """The mask has as many actions as there are plays that there is room for, and each stands for another play."""
    of = encoder(name, **options)
    for game, sheets in islice(decisions(of), 150):
        moment = sheets[game.turn].moment(game)
        mask = of.observation(moment)[MASK]
        plays = [of.actions.play(action, moment.legal) for action in np.flatnonzero(mask).tolist()]
        assert len(set(plays)) == len(plays)
        legal = list(islice(game.legal(), MANY))
        assert set(plays) <= set(legal)
        left = [play for play in legal if play not in plays]
        assert not left or len(moment.legal.candidates) == of.actions.most
        assert all(of.actions.is_legal(action, moment.legal) == mask[action] for action in range(of.actions.size))


@pytest.mark.parametrize("name", [*(name for name, _ in OPTIONS[2:]), *(f"recycle:{name}" for name in LIBRARY)])
def test_candidates_that_do_different_things_look_different(name):
    """No two candidates of a moment have the same features, unless STATE describes both in the same words."""
    of = encoder(name, **dict(OPTIONS).get(name, {}))
    for game, sheets in islice(decisions(of, 2), 150):
        moment = sheets[game.turn].moment(game)
        features = of.observation(moment).get(CANDIDATES, np.zeros((0, 0)))
        told = {
            (described[1:] if described[0] != "act" and "recycle" in name else described): row.tobytes()
            for described, row in zip(moment.legal.described, features, strict=False)
        }
        assert len(set(told.values())) == len(told)


@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_a_seat_sees_the_same_from_the_wire(name, options):
    """Byte for byte, a program that reads STATE has the arrays of the environment, its mask and candidates too."""
    of = encoder(name, **options)
    for game, sheets in islice(decisions(of, 3), 0, 200, 3):
        here = of.observation(sheets[game.turn].moment(game))
        there = of.observation(of.of_view(views.read(parse(text(game.players, game.turn).state(game)))))
        assert {key: array.tobytes() for key, array in here.items()} == {
            key: array.tobytes() for key, array in there.items()
        }


def test_the_arrays_of_hearts_say_what_they_are_told_to_say():
    """Cards at their places in the pack, seats counted from the observer, tricks in the order of play."""
    of = encoder("hearts", **{"pass": "none"})
    game, sheets = begin(of)
    leader = game.turn
    for _ in range(5):
        game.play(game.turn, game.legal()[0])
    seen = of.observation(sheets[2].moment(game))
    cards = list(PACK.units)
    assert [cards[place] for place in np.flatnonzero(seen["hand"])] == list(PACK.cards[game.hands[2]])
    (first, fallen), (second, now) = game.all_tricks()
    assert first == leader
    assert seen["tricks"][0].tolist() == [(leader - 2) % 4 + 1, *[cards.index(card) + 1 for card in fallen]]
    assert not seen["tricks"][1:].any()
    assert seen["trick"].tolist() == [(second - 2) % 4 + 1, cards.index(now[0]) + 1, 0, 0, 0]
    assert seen["taken"].tolist() == [[1, game.taken[seat]] for seat in (2, 3, 0, 1)]
    assert seen["phase"].tolist() == [0, 1, 0, 0, 0, 0, 0]


def test_candidates_of_hearts_have_the_cards_that_are_given():
    """Each of the 286 choices has its three cards, and all are different."""
    of = encoder("hearts")
    game, sheets = begin(of)
    features = of.observation(sheets[0].moment(game))[CANDIDATES]
    names = of.actions.features.names
    cards = [name for name in names if name in PACK.units]
    for play, row in zip(game.legal(), features, strict=True):
        assert {names[place] for place in np.flatnonzero(row) if names[place] in cards} == set(play[1:])
        assert row[names.index("give")] == 1
    assert len(np.unique(features, axis=0)) == 286


def test_a_program_names_its_lists_stores_and_cards():
    """The arrays of a program are sized by what it names, and every cell has a name."""
    of = encoder("recycle:leduc-poker")
    assert of.columns["visible"].shape[1] == 6
    assert len(of.actions.features.names) == of.actions.features.size
    assert "seat 0 iloc HAND" in of.legends["lists"]
    assert len(of.legends["lists"]) == of.columns["visible"].shape[0]


def test_every_feature_has_a_name():
    """As many names as there are features, in each game."""
    for name, options in OPTIONS:
        of = encoder(name, **options)
        assert len(of.actions.features.names) == of.actions.features.size


def test_a_batch_is_its_moments_one_below_the_other():
    """What many tables see at once is what each sees."""
    of = encoder("skat")
    moments = [sheets[game.turn].moment(game) for game, sheets in islice(decisions(of, 5), 12)]
    batch = of.batch(moments)
    for row, moment in enumerate(moments):
        for key, array in of.observation(moment).items():
            assert np.array_equal(batch[key][row], array)
