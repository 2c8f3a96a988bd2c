"""Auditing: an honest tournament, whatever happened in it, is in accordance with its manifests."""

from __future__ import annotations

import pytest
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.agents.bridges.usage import OF_GAME, Usage
from croupier.server import games
from croupier.server.tournaments.entering.founding import committed_key
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.audit import check_chain, check_plan
from croupier.server.tournaments.proof.verify import NOTHING


def problems(folder):
    """List what is wrong with chain and schedule, the records apart."""
    store = Store(folder, new=False)
    files, where, under, manifest = {}, {}, {}, ""
    for stored in store.games():
        files.setdefault(stored.file, []).append((stored.game.pairing, stored.game.deal, stored.game.seating))
        where[stored.game.pairing, stored.game.deal, stored.game.seating] = stored.file
    for link in store.chain():
        manifest = link.sha256 if "manifest" in link.document else manifest
        under |= dict.fromkeys(files.get(link.document.get("batch"), ()), manifest)
    rules = games.find("hearts")
    found = [*check_chain(store, rules, NOTHING), *check_plan(store, rules, committed_key(store, ""), where, under)]
    store.close()
    return list(map(str, found))


def bots(folder, count):
    """Enter bots that are files of their own."""
    entered = []
    for number in range(count):
        program = folder / f"b{number}.py"
        program.write_text(program.read_text() if program.exists() else f"# {number}\n")
        entered.append({"name": f"b{number}", "command": ["python", str(program)]})
    return entered


@pytest.mark.parametrize(
    "how",
    [
        {"format": "balanced", "rounds": 3},
        {"format": "round-robin"},
        {"format": "gauntlet"},
        {"format": "one-against-many"},
        {"format": "swiss"},
        {"format": "knockout"},
        {"format": "ladder", "rounds": 3},
    ],
)
def test_changed_bots_more_deals_and_comings_and_goings_are_in_accordance_with_the_amendments(tmp_path, how):
    """A bot changes, one comes, all else stays: each game stands in the plan of its own manifest."""
    cup, seven = tmp_path / "cup", bots(tmp_path, 7)
    how = how | {"deals": 2}
    contest(cup, settings(seven[:6], **how), Here(pretend()))
    assert problems(cup) == []
    (tmp_path / "b2.py").write_text("# better\n")
    contest(cup, settings(seven[:6], **how), Here(pretend()))
    assert problems(cup) == []
    if how["format"] not in {"swiss", "knockout", "ladder"}:
        contest(cup, settings(seven, **how), Here(pretend()))
        assert problems(cup) == []
        contest(cup, settings(seven[1:], **how), Here(pretend()), drop_old=True)
        assert problems(cup) == []


def test_an_early_end_is_drawn_again_too(tmp_path):
    """What was sure when it stopped is sure when it is audited; what was not would be missing."""
    names = ("ann", "bert", "carla", "daniel")
    asked = settings([bot(name) for name in names], deals=3000, until_sure=True)
    run = contest(tmp_path, asked, Here(pretend()))
    assert run.sure
    assert problems(tmp_path) == []


def test_a_run_that_its_budget_ended_and_a_larger_one_continued_is_in_accordance(tmp_path):
    """What is missing in between is not missed: the tournament is not finished. At last its early end is one."""
    said = pretend(wrote=lambda name: f"{OF_GAME}{Usage(13, 13, 0, 900, 0, 100)}\n")
    four = [bot(name) for name in ("ann", "bert", "carla", "daniel")]
    for budget in ("100k tokens", "200k tokens", "1000M tokens"):
        run = contest(tmp_path, settings(four, deals=3000, until_sure=True, budget=budget), Here(said))
        assert problems(tmp_path) == []
        assert run.sure == (budget == "1000M tokens")


def test_a_run_that_was_stopped_and_continued_with_more_deals_is_in_accordance(tmp_path):
    """Two manifests, one plan longer than the other."""
    contest(tmp_path, settings(deals=4), Here(pretend()))
    contest(tmp_path, settings(deals=30), Here(pretend()))
    contest(tmp_path, settings(FOUR[::-1], deals=12), Here(pretend()))
    assert problems(tmp_path) == []
