"""What can be agreed upon at a table of Doppelkopf."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from doppelkopf_table import NAMES, all_healthy, cards_of, do, field, finish, table, told, why
from games import record_of

from croupier.protocol.cards import by_suit
from croupier.server.games.game import UnknownPlay

if TYPE_CHECKING:
    from croupier.server.games.doppelkopf.game import Doppelkopf


def dullen(**options: str) -> int:
    """Let two tens of hearts fall in the first trick; return who wins it."""
    game = all_healthy(table("hT", "hT", "d9", "d9", **options))
    do(game, "hT", "hT", "d9", "d9")
    return game.leader


def test_the_first_ten_of_hearts_wins():
    """By the tournament rules the first of two equal cards wins, the ten of hearts too."""
    assert dullen() == 0


@pytest.mark.parametrize("dulle", ["second", "second-but-last-trick"])
def test_dulle_second_the_second_ten_of_hearts_wins(dulle):
    """With the option the second of them beats the first."""
    assert dullen(dulle=dulle) == 1


@pytest.mark.parametrize(("dulle", "place"), [("first", 0), ("second", 1), ("second-but-last-trick", 0)])
def test_dulle_second_but_last_trick_the_first_wins_there(dulle, place):
    """In the last trick the first ten of hearts wins again."""
    alice, bob = "hT cQ cQ sQ sQ hQ hQ dQ dQ cJ cJ sJ", "hT sJ hJ hJ dJ dJ dA dA dT dT dK dK"
    game = all_healthy(table(alice, bob, dulle=dulle))
    while game.turn is not None:
        game.play(game.turn, max(cards_of(game), key=lambda play: play[1] != "hT"))
    leader, cards = game.tricks[-1]
    assert cards.count("hT") == 2
    tens = [(leader + at) % 4 for at, card in enumerate(cards) if card == "hT"]
    assert game.winners[-1] == tens[place]


def test_schweinchen_are_announced_with_the_first_fox():
    """Both foxes in one hand are the highest trumps from the first one on, and the table tells whose they are."""
    game = all_healthy(table("hT", "dA dA", "hT", "d9", schweinchen="yes"))
    do(game, "hT")
    assert field(game, 2, "schweinchen") is None
    news = do(game, "dA")
    assert told(news) == [("schweinchen", "bob")]
    assert field(game, 2, "schweinchen") == "bob"
    do(game, "hT", "d9")
    assert game.leader == 1


def test_schweinchen_need_both_foxes_the_option_and_no_solo():
    """One fox, the tournament rules, or a solo: a fox is a fox."""
    for hands, options, said in [
        (("hT", "dA", "dA"), {"schweinchen": "yes"}, "healthy"),
        (("hT", "dA dA"), {}, "healthy"),
        (("hT", "dA dA"), {"schweinchen": "yes"}, "solo diamonds"),
    ]:
        game = table(*hands, **options)
        do(game, said, "healthy", "healthy", "healthy", "hT")
        assert do(game, "dA") == []
        assert game.high_foxes is None


def test_no_nines_ten_cards_and_deadlines_two_cards_later():
    """Without nines Re may be said with nine cards, no 90 with eight, and so on."""
    game = all_healthy(table("cQ", nines="no"))
    assert [game.hand_size(seat) for seat in range(4)] == [10] * 4
    assert [game.announcements.deadline(step) for step in range(1, 6)] == [9, 8, 7, 6, 5]
    finish(game)
    assert sum(game.points) == 240


def test_a_soloist_does_not_lead():
    """Forehand leads a voluntary solo by the tournament rules."""
    game = table()
    do(game, "healthy", "healthy", "solo ace", "healthy")
    assert game.turn == 0


def test_solo_leads_the_soloist_leads():
    """With the option, the soloist leads; next hand's forehand moves on all the same."""
    game = table(solo_leads="yes", list=2)
    do(game, "healthy", "healthy", "solo ace", "healthy")
    assert game.turn == 2
    assert finish(game).turn == 1


def test_a_list_has_so_many_hands():
    """The lead moves clockwise, scores add up to nothing, and each hand is scored."""
    game = table(list=3)
    assert field(game, 0, "finished") == 0
    scores = []
    for forehand in (0, 1, 2):
        assert game.turn == forehand
        all_healthy(game)
        finish(game)
        scores.append(game.scores())
        assert sum(game.scores()) == 0
    assert game.turn is None
    assert len(set(scores)) == 3


def test_each_hand_is_told_with_its_score():
    """The last card brings the score, and the next deal where one follows."""
    game = all_healthy(table(list=2))
    while sum(map(game.hand_size, range(4))) > 1:
        game.play(game.turn, game.legal()[0])
    news = told(game.play(game.turn, game.legal()[0]))
    assert news == [("score", *zip(NAMES, game.scores(), strict=True)), ("deal", 2)]


# Duty solos.


