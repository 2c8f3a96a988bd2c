"""What nobody may learn at a table of Doppelkopf, and what may be so."""

from __future__ import annotations

from random import Random

import pytest
from doppelkopf_table import NAMES, all_healthy, cards_of, do, field, table

from croupier.protocol.sexp import write
from croupier.server.games.doppelkopf.contracts import NORMAL_TRUMPS, OLD_QUEENS, PACK
from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.games.game import Dice, Told
from croupier.server.games.world import world_of

OPTIONS = [
    {},
    {"poverty": "yes", "schweinchen": "yes", "nines": "no"},
    {"duty-solo": "yes", "list": 6, "poverty": "yes", "dulle": "second"},
]
POOR = "dJ d9 d9 c9 c9 s9 s9 h9 h9 cK cK sK"


def heard(game: Doppelkopf, seat: int, *moves: str) -> list[str]:
    """Play moves as words and return all that a seat is sent and shown."""
    lines = [str(game.view(seat))]
    for move in moves:
        words = move.split()
        play = ("play", *words) if len(words[0]) == 2 else tuple(words)
        mover = game.turn
        game.check(mover, play)
        if mover != seat:
            lines.append(f"{NAMES[mover]} {write(game.public(mover, play))}")
        for news in game.play(mover, play):
            assert isinstance(news, Told)
            lines.append(write(news.play))
        lines.append(str(game.view(seat)))
    return lines


def test_a_silent_wedding_looks_like_a_normal_game():
    """Until the second queen falls nobody else can tell whether one player holds both."""
    silent = table("cQ cQ hT", "dJ d9 d9", "sA dK", "sA dK")
    normal = table("cQ dJ hT", "cQ d9 d9", "sA dK", "sA dK")
    moves = ["healthy", "healthy", "healthy", "healthy", "hT", "d9", "dK", "dK", "announce re", "cQ", "d9"]
    for seat in (2, 3):
        assert heard(silent.copy(), seat, *moves) == heard(normal.copy(), seat, *moves)


@pytest.mark.parametrize("seat", range(1, 4))
def test_a_lost_reservation_stays_unknown(seat):
    """A wedding and a solo that lost to a solo are the same reservation, through the whole hand."""

    def game(lost: str) -> list[str]:
        dealt = table("cQ cQ", duty_solo="yes", list=24)
        dealt.owing = frozenset({1})
        lines = heard(dealt, seat, lost, "solo ace", "healthy", "healthy")
        while dealt.finished == 0:
            lines += heard(dealt, seat, dealt.legal()[0][1])
        return lines

    assert game("wedding") == game("solo clubs") == game("solo jacks")


def test_the_reservations_are_open_only_as_far_as_everyone_heard():
    """While others still speak, nobody sees more than healthy or reservation."""
    for said in ("wedding", "solo ace", "solo hearts"):
        game = table("cQ cQ")
        assert heard(game, 1, said)[1:] == heard(table("cQ cQ"), 1, "wedding")[1:]
        assert field(game, 1, "reservations") == {"alice": "reservation"}
        assert field(game, 1, "contract") is None


@pytest.mark.parametrize("seat", [1, 3])
def test_what_changes_hands_in_a_poverty_is_known_to_two(seat):
    """The others see how many trumps went and came back, not which cards."""

    def game(poor: str, taker: str, back: str) -> list[str]:
        dealt = table(poor, "cQ cQ", taker, "dK", poverty="yes")
        return heard(dealt, seat, "poverty", "healthy", "healthy", "healthy", "pass", "take", f"exchange {back}")

    one = game(POOR, "dQ dQ hA sT sT", "sT sT dQ")
    other = game(POOR.replace("dJ", "dQ"), "dJ dQ hA sT sT", "sT hA dJ")
    assert one == other


def test_hands_do_not_show():
    """A seat sees its own cards and those on the table, at every moment of a game."""
    rng = Random(4)
    game = Doppelkopf(NAMES, {"poverty": "yes"}, Dice(rng))
    while game.turn is not None:
        for seat in range(4):
            state = game.view(seat)
            assert PACK.hand(state.hand) == game.hands[seat]
        game.play(game.turn, game.sample(rng))


def reserved(game: Doppelkopf, rng: Random) -> tuple:
    """Choose a play: weddings and poverty where there are any, solos seldom, announcements seldom."""
    plays = list(game.legal())
    if game.phase == "play":
        return rng.choice(plays if rng.random() < 1 / 10 else cards_of(game))
    rare = [play for play in plays if play[0] in {"wedding", "poverty", "take"}]
    if rare and rng.random() < 3 / 4:
        return rng.choice(rare)
    return plays[0] if rng.random() < 3 / 4 else rng.choice(plays)


def tells_more(game: Doppelkopf, play: tuple) -> bool:
    """Return whether a play may show what was hidden: the contract, a score, a deal, Schweinchen, who denies what."""
    last_word = game.phase == "reserve" and (len(game.said) == 3 or game.forced)
    last_card = game.phase == "play" and sum(map(game.hand_size, range(4))) == 1
    denial = play[0] == "announce" and play[1] not in {"re", "kontra"}
    return last_word or last_card or denial or game.phase == "poverty" or play == ("play", "dA")


