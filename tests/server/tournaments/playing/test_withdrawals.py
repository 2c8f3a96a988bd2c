"""Faults in a tournament: they never pay, and a bot that commits too many is withdrawn."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from contests import Here, bot, contest, document, pretend, settings

from croupier.server.records.files import read_records
from croupier.server.records.replay import judge
from croupier.server.table.faults import Kind
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.withdrawals import LEAST_GAMES


def test_a_fault_never_pays_and_costs_nobody_else(tmp_path):
    """A bot that faults in some games is counted so, never better off than its honest twin; the others lose nothing."""
    others = [bot("ben", "last"), bot("cat", "mixed"), bot("dan", "first")]
    honest = contest(tmp_path / "honest", settings([bot("ann", "mixed"), *others], deals=15))
    faulty = contest(tmp_path / "faulty", settings([bot("ann", "mixed", 10), *others], deals=15))
    twins = zip(rows(honest), rows(faulty), strict=True)
    spoilt = 0
    for fair, foul in twins:
        seat = foul.seating.index("ann")
        if foul.faults:
            spoilt += 1
            assert [(found.seat, found.fault.kind) for found in foul.faults] == [(seat, Kind.UNKNOWN)]
            assert foul.scores[seat] >= max(26, fair.scores[seat])
            assert foul.ranks[seat] == 4
            assert sum(score for place, score in enumerate(foul.scores) if place != seat) <= 78
        else:
            assert foul.scores == fair.scores
    table = {player["name"]: player for player in document(tmp_path / "faulty")["players"]}
    assert 0 < spoilt < 30
    assert table["ann"]["faults"][Kind.UNKNOWN.value] == spoilt
    assert table["ann"]["mean"] >= mean(tmp_path / "honest", "ann")
    assert all(not any(table[name]["faults"].values()) for name in ("ben", "cat", "dan"))


def rows(run):
    """Return all games of a tournament in order."""
    store = Store(run.store.folder)
    found = sorted((stored.game for stored in store.games()), key=lambda row: (row.deal, row.seating))
    store.close()
    return found


def mean(folder, name):
    """Return a player's mean."""
    return next(player["mean"] for player in document(folder)["players"] if player["name"] == name)


def test_who_faults_in_more_than_half_of_ten_games_is_withdrawn(tmp_path):
    """He no longer plays from the batch after; his games are there all the same."""
    crew = Here(pretend(lambda name, deal: -26 if name == "ann" else 1))
    contest(tmp_path, settings(deals=60), crew)
    absent = [job.absent for job in crew.jobs]
    assert not absent[0]
    assert any("ann" in each for each in absent)
    last = document(tmp_path)["players"][-1]
    unplayed = sum(len(job.games) for job in crew.jobs[-1:] if "ann" in job.absent)
    assert (last["name"], last["faults"]["crashed"] + last["faults"]["withdrawn"]) == ("ann", 240)
    assert last["faults"]["crashed"] >= LEAST_GAMES
    assert last["faults"]["withdrawn"] >= unplayed > 0


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_a_program_that_always_faults_is_withdrawn_after_its_trial(tmp_path, workers):
    """However many workers there are, it plays three deals in four seatings; nothing else begins before."""
    crew = Here(pretend(lambda name, deal: -26 if name == "ann" else 1))
    crew.number = workers
    contest(tmp_path, settings(deals=2000), crew)
    trial, *later = crew.jobs
    assert len(trial.games) == 12
    assert not trial.absent
    assert all(job.absent.keys() == {"ann"} for job in later)
    faults = document(tmp_path)["players"][-1]["faults"]
    assert (faults["crashed"], faults["withdrawn"]) == (12, 7988)


def test_each_program_has_a_trial_and_what_is_bundled_has_none(tmp_path):
    """The trials come first; a table of those who have had theirs gets no other, nor does one of bundled bots."""
    programs = [bot(name) for name in ("ann", "ben", "cat", "dan", "eve")]
    crew = Here(pretend())
    contest(tmp_path / "programs", settings(programs, deals=10), crew)
    assert [len(job.games) for job in crew.jobs] == [12, 12, 28, 28, 40, 40, 40]
    assert {name for job in crew.jobs[:2] for name in job.pairing} == {"ann", "ben", "cat", "dan", "eve"}
    bundled = [{"name": name, "builtin": "random"} for name in ("ann", "ben", "cat", "dan")]
    crew = Here(pretend())
    contest(tmp_path / "bundled", settings(bundled, deals=10), crew)
    assert [len(job.games) for job in crew.jobs] == [40]


def test_a_withdrawn_bot_is_neither_asked_nor_timed(tmp_path):
    """Its games count as withdrawn, not as crashes; its record says so, and is a game by the rules."""
    crew = Here(lambda job, _: batch.play(replace(job, absent={"ann": "a fault in more than 50% of its games"})))
    run = contest(tmp_path, settings(deals=1), crew)
    with closing(Store(tmp_path, new=False)) as store:
        stored = list(store.games())
        assert store.counts() == (4, 0)
    for game in [each.game for each in stored]:
        seat = game.seating.index("ann")
        assert [(each.seat, each.fault.kind) for each in game.faults] == [(seat, Kind.WITHDRAWN)]
        assert not game.misdeeds
        assert [bool(times) for times in game.times] == [place != seat for place in range(4)]
    for record in read_records(run.store.folder / "records" / stored[0].file):
        assert '(fault ann withdrawn "a fault in more than 50% of its games" "" "")' in record.text
        assert judge(record.text).valid
    table = {player["name"]: player for player in document(tmp_path)["players"]}
    assert {kind: number for kind, number in table["ann"]["faults"].items() if number} == {"withdrawn": 4}


def test_a_record_in_which_a_withdrawal_is_called_a_crash_is_valid(tmp_path):
    """As it was written before there was a word for it."""
    contest(tmp_path, settings(deals=1), Here(lambda job, _: batch.play(replace(job, absent={"ann": "too many"}))))
    [path] = (tmp_path / "records").iterdir()
    new = read_records(path)[0].text
    old = new.replace('(fault ann withdrawn "too many"', '(fault ann crashed "withdrawn: too many"')
    assert old != new
    assert judge(old) == judge(new)
    assert judge(old).valid


def test_a_withdrawal_does_not_depend_on_where_the_run_was_stopped(tmp_path):
    """What is stored decides in the order of the schedule: stopped after any batch, the same games are forfeits."""

    def absences(folder, *stops):
        for stop in (*stops, 10**9):
            crew = Here()
            crew.number = 2

            def some(job, stopped, crew=crew, stop=stop):
                if len(crew.jobs) > stop:
                    raise KeyboardInterrupt
                return pretend(lambda name, deal: -26 if name == "ann" and deal % 4 else 1)(job, stopped)

            crew.play = some
            try:
                contest(folder, settings(deals=80), crew)
            except KeyboardInterrupt:
                continue
        return document(folder)

    assert absences(tmp_path / "a") == absences(tmp_path / "b", 1, 1, 2, 3) == absences(tmp_path / "c", 5)
