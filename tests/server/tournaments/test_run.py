"""Running: what is played, what is refused, and that a tournament continues where it stood."""

from __future__ import annotations

import json
import os
import shutil
import time
import tracemalloc
from collections import deque
from multiprocessing import get_context

import contests
import pytest
from contests import FOUR, Here, bot, contest, document, played, settings

from croupier.server import games
from croupier.server.faults import Kind
from croupier.server.referee import RefereeBug
from croupier.server.tournaments import batch
from croupier.server.tournaments.config import BadConfig
from croupier.server.tournaments.enrolment import enrol
from croupier.server.tournaments.rows import Row
from croupier.server.tournaments.run import Run, hired
from croupier.server.tournaments.store import RECORDS, Store, StoreError
from croupier.server.tournaments.workers import Workers


def test_a_set_is_one_deal_in_every_rotation(tmp_path):
    """Four players play each deal four times, each in each seat."""
    crew = Here()
    contest(tmp_path, settings(), crew)
    games_played = played(crew)
    assert len(games_played) == len(set(games_played)) == 16
    assert {seating[0] for _, seating, _ in games_played} == {"ann", "ben", "cat", "dan"}


def test_the_same_command_continues_and_plays_nothing_twice(tmp_path):
    """What was played stays; more deals play only the new ones; a complete tournament plays nothing."""
    contest(tmp_path, settings())
    crew = Here()
    contest(tmp_path, settings(), crew)
    assert not played(crew)
    contest(tmp_path, settings(deals=6), crew)
    assert {deal for _, _, deal in played(crew)} == {5, 6}
    assert document(tmp_path)["games"] == 24


def test_a_continued_tournament_has_the_table_of_one_that_never_stopped(tmp_path):
    """Six deals at once or four and then two are the same tournament."""
    contest(tmp_path / "one", settings(deals=6))
    contest(tmp_path / "two", settings(deals=4))
    contest(tmp_path / "two", settings(deals=6))
    assert document(tmp_path / "one") == document(tmp_path / "two")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"time": 77}, "time was 10000 and is 77"),
        ({"options": {"pass": "none", "break": "no"}}, "options was"),
        ({"on_fault": "forfeit"}, "on_fault was None and is forfeit"),
        ({"format": "one-against-many"}, "format was round-robin and is one-against-many"),
        ({"seed": "another"}, "the seed another"),
        ({"public": "lottery 7"}, "public was  and is lottery 7"),
    ],
)
def test_a_changed_setting_that_would_mix_results_is_refused_with_what_changed(tmp_path, change, said):
    """Games under other terms, or of other deals, are not added up."""
    contest(tmp_path, settings())
    with pytest.raises(StoreError, match=said):
        contest(tmp_path, settings(**change))


def test_how_fast_it_is_run_may_change(tmp_path):
    """Workers and their cores decide nothing."""
    contest(tmp_path, settings())
    assert contest(tmp_path, settings(workers=1, affinity="off", max_warm=4)).complete


def test_a_new_entry_plays_only_what_is_missing(tmp_path):
    """A fifth bot plays the tables it sits at; the old table is left alone."""
    contest(tmp_path, settings())
    crew = Here()
    contest(tmp_path, settings([*FOUR, bot("eve", "last")]), crew)
    assert all("eve" in pairing for pairing, _, _ in played(crew))
    assert document(tmp_path)["games"] == 5 * 16


@pytest.fixture
def changing(tmp_path):
    """Enter a bot whose file can be changed."""
    program = tmp_path / "bot.py"
    shutil.copy(contests.BOTS / "misfit.py", program)
    return program, {"name": "ann", "command": ["python", str(program), "fair"]}


def versions(folder):
    """List the versions in a store, each with whether it is retired."""
    store = Store(folder)
    found = [(version.name, version.retired) for version in store.versions()]
    store.close()
    return found


def names(folder):
    """Return who is in the table."""
    return {player["name"] for player in document(folder)["players"]}


def enrolled(folder, asked, **how):
    """Enrol without playing; return the names under which the entries play."""
    store = Store(folder)
    names, _ = enrol(asked, store, **how)
    store.close()
    return names


