"""The command line: what scripts and people rely on."""

import importlib
import json
import shlex
import subprocess
import sys
from contextlib import nullcontext

import needs
import pytest
from command_line import croupier
from tables import BOTS, misfit

from croupier.server.cli import COMMANDS
from croupier.server.commands import SCHEMA
from croupier.server.processes.keeper_client import Keeper

ROOT = BOTS.parent.parent


def run(*words, code=0, text=""):
    """Return what croupier prints, or what it says of a call that is wrong."""
    return croupier(*words, code=code, text=text)[code == 2]


def test_play_prints_json_of_the_agreed_shape(tmp_path):
    """Exactly one document, with the games, their faults and the totals."""
    out = json.loads(
        run("play", "dominion", "a=big-money", "smithy", "--deals", 2, "--seed", "s", "--record", tmp_path, "--json")
    )
    assert out["game"] == "dominion"
    assert out["players"] == ["a", "smithy"]
    first = out["games"][0]
    assert first["deal"] == 1
    assert first["seating"] == ["a", "smithy"]
    assert first["outcome"] == "finished"
    assert first["faults"] == []
    assert first["decisions"] > 50
    assert first["seconds"] > 0
    assert out["totals"] == {name: sum(game["scores"][name] for game in out["games"]) for name in ("a", "smithy")}
    assert sorted(first["ranks"].values())[0] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deal-1.record", "deal-2.record"]
    assert first["record"] == str(tmp_path / "deal-1.record")
    verdicts = json.loads(run("replay", *sorted(tmp_path.iterdir()), "--json"))["records"]
    assert [verdict["scores"] for verdict in verdicts] == [game["scores"] for game in out["games"]]


def test_equal_seeds_give_equal_records(tmp_path):
    """Times apart, the same seed plays the same game."""
    for folder in ("one", "two"):
        run("play", "dominion", "smithy", "miner", "--seed", "same", "--record", tmp_path / folder)
    one, two = (
        [line for line in (tmp_path / folder / "deal-1.record").read_text().splitlines() if "(time " not in line]
        for folder in ("one", "two")
    )
    assert one == two


def test_without_a_seed_deals_differ(tmp_path):
    """A fresh secret key each time, committed to and revealed when the play is over."""
    keys = set()
    for folder in ("one", "two"):
        run("play", "dominion", "big-money", "big-money", "--record", tmp_path / folder)
        keys.add((tmp_path / folder / "deal-1.record").read_text().splitlines()[-1])
    assert len(keys) == 2
    assert all(key.startswith("(key ") for key in keys)


def test_faults_are_reported_and_play_still_leaves_with_0():
    """Play leaves with 0 when all games were played, faults or not."""
    bot = shlex.join(misfit("cheat").command)
    out = json.loads(run("play", "dominion", "big-money", bot, "--json"))
    (fault,) = out["games"][0]["faults"]
    assert (fault["player"], fault["kind"]) == ("misfit", "illegal")
    assert out["games"][0]["outcome"] == "forfeit"


@pytest.mark.parametrize(
    "words",
    [
        ("play", "hearts", "random"),
        ("play", "hearts", *["random"] * 4, "-o", "pass=up"),
        ("play", "hearts", *["random"] * 4, "--deals", "0"),
        ("play", "hearts", *["random"] * 4, "--record", "/dev/null/games"),
        ("play", "hearts", *["random"] * 4, "--wire", "/dev/null/wire"),
        ("replay", "there-is-no-such.record"),
        ("replay", "there-is-no-such.record", "--sent", "ann", "#0"),
        ("games", "there-is-no-such-game"),
        ("there-is-no-such-command",),
    ],
)
def test_a_wrong_call_is_told_so_in_one_sentence(words):
    """Exit status 2, and one line on standard error that ends with where to read on."""
    error = run(*words, code=2)
    assert error.startswith("croupier")
    assert error.count("\n") == 1
    assert error.endswith(" --help\n")


@needs.BUBBLEWRAP
@pytest.mark.parametrize("kept", [".", "/usr"])
@pytest.mark.parametrize("command", ["play", "tournament"])
def test_where_bots_could_not_start_nothing_is_recorded(command, kept, tmp_path):
    """Bubblewrap hides a folder of records: one that holds what bots need is refused before any bot is started."""
    (tmp_path / "lib.py").touch()
    program = tmp_path / "main.py"
    program.write_text("import lib\nraise SystemExit('it was started')\n")
    folder = tmp_path / kept
    bots = ["hearts", shlex.join([sys.executable, str(program)]), *["random"] * 3]
    words = {
        "play": ["play", *bots, "--sandbox", "bwrap", "--record", folder],
        "tournament": ["tournament", *bots, "--sandbox", "bwrap", "--deals", 1, "--out", folder],
    }
    error = run(*words[command], code=2)
    assert error.startswith(f"croupier {command}: {folder} holds ")
    assert error.count("\n") == 1


