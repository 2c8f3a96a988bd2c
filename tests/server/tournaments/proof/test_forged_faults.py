"""What an organizer could forge about faults, withdrawals, luck and a program's rules: `verify` names it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from importlib.resources import files

import forger
import pytest
from click.testing import CliRunner
from contests import Here, bot, contest, settings

from croupier.server import games
from croupier.server.cli import cli
from croupier.server.table.faults import Kind
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.proof.audit import Published
from croupier.server.tournaments.proof.verify import verify

TWO = [bot("ann", "first", 1), bot("ben", "last")]
"""Ann answers nonsense in every game."""
SHORT = {"game": "dominion", "options": {"turns": 1}}


def found(folder):
    """List what is wrong with a folder of which commitment and last link were published as they are."""
    with closing(Store(folder, new=False)) as store:
        published = Published(store.chain_state().manifests[0].sha256, None, (store.last_link(),))
        return [str(problem) for problem in verify(store, published).problems]


def withdrawn(folder):
    """Return the deals from which ann was withdrawn, each once."""
    with closing(Store(folder, new=False)) as store:
        kept = [stored.game for stored in store.games()]
    return sorted({game.deal for game in kept if any(each.fault.kind is Kind.WITHDRAWN for each in game.faults)})


def test_a_bot_that_played_on_though_it_had_to_be_withdrawn_is_named(tmp_path):
    """An organizer lets a friend play: each game after ten that were faulted is named."""
    friendly = Here(lambda job, stopped: batch.play(replace(job, absent={}), stopped))
    contest(tmp_path, settings(TWO, **SHORT, deals=7, batch=5), friendly)
    assert withdrawn(tmp_path) == []
    problems = found(tmp_path)
    assert len(problems) == 4
    why = "ann should have been withdrawn: it had a fault in more than 50% of its games"
    assert all(why in each for each in problems)
    assert {each.split(",")[0] for each in problems} == {"tournament.db: deal 6", "tournament.db: deal 7"}


def test_it_is_named_before_the_key_is_known_too(tmp_path):
    """Faults are counted without the key."""
    friendly = Here(lambda job, stopped: batch.play(replace(job, absent={}), stopped))
    contest(tmp_path, settings(TWO, **SHORT, deals=7, batch=5), friendly)
    forger.change(tmp_path, "DELETE FROM facts WHERE name = 'revealed'")
    forger.change(tmp_path, "UPDATE facts SET value = 'false' WHERE name = 'finished'")
    (tmp_path / "key").unlink()
    forger.relink(tmp_path, lambda document: None if "end" in document else document)
    assert any("ann should have been withdrawn" in problem for problem in found(tmp_path))


def test_a_batch_that_was_stopped_halfway_goes_on_as_it_began(tmp_path):
    """What had been played of it counts for the batches after it alone, as in a run that was never stopped."""

    def twelve_games(job, stopped):
        run.stopped = True
        return batch.play(job, iter([False] * 12 + [True]).__next__)

    asked = settings(TWO, **SHORT, deals=14, batch=7)
    run = Run(asked, games.find("dominion"), tmp_path / "cup", crew=lambda *_: Here(twelve_games))
    with closing(run.store):
        assert not run.play()
        assert run.store.counts() == (12, 12)
    contest(tmp_path / "cup", asked)
    contest(tmp_path / "whole", asked)
    assert withdrawn(tmp_path / "cup") == withdrawn(tmp_path / "whole") == [*range(8, 15)]
    assert found(tmp_path / "cup") == []


def test_faults_count_in_the_order_in_which_batches_were_kept(tmp_path):
    """A bot that comes later plays old deals: who had played without faults until then is withdrawn no sooner."""

    def play(job, stopped):
        entries = dict(job.entries)
        if "ann" in job.pairing and "ben" not in job.pairing:
            entries["ann"] = replace(entries["ann"], command=[*entries["ann"].command, "1"])
        return batch.play(replace(job, entries=entries, sha256={}), stopped)

    two = [bot("ann"), bot("ben")]
    contest(tmp_path, settings(two, **SHORT, deals=12, batch=4), Here(play))
    contest(tmp_path, settings([*two, bot("eve"), bot("fay")], **SHORT, deals=12, batch=4), Here(play))
    assert withdrawn(tmp_path)
    assert found(tmp_path) == []


def test_another_cause_of_a_fault_than_the_record_s_is_named(tmp_path):
    """The tables show it: nobody puts a bot's fault down to something else."""
    contest(tmp_path, settings(TWO, **SHORT, deals=1))
    assert found(tmp_path) == []
    for place, told in forger.change(tmp_path, "SELECT place, whys FROM games"):
        whys = [[seat, kind, "a busy machine" if kind == "unknown" else text] for seat, kind, text in json.loads(told)]
        forger.change(tmp_path, "UPDATE games SET whys = ? WHERE place = ?", json.dumps(whys), place)
    forger.relink(tmp_path)
    assert sum("the store has the cause of a fault 'a busy machine'" in each for each in found(tmp_path)) == 2


