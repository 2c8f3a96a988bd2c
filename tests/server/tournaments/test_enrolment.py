"""Enrolment: as which version a program plays, and that it is built first."""

from __future__ import annotations

import shutil

import contests
import pytest
from contests import FOUR, Here, bot, contest, document, played, pretend, settings

from croupier.server.tournaments.enrolment import enrol
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
