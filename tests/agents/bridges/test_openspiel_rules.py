"""OpenSpiel judges our rules: random games on both sides have the same plays and scores, or differ as is named."""

import itertools
from random import Random

import pytest

from croupier.agents.bridges import openspiel_games, openspiel_recycle
from croupier.agents.recycle import Option
from croupier.server import games
from croupier.server.games.game import Dice

pytest.importorskip("pyspiel", reason="needs the openspiel extra")

import pyspiel

GAMES = [20, pytest.param(10_000, marks=pytest.mark.soak)]
NAMES = ("ann", "bob", "cleo", "dot")
OPTIONS = {
    "pass": ("left", "right", "across", "none"),
    "first-trick": ("safe", "free"),
    "break": ("yes", "no"),
    "queen-breaks": ("no", "yes"),
    "jack": (0, 10),
}
SCORES = {"hearts": lambda value: 26 - value}
"""How a score follows from OpenSpiel's, where it differs."""


def begin(name, options, rng):
    """Begin a game of ours."""
    rules = games.find(name)
    return rules(NAMES[: rules.SEATS[0]], options, Dice(rng))


def views_of(game):
    """Return what all players see, the one on turn first."""
    seats = [(game.turn + step) % len(game.players) for step in range(len(game.players))]
    return {game.players[seat]: game.view(seat) for seat in seats}


def position(counterpart, views):
    """Return OpenSpiel's position of a deal, checked at every step."""
    state = pyspiel.load_game(counterpart.name(next(iter(views.values())))).new_initial_state()
    for action in counterpart.history(views):
        state.apply_action_with_legality_check(action)
    return state


@pytest.mark.parametrize("name", openspiel_games.COUNTERPARTS)
@pytest.mark.parametrize("number", GAMES)
def test_both_sides_allow_the_same_plays_and_give_the_same_scores(name, number):
    """At every decision that is one, OpenSpiel's position is rebuilt from what the players see; so is the last."""
    rng = Random(number)
    for _ in range(number):
        options = {key: rng.choice(values) for key, values in OPTIONS.items()} if name == "hearts" else {}
        game = begin(name, options, rng)
        while game.turn is not None:
            view, seat = game.view(game.turn), game.turn
            counterpart = openspiel_games.find(view)
            if view.legal is not None and len(view.legal) == 1 and name == "recycle:gops":
                game.play(seat, view.legal[0])  # OpenSpiel plays the last cards by itself
                continue
            state = position(counterpart, views_of(game))
            assert state.current_player() in {0, seat}
            allowed, mover = counterpart.actions(view), state.current_player()
            assert set(state.legal_actions()) == set(allowed)
            actions = rng.sample(sorted(allowed), counterpart.steps(view))
            for action in actions:
                state.apply_action_with_legality_check(action)
            for action in bid_before(game, state):
                state.apply_action_with_legality_check(action)
            game.play(seat, counterpart.play(view, actions))
            last, first = state, seat - mover
        assert last.is_terminal()
        returns = [SCORES.get(name, round)(value) for value in last.returns()]
        assert game.scores() == tuple(returns[(seat - first) % len(returns)] for seat in range(len(returns)))


def bid_before(game, state):
    """List the bid at Gops that lies face down, for the end of the round: OpenSpiel's position leaves it out."""
    if getattr(game, "PROGRAM", "") != "gops":
        return []
    view = game.overview()
    lying = view.pile(game.players[1 - game.turn], "BID")
    return [openspiel_recycle._PRIZES.index(view.card(card)["RANK"]) for card in lying]


