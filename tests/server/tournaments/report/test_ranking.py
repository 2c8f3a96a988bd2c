"""What the report and the page of `croupier watch` say of the first place in plain words, and the table below."""

import io
from random import Random
from types import SimpleNamespace

import pytest

from croupier.server.commands.tables import print_standings
from croupier.server.console import Console
from croupier.server.games.game import Game
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.report.ranking import ranked, scale_of
from croupier.server.tournaments.report.verdict import verdict
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.tournaments.statistics.standings import Difference, standings


class High(Game):
    """A game for two whose higher score wins."""

    NAME, PENALTY, AWARD = "high", -10, 1


def row(seating, scores, deal):
    """Make the row of a game between two."""
    ranks = tuple(1 + (mine < max(scores)) for mine in scores)
    return PlayedGame(tuple(sorted(seating)), deal, tuple(seating), scores, ranks)


def of(*leads, names=("ann", "ben", "cat", "dan")):
    """Return standings: how far the first is ahead of each, the bound, and if that is sure."""
    players = [SimpleNamespace(name=name, games=1) for name in names[: 1 + len(leads)]]
    cross = []
    for other, (mean, width, sure) in zip(names[1:], leads, strict=False):
        low, high = (None, None) if width is None else (mean - width, mean + width)
        cross.append(Difference(names[0], other, Interval(mean, low, high, 30), 0.5, 0.5, 0.0, sure=sure))
    return SimpleNamespace(players=players, cross=cross)


@pytest.mark.parametrize(
    ("lead", "said"),
    [
        ((4.0, 1.0, True), "Its lead over ben (4.00 ± 1.00 points a game) is significant."),
        (
            (-4.0, 1.0, True),
            "But at the same table ben is ahead of it (4.00 ± 1.00 points a game), which is significant.",
        ),
        ((1.0, 2.0, False), "Its lead over ben (1.00 ± 2.00 points a game) is not yet significant: it may be chance."),
        (
            (2.95, 2.0, False),
            "Its lead over ben (2.95 ± 2.00 points a game) is not yet significant, given how many pairs are compared.",
        ),
        ((0.0, 2.0, False), "At the same table ben is its equal so far."),
        ((1.0, None, False), "ann and ben have not met often enough to say more."),
    ],
)
@pytest.mark.parametrize("low_wins", [False, True])
def test_the_verdict_claims_what_the_intervals_show(lead, said, low_wins):
    """A lead is one only in the eyes of somebody who looks at all pairs at once; an interval without 0 is explained."""
    mean, width, sure = lead
    written = plain(verdict(of((-mean if low_wins else mean, width, sure)), low_wins=low_wins))
    assert written == f"ann is first. {said}"


SURE, UNSURE, BEHIND = (4.0, 1.0, True), (1.0, 2.0, False), (-4.0, 1.0, True)


@pytest.mark.parametrize(
    ("leads", "said"),
    [
        ((UNSURE, SURE, SURE), "It is significantly better than cat and dan."),
        ((UNSURE, UNSURE, SURE), "It is significantly better than dan."),
        ((SURE, *[SURE] * 4), "It is significantly better than all 4 others."),
        ((SURE, *[SURE] * 4, UNSURE, BEHIND), "It is significantly better than 4 of the 6 others."),
    ],
)
def test_the_verdict_says_who_is_certainly_behind(leads, said):
    """By name if they are few; who is ahead of the first is none of them."""
    names = ("ann", "ben", "cat", "dan", "eva", "fay", "gus", "hal")
    assert plain(verdict(of(*leads, names=names), low_wins=False)).endswith(said)


def plain(markup):
    """Return what is read."""
    return markup.replace("<strong>", "").replace("</strong>", "")


def test_the_scale_shows_the_field_and_an_arrow_who_is_far_from_it():
    """One of nine has ten times the score of the others, whose means lie apart nevertheless."""
    rows = [
        row((name, "z"), (place + deal % 3, 500), deal) for place, name in enumerate("abcdefgh") for deal in range(9)
    ]
    table = standings(rows, High)
    scale, means = scale_of(table), [player.score.mean for player in table.players]
    assert [scale.has(mean) for mean in means].count(False) == 1
    assert max(map(scale.at, means[1:])) - min(map(scale.at, means[1:])) > 60
    page = str(ranked(table, low_wins=False))
    assert page.count('<path d="M-9 -5L0 0L-9 5Z"') == 1
    assert "beyond the scale" in page
    near = str(ranked(standings([row("ab", (4, 5), deal) for deal in range(9)], High), low_wins=False))
    assert "beyond the scale" not in near


def test_one_alone_has_won_nothing():
    """Neither a bot alone nor names as markup decide anything."""
    assert verdict(of(), low_wins=False) == "Nothing has been decided yet."
    assert "<b>" not in verdict(of((1.0, None, False), names=("<b>", "ben")), low_wins=False)


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
    page = str(ranked(table, low_wins=False))
    head = file.getvalue().splitlines()[2]  # below the title and the table's upper edge
    for text in (head, page):
        assert ("strength" in text) == bool(shown)
    for name, strength in strengths.items():
        assert (f"{strength.mean:.0f}" in file.getvalue()) or name not in shown
    if "c" in names:
        assert f" {strengths['c'].mean:.0f} " not in file.getvalue()
        assert f">{strengths['c'].mean:.0f}" not in page