def test_a_changed_program_is_a_new_version_whose_results_stay_apart(tmp_path, changing):
    """After a change ann is ann-v2; changed back she is ann again."""
    program, ann = changing
    asked = settings([ann, *FOUR[1:]], deals=1)
    contest(tmp_path / "cup", asked)
    before = program.read_text()
    program.write_text(before + "# better\n")
    crew = Here()
    contest(tmp_path / "cup", asked, crew)
    assert {pairing for pairing, _, _ in played(crew)} == {p for p, _, _ in played(crew) if "ann-v2" in p}
    assert {player["name"] for player in document(tmp_path / "cup")["players"]} == {
        "ann",
        "ann-v2",
        "ben",
        "cat",
        "dan",
    }
    program.write_text(before)
    assert enrolled(tmp_path / "cup", asked)["ann"] == "ann"


def test_replacing_retires_the_old_version_and_a_return_brings_it_back(tmp_path, changing):
    """With --replace only the present version counts."""
    program, ann = changing
    asked = settings([ann, *FOUR[1:]], deals=1)
    contest(tmp_path / "cup", asked)
    before = program.read_text()
    program.write_text(before + "# better\n")
    contest(tmp_path / "cup", asked, drop_old=True)
    assert names(tmp_path / "cup") == {"ann-v2", "ben", "cat", "dan"}
    assert document(tmp_path / "cup")["games"] == 4
    program.write_text(before)
    enrolled(tmp_path / "cup", asked, drop_old=True)
    assert dict(versions(tmp_path / "cup"))["ann"] is False
    assert dict(versions(tmp_path / "cup"))["ann-v2"] is True


def test_a_new_version_never_takes_another_entrys_name(tmp_path, changing):
    """Where ann-v2 is somebody else, ann's second version is ann-v3."""
    program, ann = changing
    asked = settings([ann, bot("ann-v2"), *FOUR[2:]], deals=1)
    enrolled(tmp_path / "cup", asked)
    program.write_text(program.read_text() + "# better\n")
    assert enrolled(tmp_path / "cup", asked)["ann"] == "ann-v3"


def test_more_memory_or_another_word_makes_another_version(tmp_path):
    """What a program is told and granted is part of it; where its file lies is not."""
    asked = [settings([change, *FOUR[1:]]) for change in (FOUR[0], FOUR[0] | {"memory": "1G"}, bot("ann", "last"))]
    assert [enrolled(tmp_path, each)["ann"] for each in asked] == ["ann", "ann-v2", "ann-v3"]


def test_an_interrupt_keeps_the_finished_games_and_the_rest_is_played_later(tmp_path):
    """Stopped in the middle of a batch, a run keeps what is complete; the table in the end is an unbroken run's."""
    crew = Here()

    def some(job, stopped):
        crew.stop()
        run.stopped = True
        return batch.play(job, stopped=iter([False] * 5 + [True]).__next__)

    crew.play = some
    run = Run(settings(), games.find("hearts"), tmp_path / "cup", crew=lambda *_: crew)
    assert not run.play()
    assert run.store.counts() == (5, 0)
    assert not document(tmp_path / "cup")["finished"]
    contest(tmp_path / "cup", settings())
    contest(tmp_path / "whole", settings())
    assert document(tmp_path / "cup") == document(tmp_path / "whole")


def test_a_second_run_is_told_so(tmp_path):
    """One folder, one run."""
    first = Run(settings(), games.find("hearts"), tmp_path)
    with first.store.locked(), pytest.raises(StoreError, match="another run is at work"):
        contest(tmp_path, settings())


def test_a_dead_worker_is_replaced_and_nothing_is_lost_or_doubled(tmp_path):
    """A worker that dies in the middle costs its batch's time; the table is the same."""
    died = []

    def dies_once(job, stopped):
        if len(died) < 2:
            died.append(job)
            raise OSError
        return batch.play(job, stopped)

    contest(tmp_path / "cup", settings(), Here(dies_once))
    contest(tmp_path / "calm", settings())
    assert document(tmp_path / "cup") == document(tmp_path / "calm")
    assert "worker died" in (tmp_path / "cup" / "events.jsonl").read_text()


