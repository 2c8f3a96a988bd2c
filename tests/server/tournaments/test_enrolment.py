"""Enrolment: as which version a program plays, and that it is built first."""

from __future__ import annotations

import os
import shutil

import contests
import pytest
from contests import FOUR, Here, bot, contest, document, played, pretend, settings

from croupier.server.tournaments import batch
from croupier.server.tournaments.enrolment import enrol, entry_of
from croupier.server.tournaments.fingerprint import Watched, fingerprint
from croupier.server.tournaments.store import Store, StoreError


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
    begun = set(Store(cup.folder / "cup").known(crew.jobs[0].pairing, range(1, 3)))
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


@pytest.mark.parametrize("how", ["written over", "put in its place", "taken away"])
def test_a_program_that_is_changed_while_it_plays_is_stopped_and_plays_on_as_its_next_version(tmp_path, changing, how):
    """What it played before counts for the old version; nothing of the new one does, until the run after."""
    program, ann = changing
    before = program.read_text()
    crew = Here()

    def changing_later(job, stopped):
        looks = iter(range(100))

        def look():
            if next(looks) == 3 and program.exists() and program.read_text() == before:
                change(program, how)
            return False

        return batch.play(job, look)

    crew.play = changing_later
    said = []
    bots = [ann, *FOUR[1:], bot("eve")]
    first = contest(tmp_path / "cup", settings(bots, deals=2), crew, say=said.extend)
    assert not first.complete
    assert said == ["ann was changed while it played: it plays no more in this run, and as a new version in the next"]
    store = Store(tmp_path / "cup")
    games = [stored.game for stored in store.games()]
    store.close()
    assert sum("ann" in game.seating for game in games) == 3
    assert sum("ann" not in game.seating for game in games) == 8
    assert not any(game.faults for game in games)
    program.write_text(before + "# other\n")
    assert contest(tmp_path / "cup", settings(bots, deals=2)).complete
    found = table(tmp_path / "cup")
    assert (found["ann"]["games"], found["ann-v2"]["games"], found["ben"]["status"]) == (3, 32, "")


def change(program, how):
    """Change a program's file."""
    match how:
        case "written over":
            program.write_text(program.read_text() + "# other\n")
        case "put in its place":
            other = program.with_suffix(".new")
            other.write_text(program.read_text() + "# other\n")
            other.replace(program)
        case _:
            program.unlink()


def test_a_file_that_is_only_touched_is_no_other_program(changing):
    """It is hashed again, and is the same."""
    program, ann = changing
    entry = entry_of(settings([ann, *FOUR[1:]]).bots[0], "512M")
    watched = Watched([entry], {"ann": fingerprint(entry)})
    assert watched.changed() is None
    os.utime(program)
    assert watched.changed() is None
    program.write_text("# other\n")
    assert watched.changed() == "ann"
