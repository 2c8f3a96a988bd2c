"""Sampling: the better play is found, noise alone changes nothing, and the budget goes to what is in question."""

from random import Random

from croupier.agents.agent import Agent
from croupier.agents.search.budget import Budget
from croupier.agents.search.candidates import MOST, candidates
from croupier.agents.search.player import Search
from croupier.agents.search.playout import Advice, Caution, Playout
from croupier.agents.search.sampling import FINALISTS, Sampling
from croupier.protocol import views
from croupier.protocol.sexp import parse

OWN = Agent()
"""The toy's own bot, which is there and never asked."""
ASKED = views.read(parse("((game toy))"))


class Toy:
    """One decision: what a play is worth on average is its number, and luck does the rest."""

    LOW_WINS = False
    players = ("ann", "bob")
    attack = None

    def __init__(self, worths, luck=0.0, rng=None):
        self.worths, self.luck, self.rng = worths, luck, rng or Random(1)
        self.turn, self.got = 0, 0.0
        self.game = self

    def legal(self):
        return [("play", f"c{number}") for number in range(len(self.worths))] if self.turn is not None else []

    def distinct(self, plays):
        return list(dict.fromkeys(plays))

    def play(self, seat, play):
        self.turn, self.got = None, self.worths[int(play[1][1:])] + self.rng.gauss(0, self.luck)

    def scores(self):
        return (self.got, -self.got)

    def partners(self, seat):
        return (seat,)

    def left(self):
        return None

    def copy(self):
        twin = Toy(self.worths, self.luck, self.rng)
        twin.turn = self.turn
        return twin

    def determinize(self, seat, rng):
        return self.copy()

    def earlier(self, seat):
        return ()

    def deal_by(self, deal):
        self.deal = deal

    def advance(self):
        pass


def thought(worths, luck, iterations, bot=OWN):
    """Think about a toy; return the play that is chosen, and how often each was tried."""
    toy = Toy(worths, luck)
    sampling = Sampling(toy, toy.legal(), Playout(bot), Random(1))
    play = sampling.think(Budget(iterations=iterations).start(ASKED))
    return int(play[1][1:]), [len(values) for values in sampling.values]


def test_the_better_play_is_found():
    """Also behind luck that is larger than what the plays differ by."""
    assert thought([0, 1, 9, 2], 0.5, 60)[0] == 2
    assert thought([0, 0, 3, 0], 5, 2000)[0] == 2


def test_the_first_is_kept_unless_another_is_better_beyond_doubt():
    """The game's own bot knows something; a single world says nothing against it."""
    assert thought([0, 5, 5], 0, 3)[0] == 0
    kept = [thought([0.5, 0, 0, 0, 0], 4, 10 * number)[0] for number in range(2, 9)]
    assert kept.count(0) >= len(kept) - 1


def test_where_the_game_has_no_bot_the_best_is_played_whatever_the_first():
    """What comes first by chance has nothing for it: a lead within the noise, in one world, is more than that."""
    assert thought([0, 5, 5], 0, 3, bot=None)[0] == 1
    found = [thought([0, 2], 4, 2 * number, bot=None)[0] for number in range(4, 40)]
    assert found.count(1) > 0.7 * len(found)
    assert {candidates(Toy([0] * 4), [], Random(seed))[0] for seed in range(40)} == set(Toy([0] * 4).legal())


def test_what_is_worse_is_not_tried_for_long():
    """The first halves go after two worlds, and what is clearly worse after a few."""
    _, tried = thought([0, -50, -50, -50, -50, -50, -50, 1], 1, 200)
    assert max(tried[1:7]) <= 8 < tried[7]
    assert sorted(tried)[-FINALISTS] <= 40


def test_with_time_for_more_worlds_halves_are_dropped_later():
    """A play that is only a little better is found more often if half of them are not dropped after two worlds."""

    def found(worlds):
        right = 0
        for seed in range(40):
            toy = Toy([0] * 7 + [1.5], 2, Random(seed))
            sampling = Sampling(toy, toy.legal(), Playout(None), Random(seed), worlds=worlds)
            right += sampling.think(Budget(iterations=400).start(ASKED)) == ("play", "c7")
        return right

    assert found(50) > found(8) + 5


def test_a_few_worlds_that_are_alike_drop_nothing_where_there_is_time_for_many():
    """A play that costs a little in most worlds, and saves much in a rare one, is still tried when that one comes."""

    def dropped(worlds):
        sampling = Sampling(Toy([0, 0]), [("play", "c0"), ("play", "c1")], Playout(OWN), Random(1), worlds=worlds)
        sampling.values = [[0.0] * 7, [-1.0] * 7]
        sampling._drop()
        return 2 - len(sampling.alive)

    assert [dropped(worlds) for worlds in (8, 50)] == [1, 0]


