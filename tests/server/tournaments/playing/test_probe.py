"""The probe in tournaments: kept with each game, shown wherever the table is, and without influence on any result."""

import json
import shlex
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command_line import croupier
from contests import FOUR, bot, contest, settings

from croupier.server import probing
from croupier.server.table.played_game import Probed
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.verify import verify
from croupier.server.tournaments.report.probe import read_probe

PEEKER = Path(__file__).parents[3] / "bots" / "peeker.py"


@pytest.fixture(autouse=True)
def few_looks(monkeypatch):
    """Look once."""
    monkeypatch.setattr(probing, "LOOKS", 1)


def peekers():
    """Return two that are told all hands, of which one plays by them, and two that are not."""
    command = [sys.executable, str(PEEKER)]
    open_bots = [
        {"name": "peeker", "command": [*command, "peek"], "sight": "open"},
        {"name": "honest", "command": command, "sight": "open"},
    ]
    return [*open_bots, *FOUR[:2]]


@pytest.fixture(scope="module")
def probed(tmp_path_factory):
    """Return the folder of a tournament in which one peeks."""
    folder = tmp_path_factory.mktemp("probed") / "cup"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probing, "LOOKS", 1)
        contest(folder, settings(peekers(), deals=1, probe=1))
    return folder


def results(folder):
    """Return the results of a folder's games, and the records without the times."""
    with closing(Store(folder, new=False)) as store:
        return [(game.deal, game.seating, game.scores, game.ranks, game.faults) for game, *_ in store.games()]


def test_the_probe_finds_who_peeks_and_changes_no_result(probed, tmp_path):
    """Each game has what was found in it, and its scores."""
    contest(tmp_path / "plain", settings(peekers(), deals=1))
    assert results(probed) == results(tmp_path / "plain")
    with closing(Store(probed, new=False)) as store:
        assert verify(store).valid
        found = {name: each.verdict for name, each in read_probe(store).items()}
        assert [len(stored.game.probed) for stored in store.games()] == [4] * 4
    assert found == {"ann": "own cards", "ben": "own cards", "honest": "own cards", "peeker": "sees more"}
    with closing(Store(tmp_path / "plain", new=False)) as store:
        assert not read_probe(store)


def test_tables_side_by_side_are_probed_each_by_itself(tmp_path):
    """Each of them has played one seating of every deal."""
    contest(tmp_path, settings(deals=2, probe=1, isolate="strict"))
    with closing(Store(tmp_path, new=False)) as store:
        assert [len(stored.game.probed) for stored in store.games()] == [4] * 8
        assert {each.verdict for each in read_probe(store).values()} == {"own cards"}


def test_a_tournament_that_goes_on_keeps_what_was_found(tmp_path):
    """With another number of worlds, or none, the counts of earlier games stay, and nothing is amended."""
    contest(tmp_path, settings(deals=1, probe=1))
    with closing(Store(tmp_path, new=False)) as store:
        before, manifests = read_probe(store), len(store.chain_state().manifests)
    contest(tmp_path, settings(deals=2))
    with closing(Store(tmp_path, new=False)) as store:
        assert read_probe(store) == before
    contest(tmp_path, settings(deals=3, probe=2))
    with closing(Store(tmp_path, new=False)) as store:
        assert all(found.again == 2 * before[name].again for name, found in read_probe(store).items())
        assert all(found.asked == 3 * before[name].asked for name, found in read_probe(store).items())
        amended = [link.document for link in store.chain_state().manifests]
    assert manifests == 1
    assert all("probe" not in manifest for manifest in amended)


def test_table_report_and_json_name_what_was_found(probed, tmp_path):
    """The bots that are told all hands, and how many answers changed."""
    table, _ = croupier("standings", probed)
    assert "peeker is told all hands\nhonest is told all hands" in table
    assert "it plays by more than its own cards" in table
    assert "honest: 0 of 52 answers changed" in table
    document = json.loads(croupier("standings", probed, "--json")[0])
    assert document["sights"] == {"peeker": "open", "honest": "open"}
    assert {line["name"]: line["probe"]["verdict"] for line in document["players"]} == {
        "peeker": "sees more",
        "honest": "own cards",
        "ann": "own cards",
        "ben": "own cards",
    }
    croupier("report", probed, "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "is told all hands" in page
    assert page.count("<td>own cards</td>") + page.count(">own cards<") >= 3
    assert "sees more" in page


def test_the_sight_of_a_bot_is_bound(probed, tmp_path):
    """It is in the manifest, and a bot that is told something else gets another version."""
    shutil.copytree(probed, tmp_path, dirs_exist_ok=True)
    blind = [each | ({"sight": "blind"} if "sight" in each else {}) for each in peekers()]
    contest(tmp_path, settings(blind, deals=1))
    with closing(Store(tmp_path, new=False)) as store:
        assert {"peeker-v2", "honest-v2"} <= {version.name for version in store.versions()}
        first, second = (link.document["bots"] for link in store.chain_state().manifests[:2])
    assert [each.get("sight") for each in first] == ["open", "open", None, None]
    assert [each.get("sight") for each in second] == ["blind", "blind", None, None]


@pytest.mark.parametrize("command", ["tournament", "improve"])
def test_all_hands_are_told_only_if_the_games_are_probed(command, tmp_path):
    """Or not at all: an imagined deal takes their place."""
    names = [f"open:{shlex.join([sys.executable, str(PEEKER)])}", "duck"]
    call = (command, "hearts", *names, *(["--out", tmp_path / "cup"] if command == "tournament" else []))
    assert "is told all hands: add --blind" in croupier(*call, "--deals", 1, code=2)[1]
    none = (command, "hearts", "random", "duck", *call[4:], "--blind")
    assert "none here is seated as open" in croupier(*none, code=2)[1]


def test_improve_says_what_was_found(tmp_path):
    """In words and in JSON; games that are copied from others of their deals are not probed."""
    call = ("improve", "sedma", "-o", "rounds=one", "random", f"open:{shlex.join([sys.executable, str(PEEKER)])}")
    call = (*call, "--deals", 1, "--seed", "a", "--workers", 1)
    assert "peeker: 0 of " in croupier(*call, "--probe", 1, code=1)[0]
    found = json.loads(croupier(*call, "--probe", 1, "--json", code=1)[0])["probe"]
    assert found["peeker"]["verdict"] == "own cards"
    assert "probe" not in json.loads(croupier(*call, "--blind", "--json", code=1)[0])


def test_no_number_of_worlds_is_less_than_none():
    """0 is no probe."""
    with pytest.raises(BadConfig, match="probe"):
        settings(FOUR, "probe=-1")
    with pytest.raises(BadConfig, match="sight"):
        settings([bot("ann", sight="all"), *FOUR[1:]])


def test_counts_are_added():
    """Field by field."""
    assert Probed(1, 2, 3, 4, 5, 6, 7).plus(Probed(1, 1, 1, 1, 1, 1, 1)) == Probed(2, 3, 4, 5, 6, 7, 8)
