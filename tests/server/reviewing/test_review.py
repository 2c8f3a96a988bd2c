"""Reviewing: a blunder costs much, a good play little, and what one seat loses the others win."""

import pytest
from games import play_locally, record_of

from croupier.agents import bundled
from croupier.agents.hearts import Duck
from croupier.agents.search.budget import Budget
from croupier.server import games
from croupier.server.records.replay import Invalid, Replay, ReplayedPlay
from croupier.server.reviewing.decision import LONGER, Label
from croupier.server.reviewing.review import kind_of, review, reviews_so_far
from croupier.server.viewer.moment import game_at

FEW = Budget(iterations=60)
TABLES = {
    "dominion": ["big-money", "siege"],
    "hearts": ["duck", "random", "duck", "duck"],
    "skat": ["skat-club", "random", "skat-club"],
    "doppelkopf": ["doko", "random", "doko", "doko"],
    "jass": ["jass", "random", "jass", "jass"],
    "sedma": ["sedma", "random", "sedma", "random"],
    "recycle:kuhn-poker": ["random", "random"],
    "recycle:whist": ["random"] * 4,
}


SHORT = {"dominion": {"turns": 8}}
"""Options of games that would be long."""


class Reckless(Duck):
    """Leads the queen of spades as soon as it can."""

    def tryPlay(self, state):
        queen = ("play", "sQ")
        return queen if not state.trick and queen in state.legal else super().tryPlay(state)


@pytest.fixture(scope="module")
def hearts():
    """A game of Hearts with a blunder: the queen of spades is led, and stays with its player."""
    for deal in range(1, 100):
        result = play_locally("hearts", ["duck", "duck", Reckless(), "duck"], deal=deal, options={"pass": "none"})
        lines = [line for line in result.record if not line.startswith("(time ")]
        queen = "(play agent-2 (play sQ))"
        if queen in lines and result.scores[2] >= 13 and _leads(lines, lines.index(queen)):
            return "".join(f"{line}\n" for line in lines)
    raise AssertionError("the queen was never led")


def _leads(lines, place):
    """Return whether the play of a line opens a trick."""
    cards = sum(line.startswith("(play ") for line in lines[:place])
    return cards % 4 == 0


@pytest.fixture(scope="module", params=TABLES)
def reviewed(request):
    """A record of each game, with its review."""
    text = record_of(request.param, TABLES[request.param], options=SHORT.get(request.param, {}))
    return text, review(text, games.find, FEW)


def test_every_decision_has_its_moment(reviewed):
    """The game at that moment asks this seat, and allows every play that was compared."""
    text, found = reviewed
    steps = [step for step in Replay(text).steps() if isinstance(step, ReplayedPlay)]
    assert [(each.line, each.seat) for each in found.decisions] == [(step.line, step.seat) for step in steps]
    for each in found.decisions[:: max(1, len(found.decisions) // 6)]:
        game = game_at(text, games.find, each.moment).game
        assert game.turn == each.seat
        for play, _, _ in each.judgement.plays:
            game.check(each.seat, play)


def test_what_one_seat_loses_the_others_win(reviewed):
    """A seat's worth is compared with the others' mean, so that the effects of a play on all seats add up to zero."""
    _, found = reviewed
    for each in found.decisions:
        effects = each.judgement.effects
        assert sum(effect.mean for effect in effects) == pytest.approx(0, abs=1e-9)
        assert effects[each.seat] == each.judgement.loss


def test_no_mistake_is_within_two_standard_errors(reviewed):
    """What may be chance is called equal, and what no other play was compared with is forced."""
    for each in reviewed[1].decisions:
        judged = each.judgement
        if judged.label in {Label.MISTAKE, Label.INACCURACY}:
            assert judged.loss.mean > 2 * judged.loss.error
        if judged.label is Label.FORCED:
            assert judged.best == judged.plays[0].play


def test_a_blunder_is_the_worst_decision(hearts):
    """The queen of spades is led, and stays with who led it."""
    found = review(hearts, games.find, Budget(iterations=200))
    worst = max(found.decisions, key=lambda each: each.judgement.loss.mean)
    assert worst.judgement.plays[0].play == ("play", "sQ")
    assert (worst.kind, worst.judgement.label) == ("leading", Label.MISTAKE)
    assert worst.judgement.loss.mean > 8
    assert found.split(2).own.mean < -8
    assert all(worst.judgement.effects[seat].mean < 0 for seat in (0, 1, 3)), "all others win by it"
    assert sum(found.split(seat).worth for seat in range(4)) == pytest.approx(0, abs=1e-9)


def test_what_seems_to_cost_most_is_compared_longer(hearts):
    """In the time that forced decisions leave; the play was the same, and its loss is known better."""
    *parts, whole = reviews_so_far(hearts, games.find, FEW)
    first = parts[len(whole.decisions) - 1]
    pairs = [(old, new) for old, new in zip(first.decisions, whole.decisions, strict=True) if old != new]
    assert 0 < len(pairs) <= LONGER * 4
    for old, new in pairs:
        assert old.judgement.plays == new.judgement.plays
        assert old.judgement.best == new.judgement.best != new.judgement.plays[0].play
    errors = [sum(each[side].judgement.loss.error for each in pairs) for side in (0, 1)]
    assert errors[1] < 0.8 * errors[0]


def test_playouts_give_the_same_review_again(hearts):
    """All chance comes from the record."""
    assert review(hearts, games.find, FEW) == review(hearts, games.find, FEW)


def test_only_the_players_that_were_named_are_reviewed(hearts):
    """Their decisions are judged as in a review of all."""
    all_of_them = review(hearts, games.find, FEW)
    found = review(hearts, games.find, FEW, ["agent-2"])
    assert {each.seat for each in found.decisions} == {2}
    assert [*found.decisions] == all_of_them.of_seat(2)


def test_a_record_that_breaks_the_rules_is_none(hearts):
    """The line is named."""
    with pytest.raises(Invalid, match=r"line \d+"):
        review(hearts.replace("(play duck-0 (play ", "(play duck-0 (play s", 1), games.find, FEW)


def test_the_kinds_of_cards_that_are_played():
    """To lead, to follow suit, and to discard on another suit."""
    rules = games.find("hearts")
    replay = Replay(record_of("hearts", ["random"] * 4, options={"pass": "none"}))
    kinds = []
    for step in replay.steps():
        led = replay.game.trick[0][0] if replay.game.trick else None
        kinds.append((kind_of(replay.game, step.play), led, step.play[1][0]))
    assert rules.NAME == "hearts"
    assert all((kind == "leading") == (led is None) for kind, led, _ in kinds)
    assert all((kind == "following") == (led == suit) for kind, led, suit in kinds if led)
    assert {kind for kind, _, _ in kinds} == {"leading", "following", "discarding"}


@pytest.mark.soak
def test_a_searching_bot_loses_nothing_by_its_own_measure():
    """Reviewed with the budget that it had, over thirty deals of Hearts."""
    total, variance = 0.0, 0.0
    for deal in range(1, 31):
        searcher = bundled.make("search", ["--iterations", "300"])
        text = record_of("hearts", [searcher, "duck", "duck", "duck"], deal=deal)
        for each in review(text, games.find, Budget(iterations=300), ["agent-0"]).decisions:
            total += each.judgement.loss.mean
            variance += each.judgement.loss.error**2
    assert abs(total) < 2.5 * variance**0.5
