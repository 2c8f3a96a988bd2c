"""Luck taken out of means and differences, beside the plain ones; kept with each game, and verified."""

from __future__ import annotations

import json
import re
from contextlib import closing

import forger
import pytest
from click.testing import CliRunner
from contests import bot, contest, document, settings

from croupier.server.cli import cli
from croupier.server.games.dominion.game import Dominion
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.verify import verify
from croupier.server.tournaments.statistics.luck_correction import correct_for_luck

LUCKS = (4.0, -3.0, 2.5, -1.5, 0.5, -2.0, 3.5, -3.5, 1.0, -1.5, 2.0, -1.0)


def games(*, known=True):
    """Play sets in which luck is most of what there is."""
    for deal, gain in enumerate(LUCKS, 1):
        scores = (20 + deal % 3 + gain, 20 - gain)
        for seating, turn in ((("ann", "ben"), 1), (("ben", "ann"), -1)):
            luck = (gain, -gain)[::turn] if known else ()
            yield PlayedGame(("ann", "ben"), deal, seating, scores[::turn], (1, 1), luck=luck)


def test_what_was_luck_is_taken_off_and_the_plain_figures_stand_beside():
    """Means, then the difference; most of the variance goes."""
    ann, ben, both = correct_for_luck(list(games()), Dominion)
    assert [each.names for each in (ann, ben, both)] == [("ann",), ("ben",), ("ann", "ben")]
    assert ann.score.mean == pytest.approx(21)
    assert ben.score.mean == pytest.approx(20)
    assert both.score.mean == pytest.approx(1)
    assert both.plain.mean == pytest.approx(1 + 2 * sum(LUCKS) / len(LUCKS))
    assert both.removed_share > 0.9
    assert both.document()["players"] == ["ann", "ben"]
    assert (both.sign, ann.sign) == ("+", "")


def test_without_luck_nothing_is_said():
    """Trick games, and tournaments of an earlier croupier."""
    assert correct_for_luck(list(games(known=False)), Dominion) == ()


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a little Dominion."""
    folder = tmp_path_factory.mktemp("luck") / "cup"
    contest(folder, settings([bot("ann", "first"), bot("ben", "last")], game="dominion", options={"turns": 9}, deals=6))
    return folder


def test_a_tournament_keeps_it_and_is_bound_to_how_it_is_weighed(cup):
    """In the manifest, the document, the table and the page; a game of tricks has none."""
    assert len(json.loads((cup / "manifest.json").read_text())["luck"]) == 64
    assert [each["players"] for each in document(cup)["without_luck"]] == [["ann"], ["ben"], ["ann", "ben"]]
    runner = CliRunner()
    shown = runner.invoke(cli, ["standings", str(cup)]).stdout
    assert re.search(r"ann - ben .*[+-]\d+\.\d\d", shown.partition("Without the luck of the shuffles")[2])
    runner.invoke(cli, ["report", str(cup)])
    assert "Without the luck of the shuffles</h2>" in (cup / "report.html").read_text()
    with closing(Store(cup, new=False)) as store:
        assert any(any(stored.game.luck) for stored in store.games())
        assert verify(store).problems == []


def test_luck_that_was_written_anew_is_found(cup):
    """Each game's is weighed again from its record."""
    ((batch, place, whys),) = forger.change(cup, "SELECT batch, place, whys FROM games WHERE whys != '[]' LIMIT 1")
    told = [[seat, kind, "9.000000"] for seat, kind, _ in json.loads(whys)]
    forger.change(cup, "UPDATE games SET whys = ? WHERE batch = ? AND place = ?", json.dumps(told), batch, place)
    forger.relink(cup)
    with closing(Store(cup, new=False)) as store:
        (problem,) = verify(store).problems
    assert "the store has the luck of the shuffles 9.0 9.0, the record " in problem.why
