"""The library: every game is checked, played, and shows nobody what he may not see."""

from itertools import islice
from random import Random

import pytest
from tests.support.recycle import play_out

from croupier.protocol import views
from croupier.protocol.cards import PACK_32, PACK_52
from croupier.protocol.sexp import parse
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.recycle import library, load
from croupier.server.games.recycle.check import check
from croupier.server.games.recycle.describe import about
from croupier.server.games.world import world_of
from croupier.server.laws.trial import looks

NAMES = ("alice", "bob", "carol", "dave")
RANKS = dict(
    zip(
        ["TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "J", "Q", "K", "A"],
        "23456789TJQKA",
        strict=True,
    )
)
every_program = pytest.mark.parametrize("name", library())


class Order:
    """A deal whose only shuffle is given."""

    def __init__(self, cards):
        self.cards = cards

    def shuffle(self, label, cards):
        """Give the cards as they were given."""
        assert sorted(cards) == sorted(self.cards)
        return tuple(self.cards)


def begin(name, rng):
    """Seat the players of a program."""
    rules = load(name)
    return rules(NAMES[: rules.SEATS[0]], {}, Dice(rng))


def decisions(name, seed):
    """Play one game at random; yield it before every decision."""
    rng = Random(f"{name} {seed}")
    game = begin(name, rng)
    while game.turn is not None:
        yield game, rng
        game.play(game.turn, game.sample(rng))


@every_program
def test_the_checker_finds_nothing(name):
    """No error, no warning, no option that is never offered, no tie that chance decides."""
    assert check(name).problems == []


@every_program
def test_it_says_what_it_is(name):
    """The first line is a comment that names the game and its idea."""
    said = about(load(name).TEXT)
    assert said.lower().replace(" ", "-").startswith(name[:4])
    assert said.endswith(".")


@every_program
def test_it_comes_to_an_end(name):
    """Random games finish, within the limits, with a score for everybody and a winner."""
    for seed in range(20):
        game = play_out(begin(name, Random(seed)), Random(seed))
        assert (game.outcome, game.void) == ("finished", None)
        assert min(game.ranks()) == 1
        for seat in range(len(game.players)):
            assert {game.scores()[partner] for partner in game.partners(seat)} == {game.scores()[seat]}


@every_program
def test_equal_knowledge_is_equal_bytes(name):
    """Dealing again what a seat cannot see changes no byte of its view, options and all."""
    for game, rng in islice(decisions(name, 1), 40):
        for seat in range(len(game.players)):
            assert str(world_of(game).determinize(seat, rng).game.view(seat)) == str(game.view(seat))


@every_program
def test_what_is_imagined_is_what_is_seen(name):
    """From STATE alone the game is told again; imagined there it is what is imagined at the true table."""
    for game, rng in islice(decisions(name, 3), 0, 60, 6):
        seat, chance = game.turn, rng.random()
        text = str(game.view(seat))
        again = game.WORLD.of_view(type(game), views.read(parse(text))).game
        assert str(again.view(seat)) == text
        here, there = (world_of(table).determinize(seat, Random(chance)).game for table in (game, again))
        assert str(here.view(seat)) == text
        assert looks(here) == looks(there)


@every_program
def test_hidden_cards_are_in_no_message(name):
    """Neither a view nor what is heard of a play names a card that the hearer cannot see before or after it."""
    for game, rng in islice(decisions(name, 2), 40):
        play = game.sample(rng)
        heard = numbers(game.public(game.turn, play))
        after = game.copy()
        after.play(game.turn, play)
        for seat in range(len(game.players)):
            view = game.view(seat)
            open_cards = {card for _, *cards in view.visible for card in cards}
            assert {card for card, *_ in view.cards} == open_cards
            named = {action[1] for choice in view.choices or () for action in choice[1:] if action[0] == "move"}
            assert {card for card in named if isinstance(card, int)} <= open_cards
            if seat != game.turn:
                seen_after = {card for _, *cards in after.view(seat).visible for card in cards}
                assert heard <= open_cards | seen_after | passing(game, play)


@pytest.mark.parametrize("name", ["gops", "draft"])
def test_a_secret_choice_tells_nobody_which(name):
    """Whichever card is put down first, unseen, the others hear the same and see the same."""
    game = begin(name, Random(1))
    told, seen = set(), set()
    for play in game.legal():
        after = game.copy()
        told.add(game.public(0, play))
        assert not after.play(0, play)
        seen.add(str(after.view(1)))
    assert len(told) == len(seen) == 1


def numbers(heard):
    """Return the cards that a heard play names."""
    moves = [action for action in heard[1:] if action[0] in ("move", "remember", "forget", "swap")]
    return {item for action in moves for item in action[1:3] if isinstance(item, int)}


def passing(game, play):
    """Return the cards that a play itself lays open."""
    return {action[1] for action in game.public(game.turn, play)[1:] if action[0] == "move" and "vloc" in action[3]}


@every_program
def test_the_orders_of_both_engines_have_the_same_options(name):
    """With compat, the same deal offers as many options to the same seat, choice by choice, when the same are taken."""
    rules = load(name)
    rng = Random(3)
    plain = rules(NAMES[: rules.SEATS[0]], {}, Dice(Random(4)))
    compat = rules(NAMES[: rules.SEATS[0]], {"compat": "yes"}, Dice(Random(4)))
    for _ in range(30):
        assert plain.turn == compat.turn
        if plain.turn is None:
            return
        ours, theirs = (shown(game) for game in (plain, compat))
        assert sorted(ours) == sorted(theirs)
        wanted = rng.choice(ours)
        for game, options in ((plain, ours), (compat, theirs)):
            game.play(game.turn, ("choose", options.index(wanted) + 1))


def shown(game):
    """Return what each option does, in any order."""
    return [sorted(map(repr, choice[1:])) for choice in game.view(game.turn).choices]


def cards_by_name(rules):
    """Return the name of each card of a program with the French cards, and back."""
    cards = [card["SUIT"][0].lower() + RANKS[card["RANK"]] for card in rules.compiled().start.deck.cards]
    return cards, {card: str(number) for number, card in enumerate(cards)}


def same_game(native, program, pack, seed):
    """Play a native game and a program on the same deal; demand the same legal plays and scores."""
    rng = Random(seed)
    names, ids = cards_by_name(type(program(pack)))
    order = rng.sample(pack, len(pack))
    ours, theirs = native(Order(order)), program([ids[card] for card in order])
    while ours.turn is not None:
        assert theirs.turn == ours.turn
        options = {}
        for number, _ in enumerate(theirs.ways, 1):
            played = theirs.public(theirs.turn, ("choose", number))
            options[next(names[action[1]] for action in played[1:] if action[0] == "move")] = number
        legal = sorted(play[1] for play in ours.legal())
        assert sorted(options) == legal
        assert len(theirs.ways) == len(legal)
        card = rng.choice(legal)
        ours.play(ours.turn, ("play", card))
        theirs.play(theirs.turn, ("choose", options[card]))
    assert theirs.turn is None
    assert theirs.scores() == ours.scores()


@pytest.mark.parametrize("block", range(3))
def test_hearts_is_hearts(block):
    """The program plays like the native game in its variant: same legal plays, same scores, deal by deal."""
    hearts = games.find("hearts")
    rules = load("hearts")
    for seed in range(100 * block, 100 * (block + 1)):
        same_game(
            lambda deal: hearts(NAMES, {"variant": "seed"}, deal),
            lambda cards: rules(NAMES, {}, Order(cards if cards != PACK_52 else [str(n) for n in range(52)])),
            PACK_52,
            seed,
        )


def test_sedma_is_sedma():
    """The program plays like the native game: same legal plays, same scores, deal by deal."""
    sedma = games.find("sedma")
    rules = load("sedma")
    for seed in range(200):
        same_game(
            lambda deal: sedma(NAMES, {}, deal),
            lambda cards: rules(NAMES, {}, Order(cards if cards != PACK_32 else [str(n) for n in range(32)])),
            PACK_32,
            seed,
        )


def test_the_bowers_are_the_highest_trumps():
    """At Euchre the jack of trumps, then the other jack of its color, take each trick in which they are."""
    for game, _ in (each for seed in range(30) for each in decisions("euchre", seed)):
        view = game.view(game.turn)
        trick = [view.card(card) for card in view.pile("table", "PLAYED")[-4:]]
        if not any(view.pile(name, "TRICK") for name in NAMES):
            trump, color = view.store("table", "TRUMP"), view.store("table", "COLOR")
            jacks = [seat for seat, card in enumerate(trick) if card["RANK"] == "J" and card["COLOR"] == color]
            right = [seat for seat in jacks if trick[seat]["SUIT"] == trump]
            assert not jacks or game.turn == (right or jacks)[0]


def test_a_player_who_fishes_what_was_asked_for_asks_again():
    """So does one that is given cards; all others pass the turn on."""
    seen = set()
    for game, _ in (each for seed in range(10) for each in decisions("go-fish", seed)):
        table, seat, asked = game.overview(), game.turn, game.view(game.turn).choices[0][1][3]
        stock, other = table.pile("table", "STOCK"), table.pile(NAMES[1 - seat], "HAND")
        given = any(table.card(card)["RANK"] == asked for card in other)
        fished = bool(stock) and not given and table.card(stock[-1])["RANK"] == asked
        after = game.copy()
        after.play(seat, ("choose", 1))
        if after.turn is not None:
            assert (after.turn == seat) == (given or fished)
            seen.add((given, fished))
    assert seen == {(True, False), (False, True), (False, False)}
