"""What trick-taking games share: hands as numbers, following an effective suit, and dealing hidden cards again."""

from itertools import chain, combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.cards import PACK_24, PACK_32, PACK_52, by_suit, rank, suit
from croupier.protocol.notifications import Request
from croupier.protocol.views.sedma import SedmaView
from croupier.server.games import find
from croupier.server.games.game import Dice, IllegalPlay, Told, UnknownPlay
from croupier.server.games.hands import Pack
from croupier.server.games.orderings import compile_order, farbspiel, jacks, of
from croupier.server.games.redeal import ImpossibleError, Pile, Redeal
from croupier.server.games.tricks import TrickTaking, clockwise
from croupier.server.games.tricks_world import TrickWorld
from croupier.server.games.world import world_of

SINGLE, DOUBLE = Pack(PACK_52), Pack(card for card in PACK_24 for _ in range(2))
LARGE = Pack(card for card in PACK_52 for _ in range(2))
packs = st.sampled_from([SINGLE, DOUBLE, LARGE])


@st.composite
def hands(draw):
    """Draw a pack and some of its cards."""
    pack = draw(packs)
    cards = pack.cards[pack.everything]
    places = draw(st.sets(st.integers(0, len(cards) - 1), max_size=13))
    return pack, [cards[place] for place in sorted(places)]


@given(hands(), st.randoms())
def test_a_hand_lists_the_cards_that_it_was_made_of(drawn, rng):
    """Whatever order cards come in, a hand lists each copy in the pack's order, and each play once."""
    pack, cards = drawn
    mixed = rng.sample(cards, len(cards))
    hand = pack.hand(mixed)
    assert pack.cards[hand] == tuple(sorted(cards, key=list(pack.units).index))
    assert pack.plays[hand] == tuple(("play", card) for card in dict.fromkeys(pack.cards[hand]))
    assert pack.count(hand) == len(cards)
    assert pack.faces(hand) == set(cards)


@given(hands())
def test_playing_a_card_is_taking_its_unit_away(drawn):
    """A hand without one copy of a card is the hand of the other cards; what is kept of a suit is a hand, too."""
    pack, cards = drawn
    hand = pack.hand(cards)
    for card in cards:
        left = list(cards)
        left.remove(card)
        assert hand - pack.units[card] == pack.hand(left)
        assert bool(hand & pack.masks[card])
    assert hand & pack.where(of("h")) == pack.hand(card for card in cards if suit(card) == "h")
    assert pack.everything - hand == pack.hand(list(pack.cards[pack.everything])) - hand


def effective(card):
    """Return the effective suit of a card where hearts and jacks are trumps."""
    return "trump" if jacks(card) or suit(card) == "h" else suit(card)


EFFECTIVE = {
    name: Pack(PACK_32).where(lambda card, name=name: effective(card) == name) for name in ("trump", "c", "d", "s")
}
SUITS = {card: EFFECTIVE[effective(card)] for card in PACK_32}


class FarbspielWorld(TrickWorld):
    """Farbspiel as a search has it."""

    def hidden_piles(self, seat):
        """Nobody sees the skat."""
        return [self.game.skat]

    def rehide(self, seat, piles, rng):
        """Put another skat."""
        (self.game.skat,) = piles


class Farbspiel(TrickTaking):
    """Three players with ten cards each, hearts and jacks trumps: the least that a game of tricks must say."""

    NAME = "suitless"
    PAGE = SedmaView
    WORLD = FarbspielWorld
    SEATS = (3,)
    PACK = Pack(PACK_32)
    DEALT = PACK_32
    suits = SUITS
    table = compile_order(PACK_32, lambda led: farbspiel("h", led), led=suit)
    PENALTY = AWARD = 0

    def __init__(self, deal):
        super().__init__(("a", "b", "c"), {}, deal)
        self.hands_to_play = 2
        self.won = [0, 0, 0]
        self.next_hand()

    def deal_hands(self, cards):
        """Deal ten each and leave two."""
        self.deal_around(self.around[self.forehand], cards, 10)
        self.skat = self.PACK.hand(cards[30:])

    def begin(self):
        """Play at once."""
        self.won = [0, 0, 0]
        self.lead(self.forehand)

    def took(self, winner, cards):
        """Count tricks."""
        assert len(cards) == 3
        self.won[winner] += 1
        return () if self.hands[winner] else self.end_hand(self.won)

    def goes_on(self):
        """Play two hands."""
        return self.number < self.hands_to_play


def play_out(game, rng, visit=lambda: None):
    """Play to the end at random; return all news."""
    news = []
    while game.turn is not None:
        visit()
        news += game.play(game.turn, game.sample(rng))
    return news


def test_a_jack_of_trumps_is_a_trump():
    """The effective suit counts: a jack follows trumps, and does not follow the suit printed on it."""
    game = Farbspiel(Dice(Random(1)))
    pack = game.PACK
    game.hands[1], game.trick, game.turn = pack.hand(["cJ", "c7", "h9", "s7"]), ["hA"], 1
    assert [play[1] for play in game.legal()] == ["cJ", "h9"]
    game.trick = ["cA"]
    assert [play[1] for play in game.legal()] == ["c7"]
    game.trick = ["dA"]
    assert len(game.legal()) == 4
    game.trick = ["dJ"]
    with pytest.raises(IllegalPlay, match="dJ was led and the hand can follow suit, which c7 does not"):
        game.check(1, ("play", "c7"))


def test_hands_follow_each_other_and_the_forehand_moves_on():
    """Each hand is scored, the next announced and led by the next player; the tally adds up."""
    game = Farbspiel(Dice(Random(2)))
    leaders = {}
    news = play_out(game, Random(3), lambda: leaders.setdefault(game.number, game.leader))
    assert leaders == {1: 0, 2: 1}
    assert [told.play[0] for told in news] == ["score", "deal", "score"]
    assert news[1] == Told(("deal", 2))
    assert sum(game.scores()) == 20
    assert game.legal() == ()


