"""A game from outside is a package with entry points: found, played over pipes, recorded and replayed."""

import json
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from packages import croupier, install

from croupier.protocol import views
from croupier.server import games
from croupier.server.laws import LAWS, Trial, judge

EXAMPLE = Path(__file__).parents[3] / "examples" / "highcard"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Install the example."""
    site = tmp_path_factory.mktemp("site")
    install(EXAMPLE, site)
    return site


def test_it_is_short():
    """A whole game from outside takes fewer than 120 lines."""
    files = (EXAMPLE / "src" / "highcard").glob("*.py")
    assert sum(len(path.read_text().splitlines()) for path in files) < 120


def test_it_is_played_over_pipes_and_replayed(installed, tmp_path):
    """Everything that works with bundled games works with it."""
    assert "highcard" in croupier(installed, "games")
    played = ["play", "highcard", *["random"] * 3, "-o", "hands=3", "--deals", 4, "--record", tmp_path, "--json"]
    out = json.loads(croupier(installed, *played))
    assert all(sum(game["scores"].values()) == 15 and not game["faults"] for game in out["games"])
    verdicts = json.loads(croupier(installed, "replay", *sorted(tmp_path.iterdir()), "--json"))["records"]
    assert all(verdict["valid"] for verdict in verdicts)


def test_its_page_is_found_without_its_rules(installed, monkeypatch):
    """A bot reads STATE with the page that the package brings, and loads nothing else of it."""
    monkeypatch.syspath_prepend(installed)
    monkeypatch.setattr(views, "_pages", {})
    page = views.page("highcard")
    assert page.__name__ == "HighCardView"
    assert page.BIDDING == ()
    assert page.of({"chosen": (2,)}).chosen == 2
    assert "chosen" in croupier(installed, "games", "highcard")


@pytest.mark.parametrize("seats", [2, 4])
def test_it_keeps_the_laws(installed, seats, monkeypatch):
    """Cards that were shown in an earlier round are seen to be gone, and nobody imagines them in a hand."""
    monkeypatch.syspath_prepend(installed)
    monkeypatch.setattr(views, "_pages", {})
    trial = Trial(games.find("highcard"), seats, {"hands": 2})
    assert [judge(law, trial) for law in LAWS] == [None] * len(LAWS)


BROKEN = {
    "import nothere": "does not load: ModuleNotFoundError",
    "class Other: pass": "AttributeError",
    "raise KeyError('x')": "KeyError('x')",
    "Rules = Page = 7": "is no",
    "from croupier.server.games.hearts import Hearts as Rules; Page = int": "calls itself hearts",
    "from croupier.server.games import Game\nclass Rules(Game): NAME = 'odd'": "does not say PAGE, SEATS, PENALTY, ",
}


@pytest.mark.parametrize("source", BROKEN, ids=["import", "name", "error", "no class", "another name", "methods"])
def test_a_package_that_does_not_load_is_said_so_in_a_sentence(source, tmp_path):
    """Its game cannot be chosen, its page not be read: what fails, where, and no traceback."""
    folder = tmp_path / "odd"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "oddgame.py").write_text(source + "\n")
    points = 'croupier.games = {odd = "oddgame:Rules"}\ncroupier.pages = {odd = "oddgame:Page"}\n'
    points = points.replace("croupier.games", '"croupier.games"').replace("croupier.pages", '"croupier.pages"')
    (folder / "pyproject.toml").write_text(f'[project]\nname = "odd"\nversion = "1"\n[project.entry-points]\n{points}')
    install(folder, tmp_path / "site")
    said = croupier(tmp_path / "site", "games", "odd", code=2)
    assert BROKEN[source] in said
    assert "oddgame:Rules" in said


@pytest.mark.parametrize("source", ["import nothere", "Page = 7"])
def test_a_page_that_does_not_load_is_said_so(source, tmp_path, monkeypatch):
    """The page is named, and why it is none."""
    folder = tmp_path / "odd"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "oddpage.py").write_text(source + "\n")
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "oddpage"\nversion = "1"\n'
        '[project.entry-points."croupier.pages"]\nodd-page = "oddpage:Page"\n'
    )
    install(folder, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "oddpage", raising=False)
    with pytest.raises(views.BadPage, match="oddpage:Page"):
        views.page("odd-page")


def test_every_bundled_game_has_its_one_line():
    """The line of a bundled game names its module or package and its class; its page has its name."""
    for name, kind in games.BUNDLED.items():
        rules = games.find(name)
        assert rules.__name__ == kind
        assert rules.NAME == name == views.page(name).GAME
    assert not {entry.name for entry in entry_points(group="croupier.games")} & set(games.BUNDLED)
