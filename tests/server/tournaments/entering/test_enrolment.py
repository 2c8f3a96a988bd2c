"""Enrolment: as which version a program plays, and that it is built first."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import contests
import pytest
from contests import FOUR, QUICK, Here, bot, contest, document, played, pretend, settings

from croupier.server.entries import BadEntry
from croupier.server.tournaments.entering import enrolment, fingerprint
from croupier.server.tournaments.entering.enrolment import enrol
from croupier.server.tournaments.entering.fingerprint import ProgramChanged, Watched
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import MOST_CHANGES


@pytest.fixture
def changing(tmp_path):
    """Enter a bot whose file can be changed."""
    program = tmp_path / "bot.py"
    shutil.copy(contests.BOTS / "misfit.py", program)
    return program, {"name": "ann", "command": ["python", str(program), "fair"]}


def versions(folder):
    """List the versions in a store, each with whether it is retired."""
    with closing(Store(folder)) as store:
        return [(version.name, version.retired) for version in store.versions()]


def names(folder):
    """Return who is in the table."""
    return {player["name"] for player in document(folder)["players"]}


def enrolled(folder, asked, **how):
    """Enrol without playing; return the names under which the entries play."""
    with closing(Store(folder)) as store:
        return enrol(asked, store, **how)[0]


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


def test_build_commands_run_once_with_their_output_kept(tmp_path):
    """A bot is built before its first game, not again; a failure says where its words are."""
    own = tmp_path / "ann" / "quick.py"
    own.parent.mkdir()
    shutil.copy(QUICK, own)
    count = own.parent / "count"
    built = [bot("ann", build=f"echo built; echo x >> {count}", program=own), *FOUR[1:]]
    for _ in range(2):
        contest(tmp_path / "cup", settings(built, deals=1, sandbox="limits"), Here(pretend()))
    assert count.read_text() == "x\n"
    assert (tmp_path / "cup" / "builds" / "ann.log").read_text() == "built\n"
    with pytest.raises(StoreError, match="exit status 3"):
        contest(tmp_path / "other", settings([bot("ann", build="exit 3"), *FOUR[1:]]))


@pytest.fixture
def cup(tmp_path):
    """Enter twelve bots, each a file of its own, in a balanced cup of three rounds; return what plays it."""
    bots = []
    for number in range(12):
        program = tmp_path / f"b{number}.py"
        program.write_text(f"# {number}\n")
        bots.append({"name": f"b{number}", "command": ["python", str(program)]})

    def play(entered=bots):
        crew, said = Here(pretend()), []
        asked = settings(entered, format="balanced", rounds=3, deals=2)
        run = contest(tmp_path / "cup", asked, crew, say=said.extend)
        assert run.progress.games == run.progress.planned
        return [pairing for pairing, _, _ in played(crew)], said

    play.bots, play.folder = bots, tmp_path
    return play


def table(folder):
    """Return the standings' players by name."""
    return {player["name"]: player for player in document(folder)["players"]}


def test_a_changed_bot_plays_again_in_its_own_seats_and_nobody_else_does(cup):
    """In balanced, too: three tables of eight games with the new version, none without it, and the run says so."""
    before, said = cup()
    assert (len(before), said) == (72, [])
    (cup.folder / "b3.py").write_text("# better\n")
    again, said = cup()
    assert len(again) == 24
    assert all("b3-v2" in pairing for pairing in again)
    assert said == [
        "b3 has changed and plays as b3-v2: 24 games; what b3 has played stays",
        "72 games are kept, 24 are to be played",
    ]
    found = table(cup.folder / "cup")
    assert {name for name, player in found.items() if player["status"]} == {"b3"}
    assert (found["b3"]["status"], found["b3"]["games"], found["b3-v2"]["games"]) == ("replaced", 24, 24)
    assert cup() == ([], [])


def test_a_bot_that_leaves_costs_no_game_and_is_marked(cup):
    """What it has played stays; nobody plays for its sake."""
    cup()
    again, said = cup(cup.bots[:-1])
    assert (again, said) == ([], ["b11 has left; what it has played stays", "72 games are kept, 0 are to be played"])
    assert table(cup.folder / "cup")["b11"]["status"] == "withdrawn"
    assert cup() == ([], ["b11 is back: 0 games", "72 games are kept, 0 are to be played"])
    assert table(cup.folder / "cup")["b11"]["status"] == ""


