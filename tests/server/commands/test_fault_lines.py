"""Fault lines: what is told of faults at a table and in a tournament."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import croupier

from croupier.protocol.record import read
from croupier.server.commands.fault_lines import Committed, FaultFiles, fault_lines
from croupier.server.processes.crash_lines import cure
from croupier.server.records.blame import Blamed, deals_in_words, faults_by_player
from croupier.server.table.clock import Waits, effort
from croupier.server.table.faults import BY_KIND, FLUSH, WAITS, Fault, Kind

LATE = Fault(Kind.TIMEOUT, "late")
HOW = Blamed("slow", "timeout", "late; 0.0 s of CPU: it waits", "(request ((phase play)))", "(pl\x1b[2J" + "x" * 99, 5)

MUTE = """
import re, sys, time
questions = 0
for line in sys.stdin:
    if line.startswith("(request"):
        questions += 1
        if questions % 3 == 0: time.sleep(60)
        listed = re.search(r"\\(legal (\\([^)]*\\))", line)
        hand = re.search(r"\\(hand (\\S+ \\S+ \\S+)", line)[1]
        print(listed[1] if listed else f"(give {hand})", flush=True)
"""
DIES = """
import sys
for line in sys.stdin:
    if line.startswith("(request"):
        sys.exit({!r})
"""


@pytest.mark.parametrize(
    ("deals", "words"),
    [
        ([3], "deal 3"),
        ([*range(1, 11)], "deals 1 to 10"),
        ([1, 3, 5, 6, 7], "deals 1, 3, 5 to 7"),
        ([1, 1, 2, 2], "deals 1 to 2 (4 games)"),
        ([*range(1, 21, 2)], "deals 1, 3, 5, 7, 9, 11 and 4 more"),
    ],
)
def test_deals_are_named_by_their_spans(deals, words):
    """Long lists are cut; a deal that was played at several tables is counted."""
    assert deals_in_words(deals) == words


@pytest.mark.parametrize(
    "said",
    [
        "File synchronize.py: sl = SemLock(\nPermissionError: [Errno 13] Permission denied",
        "ModuleNotFoundError: No module named 'util'\nValueError: no plan without it",
        "MemoryError",
    ],
)
def test_a_crash_has_the_same_hint_at_a_table_in_a_tournament_and_in_check(tmp_path, said):
    """By all that the bot wrote before its end, not by its last words alone."""
    (tmp_path / "dies.py").write_text(DIES.format(said))
    bots = ["python dies.py", "random", "random", "random"]
    words = ["--deals", 1, "-o", "pass=left", "--sandbox", "none"]
    _, table = croupier("play", "hearts", *bots, *words, cwd=tmp_path)
    cup, _ = croupier("tournament", "hearts", *bots, *words, "--out", "cup", cwd=tmp_path)
    checked, _ = croupier("check", "hearts", bots[0], "--sandbox", "none", cwd=tmp_path, code=1)
    hints = [re.findall("[hH]int: (.*)", text) for text in (table, cup, checked)]
    assert hints == [[cure(said)]] * 3


SPELLS = """
import re, sys
for line in sys.stdin:
    if line.startswith("(request"):
        hand = re.search(r"\\(hand (\\S\\S) (\\S\\S) (\\S\\S)", line)
        print(f"(give {hand[1][::-1]} {hand[2]} {hand[3]})", flush=True)
