"""The sums that are kept from look to look give what all deals would, gone through again one by one."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from croupier.server.deals import Key
from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.formats import Balanced
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.statistics.additive import Model, Places, sum_by_place
from croupier.server.tournaments.statistics.credit import Usual, credit_with
from croupier.server.tournaments.statistics.gaps import Gaps
from croupier.server.tournaments.statistics.stopping import t_boundary

NAMES = [f"b{number}" for number in range(7)]
PAIRS = list(combinations([*NAMES, "b3-2"], 2))
ALPHA = 0.9


class Alone(Game):
    """A game whose highest score wins."""

    NAME, PENALTY, AWARD = "alone", -10, 1


class Partners(Alone):
    """Two against two."""

    PARTNERS = ((0, 2), (1, 3))


def played(seating, deal, dice, fault_share=0.0):
    """Return a game with scores of chance, and now and then with a fault."""
    scores = dice.normal(size=len(seating)) * 3 + [NAMES.index(name[:2]) / 4 for name in seating]
    faults = (PlayerFault(0, Fault(Kind.TIMEOUT, "too late")),) if dice.random() < fault_share else ()
    return PlayedGame(tuple(sorted(seating)), deal, seating, tuple(scores), (1,) * len(seating), faults)


def balanced(seats):
    """Yield the rounds of a balanced tournament."""
    dice = np.random.default_rng(seats)
    for batches in Balanced(NAMES, Layout(seats), 5, Key.from_seed("kept"), 10).rounds(NoResults()):
        yield [played(seating, deal, dice) for batch in batches for seating, deal in batch.games()]


def haphazard(seats):
    """Yield rounds at tables of chance: somebody comes late, faults, goes, comes again as another version, sits out."""
    dice = np.random.default_rng(seats)
    for number in range(14):
        there = [name for name in NAMES if number > 4 or name != "b6"]
        there = [name if name != "b3" or number < 8 else "b3-2" for name in there if number < 11 or name != "b5"]
        games = []
        for deal in range(16 * number, 16 * number + 16):
            if deal % 4 == 0:
                dice.shuffle(there)
            for first in range(0, len(there) - seats + 1, seats):
                table = tuple(there[first : first + seats])
                games += [played(seating, deal, dice, 0.05) for seating in (table, table[::-1])]
        yield games


def again(rounds):
    """Yield each round, and the very first again after them: the same tables at other deals."""
    first, *others = rounds
    yield from (first, *others)
    yield [game._replace(deal=game.deal + 1000, scores=game.scores[::-1]) for game in first]


def fitted(deals):
    """Fit everything again; return the model, the number of each place, and the model's rows written out."""
    places = Places(sorted({place.side[0] for deal in deals for place, *_ in deal}))
    listed = sorted({place for deal in deals for place, *_ in deal})
    number = dict(zip(listed, places.numbers(listed).tolist(), strict=True))
    total, games = np.zeros(len(listed)), np.zeros(len(listed))
    for place, scored, times in (row for deal in deals for row in deal):
        total[number[place]] += scored
        games[number[place]] += times
    return Model(places, games, total), number


def bounds(deals):
    """Return the bounds of each pair that are known, from the definition: every deal and every table in turn."""
    model, number = fitted(deals)
    rows, games = model.rows.toarray(), model.games
    inverse = np.linalg.inv(model.ridge + rows.T @ np.diag(games) @ rows)
    at = inverse @ rows.T @ model.scores
    moves = model.sought @ inverse @ rows.T
    worst = np.zeros(len(number))
    for place, scored, times in (row for deal in deals for row in deal):
        here = number[place]
        worst[here] = max(worst[here], abs(scored / times - rows[here] @ at))
    moved, far, sets = [], [], np.zeros(model.bots)
    for deal in deals:
        which = [number[place] for place, *_ in deal]
        scored, times = (np.array([row[column] for row in deal]) for column in (1, 2))
        moved.append(moves[:, which] @ (scored - times * (rows[which] @ at)))
        far.append(np.abs(moves[:, which]) @ (times * worst[which]))
        sets[sorted({model.number[place.side[0]] for place, *_ in deal})] += 1
    left = [*tables_left_out(number, rows, inverse, games, model.scores / games - rows @ at, moves)]
    beyond = sum(each**2 for each in left) - sum(each**2 for each in moved)
    least = 2 * np.maximum(beyond, 0).mean()
    known, means, farthest = model.estimable(), model.sought @ at, np.max(far, axis=0)
    found = {}
    for one, other in combinations(range(model.bots), 2):
        if known[one] and known[other]:
            count = max(sets[one], sets[other])
            luck = sum((move[one] - move[other]) ** 2 for move in moved) + (farthest[one] + farthest[other]) ** 2
            luck *= count / (count - 1)
            others = sum((move[one] - move[other]) ** 2 for move in left)
            luck += max(model.never[one], model.never[other]) * max(others - luck, least)
            half = float(t_boundary(count, ALPHA / len(PAIRS))) * luck**0.5
            gap = means[one] - means[other]
            found[model.names[one], model.names[other]] = count, gap - half, gap + half
    return found


def tables_left_out(number, rows, inverse, games, missed, moves):
    """Return by how much each table, were it left out, would move everybody."""
    tables = defaultdict(list)
    for place, here in number.items():
        tables[tuple(sorted((*place.side, *place.others)))].append(here)
    for table in tables.values():
        pulled = rows[table] @ inverse @ rows[table].T * games[table]
        alone = np.linalg.lstsq(np.eye(len(table)) - pulled, missed[table], rcond=None)[0]
        yield moves[:, table] @ (games[table] * alone)


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [
        (Alone, balanced(2)),
        (Alone, balanced(4)),
        (Partners, balanced(4)),
        (Alone, haphazard(2)),
        (Alone, haphazard(3)),
        (Partners, haphazard(4)),
        (Alone, again(balanced(2))),
    ],
    ids=["two", "four", "partners", "two-haphazard", "three-haphazard", "partners-haphazard", "again"],
)
def test_each_look_finds_what_all_deals_tell(rules, rounds):
    """Bots that come, go, fault or meet again: every bound is that of all deals at once."""
    gaps, usual, deals, compared = Gaps(rules, PAIRS, alpha=ALPHA), Usual(), [], 0
    for games in rounds:
        open_before = [pair for pair, decision in gaps.decided.items() if decision.verdict is None]
        gaps.look(games)
        counted = credit_with(usual, games, rules)
        sums = sum_by_place(counted.entries, counted.score, counted.seen, rules.PARTNERS)
        for rows in sums.by_deal():
            each = [sums.places[at] for at in sums.place[rows]]
            deals.append(list(zip(each, sums.total[rows], sums.games[rows], strict=True)))
        wanted = bounds(deals)
        for pair in open_before:
            if pair in wanted:
                assert gaps.decided[pair][:3] == pytest.approx(wanted[pair], rel=1e-9, abs=1e-9)
                compared += np.isfinite(wanted[pair][1])
    assert compared