def test_wire_writes_what_each_bot_was_sent_and_answered(tmp_path):
    """The conversation of each bot is a file; replay gives the sent half of it again, byte for byte."""
    run("play", "dominion", "smithy", f"classic:{shlex.join([sys.executable, str(BOTS / 'classic.py')])}", "m=miner",
        "j=json:miner", "--seed", "w", "--wire", tmp_path / "wire", "--record", tmp_path / "games")  # fmt: skip
    for name, dialect in (("smithy", "native"), ("classic", "classic"), ("m", "native"), ("j", "json")):
        sent = [line[2:] for line in (tmp_path / "wire" / f"{name}.wire").read_text().splitlines() if line[0] == ">"]
        again = run("replay", tmp_path / "games" / "deal-1.record", "--sent", name, "--dialect", dialect).splitlines()
        assert again == sent
    up_to = run("replay", tmp_path / "games" / "deal-1.record", "--sent", "m", "#3").splitlines()
    assert sum(line.startswith(("(request", "(attacked")) for line in up_to) == 3
    assert up_to[-1].startswith(("(request", "(attacked"))


def test_show_prints_each_play(tmp_path):
    """--show prints the game as it goes, in play and in replay."""
    out = run("play", "sedma", *["random"] * 4, "--seed", "x", "--show", "--record", tmp_path)
    assert out.count(" play ") == 32
    again = run("replay", tmp_path / "deal-1.record", "--show")
    assert again.count(" play ") == 32
    assert again.count(" holds ") == 4
    assert again.count(" takes ") == 8
    assert again.splitlines()[-2].strip().startswith("finished: random ")


def test_the_choices_of_a_program_are_shown_in_words(tmp_path):
    """By what they do, in play and in replay, which tells the hands and what the program does too."""
    out = run("play", "recycle:leduc-poker", "random", "random", "--seed", "x", "--show", "--record", tmp_path)
    assert " POT is " in out
    again = run("replay", tmp_path / "deal-1.record", "--show")
    assert again.count(" HAND holds ") == 2
    assert "choose" not in out + again


def test_show_marks_faults_and_stand_ins(tmp_path):
    """A fault has its line, and each play of a stand-in its mark."""
    run("play", "sedma", "false", *["random"] * 3, "--seed", "x", "--record", tmp_path, "--on-fault", "stand-in")
    again = run("replay", tmp_path / "deal-1.record", "--show")
    assert again.count("FAULT: ") == 1
    assert again.count(" (stand-in)") == 8


def typed(*words, text):
    """Run croupier with a person's input, which is read from the file descriptor."""
    command = [sys.executable, "-m", "croupier", *words]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout, done.stderr


def test_a_person_plays_in_the_terminal():
    """A person reads the state, the numbered plays, and types numbers or plays."""
    words = ["play", "sedma", "human", "random", "random", "random", "--seed", "x"]
    out, said = typed(*words, text="0\nnonsense\n" + "1\n" * 8)
    assert "  hand    1:" in said
    assert said.count("That is none of them;") == 2
    assert "human" in out


