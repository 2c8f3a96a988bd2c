"""`croupier check`: each misdeed fails at the step that names it, and a bot that plays properly passes."""

import json
import re
import shlex
import sys
from dataclasses import replace

import pytest
from checks import HASTY, examined, loop, program
from command_line import croupier
from misdeeds import ALL, MISDEEDS, SHUT_IN, UNDER_ATTACK
from tables import misfit

from croupier.agents import bundled
from croupier.server import entries, games
from croupier.server.conformance import Demands, Step
from croupier.server.conformance.walk import Route, Walk
from croupier.server.processes import sandbox
from croupier.server.table.meant_play import meaning


def run(*words, cwd=".", code=0):
    """Return what croupier prints, or what it says of a call that is wrong."""
    return croupier("check", *words, cwd=cwd, code=code)[code == 2]


@pytest.mark.parametrize(
    "misdeed", [*MISDEEDS, *UNDER_ATTACK], ids=lambda misdeed: "-".join([misdeed.name, *misdeed.when])
)
async def test_each_misdeed_fails_at_the_step_that_names_it(misdeed, look, tmp_path):
    """The one step that failed is the last that was tried; what is only unusual passes, given time."""
    look(misdeed.step)
    terms = replace(HASTY, time=misdeed.time, positions=40 if misdeed.step else 10)
    found = await examined(misdeed.entry(tmp_path), "dominion", tmp_path, terms)
    assert [name for name, finding in found.items() if not finding.passed] == ([misdeed.step] if misdeed.step else [])
    if misdeed.step:
        assert "Hint: " in found[misdeed.step].detail


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("misdeed", SHUT_IN, ids=lambda misdeed: misdeed.name)
async def test_who_takes_too_much_is_told_what(misdeed, tmp_path):
    """It does not stay alive, and the reason is what it took."""
    taken = {
        "fork": "processes",
        "thread": "threads",
        "hog": "memory",
        "fill": "File too large",
        "open": "Too many open",
        "hoard": "folder",
        "in": "descriptors on their way",
    }
    found = await examined(misdeed.entry(tmp_path), "dominion", tmp_path, replace(HASTY, time=10.0))
    assert taken[misdeed.name.partition("-")[0]] in found[misdeed.step].detail
    assert not found[misdeed.step].passed


def test_every_misdeed_has_a_step():
    """The table of misdeeds knows the steps by their names."""
    assert {row.step for row in ALL} - {""} <= {step.value for step in Step}


@pytest.mark.parametrize(
    ("game", "bot"),
    [(game, bot) for game in games.BUNDLED for bot in bundled.names(game) if bot != bundled.SEARCH]
    + [("sedma", "search --iterations 1")],
)
async def test_every_bundled_bot_passes(game, bot, tmp_path):
    """Each bot that comes with the package, at each of its games."""
    found = await examined(entries.read(bot), game, tmp_path, Demands(positions=60))
    assert all(finding.passed for finding in found.values()), found
    assert ("defends when attacked" in found) == (game == "dominion")
    assert found["plays legally"].detail.startswith("in 60 positions")


@pytest.mark.parametrize(
    ("game", "options", "phases"),
    [
        ("hearts", {}, {"give", "play"}),
        ("skat", {"contra": "yes"}, {"bid", "skat", "declare", "contra", "play"}),
        ("doppelkopf", {"poverty": "yes"}, {"reserve", "poverty", "play"}),
        ("jass", {"weis": "yes"}, {"trump", "weis", "play"}),
        ("dominion", {}, {"action", "buy"}),
    ],
)
async def test_every_phase_is_asked(game, options, phases, tmp_path):
    """Chance leads a bot to phases that it would never come to by itself."""
    found = await examined(entries.read("random"), game, tmp_path, Demands(positions=5), **options)
    assert {words.split()[0] for words in found["answers in each phase"].detail.split(", ")} == phases


