"""What the report and the page of `croupier watch` say of the first place, in a sentence."""

import io
from random import Random
from types import SimpleNamespace

import pytest

from croupier.server.commands.tables import print_standings
from croupier.server.console import Console
from croupier.server.games.game import Game
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.report.ranking import ranked, verdict
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.tournaments.statistics.standings import Difference, standings


class High(Game):
    """A game for two whose higher score wins."""

    NAME, PENALTY, AWARD = "high", -10, 1


def row(seating, scores, deal):
    """Make the row of a game between two."""
    ranks = tuple(1 + (mine < max(scores)) for mine in scores)
    return PlayedGame(tuple(sorted(seating)), deal, tuple(seating), scores, ranks)


def of(mean, width, *, sure, names=("ann", "ben")):
    """Return standings of two, the first of them ahead at the same table by this much."""
    players = [SimpleNamespace(name=name, games=1) for name in names]
    low, high = (None, None) if width is None else (mean - width, mean + width)
    score = Interval(mean, low, high, 30)
    return SimpleNamespace(players=players, cross=[Difference("ann", "ben", score, 0.5, 0.5, 0.0, sure=sure)])


@pytest.mark.parametrize(
    ("standings", "said"),
    [
        (of(4.0, 1.0, sure=True), "ann beats ben: at the same table by 4.00 ± 1.00 a game."),
        (of(-4.0, 1.0, sure=True), "ann leads, though ben does better when they sit at the same table, by 4.00 ± 1.00"),
        (of(1.0, 2.0, sure=False), "ann leads, but cannot be told from ben yet: at the same table ann is ahead by"),
        (of(1.0, 2.0, sure=False), "1.00 ± 2.00 a game."),
        (of(1.0, 0.9, sure=False), "1.00 ± 0.90 a game, as one of so many pairs may be by chance."),
        (of(0.0, 2.0, sure=False), "at the same table they are equal."),
        (of(1.0, None, sure=False), "ann and ben have not met often enough to say more."),
    ],
)
def test_the_verdict_claims_what_the_intervals_show(standings, said):
    """A lead is one only in the eyes of somebody who looks at all pairs at once; an interval without 0 is explained."""
    written = verdict(standings, low_wins=False).replace("<strong>", "").replace("</strong>", "")
    assert said in written


def test_one_alone_has_won_nothing():
    """Neither a bot alone nor names as markup decide anything."""
    alone = of(0.0, 1.0, sure=False)
    alone.players.pop()
    assert verdict(alone, low_wins=False) == "Nothing has been decided yet."
    assert "<b>" not in verdict(of(1.0, None, sure=False, names=("<b>", "ben")), low_wins=False)


@pytest.mark.parametrize(("names", "sets", "shown"), [("ab", 3, []), ("ab", 60, ["a", "b"]), ("abc", 60, ["a", "b"])])
def test_a_strength_is_shown_where_it_has_bounds(names, sets, shown):
    """Not after few sets, and not of one who has won every game: c. No column is left of nothing."""
    dice = Random(1)
    rows = [row("ab", (4, dice.randrange(9)), deal) for deal in range(sets)]
    rows += [row("ca", (9, 0), deal) for deal in range(sets) if "c" in names]
    table = standings(rows, High)
    strengths = {player.name: player.strength for player in table.players}
    assert [name for name in "abc" if name in names and not strengths[name].few] == shown
    file = io.StringIO()
    print_standings(table, {}, Console(file=file, width=200))
    page = ranked(table, low_wins=False)
    head = file.getvalue().splitlines()[2]  # below the title and the table's upper edge
    for text in (head, page):
        assert ("strength" in text) == bool(shown)
    for name, strength in strengths.items():
        assert (f"{strength.mean:.0f}" in file.getvalue()) or name not in shown
    if "c" in names:
        assert f" {strengths['c'].mean:.0f} " not in file.getvalue()
        assert f">{strengths['c'].mean:.0f}" not in page
