"""Two that help each other are found; an honest field is hardly ever accused, nor are others at the same tables."""

import random
from itertools import combinations, permutations

import pytest
import trio

from croupier.agents import bundled
from croupier.agents.hearts import HEIGHT, PLAYS, POINTS, SUIT, Duck
from croupier.protocol.cards import BITS, bits
from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat
from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.fixed import RoundRobin
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.statistics.scoring import Scoring
from croupier.server.tournaments.statistics.soft_play import soft_play

RULES = Scoring("made up", LOW_WINS=False, PENALTY=-30.0)
NAMES = "abcdefghijklmnop"


class ManyRounds(Balanced):
    """A balanced tournament as long as a season."""

    count = 30


def season(seed, players, size, deals, *, give=None, odd=0.0, form=RoundRobin):
    """Make up games with luck of the deal and of the game, between bots of different strength.

    ``give`` is what each of some pairs loses to the other, giver first. ``odd`` is the spread of what any two bots get
    from each other beyond their strengths.
    """
    names, dice = NAMES[:players], random.Random(seed)
    strength = {name: dice.gauss(0, 1) for name in names}
    taste = {one + other: dice.gauss(0, odd) for one in names for other in names}
    for batches in form(names, Layout(size), deals, Key.from_seed(str(seed))).rounds(NoResults()):
        for batch in batches:
            luck = {deal: [dice.gauss(0, 3) for _ in range(size)] for deal in batch.deals}
            for seating, deal in batch.games():
                scores = [luck[deal][place] + dice.gauss(0, 4) for place in range(size)]
                for place, name in enumerate(seating):
                    others = [other for other in seating if other != name]
                    scores[place] += strength[name] - sum(map(strength.get, others)) / len(others)
                    scores[place] += sum(taste[other + name] for other in others)
                    scores[place] += sum((give or {}).get(other + name, 0) for other in others)
                    scores[place] -= sum((give or {}).get(name + other, 0) for other in others)
                ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
                yield PlayedGame(batch.pairing, deal, seating, tuple(map(round, scores)), ranks)


def accused(games, rules=RULES, **more):
    """List the accused pairs, givers first."""
    return [each.giver + each.taker for each in soft_play(games, rules, **more).found]


@pytest.mark.parametrize(("players", "size", "deals"), [(5, 2, 30), (8, 2, 20), (7, 4, 20)])
def test_an_honest_field_is_accused_in_at_most_one_of_twenty_tournaments(players, size, deals):
    """Nobody of all pairs, in either measure."""
    false = [accused(season(seed, players, size, deals)) for seed in range(30)]
    assert sum(map(bool, false)) <= 1


def test_a_field_in_which_some_bots_suit_others_is_hardly_accused_either():
    """However many deals there are, a pair must stand out from all others."""
    false = [accused(season(seed, 9, 2, 100, odd=1.0)) for seed in range(20)]
    assert sum(map(bool, false)) <= 1


@pytest.mark.parametrize(("players", "size", "deals"), [(8, 2, 80), (7, 4, 30)])
def test_a_bot_that_gives_games_away_to_one_other_is_found_and_only_the_two(players, size, deals):
    """In points and in wins; their measures are about what was given."""
    for seed in range(5):
        found = soft_play(season(seed, players, size, deals, give={"ab": 4}), RULES)
        assert [(each.giver, each.taker) for each in found.found] == [("a", "b")]
        gift = found.found[0]
        assert 0 < gift.points.low < 4 < gift.points.high
        assert gift.wins.mean > 0.1


def test_two_that_help_each_other_at_the_cost_of_the_others_are_found():
    """Both have more together: the other two at their table pay."""
    games = list(season(1, 7, 4, 40))
    for at, game in enumerate(games):
        if {"a", "b"} <= {*game.seating}:
            scores = tuple(
                score + (3 if name in "ab" else -3) for name, score in zip(game.seating, game.scores, strict=True)
            )
            ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
            games[at] = game._replace(scores=scores, ranks=ranks)
    assert sorted(accused(games)) == ["ab", "ba"]


def test_in_a_field_with_changing_company_the_two_are_found_and_none_of_the_others_at_their_tables():
    """Each pair has been at six tables of thirty rounds."""
    assert accused(season(3, 16, 4, 6, give={"dh": 5}, form=ManyRounds)) == ["dh"]


def test_a_pair_that_always_had_the_same_company_is_not_judged():
    """Of four at one table, nobody knows who gave."""
    found = soft_play(season(1, 4, 4, 60, give={"ab": 20}), RULES)
    assert (found.found, found.pairs) == ((), 6)
    assert all(each.points.mean is None for each in found.gifts)


def test_a_few_deals_accuse_nobody():
    """However much was given."""
    assert accused(season(1, 8, 2, 19, give={"ab": 20})) == []