def test_workers_that_die_again_and_again_stop_the_run(tmp_path):
    """There is an end to trying."""

    def dies(job, stopped):
        raise OSError

    with pytest.raises(StoreError, match="again and again"):
        contest(tmp_path, settings(), Here(dies))


def test_a_bug_in_the_rules_stops_the_run_and_leaves_the_record(tmp_path):
    """A bad referee does hurt a table, and says so."""

    def bug(job, stopped):
        raise RefereeBug(["(record 1)", "(end void)"])

    with pytest.raises(StoreError, match="which is a bug"):
        contest(tmp_path, settings(), Here(bug))
    assert (tmp_path / "failed.record").read_text().startswith("(record 1)\n(end void)\n")


def leave_at_once():
    """Die as a worker does whom the system kills."""
    os.kill(os.getpid(), 9)


def test_real_workers_survive_the_death_of_one(tmp_path):
    """Whoever is killed, the batches are played."""
    workers = Workers(2, pinned=False)
    try:
        with pytest.raises(Exception, match="terminated abruptly"):
            workers.executor.submit(leave_at_once).result()
        crew = type("Crew", (), {"number": 2, "lost": workers.lost, "submit": workers.submit, "stop": workers.stop})()
        crew.close = lambda: None
        assert contest(tmp_path, settings(), crew).complete
    finally:
        workers.close()


def test_workers_are_pinned_to_cores_of_their_own_unless_told_otherwise():
    """One worker a core; with affinity off they may run anywhere."""
    here = os.sched_getaffinity(0)
    if len(here) < 2:
        pytest.skip("one core only")
    with _pool(Workers(2)) as pool:
        places = {frozenset(place) for place in pool.map(_where, [0.3] * 4)}
    assert all(len(place) == 1 for place in places)
    assert len(places) == 2
    with _pool(Workers(1, pinned=False)) as pool:
        assert pool.submit(_where, 0).result() == here


def _where(pause):
    time.sleep(pause)
    return os.sched_getaffinity(0)


class _pool:  # noqa: N801  a context
    def __init__(self, workers):
        self.workers = workers

    def __enter__(self):
        return self.workers.executor

    def __exit__(self, *_):
        self.workers.close()


def test_cores_and_max_warm_bound_the_workers():
    """An entry that asks for all cores leaves one worker; sixteen warm bots are four tables of four."""
    cores = len(os.sched_getaffinity(0))
    for asked, seats, number in (
        (settings(workers=9), 4, 4),
        (settings(workers=9, max_warm=3), 4, 1),
        (settings([bot("ann", cores=cores), *FOUR[1:]]), 4, 1),
    ):
        crew = hired(asked, seats)
        crew.close()
        assert crew.number == number


def parent(folder):
    """Hire a worker, say who it is, and wait to be killed."""
    workers = Workers(1, pinned=False)
    pid = workers.executor.submit(os.getpid).result()
    (folder / "pid").write_text(str(pid))
    time.sleep(600)


def test_a_worker_leaves_with_its_parent(tmp_path):
    """Killed with -9, a run leaves no worker behind."""
    process = get_context("spawn").Process(target=parent, args=(tmp_path,))
    process.start()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.02)
    pid = int((tmp_path / "pid").read_text())
    process.kill()
    process.join()
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError(pid)


@pytest.mark.skipif(contests.quick() is None, reason="needs a C compiler")
def test_a_bot_that_writes_down_every_deal_recognises_none(tmp_path):
    """No process, and no folder, meets a deal twice: across seatings, pairings and continuations."""
    ledger = tmp_path / "ledger"
    spies = [bot(name, "mixed", env={"LEDGER": str(ledger)}) for name in ("ann", "ben", "cat", "dan", "eve")]
    for deals in (2, 3):
        run = contest(tmp_path / "cup", settings(spies, "sandbox=none", deals=deals))
    holder = {}
    for number in range(1, 4):
        pack = deal_of(run, number)
        holder.update((frozenset(pack[seat * 13 : seat * 13 + 13]), number) for seat in range(4))
    met = {}
    for line in ledger.read_text().splitlines():
        process, *hand = line.split()
        assert "!" not in process, "its folder was not new"
        met.setdefault(process, []).append(holder[frozenset(hand)])
    assert sum(map(len, met.values())) == 5 * 4 * 4 * 3
    assert all(len(set(deals)) == len(deals) for deals in met.values())