CARELESS = {
    "keeps its replies back": (
        "flushes its output",
        "for line in sys.stdin:\n    if asked(line): print(listed(line)[0])\n",
        "Flush your output",
    ),
    "forgets to close a list": (
        "writes well-formed replies",
        loop("if asked(line): print(listed(line)[0][:-1], flush=True); continue"),
        "a parenthesis is left open",
    ),
    "reads to the end": (
        "starts in time",
        "lines = [line for line in sys.stdin.readlines() if asked(line)]\nfor line in lines: print(listed(line)[0])\n",
        "Hint: Read a line, answer it, read the next",
    ),
    "is never driven": (
        "starts in time",
        "from croupier.agents import Agent\nclass Low(Agent): pass\n",
        "Hint: bot.py makes an Agent and ends: its last line must be drive(YourAgent())",
    ),
    "imports from another folder": ("starts in time", "import no_such_util\n", "Hint: A bot starts in an empty folder"),
    "asks for a semaphore": (
        "starts in time",
        "import sys\nsys.exit('  _multiprocessing.SemLock(\\nPermissionError: [Errno 13] Permission denied')\n",
        "Hint: Under limits /dev/shm cannot be written to",
    ),
    "has no loop": ("starts in time", "print('hello', file=sys.stderr)\n", "Hint: It ended by itself"),
    "thinks aloud": (
        "says nothing unasked",
        loop("if asked(line): print('thinking ...', flush=True); time.sleep(0.01)"),
        "came behind it",
    ),
    "thinks aloud without a pause": ("says nothing unasked", loop("if asked(line): print('thinking')"), "behind it"),
    "says all it can think of": ("says nothing unasked", loop("if asked(line): print('(hm) ' * 20000)"), "more came"),
    "comments on its play": (
        "says nothing unasked",
        loop(after="if asked(line): print('; my best', flush=True)"),
        "; my",
    ),
    "tells who has won": ("says nothing unasked", loop("if ' (end ' in line or '(end (' in line: print('won')"), "won"),
    "takes a read for a message": (
        "reads messages however they are cut",
        """
import os
for text in iter(lambda: os.read(0, 65536).decode(), ""):
    for line in text.splitlines():
        if asked(line): print(listed(line)[0], flush=True)
""",
        "",
    ),
    "takes a read for one message": (
        "reads several messages at once",
        """
import os
for text in iter(lambda: os.read(0, 65536).decode(), ""):
    line = text.splitlines()[0]
    if asked(line): print(listed(line)[0], flush=True)
""",
        "asked by a message that came alone, it had answered",
    ),
    "knows all messages": (
        "survives what it does not know",
        loop("if line.startswith('(update table (weather'): raise SystemExit('what is that?')"),
        "what is that?",
    ),
    "leaves after a game": ("plays several games in one process", loop(after="if '(end (' in line: break"), "number 2"),
    "starts but once": (
        "plays several games in one process",
        "started = []\n" + loop("if '(start (' in line: started.append(1); assert len(started) < 3, 'again?'"),
        "again?; this was the first question of its game number 3",
    ),
    "waits after a game": (
        "plays several games in one process",
        loop(after="if '(end (' in line: time.sleep(9)"),
        "this was the first question of its game number 2",
    ),
    "opens a file a game": (
        "stays alive",
        "held = []\n" + loop("if '(start (' in line: held.append(open('/dev/null'))"),
        "files were open after its first game",
    ),
    "complains at length, and is replaced": (
        "keeps its standard error short",
        loop("sys.stderr.write(line * 20)"),
        "1048576 bytes and more",
    ),
}


@pytest.mark.parametrize(("step", "text", "said"), CARELESS.values(), ids=CARELESS)
async def test_a_careless_program_is_told_what_is_wrong(step, text, said, look, tmp_path):
    """Programs that work when their author tries them by hand, and not at a table."""
    look(step)
    entry = program(tmp_path, text)
    entry = entries.replace(entry, env={"PYTHONUNBUFFERED": ""})
    found = await examined(entry, "hearts", tmp_path, replace(HASTY, positions=200))
    failed = [finding for finding in found.values() if not finding.passed]
    assert [finding.step.value for finding in failed] == [step], failed
    assert said in failed[0].detail


async def test_every_size_of_table_is_tried(tmp_path):
    """A bot that plays at tables of two alone."""
    found = await examined(program(tmp_path, loop("assert 'other-2' not in line")), "dominion", tmp_path)
    assert not found["stays alive"].passed
    assert "other-2" in found["stays alive"].detail


def test_json_is_of_the_agreed_shape(tmp_path):
    """One bot is a document, several are a list with their names."""
    out = json.loads(run("hearts", "duck", "--positions", 30, "--json"))
    assert set(out) == {"schema", "passed", "steps"}
    assert out["passed"] is True
    assert all(set(step) == {"name", "passed", "detail"} for step in out["steps"])
    nonsense = shlex.join(misfit("nonsense").command)
    out = json.loads(run("hearts", "duck", nonsense, "--positions", 30, "--json", "--out", tmp_path / "told", code=1))[
        "bots"
    ]
    assert [(bot["bot"], bot["passed"]) for bot in out] == [("duck", True), ("misfit", False)]
    assert [step["passed"] for step in out[1]["steps"]].count(False) == 1
    assert "Legal were:" in (tmp_path / "told" / "misfit.txt").read_text()
    assert sorted(path.name for path in (tmp_path / "told").iterdir()) == ["duck.txt", "misfit.txt"]


