"""Models at real tables: seated like any bot, with a key that nothing keeps, and a cost that the report shows."""

import json
import re
import sys

import pytest
from command_line import croupier
from mock_model import KEY, TRICKS, answer, http, plays, reply, serving

pytest.importorskip("openai", reason="needs the llm extra")

SEATED = [sys.executable, "-m", "croupier", "bridge", "llm", "--model", "mock"]
PRICES = ["--price-in", "3", "--price-out", "15"]
START = ("--start", "120000", "--time", "60000")
CUP = """game = "hearts"
deals = 1
start = 120000
time = 60000
"""


@pytest.fixture
def key_file(tmp_path):
    """A file with the key, in a folder of its own."""
    (tmp_path / "keys").mkdir()
    file = tmp_path / "keys" / "key.txt"
    file.write_text(f"{KEY}\n")
    return file


def seated(server, key_file, *words):
    """Return the words that start a bridge to a server."""
    return [*SEATED, "--url", server.url, "--key-file", str(key_file), *PRICES, *words]


def keeps_the_key(folder):
    """List the files below a folder that have the key in them."""
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_a_model_whose_server_misbehaves_plays_a_game_to_its_end(tmp_path, key_file):
    """Something else goes wrong at each decision, and the second answer is played; the JSON says what it took."""
    scripts = [script for trick in (*TRICKS, *TRICKS) for script in (trick, plays)]
    with serving(*scripts) as server:
        words = seated(server, key_file)
        bot = "model=" + " ".join(words)
        out, _ = croupier(
            *("play", "hearts", bot, "duck", "duck", "duck", "--network", "model", *START),
            *("--record", "games", "--wire", "wire", "--json"),
            cwd=tmp_path,
        )
    played = json.loads(out)
    assert (played["games"][0]["outcome"], played["games"][0]["faults"]) == ("finished", [])
    used = played["usage"]["model"]
    assert (used["decisions"], used["calls"], used["retries"]) == (14, 28, 14)
    answered = used["tokens_in"] // 1000
    assert (used["cached"], used["tokens_out"]) == (800 * answered, 20 * answered)
    assert used["cost"] == pytest.approx(answered * (1000 * 3 + 20 * 15) / 1e6)
    notes = (tmp_path / "games" / "deal-1.model.stderr").read_text()
    assert notes.count("asked again: ") == 14
    assert not keeps_the_key(tmp_path / "games") + keeps_the_key(tmp_path / "wire")


def test_a_model_that_never_answers_is_a_fault_of_its_seat_alone(tmp_path, key_file):
    """The table plays on with a stand-in; the fault has the reason, and neither a traceback nor the key."""
    with serving(lambda prompt: http({"error": {"message": f"bad key {KEY}"}}, 401)) as server:
        bot = "model=" + " ".join(seated(server, key_file))
        out, errors = croupier(
            *("play", "hearts", bot, "duck", "duck", "duck", "--network", "model", *START, "--json"), cwd=tmp_path
        )
    (game,) = json.loads(out)["games"]
    (fault,) = game["faults"]
    assert (game["outcome"], fault["player"], fault["kind"]) == ("finished", "model", "crashed")
    assert "no play from the model after 1 calls: the server answered with status 401" in fault["why"]
    assert KEY not in out + errors
    assert "Traceback" not in out + errors


def test_an_illegal_play_is_the_referees_to_judge(tmp_path, key_file):
    """It is a fault of the kind that any bot would commit."""
    with serving(lambda prompt: http(reply(answer(prompt, "(play cA)" if "phase play" in prompt else None)))) as server:
        bot = "model=" + " ".join(seated(server, key_file, "--retries", "1"))
        out, _ = croupier(
            *("play", "hearts", bot, "duck", "duck", "duck", "--network", "model", "--seed", "1", *START, "--json"),
            cwd=tmp_path,
        )
    (fault,) = json.loads(out)["games"][0]["faults"]
    assert (fault["player"], fault["kind"]) == ("model", "illegal")


def test_four_models_play_a_tournament_and_its_report_shows_the_cost(tmp_path, key_file):
    """The table, its JSON and the page have it; nothing in the folder has the key."""
    with serving() as server:
        bots = [
            f'[[bots]]\nname = "{name}"\nnetwork = true\ncommand = {json.dumps(seated(server, key_file))}\n'
            for name in ("ada", "bea", "cleo", "dot")
        ]
        (tmp_path / "cup.toml").write_text(CUP + "".join(bots))
        out, _ = croupier("tournament", "cup.toml", "--out", "cup", "--workers", "2", cwd=tmp_path)
    decisions = len(server.requests)
    assert decisions == 4 * 4 * 14
    assert f"ada: {decisions // 4} decisions, {decisions // 4} calls, 0 retries, 56,000 tokens in" in out
    standings = json.loads(croupier("standings", "cup", "--json", cwd=tmp_path)[0])
    assert {player["usage"]["cost"] for player in standings["players"]} == {0.1848}
    assert not any(sum(player["faults"].values()) for player in standings["players"])
    croupier("report", "cup", cwd=tmp_path)
    page = (tmp_path / "cup" / "report.html").read_text()
    assert len(re.findall(r"<td[^>]*>0\.1848</td><td[^>]*>0\.003300</td>", page)) == 4
    assert re.search(r"Spent so far: [^<]*, 224 calls, 228,480 tokens, cost 0\.7392", page)
    croupier("verify", "cup", cwd=tmp_path)
    assert not keeps_the_key(tmp_path / "cup")


def test_a_budget_of_tokens_or_money_ends_what_models_play(tmp_path, key_file):
    """Each set costs 228,480 tokens, or 0.7392 of the prices; the verdict says so, and a larger budget continues."""
    with serving() as server:
        cup = CUP.replace("deals = 1", "deals = 50")
        for name in ("ada", "bea", "cleo", "dot"):
            command = json.dumps(seated(server, key_file))
            cup += f'[[bots]]\nname = "{name}"\nnetwork = true\ncommand = {command}\n'
        (tmp_path / "cup.toml").write_text(cup)
        words = ("tournament", "cup.toml", "--out", "cup", "--workers", "2", "--json", "--budget")
        once = json.loads(croupier(*words, "0.7 dollars", cwd=tmp_path)[0])
        assert (once["games"], once["spent"]["cost"], once["spent"]["used_up"]) == (4, 0.7392, True)
        twice = json.loads(croupier(*words, "400k tokens", cwd=tmp_path)[0])
        assert (twice["games"], twice["spent"]["tokens"], twice["spent"]["used_up"]) == (8, 456_960, True)


def test_improve_says_what_models_have_cost(tmp_path, key_file):
    """Undecided, within a budget: one deal at both tables."""
    with serving() as server:
        old, new = (f"{name}={' '.join(seated(server, key_file))}" for name in ("old", "new"))
        words = ("improve", "hearts", old, new, "--network", "old", "--network", "new", *START)
        out, _ = croupier(*words, "--workers", "1", "--budget", "450k tokens", cwd=tmp_path, code=1)
    assert re.match(r"undecided: .*; the budget of 450k tokens is used\nspent: ", out)
    assert "448 calls, 456,960 tokens, cost 1.4784, of a budget of 450k tokens" in out