def test_the_winner_is_whom_the_ordering_names():
    """Every trick is led by the winner of the one before."""
    game = Farbspiel(Dice(Random(4)))
    while game.number == 1:
        game.play(game.turn, game.sample(Random(5)))
        tricks = [*game.tricks, (game.leader, ())]
        for (leader, cards), (follower, _) in pairwise(tricks):
            assert game.around[leader][game.table.winner(cards)] == follower


def test_every_seat_is_shown_itself_first():
    """Players and tally begin with the seat and go on clockwise; tricks name their leaders."""
    game = Farbspiel(Dice(Random(6)))
    for _ in range(7):
        game.play(game.turn, game.legal()[0])
    seen = game.view(2)
    assert seen.players == ("c", "a", "b")
    assert list(seen.tally) == ["c", "a", "b"]
    assert [trick.leader for trick in seen.tricks] == [game.players[leader] for leader, _ in game.tricks]
    assert seen.trick.cards == tuple(game.trick)
    assert seen.hand == by_suit(seen.hand)


def test_only_the_seat_on_turn_plays_and_only_plays():
    """Whatever is no card of the pack is unknown; a card out of turn is illegal."""
    game = Farbspiel(Dice(Random(7)))
    with pytest.raises(UnknownPlay):
        game.check(0, ("bid", 18))
    with pytest.raises(IllegalPlay, match="it is a's turn"):
        game.check(1, ("play", "c7"))
    with pytest.raises(UnknownPlay):
        game.check(0, ("play", "c2"))


def test_cards_dealt_again_respect_what_was_shown():
    """A suit that was not followed is nowhere in that hand, and every card is somewhere once."""
    rng = Random(8)
    for seed in range(30):
        game = Farbspiel(Dice(Random(seed)))

        def imagine(game=game):
            seat = rng.randrange(3)
            twin = world_of(game).determinize(seat, rng).game
            assert twin.hands[seat] == game.hands[seat]
            assert sum(twin.hands) + twin.skat == sum(game.hands) + game.skat
            for other, lacks in enumerate(world_of(game).lacks()):
                assert not twin.hands[other] & lacks
                assert game.PACK.count(twin.hands[other]) == game.PACK.count(game.hands[other])

        play_out(game, rng, imagine)


def test_a_world_that_went_on_is_dealt_again_as_it_is_now():
    """What it remembers of one position is not used for the next, nor for another seat."""
    for seed in range(10):
        game, rng = Farbspiel(Dice(Random(seed))), Random(seed)
        world = world_of(game)
        while game.turn is not None:
            for seat in range(3):
                twin = world.determinize(seat, rng).game
                assert twin.hands[seat] == game.hands[seat]
                assert sum(twin.hands) + twin.skat == sum(game.hands) + game.skat
            game.play(game.turn, game.sample(rng))


def test_piles_are_filled_with_what_they_may_have():
    """However tight the conditions, a deal is found if there is one, and all cards are used."""
    cards = PACK_24[:12]
    for seed in range(200):
        rng = Random(seed)
        mixed = rng.sample(cards, 12)
        truth = [mixed[:4], mixed[4:8], mixed[8:]]
        piles = [Pile(4, {*held, *rng.sample(cards, 2)}) for held in truth]
        dealt = Redeal(cards, piles).deal(rng)
        assert sorted(chain.from_iterable(dealt)) == sorted(cards)
        assert all(card in pile.may for pile, held in zip(piles, dealt, strict=True) for card in held)


def test_every_fitting_deal_is_equally_likely():
    """Where half of the deals fit, none of them is favored."""
    rng, counts = Random(9), {}
    piles = [Pile(2, {"a", "b", "c"}), Pile(2, {"a", "b", "c", "d"})]
    for _ in range(3000):
        first, _ = Redeal(("a", "b", "c", "d"), piles).deal(rng)
        counts[frozenset(first)] = counts.get(frozenset(first), 0) + 1
    assert set(counts) == {frozenset(pair) for pair in combinations("abc", 2)}
    assert all(900 < count < 1100 for count in counts.values())


def test_what_cannot_be_is_said():
    """Too many cards, or one that may be nowhere, is an error."""
    with pytest.raises(ImpossibleError):
        Redeal(("a", "b"), [Pile(1, {"a"})])
    with pytest.raises(ImpossibleError):
        Redeal(("a", "b"), [Pile(1, {"a"}), Pile(1, {"a"})])


def test_clockwise_begins_anywhere():
    """Three of four seats take turns without the fourth."""
    assert clockwise((1, 2, 3))[2] == (2, 3, 1)
    assert rank("h9") == "9"


@pytest.mark.parametrize("hands", [1, 3])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hearts", {"variant": "seed", "score-to": 100_000}),
        ("jass", {"score-to": 10_000}),
        ("sedma", {"score-to": 1000}),
    ],
)
def test_a_game_to_a_score_that_nobody_reaches_ends_after_so_many_hands(name, options, hands):
    """Scores may stand still or go down forever; the option hands ends the game, and STATE tells of it."""
    game = find(name)(("a", "b", "c", "d"), {**options, "hands": hands}, Dice(Random(1)))
    assert f"(hands {hands})" in Request(game.view(0)).write()
    rng, played = Random(2), []
    while (turn := game.turn) is not None:
        played += [news.play for news in game.play(turn, game.sample(rng)) if isinstance(news, Told)]
    assert [news[0] for news in played].count("score") == hands
    assert find(name).read_options({})["hands"] == 1000
