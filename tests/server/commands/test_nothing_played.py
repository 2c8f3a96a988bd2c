"""What commands say of a tournament of which nothing was played, of an empty folder, and of one that is not there."""

import pytest
from command_line import croupier


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Commit to a tournament, and play nothing of it."""
    folder = tmp_path_factory.mktemp("begun") / "cup"
    croupier("tournament", "hearts", *["duck"] * 4, "--sandbox", "limits", "--commit", "--out", folder)
    return folder


def test_a_tournament_without_games_is_not_called_verified(begun):
    """Nothing was looked at: there is no verdict on it."""
    said = croupier("verify", begun)[0]
    assert "no game has been played: there is nothing to verify yet" in said
    assert "every game replays" not in said


def test_find_finds_nothing(begun, tmp_path):
    """Neither in it nor in an empty folder."""
    assert croupier("find", begun, code=1)[1] == croupier("find", tmp_path, code=1)[1] == "no games\n"


@pytest.mark.parametrize("command", ["standings", "report", "verify", "watch"])
def test_what_is_no_tournament_is_said_in_a_sentence(command, tmp_path):
    """An empty folder has no database, and one that is missing is said to be missing."""
    said = croupier(command, tmp_path, code=2)[1]
    assert f"croupier {command}: {tmp_path} is no tournament's folder: there is no tournament.db in it; see" in said
    said = croupier(command, tmp_path / "cup", code=2)[1]
    assert f"croupier {command}: {tmp_path}/cup is no tournament's folder: there is no such folder; see" in said
    assert said.count("\n") == 1


def test_a_folder_to_replay_is_told_which_of_its_files_to_name(begun, tmp_path):
    """Records, wherever they lie."""
    assert (
        f"{begun} is a folder: name the records in it; a tournament's are {begun}/records/*"
        in croupier("replay", begun, code=2)[1]
    )
    assert "No such file" in croupier("replay", tmp_path / "missing", code=2)[1]