@pytest.mark.parametrize("amend", [True, False], ids=["by an amendment", "from the first"])
def test_luck_that_cannot_be_weighed_is_told(tmp_path, amend):
    """A manifest with another table of what luck is worth would have the corrected means be anything."""
    two = [bot("ann"), bot("ben")]
    contest(tmp_path, settings(two, game="dominion", options={"turns": 3}, deals=2, batch=1))
    assert "not checked" not in CliRunner().invoke(cli, ["verify", str(tmp_path)]).stdout
    if amend:
        forger.amend(tmp_path, lambda manifest: manifest | {"luck": "0" * 64})
    other = '[[0,"luck","9.000000"],[1,"luck","-9.000000"]]'
    forger.change(tmp_path, "UPDATE games SET whys = ? WHERE batch >= ?", other, 1 + amend)
    first = {} if amend else {"luck": "0" * 64}
    forger.relink(tmp_path, lambda document: document | (first if "manifest" in document else {}))
    said = CliRunner().invoke(cli, ["verify", str(tmp_path)]).stdout
    unweighed = 2 if amend else 4
    assert f"not checked: the luck of the shuffles of {unweighed} games, whose manifest names another table" in said
    document = json.loads(CliRunner().invoke(cli, ["verify", str(tmp_path), "--json"]).stdout)
    assert document["luck_not_checked"] == unweighed


@pytest.fixture
def programs(tmp_path):
    """Write Kuhn poker, and the same with the scores turned round so that losers win."""
    text = (files("croupier.server.games.recycle") / "library" / "kuhn-poker.gdl").read_text()
    paths = [tmp_path / folder / "poker.gdl" for folder in ("right", "wrong")]
    for path, scoring in zip(paths, ("max", "min"), strict=True):
        path.parent.mkdir()
        path.write_text(text.replace("(scoring max", f"(scoring {scoring}"))
    assert paths[0].read_text() != paths[1].read_text()
    return paths


def test_a_program_by_which_losers_win_is_named(tmp_path, programs):
    """All games are scored by it, and bound to the manifest that was published."""
    right, wrong = (settings(TWO, game=str(path), options={}, deals=2) for path in programs)
    contest(tmp_path / "published", right)
    contest(tmp_path / "cup", wrong)
    assert found(tmp_path / "published") == found(tmp_path / "cup") == []
    published = json.loads((tmp_path / "published" / "manifest.json").read_text())
    forger.relink(tmp_path / "cup", lambda document: published if "manifest" in document else document)
    assert any(problem.startswith("tournament.db: program: the store has") for problem in found(tmp_path / "cup"))


def test_a_program_exchanged_in_the_folder_alone_is_named(tmp_path, programs):
    """The standings would be counted by it."""
    contest(tmp_path / "cup", settings(TWO, game=str(programs[0]), options={}, deals=2))
    (tmp_path / "cup" / "poker.gdl").write_text(programs[1].read_text())
    assert any(problem.startswith("tournament.db: program: the store has") for problem in found(tmp_path / "cup"))
