"""Doppelkopf at the table: reservations, parties, weddings, announcements, and the play."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from doppelkopf_table import NAMES, all_healthy, cards_of, do, field, finish, table, told, why

from croupier.server.games.doppelkopf.contracts import order
from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.games.game import Dice, IllegalPlay, UnknownPlay

HEALTHY = ("healthy",)

# The deal and the orders.


def test_hands_are_sorted_trumps_first_from_the_top():
    """A hand lists the ten of hearts, queens, jacks, diamonds, then clubs, spades, hearts, each copy."""
    game = table("h9 cA dA dA sJ hT cQ cQ hT h9 d9 cA")
    assert field(game, 0, "hand") == ("hT", "hT", "cQ", "cQ", "sJ", "dA", "dA", "d9", "cA", "cA", "h9", "h9")


@pytest.mark.parametrize(
    ("game", "trumps"),
    [("normal", 13), ("diamonds", 13), ("hearts", 12), ("clubs", 13), ("queens", 4), ("jacks", 4), ("ace", 0)],
)
def test_each_game_has_its_trumps(game, trumps):
    """Queens, jacks, the ten of hearts and a suit; or queens, or jacks, or nothing at all."""
    cards = order(game)
    assert cards.trumps.bit_count() == 2 * trumps


@pytest.mark.parametrize(
    ("game", "trick", "winner"),
    [
        ("normal", "hA hT h9 hK", 1),
        ("normal", "hT hT cQ cQ", 0),
        ("normal", "c9 cK cA cA", 2),
        ("normal", "dA sJ d9 cJ", 3),
        ("normal", "cT cT sA dK", 3),
        ("hearts", "dA dT hK d9", 2),
        ("hearts", "hA hT cQ hK", 1),
        ("queens", "hA hT hJ hK", 0),
        ("queens", "h9 hJ hK hT", 3),
        ("queens", "cA hJ hQ dQ", 2),
        ("jacks", "sQ sK sA cJ", 3),
        ("jacks", "sQ s9 cQ dQ", 0),
        ("ace", "dJ d9 dQ cQ", 2),
        ("ace", "h9 hT hT hA", 3),
    ],
)
def test_who_wins_a_trick(game, trick, winner):
    """The highest trump wins, or the highest card of the suit led; of two equal cards the first."""
    assert order(game).table.winner(trick.split()) == winner


def test_trumps_are_followed_by_trumps_whatever_they_print():
    """The ten of hearts and the queens belong to trumps, not to their printed suits."""
    game = all_healthy(table("hA", "hT hQ h9"))
    do(game, "hA")
    assert why(game, "hT") == "hA was led and the hand can follow suit, which hT does not"
    do(game, "h9")
    game = all_healthy(table("d9", "hT hQ h9 dT d9"))
    do(game, "d9")
    assert [play[1] for play in cards_of(game)] == ["hT", "hQ", "dT", "d9"]
    assert "can follow" in why(game, "h9")


def test_two_copies_are_one_play():
    """Equal cards are listed once, and each can be played."""
    game = all_healthy(table("cA cA hT hT"))
    assert [play for play in game.legal() if play == ("play", "cA")] == [("play", "cA")]
    do(game, "cA")
    assert field(game, 0, "hand").count("cA") == 1


# Reservations.


def test_everyone_speaks_once_from_forehand():
    """All healthy is a normal game, which forehand leads."""
    game = table()
    news = do(game, "alice healthy", "bob healthy", "carol healthy", "dave healthy")
    assert told(news) == [("contract", "normal")]
    assert game.turn == 0
    assert game.phase == "play"


def test_a_reservation_is_told_without_its_kind():
    """Others hear (healthy) or (reservation), whatever the reservation is."""
    game = table("cQ cQ")
    assert game.public(0, HEALTHY) == HEALTHY
    assert game.public(0, ("wedding",)) == game.public(0, ("solo", "ace")) == ("reservation",)


@pytest.mark.parametrize(
    ("said", "contract"),
    [
        (["wedding", "healthy", "solo ace", "solo clubs"], ("solo", "ace", "carol")),
        (["solo jacks", "healthy", "solo ace", "healthy"], ("solo", "jacks", "alice")),
        (["wedding", "healthy", "healthy", "healthy"], "wedding"),
        (["wedding", "poverty", "healthy", "healthy"], ("poverty", "bob", 3)),
        (["healthy", "poverty", "healthy", "solo queens"], ("solo", "queens", "dave")),
    ],
)
def test_the_highest_reservation_wins_and_of_equal_ones_the_earliest(said, contract):
    """A solo beats poverty, poverty the wedding."""
    game = table("cQ cQ", "dJ d9 d9 c9 c9 s9 s9 h9 h9 cK cK sK", poverty="yes")
    do(game, *said)
    assert game.contract == contract


def test_a_wedding_needs_both_queens_of_clubs():
    """A player with one or none is told so."""
    assert "both queens" in why(table("cQ sA", "cQ"), "wedding")


def test_a_lost_reservation_is_forgotten():
    """Nothing in the game keeps what a loser wanted to play."""
    game = table("cQ cQ")
    do(game, "wedding", "solo ace", "solo clubs", "healthy")
    assert [play for _, play in game.said] == [("reservation",), ("solo", "ace"), ("reservation",), ("healthy",)]


# Parties.


def test_queens_of_clubs_make_re():
    """Each player knows his own party from the start, nobody another's."""
    game = all_healthy(table("cQ", "cQ"))
    assert [field(game, seat, "party") for seat in range(4)] == ["re", "re", "kontra", "kontra"]
    assert all(field(game, seat, "parties") == {} for seat in range(4))


