"""Running: what is played, what is refused, and that a tournament continues where it stood."""

from __future__ import annotations

import gc
import json
import pickle
import sys
import tracemalloc
from collections import deque
from contextlib import closing
from itertools import groupby
from operator import attrgetter

import pytest
from contests import FOUR, Here, bot, contest, document, played, pretend, settings

from croupier.server import deals as keyed
from croupier.server import games
from croupier.server.table.referee import RefereeBug
from croupier.server.table.table import Table
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.proof.bond import Bond


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


def test_what_a_dead_worker_loses_after_a_stop_waits_for_the_next_run(tmp_path):
    """Nothing is handed out any more; before a stop it would be."""

    def die(job, stopped):
        run.stop()
        raise OSError

    crew = Here(die)
    run = Run(settings(), games.find("hearts"), tmp_path, crew=lambda *_: crew)
    assert not run.play()
    assert len(crew.jobs) == 1
    crew = Here()
    contest(tmp_path, settings(), crew)
    assert len(played(crew)) == 16


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"time": 77}, "time was 10000 and is 77"),
        ({"options": {"pass": "none", "break": "no"}}, "options was"),
        ({"on_fault": "forfeit"}, "on_fault was None and is forfeit"),
        ({"format": "one-against-many"}, "format was round-robin and is one-against-many"),
        ({"seed": "another"}, "the seed another"),
        ({"public": "7"}, "public was  and is 7"),
    ],
)
def test_a_changed_setting_that_would_mix_results_is_refused_with_what_changed(tmp_path, change, said):
    """Games under other terms, or of other deals, are not added up."""
    contest(tmp_path, settings())
    with pytest.raises(StoreError, match=said):
        contest(tmp_path, settings(**change))


def test_a_tournament_that_seated_its_deals_otherwise_is_read_and_not_continued(tmp_path):
    """Sets of two schedules under one key would not be the same sets."""
    contest(tmp_path, settings())
    with closing(Store(tmp_path)) as store, store.transaction():
        store.write_fact(
            "settings", {name: value for name, value in store.fact("settings").items() if name != "schedule"}
        )
    with pytest.raises(StoreError, match="it cannot be continued"):
        contest(tmp_path, settings())
    assert document(tmp_path)["games"] == 16


def test_standard_error_is_kept_by_bot_and_game(tmp_path):
    """What a bot writes lies in the folder, under its name, by deal and request, and no file if it wrote nothing."""
    program = tmp_path / "noisy.py"
    program.write_text(
        "from croupier.agents import Agent, drive\n"
        "class Noisy(Agent):\n"
        "    def tryPlay(self, state):\n"
        "        print('thinking of', len(state.hand))\n"
        "drive(Noisy())\n"
    )
    quiet = [{"name": name, "builtin": "random"} for name in ("ben", "cat", "dan")]
    noisy = {"name": "ann", "command": [sys.executable, str(program)]}
    contest(tmp_path / "cup", settings(bots=[noisy, *quiet], deals=2))
    (kept,) = (tmp_path / "cup" / "stderr").iterdir()
    text = "".join(file.read_text() for file in kept.iterdir())
    assert kept.name == "ann"
    assert text.count("== deal ") == 8
    assert "== deal 2: " in text
    assert text.count("-- after request ") == text.count("thinking of ") == 8 * 13


def test_how_fast_it_is_run_may_change(tmp_path):
    """Workers and their cores decide nothing."""
    contest(tmp_path, settings())
    assert contest(tmp_path, settings(workers=1, affinity="off", max_warm=4)).complete


def test_batches_are_as_long_as_is_asked_and_what_is_played_is_the_same(tmp_path):
    """Also where a run goes on with longer ones."""
    contest(tmp_path / "one", settings(deals=8, max_fault_share=1))
    contest(tmp_path / "cut", settings(deals=4, batch=2, max_fault_share=1))
    contest(tmp_path / "cut", settings(deals=8, batch=3, max_fault_share=1))
    with closing(Store(tmp_path / "one", new=False)) as first, closing(Store(tmp_path / "cut", new=False)) as second:
        one, cut = [*first.games()], [*second.games()]
    assert [len(list(games)) for _, games in groupby(cut, key=attrgetter("file"))] == [8, 8, 8, 8]
    assert len({stored.file for stored in one}) == 1
    came, others = ({(game.deal, game.seating): game.scores for game, _, _ in each} for each in (one, cut))
    assert came == others


def test_a_new_entry_plays_only_what_is_missing(tmp_path):
    """A fifth bot plays the tables it sits at; the old table is left alone."""
    contest(tmp_path, settings())
    crew = Here()
    contest(tmp_path, settings([*FOUR, bot("eve", "last")]), crew)
    assert all("eve" in pairing for pairing, _, _ in played(crew))
    assert document(tmp_path)["games"] == 5 * 16


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
    with first.store.lock(), pytest.raises(StoreError, match="another run is at work"):
        contest(tmp_path, settings())


def test_a_bug_in_the_rules_stops_the_run_and_leaves_the_record(tmp_path):
    """A bad referee does hurt a table, and says so."""

    def bug(job, stopped):
        raise RefereeBug(["(record 1)", "(end void)"], "the rules of hearts")

    with pytest.raises(StoreError, match="which is our bug"):
        contest(tmp_path, settings(), Here(bug))
    assert (tmp_path / "failed.record").read_text().startswith("(record 1)\n(end void)\n")


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


