"""Orderings: their laws, the article's games, and that compiling loses nothing."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.cards import PACK_24, PACK_32, PACK_36, PACK_52, TEN_HIGH, rank, suit
from croupier.protocol.jass import TRUMP_RANKS
from croupier.server.games.orderings import (
    ACE_HIGH,
    GREATER,
    LESS,
    SUITS_LOW_TO_HIGH,
    UNDECIDED,
    Compared,
    by,
    compile_order,
    doppelkopf,
    farbspiel,
    first_wins,
    grand,
    hearts,
    jacks,
    null,
    of,
    ranking,
    schweinchen,
    second_ten_of_hearts,
    second_wins,
    undecided,
    when,
)

cards = st.sampled_from(PACK_24)
predicates = st.sampled_from("cdhs9TJQKA").map(of)
lawful = st.recursive(
    st.sampled_from(
        [by(rank, TEN_HIGH), by(rank, TRUMP_RANKS), by(suit, SUITS_LOW_TO_HIGH), by(rank, "TA"), undecided]
    ),
    lambda inner: st.builds(when, predicates, inner) | st.builds(lambda one, other: one | other, inner, inner),
    max_leaves=5,
)
orderings = lawful | st.builds(lambda one, other: one | other, lawful, st.sampled_from([first_wins, second_wins]))

GAMES = {
    "hearts": (hearts, PACK_52),
    "null": (null, PACK_32),
    "grand": (grand, PACK_32),
    **{f"farbspiel {trump}": (lambda led, trump=trump: farbspiel(trump, led), PACK_32) for trump in "cdhs"},
    "doppelkopf": (doppelkopf, PACK_24 * 2),
    "second ten of hearts": (second_ten_of_hearts, PACK_24 * 2),
    "schweinchen": (lambda led: schweinchen(doppelkopf(led)), PACK_24 * 2),
    "jass": (lambda led: when(of("s"), by(rank, TRUMP_RANKS)) | when(of(led), by(rank, ACE_HIGH)), PACK_36),
}
TABLES = {name: compile_order(pack, order, led=suit) for name, (order, pack) in GAMES.items()}


@st.composite
def tricks(draw):
    """Draw a game and four cards of its pack as they might fall in one trick."""
    name = draw(st.sampled_from(sorted(GAMES)))
    pack = GAMES[name][1]
    places = draw(st.lists(st.integers(0, len(pack) - 1), min_size=4, max_size=4, unique=True))
    return name, tuple(pack[place] for place in places)


@given(orderings, orderings, orderings, cards, cards)
def test_composition_is_associative(one, two, three, earlier, later):
    """However a chain is bracketed, it says the same."""
    assert ((one | two) | three)(earlier, later) is (one | (two | three))(earlier, later)


@given(orderings, cards, cards)
def test_undecided_is_the_neutral_element(ordering, earlier, later):
    """Before or behind an ordering, the undecided one changes nothing."""
    assert (undecided | ordering)(earlier, later) is (ordering | undecided)(earlier, later) is ordering(earlier, later)


@given(orderings, cards, cards)
def test_turned_round_is_the_opposite(ordering, one, other):
    """Of two different cards, whichever was played first, the same is greater."""
    if one != other:
        assert ordering(one, other) == -ordering(other, one)


@given(lawful, cards)
def test_a_card_is_undecided_against_itself(ordering, card):
    """Only first_wins and second_wins tell two equal cards apart."""
    assert ordering(card, card) is UNDECIDED
    assert (ordering | first_wins)(card, card) is GREATER
    assert (ordering | second_wins)(card, card) is LESS


@given(orderings, cards, cards, cards)
def test_greater_and_undecided_are_transitive(ordering, one, two, three):
    """What beats a card beats whatever that card beats, and what ties with a card ties with whatever it ties with."""
    if len({one, two, three}) == 3 and (same := ordering(one, two)) is ordering(two, three):
        assert ordering(one, three) is same


@given(orderings, st.sampled_from([suit, rank]), cards, cards)
def test_taking_over_is_contravariant(ordering, projection, one, other):
    """Asked on a projection, an ordering answers for what is projected; composing first or after is the same."""
    values = ranking(TEN_HIGH + SUITS_LOW_TO_HIGH)
    taken = (values | first_wins).on(projection)
    assert taken(one, other) is (values | first_wins)(projection(one), projection(other))
    assert taken(one, other) is (values.on(projection) | first_wins.on(projection))(one, other)
    assert ordering.on(lambda card: card)(one, other) is ordering(one, other)


@given(tricks())
def test_every_trick_has_one_winner(game):
    """One card beats every earlier card when it is played and is beaten by none after: no real trick is undecided."""
    name, trick = game
    ordering = GAMES[name][0](suit(trick[0]))
    winner = TABLES[name].winner(trick)
    assert all(ordering(earlier, trick[winner]) is LESS for earlier in trick[:winner])
    assert all(ordering(trick[winner], later) is GREATER for later in trick[winner + 1 :])


@given(tricks())
def test_a_table_says_what_its_ordering_says(game):
    """Compiling loses nothing: worth compares as the ordering does."""
    name, (led, earlier, later, _) = game
    table, says = TABLES[name], GAMES[name][0](suit(led))(earlier, later)
    assert (table.takes[led][later] > table.holds[led][earlier]) == (says is LESS)
    if earlier != later:
        assert (table.takes[led][earlier] < table.holds[led][later]) == (says is LESS)


@pytest.mark.parametrize(
    ("game", "trick", "winner"),
    [
        ("hearts", "c9 cT hA c2", 1),
        ("hearts", "d2 sA hA cA", 0),
        ("farbspiel h", "cA cT h7 dJ", 3),
        ("farbspiel h", "dJ hJ sJ cJ", 3),
        ("farbspiel h", "cK cT dA sA", 1),
        ("farbspiel h", "cK hQ hT h9", 2),
        ("grand", "hA h7 dJ hT", 2),
        ("grand", "hK hT cA sA", 1),
        ("null", "d9 dT dJ d8", 2),
        ("null", "cT cJ hA sA", 1),
        ("doppelkopf", "dA hT hT cQ", 1),
        ("doppelkopf", "cA cA sA sK", 0),
        ("doppelkopf", "hK hA dQ dJ", 2),
        ("doppelkopf", "dA d9 dT dA", 0),
        ("second ten of hearts", "dA hT hT cQ", 2),
        ("second ten of hearts", "cQ cQ dA dA", 0),
        ("schweinchen", "hT dA cQ dA", 1),
        ("jass", "sA s9 sJ hA", 2),
        ("jass", "hA s6 s7 hK", 2),
    ],
)
def test_the_winner_of_a_trick(game, trick, winner):
    """The article's games and Jass award well-known tricks as players do."""
    assert TABLES[game].winner(trick.split()) == winner


