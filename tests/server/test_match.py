"""Tables: processes that live on, are replaced where they must be, and leave when told."""

import sys

from tables import BOTS, children_left, misfit

from croupier.server import entries
from croupier.server.games.dominion import Dominion
from croupier.server.match import Table
from croupier.server.referee import Terms

TERMS = Terms(time=5)


def pids(table):
    return [seat._process.pid for seat in table.seats]


async def test_a_process_plays_many_games(key, tmp_path):
    """The same processes play game after game."""
    bots = entries.distinct([entries.read("big-money"), entries.read("smithy")])
    async with Table(bots, tmp_path) as table:
        await table.play(Dominion, {}, key.deal(1), TERMS)
        first = pids(table)
        await table.play(Dominion, {}, key.deal(2), TERMS)
        assert pids(table) == first
    assert children_left() == []


async def test_a_process_a_game_if_the_entry_asks(key, tmp_path):
    """With lifetime game nobody is left after a game."""
    alone = entries.Entry("alone", entries.read("smithy").command, lifetime="game")
    async with Table([alone, entries.read("big-money")], tmp_path) as table:
        await table.play(Dominion, {}, key.deal(1), TERMS)
        assert table.seats[0]._process is None
        result = await table.play(Dominion, {}, key.deal(2), TERMS)
        assert result.faults == []


async def test_the_offender_is_replaced_before_the_next_game(key, tmp_path):
    """A fault costs one game: the next begins with a fresh process."""
    async with Table([entries.read("big-money"), misfit("crash", "request", 2)], tmp_path) as table:
        for number in (1, 2):
            result = await table.play(Dominion, {}, key.deal(number), TERMS)
            assert [fault.seat for fault in result.faults] == [1]
            assert result.decisions > 1


async def test_a_classic_client_and_native_bots_share_a_table(key, tmp_path):
    """One file without our code, answering without newlines, in both dialects, plays whole games with ours."""
    program = [sys.executable, str(BOTS / "classic.py")]
    bots = entries.distinct(
        [entries.of_command(program, "old", "classic"), entries.read("smithy"), misfit("fair", name="new")]
    )
    async with Table(bots, tmp_path) as table:
        for number in range(1, 6):
            result = await table.play(Dominion, {}, key.deal(number), TERMS)
            assert result.faults == []
            assert result.scores[0] > 0