@pytest.mark.parametrize("options", OPTIONS)
def test_equal_knowledge_stays_equal(options):
    """A new deal of hidden cards shows a seat the same bytes, and goes on to do so whatever both deals allow."""
    rng = Random(5)
    for _ in range(6):
        game = Doppelkopf(NAMES, options, Dice(rng))
        while game.turn is not None:
            seat = rng.randrange(4)
            one, other = game.copy(), world_of(game).determinize(seat, rng).game
            play = reserved(game, rng)
            assert str(one.view(seat)) == str(other.view(seat))
            if play in list(other.legal()) and not tells_more(game, play):
                assert one.public(game.turn, play) == other.public(game.turn, play)
                assert one.play(game.turn, play) == other.play(game.turn, play)
                assert str(one.view(seat)) == str(other.view(seat))
            game.play(game.turn, play)


@pytest.mark.parametrize("options", OPTIONS)
def test_an_imagined_deal_could_have_been_played_so(options):
    """The pack is the same, and what was played was legal from the hands that the imagined deal began with."""
    rng = Random(6)
    for _ in range(12):
        game = Doppelkopf(NAMES, options, Dice(rng))
        begun = game.copy()
        while game.turn is not None:
            if game.phase != "play":
                begun = None
            elif begun is None:
                begun = game.copy()
            if begun is not None and rng.random() < 1 / 8:
                imagined = world_of(game).determinize(rng.randrange(4), rng).game
                assert sum(imagined.hands) == sum(game.hands)
                replayed(begun, game, imagined)
            game.play(game.turn, reserved(game, rng))


def replayed(begun: Doppelkopf, game: Doppelkopf, imagined: Doppelkopf) -> None:
    """Play the hand again from the imagined hands and the cards that were played."""
    again = begun.copy()
    again.hands = list(imagined.hands)
    for seat, card in game.cards_in_order():
        again.hands[seat] += PACK.units[card]
    if again.contract == "normal":
        again.parties.by_queens(again.hands)
        assert again.parties.sides == imagined.parties.sides
    for seat, card in game.cards_in_order():
        again.check(seat, ("play", card))
        again.play(seat, ("play", card))
    assert again.high_foxes == game.high_foxes
    for seat, word in game.announcements.said:
        assert again.parties.sides[seat] == (0 if word == "re" else 1) or word not in {"re", "kontra"}


def test_an_announced_queen_is_where_it_was_announced():
    """A player who said Re and has shown none holds a queen of clubs; one who said Kontra holds none."""
    game = all_healthy(table("cQ", "cQ"))
    do(game, "alice announce re", "dave announce kontra")
    for seed in range(20):
        imagined = world_of(game).determinize(2, Random(seed)).game
        assert imagined.hands[0] & OLD_QUEENS
        assert not imagined.hands[3] & OLD_QUEENS


def test_a_lost_reservation_that_was_no_solo_was_a_wedding():
    """A player who spoke before the soloist and lost had no solo to name: both queens of clubs are there."""
    game = table("cQ cQ")
    do(game, "wedding", "solo ace", "healthy", "healthy")
    worlds = [world_of(game).determinize(2, Random(seed)).game for seed in range(20)]
    assert all(PACK.cards[world.hands[0]].count("cQ") == 2 for world in worlds)
    later = table("", "cQ", "cQ")
    do(later, "solo ace", "solo clubs", "healthy", "healthy")
    hands = [PACK.cards[world_of(later).determinize(3, Random(seed)).game.hands[1]].count("cQ") for seed in range(40)]
    assert min(hands) < 2


def test_a_poor_player_has_the_trumps_that_came_back_and_no_other():
    """Everyone counts them; the one who gave them knows which they are."""
    game = table(POOR, "cQ cQ", "dQ dQ hA sT sT", poverty="yes")
    do(game, "poverty", "healthy", "healthy", "healthy", "pass", "take", "exchange dQ sT sT")
    for seed in range(20):
        outsider, giver = (world_of(game).determinize(seat, Random(seed)).game for seat in (3, 2))
        assert PACK.count(outsider.hands[0] & NORMAL_TRUMPS) == 1
        assert {"dQ", "sT"} <= set(PACK.cards[giver.hands[0]])
        assert set(PACK.cards[world_of(game).determinize(0, Random(seed)).game.hands[2]]) >= {"dJ", "d9"}


@pytest.mark.parametrize(
    ("second", "hand"), [("poverty", "dJ cA cA cT cT sA sA sT sT hK hK hA"), ("wedding", "cQ cQ hT")]
)
@pytest.mark.parametrize("later", [["take"], ["take", "exchange dJ d9 d9"]])
def test_who_takes_a_poverty_no_longer_has_the_hand_that_he_spoke_of(second, hand, later):
    """Of a lost reservation nothing is guessed then that the exchange has made untrue: there is always a deal."""
    game = table(POOR, hand, poverty="yes")
    do(game, "poverty", second, "healthy", "healthy", *later)
    for seat in range(4):
        for seed in range(10):
            imagined = world_of(game).determinize(seat, Random(seed)).game
            assert sorted(map(PACK.count, imagined.hands)) == sorted(map(PACK.count, game.hands))


def test_many_deals_are_possible():
    """What is not known varies."""
    game = all_healthy(table())
    hands = {tuple(world_of(game).determinize(0, Random(seed)).game.hands) for seed in range(20)}
    assert len(hands) > 10
    assert {hand[0] for hand in hands} == {game.hands[0]}