def test_a_party_shows_with_the_queen():
    """A queen of clubs shows Re; the second shows everyone."""
    game = all_healthy(table("cQ dK", "cQ d9", "d9", "dK"))
    do(game, "cQ")
    assert field(game, 3, "parties") == {"alice": "re"}
    do(game, "cQ")
    assert field(game, 3, "parties") == {"dave": "kontra", "alice": "re", "bob": "re", "carol": "kontra"}


def test_a_party_shows_with_an_announcement():
    """Kontra shows one of Kontra; both of Re show all."""
    game = all_healthy(table("cQ", "cQ"))
    do(game, "dave announce kontra", "alice announce re")
    assert field(game, 2, "parties") == {"dave": "kontra", "alice": "re"}
    do(game, "bob announce no90")
    assert field(game, 2, "parties") == {"carol": "kontra", "dave": "kontra", "alice": "re", "bob": "re"}


def test_a_party_shows_with_the_last_trump():
    """A player who is out of trumps without having played a queen of clubs never had one."""
    game = all_healthy(table("cQ d9", "c9 c9 s9 s9 h9 h9 cK cK sK sK hK hK", "cQ d9"))
    do(game, "d9", "c9")
    assert field(game, 3, "parties") == {"bob": "kontra"}


def test_a_silent_wedding_shows_with_the_second_queen():
    """It looks like a normal game until then, and is scored as a solo without special points."""
    game = all_healthy(table("cQ cQ hT hT sQ sQ hQ hQ dQ dQ cJ cJ", "d9", "d9", "dK"))
    assert field(game, 1, "contract") == "normal"
    do(game, "cQ", "d9", "d9", "dK")
    assert field(game, 1, "parties") == {"alice": "re"}
    do(game, "cQ")
    assert field(game, 1, "parties") == {"bob": "kontra", "carol": "kontra", "dave": "kontra", "alice": "re"}
    finish(game)
    assert game.scores() == (15, -5, -5, -5)


# The wedding.


def test_the_first_trick_of_another_player_clarifies_a_wedding():
    """Its winner is Re; until then nobody but the bride knows a party, and nobody may announce."""
    game = table("cQ cQ s9", "sA", "s9", "sK")
    do(game, "wedding", "healthy", "healthy", "healthy")
    assert field(game, 0, "parties") == field(game, 1, "parties") == {"alice": "re"}
    assert field(game, 1, "party") is None
    assert "clarifies" in why(game, "alice announce re")
    do(game, "s9", "sA", "s9")
    assert "clarifies" in why(game, "bob announce re")
    do(game, "sK")
    assert field(game, 2, "parties") == {"carol": "kontra", "dave": "kontra", "alice": "re", "bob": "re"}
    assert game.legal()[-1] == ("announce", "black")


@pytest.mark.parametrize(("tricks", "last"), [(0, 11), (1, 10), (2, 9)])
def test_deadlines_shift_with_the_clarifying_trick(tricks, last):
    """Clarified in the second trick all deadlines are one card later, in the third two."""
    own = ["hT d9 d9 dK", "hT dK dT dT"][:tricks]
    game = table("cQ cQ hT hT s9", "d9 dK sA h9", "d9 dT s9 h9", "dK dT sK hK")
    do(game, "wedding", "healthy", "healthy", "healthy", *" ".join(own).split(), "s9", "sA", "s9", "sK")
    assert game.announcements.deadline(1) == last
    assert game.hand_size(1) == 11 - tricks
    assert ("announce", "re") in game.legal()


