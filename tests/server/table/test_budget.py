"""What of a game's time a player has: for a reply, in the bank, and in all."""

from dataclasses import replace

import pytest
import trio

from croupier.agents import bundled
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.hearts import Hearts
from croupier.server.table.clock import REPLIES, Budget
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.messages import Answer
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat

NAMES = ("alice", "bob", "carol", "dave")


class Slow(LocalSeat):
    """Say of each reply that it took so long, or was too late; remember what the clock and the bank showed."""

    def __init__(self, name, takes=0.0):
        super().__init__(name, bundled.make("random"))
        self.takes = takes
        self.shown = []

    async def ask(self, question, seconds):
        self.shown.append((question.view.clock, question.view.bank))
        needs = self.takes(question.view) if callable(self.takes) else self.takes
        if needs > seconds:
            return Answer(Fault(Kind.TIMEOUT, f"no whole answer within {seconds * 1000:.0f} ms"), seconds)
        return replace(await super().ask(question, seconds), used=needs)


def played(rules, slow, terms, key, options):
    """Play a game between one slow seat and fast ones."""
    seats = [slow, *[Slow(name) for name in NAMES[1 : min(rules.SEATS)]]]
    return trio.run(Referee(rules, options, seats, key.deal(1), terms).play)


def test_who_drags_out_every_reply_makes_no_game_longer_than_fifty_of_them(key):
    """It is late once what is left of its total is less than it takes, and is told so."""
    slow = Slow(NAMES[0], 0.93)
    result = played(Dominion, slow, Terms(time=1), key, {})
    ((seat, fault),) = result.faults
    assert (seat, fault.kind) == (0, Kind.TIMEOUT)
    assert fault.why == "no whole answer within 710 ms; more was not left of its time for the whole game"
    assert len(slow.shown) == 54
    assert [clock for clock, _ in slow.shown[-2:]] == [1000, 710]
    assert sum(result.thinking[0]) == pytest.approx(50)


def test_who_looks_at_its_clock_plays_the_longest_game(key):
    """Using four fifths of what the clock shows: when nothing is left there is a fiftieth of the time a reply."""
    slow = Slow(NAMES[0], lambda view: 0.8 * view.clock / 1000)
    result = played(Dominion, slow, Terms(time=1), key, {})
    assert not result.faults
    assert len(slow.shown) > 2 * REPLIES
    assert [clock for clock, _ in slow.shown][:: len(slow.shown) - 1] == [1000, 20]


def test_a_game_of_few_replies_leaves_each_its_whole_time(key):
    """Thirteen at Hearts: nobody notices that there is a total."""
    slow = Slow(NAMES[0], 1.0)
    assert not played(Hearts, slow, Terms(time=1), key, {"pass": "none"}).faults
    assert {clock for clock, _ in slow.shown} == {1000}


def test_a_total_is_what_the_table_says(key):
    """Less than fifty replies, or more."""
    assert played(Hearts, Slow(NAMES[0], 0.9), Terms(time=1, total=9), key, {"pass": "none"}).faults
    assert not played(Dominion, Slow(NAMES[0], 0.9), Terms(time=1, total=900), key, {}).faults


def test_a_bank_alone_is_all_there_is(key):
    """No limit a reply: the clock shows none, the bank what is left, and who has used it up is late."""
    terms = Terms.of(0, 30_000, None, None)
    slow = Slow(NAMES[0], 2.0)
    assert not played(Hearts, slow, terms, key, {"pass": "none"}).faults
    assert slow.shown[:2] == [(0, 30_000), (0, 28_000)]
    ((_, fault),) = played(Hearts, Slow(NAMES[0], 4.0), terms, key, {"pass": "none"}).faults
    assert fault.kind is Kind.TIMEOUT


def test_what_goes_beyond_a_reply_is_taken_from_the_bank():
    """And the whole reply from the total, which holds the bank."""
    budget = Budget(1.0, 5.0, None)
    for used in (0.5, 3.0):
        budget.spend(used)
    assert (budget.reply, budget.bank) == (1.0, 3.0)
    for _ in range(49):
        budget.spend(1.0)
    assert (budget.reply, budget.bank) == (1.0, pytest.approx(1.5))
    budget.spend(2.0)
    assert (budget.reply, budget.bank) == (pytest.approx(0.5), 0.0)
