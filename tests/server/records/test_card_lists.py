"""Bare lists: whole games judged from their cards alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.cards import PACK_32
from croupier.server.deals import Listed
from croupier.server.games.game import BadOption, Dice, IllegalPlay
from croupier.server.games.jass.game import Jass
from croupier.server.games.sedma import Sedma
from croupier.server.records.card_lists import judge_jass, judge_sedma

NAMES = ("A", "B", "C", "D")

HEARTS = """
  h9 s6 h7 hQ   h6 s7 hJ hA   sQ s9 sA d8
  hT sK sT c8   s8 d6 sJ cJ   cA cK c9 cQ
  c6 cT h8 dJ   c7 d7 dQ dA   hK d9 dK dT
"""
CLUBS = """
  c9 s6 cT c8   h7 hA c6 h6   d9 d7 d6 dA
  s9 hK h9 hJ   dT dK h8 dQ   sK sA sJ s7
  cK hQ cA hT   cQ sQ sT s8   c7 cJ dJ d8
"""
UNDENUFE = """
  c6 cA cT cJ   c7 cK cQ c8   h7 h6 hK h8
  hQ hT c9 h9   d9 dA dK d6   d8 d7 dT dQ
  s9 hJ sA hA   sQ sK sJ s6   s8 sT s7 dJ
"""
OBENABE = """
  c6 s6 cK c9   cJ s7 cQ c8   cA d9 cT h6
  c7 sJ hK d7   sQ hQ sA s9   hJ hA h7 dJ
  s8 hT h9 sK   d8 h8 d6 sT   dT dK dQ dA
"""
DIAMONDS = """
  cQ c9 c8 cA   hJ h9 hA h6   d9 dK h8 hQ
  sA s6 sQ sJ   sK s7 s9 c6   hK s8 cJ h7
  cT dT dQ c7   dA sT d8 cK   d7 dJ d6 hT
"""
UNDENUFE_REVOKED = """
  d6 dK dJ dA   d7 dT sJ dQ   d8 h9 hQ d9
  h6 hT sA hJ   h7 sQ cQ hK   s7 s6 sT sK
  cA cK c9 s9   s8 c8 c6 cT   hA c7 cJ h8