def deal_of(run, number):
    """Return the pack as it is shuffled for a deal."""
    game = games.find("hearts")(list("abcd"), {"pass": "none"}, run.key.deal(number))
    return [card for hand in (game.view(seat).hand for seat in range(4)) for card in hand]


@pytest.mark.skipif(contests.quick() is None, reason="needs a C compiler")
def test_a_fault_never_pays_and_costs_nobody_else(tmp_path):
    """Who faults in some games is counted so and never better off than his honest twin; the others lose nothing."""
    others = [bot("ben", "last"), bot("cat", "mixed"), bot("dan", "first")]
    honest = contest(tmp_path / "honest", settings([bot("ann", "mixed"), *others], deals=15))
    faulty = contest(tmp_path / "faulty", settings([bot("ann", "mixed", 10), *others], deals=15))
    twins = zip(rows(honest), rows(faulty), strict=True)
    spoilt = 0
    for fair, foul in twins:
        seat = foul.seating.index("ann")
        if foul.faults:
            spoilt += 1
            assert foul.faults[seat] == Kind.UNKNOWN.value
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
    found = sorted(store.rows(), key=lambda row: (row.deal, row.seating))
    store.close()
    return found


def mean(folder, name):
    """Return a player's mean."""
    return next(player["mean"] for player in document(folder)["players"] if player["name"] == name)


def pretend(score=lambda name, deal: len(name)):
    """Make a player of batches that plays nothing: each entry scores what ``score`` says, a minus is a fault."""

    def play(job, stopped):
        games_played = []
        for seating, deal in job.games:
            scores = [99 if name in job.absent else score(name, deal) for name in seating]
            faults = tuple("crashed" if value < 0 or value == 99 else "" for value in scores)
            scores = tuple(map(abs, scores))
            ranks = tuple(1 + sum(other < mine for other in scores) for mine in scores)
            row = Row(job.pairing, deal, seating, scores, ranks, faults if any(faults) else ())
            games_played.append(batch.Game(row, "finished", (), 52, 0.001, "(record 1)\n"))
        return games_played

    return play


def test_who_faults_in_more_than_half_of_ten_games_is_withdrawn(tmp_path):
    """He no longer plays from the batch after; his games are there all the same."""
    crew = Here(pretend(lambda name, deal: -26 if name == "ann" else 1))
    contest(tmp_path, settings(deals=60), crew)
    absent = [job.absent for job in crew.jobs]
    assert not absent[0]
    assert any("ann" in each for each in absent)
    assert document(tmp_path)["players"][-1]["faults"]["crashed"] == 240


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


def test_until_sure_stops_when_the_difference_is_known(tmp_path):
    """Clear differences are found long before the cap."""
    crew = Here(pretend(lambda name, deal: {"a": 1, "b": 5, "c": 9, "d": 13}[name[0]] + deal % 3))
    contest(tmp_path, settings(deals=5_000, until_sure=True), crew)
    assert document(tmp_path)["games"] < 4 * 1_000
    assert document(tmp_path)["finished"]


def test_until_sure_stops_when_the_difference_does_not_matter(tmp_path):
    """Equals are found out too, if it is said what matters; without a margin they play to the cap."""
    crew = Here(pretend(lambda name, deal: 5 + (ord(name[0]) * deal * 7919) % 3))
    contest(tmp_path / "margin", settings(deals=5_000, until_sure=True, margin=1.0), crew)
    assert document(tmp_path / "margin")["games"] < 4 * 5_000
    contest(tmp_path / "none", settings(deals=200, until_sure=True), Here(pretend(lambda name, deal: 5)))
    assert document(tmp_path / "none")["games"] == 4 * 200


