"""Double dummy: the solver takes as many tricks as a solver of bridge that others wrote.

The numbers are those of DDS (Haglund and Hein), which was asked through endplay 0.5.12. It agreed on all 610 endings of
three to seven tricks that it was asked for; these are some of them.
"""

import pytest
from needs import NUMBA

from croupier.agents.search.perfect_lines import PerfectLines
from croupier.protocol.cards import RANKS, rank, suit
from croupier.protocol.open_cards import OpenCards
from croupier.server.games.hearts.cards import PACK, SUITS
from croupier.server.games.open_cards import Stakes, numbered
from croupier.server.games.orderings import by, compile_order, hearts, of, when

SHORT = [
    (".9.K.53 42.3..9 J.7..A2 .Q.832.", "s", 1, 2),
    ("QJ.J..2 43...97 T...T43 6.Q..A5", "h", 0, 2),
    ("63...92 AT9...7 Q.73.7. .J5..K4", "d", 2, 1),
    ("7.Q.84. 4...J85 T.9..K3 5...T42", "c", 1, 2),
    ("Q.54..T A.9..AJ .KT.A.Q ..KT6.6", None, 0, 3),
    ("J6.Q.9.J Q.2..QT9 K.4.5.A3 4.K9.3.5", "s", 3, 2),
    ("7.2.Q5.J A5.T.6.6 T..KJ2.9 J.9..842", "h", 0, 2),
    ("5.53.2.5 J..43.86 QT4...A9 .987..QJ", "d", 2, 3),
    (".986.T.8 7.54.4.9 A..97.53 T4.Q7.3.", "c", 3, 1),
    ("T2.Q.7.6 .4.9.J52 3.KT5..9 A5..AJ.A", None, 1, 4),
]
"""The hands of north, east, south and west (spades, hearts, diamonds and clubs); trumps; who leads; the tricks that its
side takes."""
LONG = [
    (".6.K963.6 K5.2.J2.7 .4.Q85.53 97.Q.4.T2", "s", 0, 1),
    ("JT.Q4..72 A93.8..96 82.97.5.3 KQ4..Q4.4", "h", 1, 3),
    ("J85.5.J.9 A7.42.Q.J K..A7.K32 92.83.5.8", "d", 1, 1),
    ("4.87.T.A7 Q976...J4 K3.AQ.82. J.43.95.9", "c", 0, 5),
    ("92.3.2.K9 83.T.74.J 4.KJ92..T J.A.AQ.Q2", None, 3, 5),
    (".JT5.4.A62 .3.J3.KQT8 A52.K82..J QT76..K.97", "s", 2, 4),
    ("K973.J8..T 86..A4.Q92 AJ42.9.J.8 .T52.Q85.K", "h", 2, 3),
    ("K.T52.42.6 96.63.Q5.2 .Q4.76.QT9 AJ832.7.9.", "d", 2, 5),
    ("A74.A.K.A6 K65.Q.A6.9 93.4.QJ.J8 T2.J865..3", "c", 2, 5),
    ("7.5.A.K985 5.A8.7.A63 62.97.T2.T 4..983.QJ4", None, 2, 4),
]


def tricks(deal, trump, leader):
    """Return how many tricks the leader's side takes in the solver's line."""
    order = hearts if trump is None else lambda led: when(of(trump), by(rank, RANKS)) | hearts(led)
    table = compile_order(list(SUITS), order, led=suit)
    cards = numbered(PACK, SUITS, table, Stakes(dict.fromkeys(SUITS, 0), trick_gain=1))
    hands = [
        [f"{name}{one}" for name, suited in zip("shdc", hand.split("."), strict=True) for one in suited]
        for hand in deal.split()
    ]
    sets = [sum(1 << cards.faces.index(card) for card in hand) for hand in hands]
    line = PerfectLines(OpenCards(cards, sets, leader, (), [(seat - leader) % 2 == 0 for seat in range(4)])).begin_with(
        None
    )
    turn, taken = leader, 0
    for start in range(0, len(line), 4):
        trick = line[start : start + 4]
        for place, card in enumerate(trick):
            hand = hands[(turn + place) % 4]
            assert suit(card) == suit(trick[0]) or all(suit(held) != suit(trick[0]) for held in hand)
            hand.remove(card)
        turn = (turn + max(range(4), key=lambda place, trick=trick: table.takes[trick[0]][trick[place]])) % 4
        taken += (turn - leader) % 2 == 0
    return taken


@pytest.mark.parametrize(("deal", "trump", "leader", "expected"), SHORT)
def test_endings_of_four_and_five_tricks(deal, trump, leader, expected):
    assert tricks(deal, trump, leader) == expected


@NUMBA
@pytest.mark.parametrize(("deal", "trump", "leader", "expected"), LONG)
def test_endings_of_six_and_seven_tricks(deal, trump, leader, expected):
    assert tricks(deal, trump, leader) == expected
