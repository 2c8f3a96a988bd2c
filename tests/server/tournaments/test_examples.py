"""The examples: one tournament file for each format, and all of them play."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from contests import Here, contest

from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.formats import FORMATS
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.verify import verify
from croupier.server.tournaments.report.standing import standing

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "tournaments").glob("*.toml"))
ROSTER = EXAMPLES[0].parents[1] / "roster" / "cup.toml"
PAGE = EXAMPLES[0].parents[2] / "docs" / "how-to" / "roster.md"
BRIEFLY = {"balanced": "rounds=1", "ladder": "rounds=2"}


def test_there_is_an_example_for_each_format():
    """For every format there is a file to copy."""
    assert {path.stem for path in EXAMPLES} == set(FORMATS)
    assert all(tournament_file.read(path).format == path.stem for path in EXAMPLES)


def test_the_roster_enters_a_bot_for_each_folder(tmp_path):
    """Called after the folders, whatever their programs are called; what has a title is shown by it."""
    asked = tournament_file.read(ROSTER, ["deals=1", "seed=roster"])
    assert [bot.name for bot in asked.bots] == ["first", "last-card", "bench", "bench-2"]
    assert [bot.memory for bot in asked.bots] == ["256M", "256M", None, None]
    assert contest(tmp_path, asked, Here()).complete
    with closing(Store(tmp_path)) as store:
        table = standing(store)
        assert not any(player.faults_committed for player in table.players)
        assert verify(store).valid
    assert {player["name"]: player["title"] for player in table.document()["players"]}["bench-2"] == "The second bench"
    assert {player.name for player in table.with_titles().players} == {
        "first", "last card", "The bench (chance)", "The second bench",
    }  # fmt: skip


def test_the_rosters_of_the_manual_are_read_as_it_says(tmp_path):
    """Each block of the page that has a glob, where its files are there."""
    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    simple, java = [block for block in blocks if "glob" in block]
    assert [bot.name for bot in tournament_file.parse(simple, folder=ROSTER.parent).bots] == [
        "first",
        "last-card",
        "bench",
    ]
    (tmp_path / "bots" / "ann").mkdir(parents=True)
    (tmp_path / "bots" / "ann" / "Bot.java").touch()
    [ann] = tournament_file.parse(f'game = "sedma"\n{java}', folder=tmp_path).bots
    folder = tmp_path / "bots" / "ann"
    assert (ann.name, ann.command) == ("ann", ("java", "-jar", f"{folder}/bot.jar"))
    assert ann.build == f"cd {folder} && javac -d out *.java && jar cfe bot.jar Bot -C out ."


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_plays(tmp_path, path):
    """Every example runs to its end, has a table of all its entries, and can be verified."""
    asked = tournament_file.read(path, ["deals=1", f"seed={path.stem}", BRIEFLY.get(path.stem, "workers=1")])
    assert contest(tmp_path, asked, Here()).complete
    store = Store(tmp_path)
    table = standing(store)
    assert {player.name for player in table.players} == {bot.name for bot in asked.bots}
    assert table.finished
    assert table.games
    assert not any(sum(player.faults.values()) for player in table.players)
    assert verify(store).valid
    store.close()
