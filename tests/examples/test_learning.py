"""The example that learns Sedma: it is told what counts, gets better, and plays what it has learned over pipes."""

import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import needs
import numpy as np
import pytest
from bench.learning import PICTURE, ROW, drawn
from command_line import croupier

from croupier import environments

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "learning" / "sedma.py"
PAGE = (ROOT / "docs" / "how-to" / "learn-sedma.md").read_text("utf-8")


@pytest.fixture(scope="module")
def sedma():
    """The example as a module, which measures on few deals."""
    spec = importlib.util.spec_from_file_location("learning_sedma", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.DEALS = 150
    return module


def positions(sedma, seed):
    """Yield what is seen in each position of random games."""
    tables = environments.tables("sedma", 8)
    rng, seen = np.random.default_rng(seed), tables.reset(seed)
    for _ in range(2 * sedma.DECISIONS):
        yield seen
        scores = rng.random(seen["action_mask"].shape)
        seen, *_ = tables.step(np.where(seen["action_mask"], scores, -1).argmax(1))


def test_it_knows_which_tricks_its_own_side_has(sedma):
    """Among the last features is whether each side has a trick: the same as the field ``won`` says."""
    for seen in positions(sedma, 1):
        features, won = sedma.features(seen), seen["won"][:, :, 1]
        assert (features[:, -4] == (won[:, [0, 2]] > 0).any(1)).all()
        assert (features[:, -2] == (won[:, [1, 3]] > 0).any(1)).all()


def test_suits_mean_nothing_to_it(sedma):
    """If clubs and spades change places, it is told the same, and plays the same rank."""
    layers = sedma.beginning(sedma.features(next(positions(sedma, 1))).shape[1], np.random.default_rng(1))
    for seen in positions(sedma, 2):
        other = {name: array.copy() for name, array in seen.items()}
        for name in ("hand", "action_mask"):
            suits = seen[name][:, :32].reshape(-1, 4, 8)
            other[name][:, :32] = suits[:, [3, 1, 2, 0]].reshape(-1, 32)
        for name in ("trick", "tricks"):
            cards = seen[name][..., 1:]
            moved = np.where(cards > 24, cards - 24, np.where((cards > 0) & (cards < 9), cards + 24, cards))
            other[name][..., 1:] = moved
        (features, ranks), (others, same) = sedma.best(layers, seen), sedma.best(layers, other)
        assert (features == others).all()
        assert (ranks == same).all()


@needs.JAX
def test_it_gets_better_and_plays_over_pipes(sedma, tmp_path, capsys):
    """A few thousand games are enough to do better than a network that has learned nothing; no play is a fault."""
    file = tmp_path / "sedma.npz"
    sedma.learn(file, 3840)
    assert len(ROW.findall(capsys.readouterr().out)) == 5
    layers = sedma.load(file)
    nothing = sedma.beginning(len(layers[0][0]), np.random.default_rng(1))
    assert sedma.leads(layers, 0).mean() > sedma.leads(nothing, 0).mean() + 0.3
    net = f"net={shlex.join([sys.executable, str(SCRIPT), 'play', str(file)])}"
    told = json.loads(croupier("play", "sedma", net, "sedma", net, "sedma", "--deals", "10", "--json")[0])
    assert [game["faults"] for game in told["games"]] == [[]] * 10


@needs.JAX
def test_the_commands_of_the_page_work(tmp_path):
    """In their order, in a folder with the examples; with fewer games and deals."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    install, first, second = block.splitlines()
    assert install == 'pip install ".[learn]"'
    words = [sys.executable, *shlex.split(first)[1:], "128"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert "net" in croupier(*shlex.split(second.replace("--deals 1000", "--deals 2"))[1:], cwd=tmp_path)[0]


def test_the_picture_is_that_of_the_table():
    """And the table has the rows that the script prints."""
    assert len(ROW.findall(PAGE)) == 6
    assert PICTURE.read_text() == drawn(PAGE)