def test_it_says_where_a_tournament_would_shut_a_bot_in_further():
    """What passes here may fail there."""
    mine = run("hearts", "duck", "--positions", 5, "--sandbox", "none").splitlines()
    best = sandbox.best()
    assert mine[0] == mine[-1]
    assert mine[-1].startswith("passed: ")
    assert f"--sandbox {best.value}" in mine[-2]
    theirs = run("hearts", "duck", "--positions", 5, "--sandbox", best.value).splitlines()
    assert "--sandbox" not in theirs[-2]


def test_a_failure_shows_the_exchange_the_plays_and_a_hint(tmp_path):
    """Exactly what was sent and received, what was legal, what to do."""
    out = run("hearts", shlex.join(misfit("cheat").command), cwd=tmp_path, code=1)
    assert "It was sent:\n    (update table (start ((game hearts)" in out
    assert "It answered:\n    (buy province)" in out
    assert "Legal were:\n    (" in out
    assert "Hint: " in out
    assert out.splitlines()[-1] == "failed: answers in each phase"


def test_several_bots_give_a_table_and_a_file_each(tmp_path):
    """The folder for them is made."""
    out = run("hearts", "duck", "random", "--positions", 5, cwd=tmp_path)
    assert "passed" in out
    assert re.fullmatch(r"2 bots in \d+ s; more in feedback: a file each", out.splitlines()[-1])
    assert sorted(path.name for path in (tmp_path / "feedback").iterdir()) == ["duck.txt", "random.txt"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["duck"], "the game comes first"),
        (["duk"], "there is no game duk"),
        (["hearts"], "name the bots"),
        (["human", "--game", "hearts"], "people are not checked"),
        (["skat", "duck"], "does not play skat"),
        (["skat", "./no-such-bot"], "no such file"),
        (["hearts", "duck", "-o", "pass=up"], "pass is one of"),
        (["hearts", "duck", "--positions", "0"], "positions"),
    ],
)
def test_a_wrong_call_is_2(words, why):
    """One sentence on what is wrong."""
    assert why in run(*words, code=2)


async def test_who_takes_too_much_memory_is_told_how_to_have_more(tmp_path):
    """By the option that grants it."""
    hungry = program(tmp_path, "import time\nheld = b'x' * (200 << 20)\ntime.sleep(600)\n")
    found = await examined(hungry, "hearts", tmp_path, replace(HASTY, time=5.0))
    assert "--memory 2G grants it more" in found["starts in time"].detail


async def test_what_follows_a_prompt_reply_is_seen_too(tmp_path):
    """Here some of the replies that come at once end otherwise than those that are waited for."""
    bot = program(
        tmp_path,
        "replies = 0\n"
        "for line in sys.stdin:\n"
        "    if asked(line):\n"
        "        sys.stdout.write(listed(line)[0] + (' \\n' if 10 < replies < 30 else '\\n'))\n"
        "        sys.stdout.flush()\n"
        "        replies += 1\n",
    )
    found = await examined(bot, "sedma", tmp_path)
    assert found["ends its replies"].detail == "with a newline or white space"


async def test_a_slow_bot_is_asked_less(tmp_path):
    """Unless somebody says how often: then it takes the time that it takes."""
    slow = program(tmp_path, loop("if asked(line): time.sleep(0.02)"))
    found = await examined(slow, "sedma", tmp_path, replace(HASTY, positions=None, time=5.0, patience=0.3))
    assert 0 < int(found["plays legally"].detail.split()[1]) <= 16
    assert "leaves at the end of its input" in found
    found = await examined(slow, "sedma", tmp_path, replace(HASTY, positions=20, time=5.0, patience=0.1))
    assert found["plays legally"].detail.split()[1] == "20"


CUP = """
game = "hearts"
time = 5000
[[bots]]
name = "quiet"
builtin = "duck"
[[bots]]
name = "loud"
command = ["{python}", "{folder}/made.py"]
build = "cp {folder}/bot.py {folder}/made.py"
"""