def test_a_bride_without_a_husband_plays_alone():
    """After winning the first three tricks, a bride has a solo of the same trumps: three times, no special points."""
    game = table("cQ cQ hT hT sQ sQ hQ hQ dQ dQ cJ sJ", "d9 dK dT", "d9 dK dT", "dA dA cJ")
    do(game, "wedding", "healthy", "healthy", "healthy")
    do(game, "hT", "d9", "d9", "dA", "hT", "dK", "dK", "dA")
    assert field(game, 1, "party") is None
    do(game, "cQ", "dT", "dT", "cJ")
    assert field(game, 1, "parties") == {"bob": "kontra", "carol": "kontra", "dave": "kontra", "alice": "re"}
    assert game.announcements.deadline(1) == 9
    finish(game)
    assert game.scores() == (15, -5, -5, -5)


# Announcements at the table.


def test_announcements_come_from_any_player_at_any_moment():
    """Between two cards everyone may announce within his deadline, on turn or not; the turn stays where it was."""
    game = all_healthy(table("cQ d9", "cQ d9", "dK", "dK"))
    do(game, "d9", "dave announce kontra", "alice announce re")
    assert game.turn == 1
    do(game, "bob announce no90", "carol announce no90")
    assert game.announcements.steps == [2, 2]
    assert field(game, 0, "announced") == (("dave", "kontra"), ("alice", "re"), ("bob", "no90"), ("carol", "no90"))


def test_after_an_announcement_the_same_player_is_asked_again():
    """It is not a turn of its own."""
    game = all_healthy(table("cQ"))
    do(game, "announce re", "announce no90")
    assert game.turn == 0
    assert ("announce", "re") not in game.legal()
    assert ("announce", "no60") in game.legal()


def test_an_announcement_that_changes_nothing_passes_in_a_record_only():
    """Asked for, it is illegal; a record may have it, without effect, but never one of the other party."""
    game = all_healthy(table("cQ", "cQ"))
    do(game, "alice announce no90")
    assert "changes nothing" in why(game, "bob announce re")
    game.admit(1, ("announce", "re"))
    game.play(1, ("announce", "re"))
    assert game.announcements.said == ((0, "no90"),)
    assert game.announcements.steps == [2, 0]
    for seat, play in ((1, ("announce", "kontra")), (2, ("announce", "re")), (0, ("announce", "louder"))):
        with pytest.raises(IllegalPlay):
            game.admit(seat, play)
    game.admit(0, ("play", field(game, 0, "hand")[0]))


# Plays that are none.


@pytest.mark.parametrize(
    "play",
    [
        (),
        ("play",),
        ("play", "h2"),
        ("announce",),
        ("announce", "hT"),
        ("solo",),
        ("solo", "grand"),
        ("take", 1),
        (1,),
        ((),),
    ],
)
def test_what_is_no_play_is_unknown(play):
    """Whatever a stranger sends has a reason."""
    for game in (table(), all_healthy(table())):
        with pytest.raises(UnknownPlay):
            game.check(0, play)


def test_what_does_not_belong_to_the_phase_is_illegal():
    """Cards are not played before the reservations, nor reservations made behind them."""
    game = table()
    assert "not played yet" in why(game, f"alice {field(game, 0, 'hand')[0]}")
    assert "belong" in why(game, "announce kontra")
    assert "bob's turn" in why(all_healthy(table()), "bob dK").replace("alice", "bob")
    assert "belong" in why(all_healthy(game), "healthy")


def test_a_fault_costs_more_than_any_hand():
    """The penalty is below the lowest tally by the worst hand there is."""
    game = finish(all_healthy(table(list=2)))
    assert game.penalty() == min(game.scores()) - 63


def test_random_games_end_and_add_up():
    """Whatever is played, every card is played and the scores are zero-sum."""
    rng = Random(3)
    for options in ({}, {"poverty": "yes", "nines": "no", "schweinchen": "yes"}, {"duty-solo": "yes", "list": 6}):
        for _ in range(5):
            game = Doppelkopf(NAMES, options, Dice(rng))
            while game.turn is not None:
                plays = list(islice(game.legal(), 200))
                game.play(game.turn, rng.choice(plays))
            assert sum(game.points) == 240
            assert sum(game.scores()) == 0
