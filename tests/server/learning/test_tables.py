"""Tables that step together: the same games as at one table, rewards at the end of a hand, and what is refused."""

import numpy as np
import pytest

from croupier import environments
from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.learning.setting import BadSetting

NONE = {"pass": "none"}


def lowest(mask):
    """Return the first legal action of each row."""
    return mask.argmax(axis=-1)


def play_out(deal, rules=Hearts, options=NONE):
    """Return the scores of a game in which everybody makes the first play that is listed."""
    game = rules([f"player_{seat}" for seat in range(4)], options, deal)
    while game.turn is not None:
        game.play(game.turn, game.legal()[0])
    return game.scores()


def test_tables_play_the_deals_of_their_seed():
    """Table by table, then game by game, each deal once; rewards are the points, negative where low wins."""
    tables = environments.tables("hearts", 3, options=NONE)
    seen, got = tables.reset(seed=7), []
    for _ in range(2 * 52):
        seen, rewards, ends = tables.step(lowest(seen["action_mask"]))
        assert not rewards[~ends].any()
        got += [tuple((-row).tolist()) for row in rewards[ends]]
    key = Key.from_seed("7")
    assert got == [play_out(key.deal(number)) for number in range(1, 7)]


def test_a_match_is_paid_hand_by_hand():
    """In a game of several hands rewards come after each, and add up to the score."""
    tables = environments.tables("jass", 1, options={"score-to": 400})
    seen, paid, total = tables.reset(seed=2), 0, np.zeros(4)
    ended = False
    while not ended:
        seen, rewards, ends = tables.step(lowest(seen["action_mask"]))
        paid, total, ended = paid + rewards.any(), total + rewards[0], ends[0]
    assert paid > 1
    assert total.max() >= 400


def test_the_observation_is_that_of_the_seat_on_turn():
    """Its hand has the cards that its mask allows, and a bot's seat is never on turn."""
    tables = environments.tables("hearts", 5, options=NONE, seats={1: "random"})
    seen = tables.reset(seed=1)
    for _ in range(60):
        assert 1 not in tables.turns
        assert (seen["hand"] >= seen["action_mask"]).all()
        seen, *_ = tables.step(lowest(seen["action_mask"]))
    tables.close()


@pytest.mark.parametrize("actions", [[51, 51], [-1, 0], [52, 0]])
def test_an_illegal_action_is_refused_and_nothing_is_played(actions):
    """The sentence says at which table, and what may be played."""
    tables = environments.tables("hearts", 2, options=NONE)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match=rf"action {actions[0]} is illegal at table 0: .* allows 0 \(play c2\)"):
        tables.step(actions)
    tables.step([0, 0])


def test_actions_are_one_for_each_table():
    """Another shape is refused, and so is a step before the first reset."""
    tables = environments.tables("hearts", 2, options=NONE)
    with pytest.raises(ValueError, match="call reset before step"):
        tables.step([0, 0])
    tables.reset()
    with pytest.raises(ValueError, match=r"shape \(2,\), one for each table, not \(3,\)"):
        tables.step([0, 0, 0])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"players": 3}, "hearts is played by 4, not by 3"),
        ({"seats": {4: "duck"}}, "there is no seat 4: the seats are 0 to 3"),
        ({"seats": {0: "jass"}}, "jass does not play hearts"),
        ({"seats": {0: "human"}}, "a person cannot sit"),
        ({"seats": dict.fromkeys(range(4), "duck")}, "leave one to a learner"),
        ({"seats": {0: "no-such-bot"}}, "no such file, command or bundled bot"),
        ({"options": {"queen": "yes"}}, "hearts has no option queen"),
        ({"network": [7]}, "there is no seat 7"),
    ],
)
def test_what_cannot_be_played_is_refused(given, why):
    """By one sentence that says what is wrong."""
    with pytest.raises(ValueError, match=why):
        environments.tables("hearts", 1, **given)


def test_there_is_a_table():
    """None are refused, and so is a game that does not exist."""
    with pytest.raises(ValueError, match="there must be a table"):
        environments.tables("hearts", 0)
    with pytest.raises(ValueError, match="there is no game heart"):
        environments.tables("heart", 1)
    assert issubclass(BadSetting, ValueError)