def test_all_bots_of_a_tournament_file_are_checked(tmp_path):
    """Each is built, and checked under the file's own terms; its standard error lies beside its findings."""
    program(tmp_path, loop("sys.stderr.write('thinking\\n')", "break"))
    cup = tmp_path / "cup.toml"
    cup.write_text(CUP.format(python=sys.executable, folder=tmp_path))
    out = json.loads(run(cup, "--positions", 30, "--json", "--out", tmp_path / "told", code=1))["bots"]
    assert [(bot["bot"], bot["passed"]) for bot in out] == [("quiet", True), ("loud", False)]
    assert (tmp_path / "told" / "loud.stderr").read_text().startswith("thinking\n")
    assert "quiet.stderr" not in [path.name for path in (tmp_path / "told").iterdir()]
    assert "beside it stand --positions" in run(cup, "--time", 30, code=2)
    cup.write_text(CUP.format(python=sys.executable, folder=tmp_path).replace("build", "#"))
    (tmp_path / "made.py").unlink()
    assert "loud" in run(cup, "--out", tmp_path / "again", code=1)
    assert f"{tmp_path}/made.py: no such file" in (tmp_path / "again" / "loud.txt").read_text()
    assert (tmp_path / "again" / "quiet.txt").read_text().startswith("quiet at hearts: passed\n")


LATE = """
import time
questions = 0
for line in sys.stdin:
    if asked(line):
        questions += 1
        if questions == 5: {}
        print(listed(line)[0], flush=True)
"""


@pytest.mark.parametrize(
    ("how", "effort"),
    [
        ("time.sleep(4)", r"0\.\d s of CPU: it waits"),
        ("\n            while time.process_time() < 4: pass", r"[1-9]\d*\.\d s of CPU: it computes"),
    ],
    ids=["waits", "computes"],
)
async def test_a_reply_that_comes_late_fails_the_clock(how, effort, tmp_path):
    """It is told when the reply came and how much CPU it used, and not that it does not flush."""
    found = await examined(program(tmp_path, LATE.format(how)), "hearts", tmp_path, replace(HASTY, late=60.0))
    assert found["flushes its output"].passed
    failed = found["replies within the clock"]
    assert not failed.passed
    assert re.search(rf"it replied after \d+\.\d s, {effort}", failed.detail)
    assert "lush" not in failed.detail


async def test_a_first_reply_that_comes_late_is_not_kept_back(tmp_path):
    """A bot that sleeps reads no second question, so nothing lies in a buffer."""
    late = program(tmp_path, LATE.format("pass").replace("questions == 5: pass", "questions == 1: time.sleep(4)"))
    found = await examined(late, "hearts", tmp_path, replace(HASTY, late=60.0))
    assert [name for name, finding in found.items() if not finding.passed] == ["replies within the clock"], found
    assert "it replied after" in found["replies within the clock"].detail
    assert "flushes its output" not in found


def test_a_check_prints_few_lines_and_keeps_the_rest(tmp_path):
    """The verdict is the first line and the last; the file that is named has all of it."""
    program(tmp_path, "for line in sys.stdin:\n    if asked(line): print(listed(line)[0])\n")
    bot = f"bot=env PYTHONUNBUFFERED= {shlex.quote(sys.executable)} bot.py"
    lines = run(bot, "--game", "hearts", "--time", 300, cwd=tmp_path, code=1).splitlines()
    assert lines[0] == lines[-1] == "failed: flushes its output"
    assert lines[-2] == "All of it: feedback/bot.txt"
    assert len(lines) <= 40
    assert max(map(len, lines)) < 400
    assert len((tmp_path / "feedback" / "bot.txt").read_text().splitlines()) > 100


@pytest.mark.parametrize(
    ("game", "received", "said"),
    [
        ("hearts", b"(give 2c d3 h4)", "did you mean c2?"),
        ("hearts", b"(GIVE C2 D3 10H)", "did you mean (give c2 d3 hT)?"),
        ("hearts", b"give c2 d3 h4", "did you mean (give c2 d3 h4)?"),
        ("dominion", b"coper", "did you mean (add copper) or (buy copper)"),
        ("dominion", b"(buy coper)", "did you mean copper?"),
        ("dominion", b"(BUY COPPER)", "did you mean (buy copper)?"),
        ("hearts", b"(bid 18)", "(bid 18) is a play of skat"),
        ("skat", b"(buy copper)", "--game dominion"),
        ("skat", b"(choose 3)", "a game in RECYCLE"),
        ("recycle:agram", b"(play c2)", "is a play of hearts"),
        ("hearts", b"I pass, thank you", ""),
        ("hearts", b"\x1b[2J\xff", ""),
        ("hearts", b"", ""),
    ],
)
def test_what_a_reply_was_meant_to_be_is_told(game, received, said):
    """This game's plays come first, then other games' plays, then the play that is most like it."""
    position = Walk(games.find(game), {}, Route(1, 0, free=True), "bot", 1.0).game
    while game == "dominion" and position.phase == "action":
        position.play(position.turn, next(iter(position.legal())))
    told = meaning(position, position.turn, received)
    assert said in told if said else not told