def test_until_sure_stops_at_the_same_set_wherever_the_run_was_broken(tmp_path):
    """Batches that were played ahead do not count before their turn."""

    def asked():
        return settings(deals=2_000, until_sure=True)

    def scores(name, deal):
        return {"a": 1, "b": 3, "c": 5, "d": 7}[name[0]] + (deal * ord(name[0])) % 11

    contest(tmp_path / "whole", asked(), Here(pretend(scores)))
    crew = Here()

    def broken(job, stopped):
        if len(crew.jobs) > 2:
            raise KeyboardInterrupt
        return pretend(scores)(job, stopped)

    crew.play = broken
    with pytest.raises(KeyboardInterrupt):
        contest(tmp_path / "broken", asked(), crew)
    contest(tmp_path / "broken", asked(), Here(pretend(scores)))
    assert document(tmp_path / "broken") == document(tmp_path / "whole")


def flat(folder, deals):
    """Return the most memory that a tournament of pretended games held."""
    crew = Here(pretend())
    crew.jobs = deque(maxlen=1)
    tracemalloc.start()
    contest(folder, settings(deals=deals), crew)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_stays_flat_over_many_games(tmp_path):
    """Twenty-five thousand games more take no more memory: forty bytes each would be too many."""
    flat(tmp_path / "warm", 100)
    few, many = flat(tmp_path / "few", 1_600), flat(tmp_path / "many", 8_000)
    assert many < few + 1_000_000


@pytest.mark.soak
def test_memory_stays_flat_over_a_million_games(tmp_path):
    """A million pretended games take no more memory than ten thousand."""
    few = flat(tmp_path / "few", 2_500)
    assert flat(tmp_path / "many", 250_000) < few + 1_000_000


def test_build_commands_run_once_with_their_output_kept(tmp_path):
    """A bot is built before its first game, not again; a failure says where its words are."""
    count = tmp_path / "count"
    built = [bot("ann", build=f"echo built; echo x >> {count}"), *FOUR[1:]]
    for _ in range(2):
        contest(tmp_path / "cup", settings(built, deals=1), Here(pretend()))
    assert count.read_text() == "x\n"
    assert (tmp_path / "cup" / "builds" / "ann.log").read_text() == "built\n"
    with pytest.raises(StoreError, match="exit status 3"):
        contest(tmp_path / "other", settings([bot("ann", build="exit 3"), *FOUR[1:]]))


def test_the_public_text_may_follow_the_commitment_but_not_the_games(tmp_path):
    """The key is committed to, then a lottery is drawn, then it is played."""
    run = Run(settings(), games.find("hearts"), tmp_path)
    commitment = run.commit_to_key()
    run.store.close()
    contest(tmp_path, settings(public="17 23 42"), Here(pretend()))
    assert commitment == Store(tmp_path).fact("commitment")


def test_a_fresh_key_is_secret_until_the_end(tmp_path):
    """Nobody else may read the key, and it is revealed when all is played."""
    run = contest(tmp_path, settings(seed=None), Here(pretend()))
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    assert (tmp_path / RECORDS).stat().st_mode & 0o077 == 0
    store = Store(tmp_path)
    assert store.fact("revealed") == run.key.secret.hex()


def test_files_that_were_never_committed_are_removed(tmp_path):
    """What a killed run left behind does not stay."""
    contest(tmp_path, settings(), Here(pretend()))
    (tmp_path / RECORDS / "000001-0.records.gz.part").write_text("half")
    contest(tmp_path, settings(), Here(pretend()))
    assert not (tmp_path / RECORDS / "000001-0.records.gz.part").exists()


def test_events_are_a_line_of_json_each(tmp_path):
    """Programs can follow a tournament."""
    contest(tmp_path, settings(), Here(pretend()))
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [event["event"] for event in events] == ["started", "batch", "finished"]
    assert events[1]["pairing"]
    assert events[-1]["games"] == 16


def test_wrong_seats_are_refused(tmp_path):
    """A setting that no game takes is said to be so."""
    with pytest.raises((StoreError, BadConfig, ValueError), match="played by"):
        contest(tmp_path, settings(seats=3))