"""


@pytest.mark.parametrize(
    ("matrix", "contract"),
    [
        (HEARTS, "h"),
        (CLUBS.replace("h8", "XX").replace("dJ", "h8").replace("XX", "dJ"), "c"),
        (UNDENUFE, "u"),
        (OBENABE, "o"),
    ],
    ids=["hearts", "clubs", "undenufe", "obenabe"],
)
def test_a_lawful_hand_of_jass_is_valid(matrix, contract):
    """The published hands without a fault are valid, the one in clubs with its two cards in their places."""
    assert judge_jass(matrix, contract).json() == {"valid": True}


@pytest.mark.parametrize(
    ("matrix", "contract", "trick", "player", "why"),
    [
        (DIAMONDS, "d", 3, 2, "dK undertrumps, and the hand has something else"),
        (UNDENUFE_REVOKED, "u", 7, 4, "clubs were led and the hand has some, so that s9 may not be played"),
        (CLUBS, "c", 5, 3, "diamonds were led and the hand has some, so that h8 may not be played"),
    ],
    ids=["undertrumped", "revoked", "revoked before the diamond jack"],
)
def test_the_first_fault_of_a_hand_of_jass_is_named(matrix, contract, trick, player, why):
    """Invalid is told with the trick, the column and the rule; the published clubs hand has a revoke in trick five."""
    assert judge_jass(matrix, contract).json() == {"valid": False, "trick": trick, "player": player, "why": why}


def test_layout_and_parentheses_mean_nothing():
    """One card a line, or winners in parentheses, is the same matrix."""
    assert judge_jass("\n".join(OBENABE.split()), "o").valid
    assert judge_jass(OBENABE.replace("cK", "(cK)").replace("hA", " (hA "), "o").valid


def matrix_of(plays):
    """Return the rows of a played hand, a column per player."""
    rows = [["", "", "", ""] for _ in range(9)]
    for number, (seat, card) in enumerate(plays):
        rows[number // 4][seat] = card
    return rows


def first_fault(rows, contract):
    """Play the rows by the game itself; return the trick and the player of the first illegal card."""
    deal = Listed()
    deal.orders.append(tuple(row[seat] for seat in range(4) for row in rows))
    game = Jass(NAMES, {"trump": contract}, deal)
    for number, row in enumerate(rows, 1):
        for _ in range(4):
            seat = game.turn
            try:
                game.check(seat, ("play", row[seat]))
            except IllegalPlay:
                return number, seat + 1
            game.play(seat, ("play", row[seat]))
    return None


@given(st.randoms(use_true_random=False), st.sampled_from("cdhsou"))
def test_a_matrix_is_judged_as_the_game_judges_it(rng, contract):
    """A hand played by the rules is valid; with two cards of a player exchanged it is what the game says it is."""
    game, plays = Jass(NAMES, {"trump": contract}, Dice(rng)), []
    while (seat := game.turn) is not None:
        play = game.sample(rng)
        plays.append((seat, play[1]))
        game.play(seat, play)
    rows = matrix_of(plays)
    assert judge_jass(" ".join(map(" ".join, rows)), contract).valid
    seat, (one, other) = rng.randrange(4), rng.sample(range(9), 2)
    rows[one][seat], rows[other][seat] = rows[other][seat], rows[one][seat]
    verdict = judge_jass(" ".join(map(" ".join, rows)), contract)
    assert first_fault(rows, contract) == (None if verdict.valid else (verdict.trick, verdict.player))


def test_a_matrix_holds_the_36_cards_once_each():
    """A card twice or of another pack is named with its place, a wrong number of cards without."""
    twice = judge_jass(OBENABE.replace("cJ", "c6"), "o").json()
    assert twice == {"valid": False, "trick": 2, "player": 1, "why": "card 5 is c6 for the second time"}
    assert judge_jass(OBENABE.replace("cJ", "c2"), "o").json()["why"] == "card 5 is c2, which is not in the pack"
    assert judge_jass("c6 c7", "o").json() == {"valid": False, "why": "2 cards, where a game has 36"}


def test_a_matrix_needs_one_of_the_six_contracts():
    """A contract that Jass does not have is a wrong call, not a verdict."""
    with pytest.raises(BadOption, match="c, d, h, s, o, u, not x"):
        judge_jass(OBENABE, "x")


@given(st.permutations(PACK_32))
def test_any_order_of_the_cards_is_a_game_of_sedma(cards):
    """Dealt what he plays in four tricks, drawing what he plays in the others, each player could have played so."""
    game = sedma_of(cards)
    for card in cards:
        game.check(game.turn, ("play", card))
        game.play(game.turn, ("play", card))
    assert game.turn is None
    verdict = judge_sedma(" ".join(cards))
    pair = 0 if verdict.winner == "AC" else 1
    assert game.scores() == tuple(verdict.points if seat % 2 == pair else 0 for seat in range(4))


def sedma_of(cards):
    """Deal Sedma so that the cards can be played in this order."""
    tricks = [cards[start : start + 4] for start in range(0, 32, 4)]
    played, drawn, leader = [[], [], [], []], [], 0
    for trick in tricks:
        for place, card in enumerate(trick):
            played[(leader + place) % 4].append(card)
        leader = (leader + max(i for i, card in enumerate(trick) if card[1] in (trick[0][1], "7"))) % 4
        drawn += [((leader + place) % 4, len(drawn) // 4) for place in range(4)]
    stock = [played[seat][4 + number] for seat, number in drawn[:16]]
    deal = Listed()
    deal.orders.append(tuple(card for hand in played for card in hand[:4]) + tuple(stock))
    return Sedma(NAMES, {}, deal)


@pytest.mark.parametrize(
    ("cards", "winner", "points"),
    [
        (
            "dA c9 dQ d9   hQ hJ sT sK   sA d8 s8 s7   cJ d7 sQ h8   "
            "h7 dT sJ cA   cT cK hT cQ   hK c8 dK c7   s9 h9 dJ hA",
            "AC",
            1,
        ),
        (
            "cJ dJ s7 c9   sJ d9 h9 sT   hQ d8 hT d7   cK h8 dQ dA   "
            "sQ cT cQ c8   cA dK c7 sA   hJ sK s9 hK   s8 dT hA h7",
            "BD",
            1,
        ),
        (
            "cT s7 h8 sT   dJ h9 sA cK   dK dT hQ hA   cJ c8 hJ c7   "
            "hK cQ d9 s8   c9 d7 sJ d8   sQ hT h7 dA   sK cA dQ s9",
            "BD",
            2,
        ),
        (
            "dA dQ cJ c7   d7 cA sA d9   dJ hA cQ sQ   hQ d8 s8 s9   "
            "h9 hJ h8 sT   c9 hT sK cT   h7 sJ dK cK   s7 dT hK c8",
            "BD",
            3,
        ),
        (" ".join(PACK_32), "AC", 3),
    ],
    ids=["more points", "more points with the last trick", "pointless tricks", "no trick for AC", "no trick for BD"],
)
def test_sedma_is_won_with_one_two_or_three_points(cards, winner, points):
    """Every trick is worth three, which goes before two for every point; otherwise more points are worth one."""
    assert judge_sedma(cards).json() == {"valid": True, "winner": winner, "points": points}


@given(st.permutations(PACK_32))
def test_sedma_has_no_draw(cards):
    """The ninety points come in tens, so that one pair always has more."""
    verdict = judge_sedma(" ".join(cards))
    assert verdict.valid
    assert (verdict.winner, verdict.points) in {(pair, points) for pair in ("AC", "BD") for points in (1, 2, 3)}


def test_a_list_of_sedma_holds_the_32_cards_once_each():
    """A number of cards that is not 32, a card twice, or no card of the pack is no game."""
    cards = list(PACK_32)
    assert judge_sedma(" ".join(cards[1:])).json() == {"valid": False, "why": "31 cards, where a game has 32"}
    assert judge_sedma(" ".join([*cards, "c7"])).json() == {"valid": False, "why": "33 cards, where a game has 32"}
    assert judge_sedma(" ".join([*cards[:31], "c7"])).why == "card 32 is c7 for the second time"
    assert judge_sedma(" ".join([*cards[:31], "c6"])).why == "card 32 is c6, which is not in the pack"
    assert judge_sedma(" ".join([*cards[:31], "7c"])).why == "card 32 is 7c, which is not in the pack"
    assert not judge_sedma("").valid