class Judge:
    """One game on both sides, where the rules are not all the same."""

    NAME = ""
    CHANCE = ()
    """What chance decides before the cards are dealt."""

    def __init__(self, game):
        self.game = game
        self.state = pyspiel.load_game(self.NAME).new_initial_state()
        for action in self.CHANCE:
            self.state.apply_action(action)
        self.numbers = {self.state.action_to_string(action): action for action in self.state.legal_actions()}
        self.deal([[self.number(card) for card in self.pile(name, "HAND")] for name in game.players])

    def pile(self, owner, name):
        """Return what is on the cards of a list, with all cards open."""
        view = self.game.overview()
        return [view.card(card) for card in view.pile(owner, name)]

    def number(self, card):
        """Return OpenSpiel's number of a card."""
        rank = {"TEN": "T"}.get(card["RANK"], card["RANK"])
        rank = {word: str(value) for value, word in enumerate(WORDS, 2)}.get(rank, rank)
        return self.numbers[f"{card['SUIT'][0]}{rank}"]

    def deal(self, hands):
        """Deal the hands card by card around the table."""
        for number in itertools.chain.from_iterable(zip(*hands, strict=True)):
            self.state.apply_action_with_legality_check(number)

    def options(self):
        """Return our plays by their actions."""
        view = self.game.view(self.game.turn)
        return {self.action(view, Option(choice[0], choice[1:])): ("choose", choice[0]) for choice in view.choices}

    def action(self, view, option):
        """Return the action that an option is: here the card that it moves."""
        (card,) = option.moved()
        return self.number(view.card(card))

    def agreed(self, ours, theirs):
        """Return what both sides allow, if they differ only as is known."""
        assert ours == theirs
        return ours

    def apply(self, action):
        """Play it at OpenSpiel."""
        self.state.apply_action_with_legality_check(action)

    def is_comparable(self):
        """Return whether the sides are still in the same position."""
        return True


WORDS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")


class Spades(Judge):
    """There nil may be bid, and partners bid at most 13; there ten overtricks cost 100."""

    NAME = "spades"
    SPADES, BIDS = 39, 52

    def action(self, view, option):
        """Return a bid or a card."""
        bid = option.value("BID")
        return super().action(view, option) if bid is None else self.BIDS + bid

    def agreed(self, ours, theirs):
        """Expect nil there, and here bids that are too many with the partner's, and spades led once they are broken."""
        view = self.game.view(self.game.turn)
        if min(ours) < self.BIDS:
            is_led = view.store("table", "LEAD") == "NONE"
            assert theirs == ({card for card in ours if is_led and card < self.SPADES} or ours)
            return theirs
        partner = view.store(view.players[2], "BID")
        assert theirs == {self.BIDS} | {bid for bid in ours if bid - self.BIDS + partner <= 13}
        return ours & theirs - {self.BIDS + 13}  # after which the partner could bid nothing on both sides

    def check_scores(self, scores):
        """Expect 100 less there for ten overtricks."""
        view = self.game.overview()
        for name, ours, theirs in zip(view.players, scores, self.state.returns(), strict=True):
            team = next(("team", *names) for names in self.game.view(0).teams if name in names)
            overtricks = view.store(team, "TRICKS") - view.store(team, "BID")
            assert theirs == (ours - 100 if overtricks >= 10 else ours)


class Euchre(Judge):
    """There the maker may play alone, and the dealer keeps the turned card; the others lose what a side wins."""

    NAME = "euchre"
    CHANCE = (3,)
    PASS, PARTNER = 24, [29, 30]
    TRUMPS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")

    def deal(self, hands):
        """Begin with the dealer, and turn a card."""
        super().deal([hands[3], *hands[:3]])
        (self.turned,) = [self.number(card) for card in self.pile("table", "TURNED")]
        self.state.apply_action(self.turned)

    def action(self, view, option):
        """Return a suit, a pass or a card."""
        cards = option.moved(source="HAND")
        if cards:
            return self.number(view.card(cards[0]))
        trump = option.value("TRUMP")
        return self.PASS if trump is None else self.PASS + 1 + self.TRUMPS.index(trump)

    def agreed(self, ours, theirs):
        """Expect the turned card here alone, among those that the dealer may put away."""
        if len(ours) == 6:
            assert ours == theirs | {self.turned}
            return theirs
        return super().agreed(ours, theirs)

    def apply(self, action):
        """Play with the partner."""
        super().apply(action)
        if self.state.legal_actions() == self.PARTNER:
            self.state.apply_action(self.PARTNER[1])

    def check_scores(self, scores):
        """Expect the difference of the sides."""
        assert self.state.returns() == [scores[seat] - scores[(seat + 1) % 4] for seat in range(4)]