"""


def test_a_misspelt_card_has_the_same_hint_at_a_table_in_a_tournament_and_in_check(tmp_path):
    """Which card was meant, from what the seat could play at that moment."""
    (tmp_path / "spells.py").write_text(SPELLS)
    bots = ["python spells.py", "random", "random", "random"]
    words = ["--deals", 1, "-o", "pass=left"]
    _, table = croupier("play", "hearts", *bots, *words, cwd=tmp_path)
    cup, _ = croupier("tournament", "hearts", *bots, *words, "--out", "cup", cwd=tmp_path)
    checked, _ = croupier("check", "hearts", bots[0], cwd=tmp_path, code=1)
    for said in (table, cup, checked):
        assert re.search(r"[hH]int: did you mean [cdhs][2-9TJQKA]\?", said), said


def test_equal_faults_are_told_once():
    """What was measured does not tell them apart; the first is shown, and no other is looked at."""
    looked = []

    def faults():
        for deal in range(1, 11):
            fault = Fault(LATE.kind, LATE.why, f"{deal}.0 s of CPU")
            yield Committed(
                "slow", fault, deal, lambda at=deal: looked.append(at) or FaultFiles(HOW, Path("my g/1.record"))
            )
        yield Committed("slow", Fault(Kind.CRASHED, "ended"), 11, FaultFiles)

    lines = fault_lines(faults())["slow"]
    assert lines == [
        "deals 1 to 10: slow: timeout: late; 0.0 s of CPU: it waits",
        lines[1],
        f"    hint: {WAITS} {FLUSH}",
        "    again: croupier replay 'my g/1.record' --show",
        "    sent: croupier replay 'my g/1.record' --sent slow '#5'",
        "deal 11: slow: crashed: ended",
    ]
    assert looked == [1]
    assert lines[1].startswith(r"    in deal 1, at its question 5 (phase play) it answered: (pl\x1b[2Jxxx")
    assert lines[1].count("x") < 80
    assert lines[1].isprintable()


def test_many_causes_are_counted():
    """A player with a cause in each game does not fill the terminal."""
    lines = fault_lines(Committed("odd", Fault(Kind.ILLEGAL, f"no {deal}"), deal, FaultFiles) for deal in range(100))[
        "odd"
    ]
    assert len(lines) == 10
    assert lines[1] == f"    hint: {BY_KIND[Kind.ILLEGAL]}"
    assert lines[-1] == "odd: 92 more causes, in 92 games; --json lists them all"


def test_a_record_tells_the_question_of_a_fault():
    """Plays and defenses that were answered before it are counted, of this player alone."""
    lines = [
        "(play ann (play c2))",
        "(play bob (play c3))",
        "(defense ann (moat))",
        '(fault ann illegal "no" "(attacked (act militia) bob ((phase action)))" "(x)")',
        '(fault bob unasked "no" "(request ((phase play)))" "hm")',
    ]
    found = faults_by_player(line for _, line in read("\n".join(lines)))
    assert found["ann"].occasion == "at its question 3 (attacked) it answered: (x)"
    assert found["bob"].occasion == "before its question 2 it wrote: hm"


@pytest.mark.parametrize("prefix", ["", "json:"])
def test_the_phase_and_what_was_meant_are_told_in_either_dialect(prefix, tmp_path):
    """Also of a game that is read from its record."""
    program = tmp_path / "shouting.py"
    program.write_text(
        "import re, sys\n"
        "for line in sys.stdin:\n"
        "    if re.match(r'.{0,12}request', line):\n"
        "        print('[\"BUY\", \"COPPER\"]' if line[0] == '{' else '(BUY COPPER)', flush=True)\n"
    )
    _, said = croupier("play", "dominion", f"{prefix}python {program}", "smithy", "-o", "turns=3", "--record", tmp_path)
    meant, asked = ('["buy", "copper"]', '["BUY", "COPPER"]') if prefix else ("(buy copper)", "(BUY COPPER)")
    assert f"at its question 1 (phase action) it answered: {asked}" in said
    assert f"did you mean {meant}?" in said


@pytest.mark.parametrize(
    ("seconds", "delay", "cpu", "said"),
    [
        (12.0, 0.0, 11.9, "11.9 s of CPU: it computes"),
        (12.0, 0.0, 0.02, "0.0 s of CPU: it waits"),
        (12.0, 0.0, 4.0, "4.0 s of CPU"),
        (0.05, 0.0, 0.04, "0.0 s of CPU"),
        (12.0, 7.9, 4.0, "4.0 s of CPU: it computes"),
        (12.0, 11.0, 0.8, "0.8 s of CPU: it computes"),
        (12.0, 10.0, 0.4, "0.4 s of CPU"),
    ],
)
def test_the_effort_says_what_it_means_where_that_is_clear(seconds, delay, cpu, said):
    """Between a tenth and a half of a core nothing is said of it, nor where the amount would not show it.

    Where the machine kept it waiting for a core it is what it used of the rest.
    """
    assert effort(Waits(100.0, 2.0, 7.0), Waits(100.0 + seconds, 2.0 + delay, 7.0 + cpu), 1) == said


def test_the_commands_of_a_fault_run(tmp_path):
    """At a table and in a tournament: what the bot was sent ends with the request that the record has."""
    (tmp_path / "mute.py").write_text(MUTE)
    bots = ["python mute.py", "random", "random", "random"]
    words = ["--deals", 2, "-o", "pass=left", "--time", 1000]
    _, table = croupier("play", "hearts", *bots, *words, "--record", "my games", cwd=tmp_path)
    cup, _ = croupier("tournament", "--game", "hearts", *bots, *words, "--out", "a cup", cwd=tmp_path)
    for said in (table, cup):
        assert re.search(r"^deals 1 to 2.*: mute: timeout: .* s of CPU", said, re.MULTILINE)
        assert "at its question 3 (phase play) it answered: nothing" in said
        (command,) = re.findall("sent: (croupier replay .*)", said)
        sent, _ = croupier(*shlex.split(command)[1:], cwd=tmp_path)
        assert sent.splitlines()[-1].startswith("(request ((game hearts)")
        assert sent.count("(request ") == 3
    _, unrecorded = croupier("play", "hearts", *bots, *words, cwd=tmp_path)
    assert "--record DIR keeps the games" in unrecorded
    assert "sent: " not in unrecorded
