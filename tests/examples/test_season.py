"""The example season has thirty teams, and what is wrong with five of them is found out."""

import importlib.util
import json
from pathlib import Path

import pytest
from command_line import croupier

from croupier.server.season.archives import Refused, digest, take
from croupier.server.season.folder import SeasonFolder
from croupier.server.season.settings import read

MAKE = Path(__file__).parents[2] / "examples" / "season" / "make.py"
UNPACKED_BY_NOBODY = {"team-04.zip", "team-09.tar", "team-14.zip"}
SENT_BACK = {"team-04", "team-09", "team-14", "team-19", "team-24"}


@pytest.fixture
def season(tmp_path):
    """Return the folder of the example season, not yet played."""
    make().main(tmp_path / "season")
    return SeasonFolder(tmp_path / "season")


def make():
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("make_season", MAKE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_three_of_thirty_submissions_cannot_be_unpacked(season, tmp_path):
    """The others can; making them again changes none."""
    inside = sorted(season.submissions.iterdir())
    assert len(inside) == 30
    refused = set()
    for path in inside:
        try:
            take(path, tmp_path / "unpacked" / path.name)
        except Refused:
            refused.add(path.name)
    assert refused == UNPACKED_BY_NOBODY
    kept = {path.name: digest(path) for path in inside if path.name not in refused}
    make().main(season.path)
    assert kept == {path.name: digest(path) for path in inside if path.name not in refused}
    assert [game.name for game in read(season.settings).games] == ["hearts", "kuhn-poker"]


@pytest.mark.soak
def test_a_night_finds_the_broken_the_cheat_and_the_pair(season):
    """Five are sent back, the cheat is withdrawn, and the two who help each other gave more than chance explains."""
    night = json.loads(croupier("season", season.path, "--json")[0])
    assert {
        each["author"] for each in night["submissions"] if not any(g["entered"] for g in each["games"].values())
    } == SENT_BACK
    hearts = json.loads(croupier("standings", season.tournament("hearts"), "--json")[0])
    assert {player["name"] for player in hearts["players"] if player["faults"]["withdrawn"]} == {"team-13"}
    assert {frozenset((each["giver"], each["taker"])) for each in night["soft_play"]} == {
        frozenset(("team-17", "team-28"))
    }
    assert len([*season.pages.glob("author-*.html")]) == 30