def test_the_null_ranks_the_ten_between_nine_and_jack():
    """In a Null the ten is an ordinary card."""
    order = null("c")
    assert [order(*pair) for pair in pairwise(["c9", "cT", "cJ", "cQ", "cK", "cA"])] == [LESS] * 5


def test_a_chain_that_ends_undecided_calls_cards_incomparable():
    """Two suits of which neither is trump nor led cannot be compared."""
    assert farbspiel("h", "c")("dA", "s7") is UNDECIDED
    assert set(Compared) == {LESS, UNDECIDED, GREATER}


def test_second_wins_on_a_projection_prefers_the_last_of_a_kind():
    """Sedma: the last card of the led rank, or seven, wins the trick."""

    def sedma(led):
        def matching(card):
            return rank(card) in (led, "7")

        return when(matching, second_wins.on(matching))

    table = compile_order(PACK_32, sedma, led=rank)
    assert table.winner(["cA", "s7", "hK", "dA"]) == 3
    assert table.winner(["c7", "cA", "h7", "dA"]) == 2
    assert table.winner(["cK", "cA", "hQ", "dA"]) == 0


def test_what_a_rank_list_lacks_is_lowest():
    """A rank that is not listed is below all that are, and ties with others not listed."""
    order = by(rank, "TA")
    assert (order("c9", "cT"), order("cA", "c9"), order("c9", "cK")) == (LESS, GREATER, UNDECIDED)
    assert when(jacks, undecided)("cJ", "c9") is GREATER