def test_versions_are_as_strong_as_they_are_but_their_author_gives():
    """A bot that got better is not accused of having taken from those that it met later."""

    def renamed(games, half):
        for game in games:
            new = game.deal > half
            names = {name: f"{name}2" if new and name in "ab" else name for name in game.seating}
            gain = {name: 6 * (new and name == "a") for name in names}
            scores = tuple(score + gain[name] for name, score in zip(game.seating, game.scores, strict=True))
            ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
            seating = tuple(names[name] for name in game.seating)
            yield game._replace(
                pairing=tuple(names[name] for name in game.pairing), seating=seating, scores=scores, ranks=ranks
            )

    authors = {"a2": "a", "b2": "b"}
    late = [
        game for game in season(1, 8, 2, 100) if game.deal > 40 or "c" not in game.seating or "a" not in game.seating
    ]
    assert accused(renamed(late, 40), authors=authors) == []
    assert accused(renamed(season(1, 8, 2, 100, give={"ab": 4}), 50), authors=authors) == ["ab"]


def test_sets_with_a_fault_say_nothing():
    """A penalty is not play."""
    fault = Fault(Kind.CRASHED, "made up")
    games = [
        game._replace(scores=(-30, 30), faults=(PlayerFault(0, fault),))
        if game.seating[0] == "a" and game.deal % 2
        else game
        for game in season(1, 8, 2, 60)
    ]
    assert accused(games) == []


class Friend(Duck):
    """A duck that takes points in place of a friend, and throws none on it."""

    def __init__(self, friend):
        self.friend = friend

    def tryPlay(self, state):
        """Beat the friend's card if points would be its own; discard no point on it."""
        cards = [BITS[card] for card in state.trick.cards]
        if cards and self.friend in state.players:
            led = SUIT[state.trick.cards[0]]
            best = max((card for card in cards if card & led), key=HEIGHT.__getitem__)
            first = list(state.players).index(state.trick.leader)
            winner = list(state.players)[(first + cards.index(best)) % len(state.players)]
            if winner == self.friend and (play := self.help(state.sight.may, led, best, bits(state.trick.cards))):
                return play
        return super().tryPlay(state)

    def help(self, may, led, best, lie):
        """Return a play that spares the friend, None if there is none."""
        above = [card for card in HEIGHT if card & may & led and HEIGHT[card] > HEIGHT[best]]
        if lie & POINTS and above:
            return PLAYS[max(above, key=HEIGHT.__getitem__)]
        harmless = [card for card in HEIGHT if card & may and not card & POINTS]
        return PLAYS[max(harmless, key=HEIGHT.__getitem__)] if harmless and not may & led else None


def hearts(helps, players=6, deals=30):
    """Play a round-robin of Hearts in this process, with some bots that spare a friend."""
    agents = {name: Friend(helps[name]) if name in helps else bundled.make("duck") for name in NAMES[:players]}
    key = Key.from_seed("hearts")
    for batches in RoundRobin(NAMES[:players], Layout(4), deals, key).rounds(NoResults()):
        for batch in batches:
            for seating, deal in batch.games():
                seats = [LocalSeat(name, agents[name]) for name in seating]
                played = trio.run(Referee(Hearts, {}, seats, key.deal(deal), Terms()).play)
                yield played._replace(pairing=batch.pairing, deal=deal, seating=seating)


def test_a_duck_that_spares_its_friend_at_hearts_is_found_and_no_honest_duck_is():
    """By the rules, with real plays."""
    assert accused(hearts({"a": "b"}), Hearts) == ["ab"]
    assert accused(hearts({}), Hearts) == []


SIDES = RULES._replace(PARTNERS=((0, 2), (1, 3)))


def pairs_at_tables(seed, give):
    """Make up games of two sides, in which "a" gives "b" some points when they are opponents."""
    dice = random.Random(seed)
    for deal in range(20):
        for table in combinations("abcdefg", 4):
            for seating in permutations(table):
                one, other = {*seating[::2]}, {*seating[1::2]}
                lead = dice.gauss(0, 5) + give * (("b" in one and "a" in other) - ("a" in one and "b" in other))
                ranks = (1, 2, 1, 2) if lead > 0 else (2, 1, 2, 1)
                yield PlayedGame(table, deal, seating, (round(lead), -round(lead)) * 2, ranks)


def test_of_partners_only_games_as_opponents_are_judged():
    """Together they play for the same score."""
    assert accused(pairs_at_tables(1, 2), SIDES) == ["ab"]
    assert accused(pairs_at_tables(1, 0), SIDES) == []


def test_without_opponents_there_is_nothing_to_judge():
    """No game, a game of one, a bot against itself."""
    alone = PlayedGame(("a",), 1, ("a",), (3,), (1,))
    itself = PlayedGame(("a", "a"), 1, ("a", "a"), (3, -3), (1, 2))
    for games in ([], [alone], [itself]):
        assert soft_play(games, RULES) == ((), (), 0)
