"""Facts: what bots read in `protocol` of trumps and points is what the rules play by."""

from itertools import combinations

import pytest

from croupier.protocol import doppelkopf, jass, skat
from croupier.protocol.cards import PACK_24, PACK_36, SUITS
from croupier.server.games.doppelkopf.contracts import order
from croupier.server.games.jass.contracts import contract
from croupier.server.games.skat.contract import ORDERS


@pytest.mark.parametrize("name", jass.CONTRACTS)
def test_every_contract_of_jass_has_as_many_points(name):
    """With five for the last trick a hand has 157, whatever is trump; the rules count by the same table."""
    assert sum(jass.POINTS[name].values()) == 152
    assert contract(name).points == jass.POINTS[name]


@pytest.mark.parametrize("trump", SUITS)
def test_trumps_of_jass_rank_as_their_list_says(trump):
    """Of two trumps the later in the list takes the trick, regardless of who plays first."""
    for low, high in combinations([trump + rank for rank in jass.TRUMP_RANKS], 2):
        assert [contract(trump).table.winner(trick) for trick in ((low, high), (high, low))] == [1, 0]


@pytest.mark.parametrize("game", doppelkopf.TRUMPS)
def test_trumps_of_doppelkopf_rank_as_their_list_says(game):
    """Of two trumps the earlier in the list takes the trick, and any trump takes one from any other card."""
    trumps, table = doppelkopf.TRUMPS[game], order(game).table
    for high, low in [
        *combinations(trumps, 2),
        *[(trumps[-1], card) for card in PACK_24 if trumps and card not in trumps],
    ]:
        assert [table.winner(trick) for trick in ((low, high), (high, low))] == [1, 0]


@pytest.mark.parametrize("game", skat.TRUMPS)
def test_trumps_of_skat_rank_as_their_list_says(game):
    """Of two trumps the earlier in the list takes the trick."""
    for high, low in combinations(skat.TRUMPS[game], 2):
        assert [ORDERS[game].winner(trick) for trick in ((low, high), (high, low))] == [1, 0]


def test_a_pack_of_doppelkopf_counts_240():
    """Every card is there twice, with nines or without, and the faces are all there are."""
    assert doppelkopf.card_points(doppelkopf.WITH_NINES) == doppelkopf.card_points(doppelkopf.WITHOUT_NINES) == 240
    assert sorted(doppelkopf.FACES) == sorted(PACK_24)
    assert set(jass.POINTS["o"]) == set(PACK_36)
