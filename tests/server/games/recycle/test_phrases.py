"""A program's table is drawn and told as people at a table would: what its text tells of it is found in every game."""

import re
from random import Random

import pytest

from croupier.server import games
from croupier.server.games.broadcast import Role
from croupier.server.games.game import Dice
from croupier.server.games.recycle.design import design_of

TRICKS = {
    "agram", "briscola", "euchre", "german-whist", "hearts", "oh-hell", "polignac", "sedma", "spades", "sueca", "whist",
}  # fmt: skip
PLAYS = 40


def rules_of(name):
    return games.find(f"recycle:{name}")


def design(name):
    return design_of(rules_of(name).compiled().tree)


def played(name):
    """Yield a broadcast that draws, and what each play of a game is called: to its player, and to the others."""
    rules, rng = rules_of(name), Random(1)
    game = rules(("ada", "bob", "cy", "di", "eve", "finn")[: rules.SEATS[0]], {}, Dice(rng))
    broadcast = game.BROADCAST(game)
    broadcast.drawn = True
    for _ in range(PLAYS):
        if game.turn is None:
            return
        play, seat = game.sample(rng), game.turn
        own = broadcast.chosen(game.view(seat), play)
        yield broadcast, own, broadcast.words_for_others(seat, game.public(seat, play))
        broadcast.before(seat, play)
        game.play(seat, play)
        list(broadcast.endings())


def test_the_tricks_of_a_program_are_found():
    """By the stage that ends when each player has one open card, whatever the list is called."""
    assert {name for name in games.library() if design(name).tricks} == TRICKS


@pytest.mark.parametrize(
    ("name", "followed", "left_out"),
    [
        ("spades", {"BID", "TRICKS", "SCORE"}, {"BROKEN", "LEAD"}),
        ("oh-hell", {"BID", "TRICKS", "TRUMP"}, {"BIDS", "SUM", "LEAD"}),
        ("euchre", {"TRUMP", "MAKER", "TRICKS"}, {"ASKED", "READY", "NAMED", "COLOR"}),
        ("golf", {"SCORE"}, {"TAKEN"}),
        ("kuhn-poker", {"CHIPS", "POT", "FOLDED"}, {"CHECKS"}),
    ],
)
def test_bookkeeping_is_told_from_what_people_follow(name, followed, left_out):
    """The scores follow from it, or somebody chooses its value; what a program counts for itself is neither."""
    found = design(name).followed
    assert followed <= found
    assert not left_out & found


@pytest.mark.parametrize("name", sorted(TRICKS))
def test_a_trick_lies_in_the_middle_before_who_played_it(name):
    """Clockwise from its leader, each card with its seat; beside the players stands no list of its own for it."""
    seen = set()
    for broadcast, _, _ in played(name):
        places = broadcast.picture(None).places
        [trick] = [place for place in places if place.role is Role.TRICK]
        assert not any(place.owner is not None and place.name == "trick" for place in places)
        many = len(broadcast.game.players)
        assert all((second - first) % many == 1 for first, second in zip(trick.counts, trick.counts[1:], strict=False))
        if trick.cards:
            assert (trick.counts[-1] + 1) % many == broadcast.game.turn
        seen.add(len(trick.cards))
    assert seen >= set(range(1, len(broadcast.game.players)))


@pytest.mark.parametrize("name", games.library())
def test_what_is_done_is_said_without_the_words_of_the_program(name):
    """Neither its names of lists and stores nor a store that "is" something; and different choices sound different."""
    rules = rules_of(name)
    shouted = {held.name for held in rules.compiled().start.every} - {""}
    for broadcast, *said in played(name):
        for words in said:
            assert not shouted & set(words.replace(",", " ").split()), words
            assert " is " not in words
        view = broadcast.game.view(broadcast.game.turn)
        offered = {play: broadcast.words_for_choice(view, play) for play in view.legal or ()}
        plain = type(broadcast)(broadcast.game)
        for play, words in offered.items():
            same = [other for other, its in offered.items() if its == words]
            assert {plain.words_for_choice(view, other) for other in same} == {plain.words_for_choice(view, play)}


def test_a_hand_is_sorted_by_suit_and_rank():
    """As people hold their cards; what lies open stays in its order."""
    broadcast, _, _ = next(played("whist"))
    for place in broadcast.picture(None).places:
        if place.role is Role.HAND:
            order = ["cdhs".index(card[0]) * 13 + "23456789TJQKA".index(card[1]) for card in place.cards]
            assert len(order) == 13
            assert order == sorted(order)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ((("swap", ("ada", "iloc", "HAND"), ("bob", "iloc", "HAND")),), "swap ada HAND bob HAND"),
        ((("cycle", "next", "bob"),), "passes"),
        ((("move", "DEFAULT", ("bob", "iloc", "HAND"), ("ada", "iloc", "HAND")),), "takes a card from bob's hand"),
        ((("move", "DEFAULT", ("ada", "iloc", "HAND"), ("bob", "iloc", "HAND")),), "gives a card to bob's hand"),
        ((("set", "bob", "LIVES", 2),), "bob: 2 lives"),
        ((("set", "bob", "LIVES", 1),), "bob: 1 life"),
        ((("set", "table", "LIVES", 0),), "0 lives on the table"),
        ((("set", "ada", "WISH", 1),), "asks to swap"),
    ],
)
def test_what_a_choice_does_is_said_of_its_owner(actions, words):
    """One's own lists and stores bear no name, those of others do; what has no phrase is said as the program has it."""
    rules = rules_of("cuckoo")
    game = rules(("ada", "bob", "cy", "di"), {}, Dice(Random(1)))
    broadcast = game.BROADCAST(game)
    broadcast.drawn = True
    assert broadcast.words_for_others(0, ("choose", *actions)) == words


@pytest.mark.parametrize("name", ["spades", "gops"])
def test_a_bid_is_said_as_one(name):
    """Not that something is five, nor that a card goes to the bid."""
    _, own, _ = next(played(name))
    assert own.startswith("bids ")


def test_what_takes_cards_is_said_with_them():
    """A card that goes where those from the pool go has taken them."""
    said = [own for _, own, _ in played("cassino")]
    assert any(re.fullmatch(r"takes [cdhs].( [cdhs].)* from the pool with [cdhs].", words) for words in said)
    assert not any("YES" in words or "NO " in words for words in said)


def test_where_nothing_looks_again_is_no_news():
    """Of a round of Gops the prize is told, and the points; not where the bids go afterwards."""
    told = [said.words for broadcast, *_ in played("gops") for said in broadcast.automatic_moves()]
    assert design("gops").graves == {"GONE", "USED"}
    assert any(words.startswith("prize: ") for words in told)
    assert all(
        words.startswith(("prize: ", "ada: score ", "bob: score ", "the stock holds", "ada holds", "bob holds"))
        for words in told
    )
