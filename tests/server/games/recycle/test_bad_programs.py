"""Bad programs of every kind end in one clear error, soon and without eating the machine."""

import resource
import subprocess
import sys
import time

import pytest
from tests.support.recycle import program

from croupier.server.games.recycle.program import CompiledProgram

CARDS = "(repeat {n} (create deck (game vloc STOCK) (deck (RANK (A, TWO, THREE)))))"
POINTS = "(set (game points P) (((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3)))"
SECONDS = 2.0
MEGABYTES = 500

BAD = {
    "empty": b"",
    "blank": b" \n\n",
    "binary": bytes(range(256)) * 100,
    "ten megabytes": b"(game " + b"(do ())" * 1_500_000,
    "ten megabytes of openers": b"(" * 10_000_000,
    "nested 100,000 deep": b"(" * 100_000 + b")" * 100_000,
    "an endless stage": program("(stage player (end (== 1 2)) (do ((turn pass))))"),
    "an endless stage of nothing": program("(stage player (end (== 1 2)))"),
    "endless stages in stages": program(
        "(stage player (end (== 1 2)) (stage player (end (== 1 1)) (choice ((turn pass)))))"
    ),
    "a choice without end": program("(stage player (end (== 1 2)) (choice ((turn pass))))"),
    "a huge range": program("(do ((all (range 1..2000000000) 'X (inc (game sto A) 'X))))"),
    "ranges in ranges": program("(do ((all (range 1..90000) 'X (all (range 1..90000) 'Y (inc (game sto A) 'X)))))"),
    "a choice of a huge range": program("(choice ((any (range 1..90000) 'X (set (game sto A) 'X))))"),
    "a huge product": program(
        f"(choice ((do ({'(any (range 1..99) (quote) (turn pass))' * 3}))))".replace("(quote)", "'X")
    ),
    "forty any in a row": program(
        f"(choice ((do ({'(any player (quote) (turn pass))' * 40}))))".replace("(quote)", "'P")
    ),
    "any in a long all": program("(choice ((all (range 1..3000) 'X (any player 'P (turn pass)))))"),
    "a huge repeat": program("(do ((repeat 2000000000 (turn pass))))"),
    "repeats in loops": program("(do ((all (range 1..90000) 'X (repeat 90000 (turn pass)))))"),
    "subsets of many cards": program(
        "(choice ((any (subsets (game vloc STOCK)) 'S (turn pass))))", setup=CARDS.format(n=20)
    ),
    "subsets of subsets": program(
        "(do ((all (subsets (game vloc STOCK)) 'S (all (subsets (game vloc STOCK)) 'T (turn pass)))))",
        setup=CARDS.format(n=5),
    ),
    "tuples of many cards": program(
        f"(do ({POINTS} (set (game sto A) (size (tuples 20 (game vloc STOCK) using (game points P))))))",
        setup=CARDS.format(n=50),
    ),
    "runs of many cards": program(
        f"(do ({POINTS} (set (game sto A) (size (runs all 1 (game vloc STOCK) using (game points P))))))",
        setup=CARDS.format(n=900),
    ),
    "a memory without end": program(
        "(do ((all (range 1..90000) 'X (remember (top (game vloc STOCK)) (top (game mem M))))"
        " (all (range 1..90000) 'X (set (game sto A) (size (union (game mem M) (game mem M)))))))"
    ),
    "a huge deck": program(setup=CARDS.format(n=2000000000)),
    "two thousand million players": program(players="2000000000"),
    "a huge power": program("(do ((set (game sto A) (fib (^ 2147483647 3)))))"),
    "a huge number": program("(do ((set (game sto A) " + "9" * 10_000 + ")))"),
}

LOOK = """
import sys
from random import Random
from croupier.server.games.game import Dice
from croupier.server.games.recycle import BadProgram, load
from croupier.server.games.recycle.check import check
print(check(sys.argv[1]).problems[0].message)
try:
    rules = load(sys.argv[1])
    game = rules([f"p{seat}" for seat in range(rules.SEATS[0])], {}, Dice(Random(1)))
    while game.turn is not None:
        game.play(game.turn, game.legal()[0])
    print(game.void)
except BadProgram as bad:
    print(bad)
# not getrusage: its peak begins with that of the process that started this one
print([line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")][0], file=sys.stderr)
"""


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_program_ends_in_one_clear_error(bad, tmp_path):
    """Checked, then played: each within two seconds of its own time and 500 MB, in one line."""
    text = BAD[bad]
    file = tmp_path / "bad.gdl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", LOOK, file], capture_output=True, text=True, check=False, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == 0, done.stderr
    assert [len(line) > 10 for line in done.stdout.splitlines()] == [True, True]
    assert min(used, time.perf_counter() - began) < 2 * SECONDS
    assert int(done.stderr.split()[-1]) < MEGABYTES * 1024


@pytest.mark.parametrize(
    "nested",
    [
        "(cardatt RANK (top (filter (game vloc STOCK) 'C (== (cardatt RANK 'C) X))))",
        "(cardatt RANK (top (top (partition X (game vloc STOCK)))))",
    ],
)
def test_deep_expressions_are_compiled_once(nested):
    """What stands within one another twenty times takes no longer than it is long."""
    text = "RANK"
    for _ in range(16):
        text = nested.replace("X", text)
    began = time.process_time()
    assert CompiledProgram(program(f"(do ((set (game str S) {text})))")).errors() == []
    assert time.process_time() - began < 1.0