def test_of_many_plays_some_are_candidates():
    """The sensible one first, then those that differ in one card, the first two in their order; no play twice."""
    toy = Toy([0] * 60)
    found = candidates(toy, [("play", "c7")], Random(1))
    assert found[:3] == [("play", "c7"), ("play", "c0"), ("play", "c1")]
    assert len(found) == len(set(found)) == MOST
    assert candidates(Toy([0] * 4), [("play", "c2")], Random(1)) == [("play", f"c{n}") for n in (2, 0, 1, 3)]


def test_what_is_proposed_is_thought_about():
    """Whatever several bots would do comes first, and where there is room for no more, that is all."""
    toy, proposed = Toy([0] * 60), [("play", f"c{number}") for number in (9, 50, 3)]
    assert candidates(toy, proposed, Random(1), 3) == proposed
    assert candidates(toy, proposed, Random(1), 5)[:3] == proposed
    assert len(candidates(toy, [], Random(1), 5)) == 5


def test_a_gift_is_the_same_in_any_order():
    """What the sensible bot says in its own order is not tried a second time in the rules'."""
    toy = Toy([0])
    toy.legal = lambda: [("give", "c2", "c3", "c4"), ("give", "c2", "c3", "c5")]
    assert candidates(toy, [("give", "c4", "c2", "c3")], Random(1))[1:] == [("give", "c2", "c3", "c5")]


def test_caution_says_what_another_play_must_show():
    """A lead of one error is enough for one playout and too little for another; too few worlds say nothing."""

    def best(caution, gains):
        sampling = Sampling(Toy([0, 1]), [("play", "c0"), ("play", "c1")], Playout(OWN, caution=caution), Random(1))
        sampling.values = [[0.0] * len(gains), gains]
        return sampling._best()

    some, many = [4.0, -2.0, 4.0], [4.0, -2.0] * 6
    assert [best(Caution(few=few), some) for few in (3, 4)] == [0, 0]
    assert best(Caution(few=3, errors=0.4), some) == 1
    assert best(Caution(few=4, errors=0.4), some) == 0
    assert [best(Caution(errors=errors), many) for errors in (0.5, 2.0)] == [1, 0]


class Climb(Toy):
    """Two steps by the same seat: only who goes up twice gains; who gives up half-way loses."""

    def __init__(self, steps=()):
        super().__init__([0, 0])
        self.steps = steps

    def legal(self):
        return [("play", "up"), ("play", "down")]

    def routine(self):
        return None

    def glance(self, seat):
        return ASKED

    def play(self, seat, play):
        self.steps = (*self.steps, play[1])
        if len(self.steps) == 2:
            self.turn, self.got = None, (0, -5, 10)[self.steps.count("up")] * (self.steps[0] == "up")

    def copy(self):
        return Climb(self.steps)


class Steady(Agent):
    """Always goes the same way."""

    def __init__(self, way):
        self.way = way

    def tryPlay(self, state):
        return ("play", self.way)


def test_a_plan_is_carried_on_by_the_bot_that_proposed_it():
    """Played on by the reflex bot, which always goes down, going up would lose."""
    for advisers, best in (((), "down"), ((Steady("up"),), "up")):
        playout = Playout(Steady("down"), 0, Advice(advisers))
        search = Search(lambda view: Climb(), lambda game, way=playout: way, Budget(iterations=40))
        assert search.tryPlay(ASKED) == ("play", best)


class Duel(Climb):
    """One step by each: the first gains by going up only if the second goes down."""

    def play(self, seat, play):
        self.steps = (*self.steps, play[1])
        self.turn, self.got = (
            (1, 0) if len(self.steps) == 1 else (None, {("up", "down"): 1, ("up", "up"): -1}.get(self.steps, 0))
        )

    def copy(self):
        twin = Duel(self.steps)
        twin.turn = self.turn
        return twin


def test_opponents_may_be_played_by_a_bot_of_their_own():
    """The seat's own bot would go down there, and going up would be right; theirs goes up."""
    for others, best in ((None, "up"), (Steady("up"), "down")):
        playout = Playout(Steady("down"), 0, others=others)
        search = Search(lambda view: Duel(), lambda game, way=playout: way, Budget(iterations=40))
        assert search.tryPlay(ASKED) == ("play", best)