def test_a_bot_that_comes_to_a_finished_cup_gets_its_games(cup):
    """As many as the others have, on the same deals, and no other table is played."""
    cup()
    (cup.folder / "eve.py").write_text("# eve\n")
    again, said = cup([*cup.bots, {"name": "eve", "command": ["python", str(cup.folder / "eve.py")]}])
    assert said == ["eve is new: 24 games", "72 games are kept, 24 are to be played"]
    assert len(again) == 24
    assert all("eve" in pairing for pairing in again)


def test_a_bot_that_leaves_a_cup_in_the_middle_is_missed_at_no_other_table(cup):
    """Stopped in its first round, a cup goes on without a bot: its tables stay as they are."""
    crew = Here()
    crew.play = dying_at_the_second(pretend())
    with pytest.raises(KeyboardInterrupt):
        contest(cup.folder / "cup", settings(cup.bots, format="balanced", rounds=3, deals=2), crew)
    with closing(Store(cup.folder / "cup")) as store:
        begun = set(store.games_on(crew.jobs[0].pairing, range(1, 3)))
    rest, said = cup(cup.bots[:-1])
    assert len(begun) == 8
    assert crew.jobs[0].pairing not in rest
    assert not any("b11" in pairing for pairing in rest)
    assert said[0] == "b11 has left; what it has played stays"


def dying_at_the_second(play):
    """Return a player of batches that plays one and is interrupted at the next."""
    jobs = []

    def some(job, stopped):
        jobs.append(job)
        if len(jobs) > 4:
            raise KeyboardInterrupt
        return play(job, stopped)

    return some


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Look at files after each game, and at a changed one again at once."""
    monkeypatch.setattr(enrolment, "PAUSE", 0)
    monkeypatch.setattr(fingerprint, "LOOK", 0)


@pytest.fixture
def meddled(tmp_path, changing):
    """Return what plays a cup of five in which ann's file is changed, by what is given, before its fourth game."""
    program, ann = changing

    def play(change):
        looks, real = iter(range(100)), [batch.play]

        def look():
            if next(looks) == 3:
                change(program)
            return False

        def changing_later(job, stopped):
            if real and "ann" in job.pairing:
                return real.pop()(job, look)
            if name := Watched(job.entries.values(), job.sha256).changed_entry():
                raise ProgramChanged(name, [])
            return pretend()(job, stopped)

        said = []
        asked = settings([ann, *FOUR[1:], bot("eve")], deals=2)
        run = contest(tmp_path / "cup", asked, Here(changing_later), say=said.extend)
        return run, said

    return play


def write_over(program):
    """Change a file."""
    program.write_text(program.read_text() + "# other\n")


def put_in_its_place(program):
    """Put another file in the place of one, as compilers do."""
    other = program.with_suffix(".new")
    other.write_text(program.read_text() + "# other\n")
    other.replace(program)


@pytest.mark.parametrize("change", [write_over, put_in_its_place])
def test_a_program_that_is_changed_while_it_plays_plays_on_as_its_next_version(tmp_path, meddled, change):
    """In the same run: what it played before counts for the old version, and no game in which both were."""
    run, said = meddled(change)
    assert run.complete
    assert said == [
        "ann has changed and plays as ann-v2: 32 games; what ann has played stays",
        "3 games are kept, 40 are to be played",
    ]
    found = table(tmp_path / "cup")
    assert (found["ann"]["games"], found["ann"]["status"]) == (3, "replaced")
    assert (found["ann-v2"]["games"], found["ann-v2"]["status"]) == (32, "")
    assert not any(sum(player["faults"].values()) for player in found.values())
    assert run.progress.games == run.progress.planned == 43
    assert '"event": "changed"' in (tmp_path / "cup" / "events.jsonl").read_text()
    assert contest(tmp_path / "cup", run.asked, Here(pretend())).progress.fresh == 0


def test_a_program_that_disappears_plays_no_more_in_this_run(tmp_path, meddled, changing):
    """The others play on; once it is back, the next run goes on with it."""
    program, _ = changing
    before = program.read_text()
    run, said = meddled(Path.unlink)
    assert not run.complete
    (sentence,) = said
    assert sentence.startswith(f"ann was changed while it played, and plays no more in this run: {program}: no such ")
    assert run.progress.games == 11
    program.write_text(before)
    assert contest(tmp_path / "cup", run.asked, Here(pretend())).complete
    assert {player["games"] for player in table(tmp_path / "cup").values()} == {32}