def test_duty_solo_the_first_solo_of_each_player_is_his_duty():
    """It is led by the soloist, goes before any other, and the same player deals again."""
    game = table(duty_solo="yes", list=24)
    assert field(game, 1, "owing") == ("bob", "carol", "dave", "alice")
    do(game, "healthy", "healthy", "solo ace", "healthy")
    assert game.turn == 2
    finish(game)
    assert game.forehand == 0
    assert field(game, 1, "owing") == ("bob", "dave", "alice")
    do(game, "healthy", "healthy", "solo ace", "solo clubs")
    assert game.contract == ("solo", "clubs", "dave")


def test_duty_solo_the_second_solo_is_voluntary():
    """A player who has played the duty solo leads no more, and the deal moves on."""
    game = table(duty_solo="yes", list=24)
    do(game, "healthy", "solo ace", "healthy", "healthy")
    finish(game)
    do(game, "healthy", "solo ace", "healthy", "healthy")
    assert game.turn == 0
    finish(game)
    assert game.forehand == 1


def test_duty_solo_the_last_hands_are_for_those_who_owe_one():
    """Nobody is asked for a reservation; the next who owes names a solo and leads; the deal moves on each time."""
    game = table(duty_solo="yes", list=5)
    finish(all_healthy(game))
    for turn, seat in enumerate((1, 2, 3, 0), start=1):
        assert game.turn == seat
        assert game.forehand == turn % 4
        assert "name a solo" in why(game, "healthy")
        assert {play[0] for play in game.legal()} == {"solo"}
        do(game, "solo ace")
        assert game.turn == seat
        finish(game)
    assert game.turn is None


# Poverty.

POOR = "dJ d9 d9 c9 c9 s9 s9 h9 h9 cK cK sK"


def poor(**options: str | int) -> Doppelkopf:
    """Let alice be poor."""
    game = table(POOR, "cQ cQ hT", poverty="yes", **options)
    do(game, "poverty", "healthy", "healthy", "healthy")
    return game


def test_poverty_is_for_three_trumps_or_fewer():
    """A fourth trump is one too many, and without the option nobody is poor."""
    assert "three trumps or fewer" not in why(table("dJ d9 d9 dK c9 c9", poverty="yes"), "poverty")
    assert "not played" in why(table(POOR), "poverty")


def test_poverty_the_trumps_go_round():
    """The next players are asked in turn; who takes them gives as many cards back and is the poor player's partner."""
    game = poor()
    assert field(game, 2, "contract") == ("poverty", "alice", 3)
    assert len(field(game, 0, "hand")) == 9
    assert why(game, "exchange d9 d9 dJ") == "nobody has taken the trumps yet"
    do(game, "bob pass", "carol take")
    assert game.turn == 2
    assert game.hand_size(2) == 15
    assert field(game, 2, "received") == ("dJ", "d9", "d9")
    give = [card for card in field(game, 2, "hand") if card not in ("d9", "dJ")][-2:]
    assert game.public(2, ("exchange", "dJ", *give)) == ("exchange", 1)
    news = do(game, " ".join(["exchange", "dJ", *give]))
    assert told(news) == [("contract", ("poverty", "alice", 3, "carol", 1))]
    assert [game.hand_size(seat) for seat in range(4)] == [12] * 4
    assert field(game, 0, "exchanged") == ("dJ", "d9", "d9")
    assert by_suit(field(game, 0, "received")) == by_suit(field(game, 2, "exchanged")) == by_suit(["dJ", *give])
    assert field(game, 3, "exchanged") is None
    assert field(game, 3, "parties") == {"dave": "kontra", "alice": "re", "bob": "kontra", "carol": "re"}
    assert game.turn == 0


def test_poverty_as_many_cards_go_back_as_came():
    """Any of the fifteen may go, in any order, but no card twice that is held once."""
    game = poor()
    do(game, "bob take")
    assert "3, not 2" in why(game, "exchange d9 d9")
    assert "as often" in why(game, "exchange dJ dJ d9")
    with pytest.raises(UnknownPlay):
        game.check(1, ("exchange", "d9", "d9", "x9"))
    assert game.view(1).legal is None
    plays = list(game.view(1).legal_plays())
    assert plays == list(game.legal())
    assert len(plays) > 64
    do(game, "exchange d9 dJ d9")


def test_poverty_nobody_takes_and_the_cards_are_dealt_again():
    """The same player leads, and the list does not count the hand."""
    game = poor(list=2)
    news = do(game, "bob pass", "carol pass", "dave pass")
    assert told(news) == [("deal", 2)]
    assert game.forehand == 0
    assert game.finished == 0
    assert game.phase == "reserve"


def test_a_whole_list_of_dokos():
    """Four bots play this list, a lost wedding, a new deal and three poverties in it, exactly as recorded."""
    options = {"poverty": "yes", "schweinchen": "yes", "dulle": "second", "list": 4}
    golden = Path(__file__).parents[3] / "golden" / "doppelkopf.record"
    assert record_of("doppelkopf", ["doko"] * 4, deal=142, seed="g", options=options) == golden.read_text()