def test_no_batch_carries_the_key(tmp_path):
    """A batch on its way to another machine reveals its own deals alone, also after a key was revealed."""
    first, second = Here(pretend()), Here(pretend())
    contest(tmp_path / "cup", settings(deals=3, seed=None), first)
    run = contest(tmp_path / "cup", settings(deals=6, seed=None), second)
    assert run.lineup.key.later.keys() == {4}
    for job in [*first.jobs, *second.jobs]:
        sent = pickle.dumps(job)
        assert not any(secret in sent for secret in (run.lineup.key.secret, *run.lineup.key.later.values()))
        assert job.deals.keys() == {deal for _, deal in job.games}


def deal_of(run, number):
    """Return the pack as it is shuffled for a deal."""
    game = games.find("hearts")(list("abcd"), {"pass": "none"}, run.lineup.key.deal(number))
    return [card for hand in (game.view(seat).hand for seat in range(4)) for card in hand]


def flat(folder, deals):
    """Return the most memory that a tournament of pretended games held, garbage taken out as in a process of its own.

    Python (`gc`) lets old garbage lie until a quarter as many objects have come as there are: other tests' are frozen.
    """
    crew = Here(pretend())
    crew.jobs = deque(maxlen=1)
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    contest(folder, settings(deals=deals, batch=100), crew)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    gc.unfreeze()
    return peak


def test_memory_stays_flat_over_many_games(tmp_path, monkeypatch):
    """Ten thousand games more take no more memory: forty bytes each would be too many.

    How full others have left the cache of deals' numbers, which is bounded, is no part of it.
    """
    monkeypatch.setattr(keyed, "_frame", keyed._frame.__wrapped__)
    flat(tmp_path / "warm", 100)
    few, many = flat(tmp_path / "few", 2_000), flat(tmp_path / "many", 4_500)
    assert many < few + 400_000


@pytest.mark.soak
def test_memory_stays_flat_over_a_million_games(tmp_path):
    """A million pretended games take no more memory than ten thousand."""
    few = flat(tmp_path / "few", 2_500)
    assert flat(tmp_path / "many", 250_000) < few + 1_000_000


def test_the_public_text_may_follow_the_commitment_but_not_the_games(tmp_path):
    """The key is committed to, then a lottery is drawn, then it is played."""
    run = Run(settings(), games.find("hearts"), tmp_path)
    commitment = run.commit()
    run.store.close()
    contest(tmp_path, settings(public="17 23 42"), Here(pretend()))
    with closing(Store(tmp_path)) as store:
        bond = Bond.of(store)
    assert commitment == bond.commitment
    assert [amendment.changes for amendment in bond.amendments] == [("public was not set and is 17 23 42",)]


def test_a_fresh_key_is_secret_until_the_end(tmp_path):
    """Nobody else may read the key, and it is revealed when all is played."""
    run = contest(tmp_path, settings(seed=None), Here(pretend()))
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    assert (tmp_path / RECORDS).stat().st_mode & 0o077 == 0
    with closing(Store(tmp_path)) as store:
        assert store.fact("revealed") == run.lineup.key.secret.hex()


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


def test_processes_are_replaced_as_seldom_as_can_be():
    """They play on in whatever seats, until the first deal that they have met."""
    seatings = ("ab", "ba"), ("ba", "ab"), ("ab", "ba")
    games = [(tuple(both[turn]), deal) for turn in (0, 1) for deal, both in enumerate(seatings)]
    assert [[deal for _, deal in sitting] for sitting in batch.sittings(games)] == [[0, 1, 2], [0, 1, 2]]
    assert [[deal for _, deal in sitting] for sitting in batch.sittings(games[2:])] == [[2, 0, 1], [2]]


def test_strictly_isolated_seatings_of_a_deal_are_played_at_the_same_time(tmp_path, monkeypatch):
    """None of them ends before all have begun; the table is that of any other run."""
    heard = []
    play = Table.play

    async def told(*what):
        heard.append("begins")
        result = await play(*what)
        heard.append("ends")
        return result

    monkeypatch.setattr(Table, "play", told)
    contest(tmp_path / "strict", settings(deals=2, isolate="strict"))
    assert heard == (["begins"] * 4 + ["ends"] * 4) * 2
    heard.clear()
    contest(tmp_path / "batch", settings(deals=2))
    assert heard == ["begins", "ends"] * 8
    assert document(tmp_path / "strict")["players"] == document(tmp_path / "batch")["players"]


def test_what_goes_wrong_at_one_of_several_tables_is_told_as_at_one(tmp_path, monkeypatch):
    """A bug of the rules stops a strictly isolated run too, and leaves the record."""

    async def bug(*what):
        raise RefereeBug(["(record 1)"], "the rules of hearts")

    monkeypatch.setattr(Table, "play", bug)
    with pytest.raises(StoreError, match="our bug"):
        contest(tmp_path, settings(deals=1, isolate="strict"))
    assert (tmp_path / "failed.record").exists()