def test_a_program_that_is_itself_again_goes_on_as_itself(tmp_path, meddled):
    """Changed and changed back before anybody looks, it is no other."""

    def come_and_go(program):
        before = program.read_bytes()
        program.unlink()
        program.write_bytes(before)

    run, said = meddled(come_and_go)
    assert (run.complete, said) == (True, [])
    assert "ann-v2" not in table(tmp_path / "cup")


def test_a_program_that_is_changed_all_the_time_stops_after_some_versions(tmp_path):
    """One that writes to its own files would have a new version forever."""
    said = []
    run = contest(tmp_path / "cup", settings(files(tmp_path)), Here(changing_at_each("ann")), say=said.extend)
    assert not run.complete
    ended = "plays no more in this run: ann has been changed 3 times in it before"
    assert said[-1] == f"ann-v{MOST_CHANGES + 1} was changed while it played, and {ended}"


def files(folder, names=("ann", "b", "c", "d")):
    """Enter bots that are a file each."""
    for name in names:
        (folder / f"{name}.py").write_text(f"# {name}\n")
    return [{"name": name, "command": ["python", str(folder / f"{name}.py")]} for name in names]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every file's name is Unicode")
def test_a_folder_s_name_need_not_be_utf8(tmp_path):
    """A tournament with bots from there is bound, read and continued like any other."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    bots = files(folder)
    for number in range(2):
        run = contest(folder / "cup", settings(bots, deals=1), Here(pretend()))
        assert (run.complete, run.progress.fresh) == (True, 4 if number == 0 else 0)
    assert document(folder / "cup")["games"] == 4
    assert len(list((folder / "cup").glob("manifest*.json"))) == 1


def changing_at_each(entry, times=100, after=0, score=lambda name, deal: len(name)):
    """Pretend to play, and change an entry's file at each of its next batches, except for the first few."""
    play, left = pretend(score), iter([False] * after + [True] * times)

    def some(job, stopped):
        name = next((name for name in job.pairing if name.partition("-v")[0] == entry), None)
        if name is not None and next(left, False):
            (path,) = job.entries[name].files[-1:]
            path.write_text(path.read_text() + "#\n")
            raise ProgramChanged(name, [])
        return play(job, stopped)

    return some


@pytest.mark.parametrize("form", ["swiss", "knockout", "ladder"])
def test_where_results_draw_the_next_version_takes_over_and_nobody_else_plays_again(tmp_path, form):
    """Its match that was going on begins again; matches that are over stay, also in the runs after."""
    bots = files(tmp_path, [f"b{number}" for number in range(8)])
    asked = settings(bots, deals=2, format=form, rounds=None if form == "knockout" else 3)
    contest(tmp_path / "plain", asked, Here(pretend(by_number)))
    run = contest(tmp_path / "cup", asked, Here(changing_at_each("b1", 1, after=1, score=by_number)))
    assert run.complete
    plain, cup = table(tmp_path / "plain"), table(tmp_path / "cup")
    assert played_in(tmp_path / "cup") == played_in(tmp_path / "plain")
    assert cup["b1"]["games"] == 8
    assert cup["b1"]["games"] + cup["b1-v2"]["games"] == plain["b1"]["games"]
    points = {name: player["points"] for name, player in plain.items()}
    assert {name: player["points"] for name, player in cup.items()} == points | {"b1": None, "b1-v2": points["b1"]}
    after = Here(pretend(by_number))
    contest(tmp_path / "cup", asked, after)
    assert played(after) == []


def by_number(name, deal):
    """Score a bot its number."""
    return int(name[1])


def played_in(folder):
    """List who sat where on which deal, by entries, in all games of a folder."""
    with closing(Store(folder)) as store:
        games = [stored.game for stored in store.games()]
    return sorted((game.deal, tuple(name.partition("-v")[0] for name in game.seating)) for game in games)


def test_all_bots_that_cannot_be_started_are_named_at_once(tmp_path):
    """A teacher has one look at a class, and nothing was played."""
    broken = {"paul": "#!/usr/bin/env python4\n", "rosa": "#!/usr/bin/perl7\n"}
    for name, text in broken.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    bots = [{"name": name, "command": [str(tmp_path / name)]} for name in broken]
    with pytest.raises(BadEntry, match=r"paul begins with .*python4.*\n.*rosa begins with .*perl7"):
        enrolled(tmp_path / "cup", settings([*FOUR[:2], *bots]))