def test_a_terminal_that_ends_is_a_crash_not_a_hang():
    """End of input in the middle of a game is the person's fault."""
    out, said = typed("play", "sedma", "human", "random", "random", "random", "--json", text="1\n")
    assert said.count("your play") == 2
    out = json.loads(out)
    assert out["games"][0]["faults"][0]["kind"] == "crashed"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["play", "chess", "random", "random"], "there is no game chess"),
        (["play", "dominion", "random"], "played by 2 or 3 or 4"),
        (["play", "dominion", "random", "./no-such-bot"], "no such file"),
        (["play", "dominion", "random", "no-such-bot"], "bundled"),
        (["play", "dominion", "random", "pyproject.toml"], "not executable"),
        (["play", "dominion", "random", "smithy", "-o", "rules"], "option=value"),
        (["play", "dominion", "random", "smithy", "-o", "rules=mine"], "rules is one of official, classic"),
        (["play", "dominion", "random", "smithy", "-o", "turns=-1"], "whole number"),
        (["play", "dominion", "random", "smithy", "-o", "speed=3"], "no option speed"),
        (["play", "dominion", "random", "smithy", "--deals", "0"], "deals"),
        (["play", "sedma", "smithy", "random", "random", "random"], "does not play sedma"),
        (["play", "sedma", "classic:./x", "random", "random", "random"], "no such file"),
        (["replay", "no-such-file"], "No such file"),
        (["replay", "--game", "jass", "pyproject.toml"], "contract"),
        (["frobnicate"], "there is no command frobnicate"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_2(words, why):
    """What is wrong, and what to do; never a traceback."""
    assert why in run(*words, code=2)


def test_an_invalid_record_is_1_and_says_where(tmp_path):
    """Exit status 1 when what was asked did not come out true."""
    path = tmp_path / "bad.record"
    path.write_text("(record 1)\n(game dominion)\n(players a b)\n(play a (clean))\n")
    assert json.loads(run("replay", path, "--json", code=1)) == {
        "schema": SCHEMA,
        "valid": False,
        "line": 3,
        "why": json.loads(run("replay", path, "--json", code=1))["why"],
    }
    assert "invalid, line 3" in run("replay", path, code=1)


def test_games_describes_every_game():
    """Options with defaults; one game's plays and STATE fields."""
    games = json.loads(run("games", "--json"))["games"]
    assert {"dominion", "sedma"} <= {game["game"] for game in games}
    dominion = json.loads(run("games", "dominion", "--json"))
    assert dominion["options"]["rules"]["default"] == "official"
    assert dominion["state"][:3] == ["game", "options", "players"]
    assert "official" in run("games", "dominion")


def test_bots_lists_who_plays():
    """The bundled bots, all or a game's."""
    assert {"smithy", "miner", "big-money", "random", "plan"} <= {
        bot["name"] for bot in json.loads(run("bots", "--json"))["bots"]
    }
    assert "smithy" not in run("bots", "sedma")


def test_every_command_prints_json():
    """A script reads what any command says."""
    assert all("--json" in run(command, "--help") for command in COMMANDS)


def test_programs_are_checked_and_described(tmp_path):
    """check-game says where and what, games FILE what it plays; a file that is missing is a wrong call."""
    good = tmp_path / "coin.gdl"
    good.write_text((ROOT / "server" / "games" / "recycle" / "library" / "kuhn-poker.gdl").read_text())
    assert json.loads(run("check-game", good, "--json"))["passed"]
    assert json.loads(run("games", good, "--json"))["players"] == 2
    assert "choices a game" in run("games", "recycle:whist")
    bad = tmp_path / "bad.gdl"
    bad.write_text("(game\n (setup (create players 2)")
    (problem,) = json.loads(run("check-game", bad, "--json", code=1))["problems"]
    assert (problem["line"], problem["severity"]) == (2, "error")
    assert "2:2: error:" in run("check-game", bad, code=1)
    assert "no file" in run("check-game", tmp_path / "none.gdl", code=2)


def test_commands_that_start_bots_here_start_the_keeper_beside_their_imports(monkeypatch):
    """Others start none, nor does a call that is understood by nobody."""
    started = []
    monkeypatch.setattr(Keeper, "start_ahead", lambda minders: started.append(minders) or nullcontext())
    for words in (("play", "--help"), ("check", "--help"), ("games", "--help"), ("--help",)):
        croupier(*words)
    croupier("plya", code=2)
    assert started == [4, 1]


def test_the_help_says_each_summary_in_full_and_loads_no_command():
    """What the list says of a command is the first sentence of its own help."""
    said = " ".join(run("--help").split())
    for name, known in COMMANDS.items():
        module = importlib.import_module(f"croupier.server.commands.{known.module}")
        summary = " ".join(getattr(module, name.replace("-", "_")).help.split("\n\n")[0].split())
        assert (known.summary, f"{name} {summary}" in said) == (summary, True)
    listed = "import sys; from croupier.server.cli import cli; cli.main(['--help'], standalone_mode=False);"
    done = subprocess.run(
        [sys.executable, "-c", f"{listed} print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.splitlines()[-1].split()
    assert "click" in loaded
    assert not {"trio", "rich", "numpy", "scipy", "msgspec", "croupier.server.commands"}.intersection(loaded)


def test_a_folder_that_was_removed_is_named(tmp_path):
    """Relative paths mean nothing where the working folder is gone."""
    (tmp_path / "gone").mkdir()
    command = shlex.join([sys.executable, "-m", "croupier", "play", "hearts", *["duck"] * 4, "--record", "here"])
    script = f"rmdir {tmp_path}/gone; exec {command}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, cwd=tmp_path / "gone", check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "croupier play: the folder that you are in was removed; go to another one (cd) and call again"
    ]