class OhHell(Judge):
    """There each trick scores a point, whether or not the bid comes true."""

    NAME = "oh_hell(players=4,num_tricks_fixed=7)"
    CHANCE = (7, 3)
    BIDS = 52

    def deal(self, hands):
        """Turn a card after the deal."""
        super().deal(hands)
        (turned,) = self.pile("table", "TURNED")
        self.state.apply_action(self.number(turned))

    def action(self, view, option):
        """Return a bid or a card."""
        bid = option.value("BID")
        return super().action(view, option) if bid is None else self.BIDS + bid

    def check_scores(self, scores):
        """Expect the tricks there, where a bid did not come true."""
        view = self.game.overview()
        tricks = [view.store(name, "TRICKS") for name in view.players]
        assert self.state.returns() == [ours or took for ours, took in zip(scores, tricks, strict=True)]


class GoFish(Judge):
    """There nobody asks a player who has no cards, and only the winner counts."""

    NAME = "go_fish(ask_after_empty_draw=False)"
    RANKS = (*WORDS, "TEN", "J", "Q", "K", "A")

    def number(self, card):
        """Return the number of the rank."""
        return self.RANKS.index(card["RANK"])

    def deal(self, hands):
        """Deal all cards of one player, then those of the other. There, a player who is dealt a book gets more."""
        self.is_whole = all(hand.count(rank) < 4 for hand in hands for rank in hand)
        for number in itertools.chain(*hands) if self.is_whole else ():
            self.state.apply_action_with_legality_check(number)

    def action(self, view, option):
        """Return the rank that the other player is asked for, or without cards the one that is drawn."""
        if option.value("ASKED") == "NONE":
            return self.top()
        return 13 * (1 - self.game.turn) + self.RANKS.index(option.value("ASKED"))

    def top(self):
        """Return the rank of the next card of the stock, if there is one."""
        stock = self.pile("table", "STOCK")
        return self.number(stock[-1]) if stock else None

    def agreed(self, ours, theirs):
        """Expect that chance draws there for a player without cards, one of those that are left."""
        if not self.state.is_chance_node():
            return super().agreed(ours, theirs)
        assert ours <= theirs
        return ours

    def apply(self, action):
        """Draw there what is drawn here."""
        asked, drawn = not self.state.is_chance_node(), self.top()
        super().apply(action)
        if asked and self.state.is_chance_node() and self.phase() == "Fish":
            self.state.apply_action_with_legality_check(drawn)

    def phase(self):
        """Return what is to be done there."""
        return str(self.state).partition("\n")[0]

    def is_comparable(self):
        """Return whether the player on turn can ask one who has cards, or has none; compare hands and books."""
        if not self.is_whole:
            return False
        hands = [sorted(map(self.number, self.pile(name, "HAND"))) for name in self.game.players]
        lines = str(self.state).split("\n")[2:4]
        assert [line.partition(":")[0] for line in lines] == [
            "".join(map(written, itertools.groupby(hand))) for hand in hands
        ]
        assert [int(line.partition(":")[2]) for line in lines] == list(self.game.scores())
        turn = self.game.turn
        return turn is None or not hands[turn] or bool(hands[1 - turn])

    def check_scores(self, scores):
        """Expect 1 for the winner and -1 for the other."""
        ours, other = scores
        assert self.state.returns() == [(ours > other) - (ours < other), (other > ours) - (other < ours)]


def written(group):
    """Return OpenSpiel's writing of equal ranks: a letter, and how many there are."""
    rank, cards = group
    return f"{chr(ord('a') + rank)}{len(list(cards))}"


JUDGES = {"spades": Spades, "euchre": Euchre, "oh-hell": OhHell, "go-fish": GoFish}


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("number", GAMES)
def test_where_the_rules_differ_it_is_only_in_what_is_named(name, number):
    """Plays and scores are the same beyond that, and nearly all games are compared to their end."""
    rng, ended = Random(number), 0
    for _ in range(number):
        game = begin(f"recycle:{name}", {}, rng)
        judge = JUDGES[name](game)
        while game.turn is not None and judge.is_comparable():
            ours = judge.options()
            assert judge.state.current_player() in (game.turn, pyspiel.PlayerId.CHANCE)
            action = rng.choice(sorted(judge.agreed(set(ours), set(judge.state.legal_actions()))))
            judge.apply(action)
            game.play(game.turn, ours[action])
        if game.turn is None:
            assert judge.state.is_terminal()
            judge.check_scores(game.scores())
            ended += 1
    assert ended > number / 2
    assert f"recycle:{name}" in openspiel_games.DIFFERENCES
