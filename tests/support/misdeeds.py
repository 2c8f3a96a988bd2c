"""All that a bot can do wrong, a row each: what it does and when, what follows, and which step of `check` names it."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass

from tables import misfit

from croupier.server import entries
from croupier.server.table.faults import Kind

TIME = 2.0
"""Seconds for a reply where a bot is to be late: the others, which answer at once, meet it on a busy machine too."""
START = 2.0
PATIENCE = 20.0
"""Seconds for a reply where no bot is to be late."""
TIMEOUT, MALFORMED, UNKNOWN, ILLEGAL = Kind.TIMEOUT, Kind.MALFORMED, Kind.UNKNOWN, Kind.ILLEGAL
FLOODED, UNASKED, CRASHED = Kind.FLOODED, Kind.UNASKED, Kind.CRASHED


@dataclass(frozen=True)
class Misdeed:
    """One way to misbehave: ``kinds`` are the faults it may be, empty if it harms nobody and is none."""

    name: str
    kinds: frozenset[Kind]
    step: str
    when: tuple[str, ...] = ("request", "3")
    program: str = "misfit.py"

    @property
    def time(self):
        """Return the seconds for a reply: few only if it is the clock that ends the misdeed."""
        return TIME if TIMEOUT in self.kinds else PATIENCE

    def entry(self, folder):
        """Return the program as an entry."""
        if self.name in FILES:
            path = folder / f"{self.name}.bot"
            path.write_bytes(FILES[self.name])
            path.chmod(0o755)
            return entries.Entry("misfit", (str(path),), files=(path,))  # as if it had become so later
        if self.name in SCRIPTS:
            return entries.of_command(["sh", "-c", SCRIPTS[self.name]], "misfit")
        return misfit(self.name, *self.when, program=self.program)


FILES = {
    "no-program": b"\x00\x01\x02",
    "no-interpreter": b"#!/no/such/interpreter\n",
}
SCRIPTS = {
    "grandchild": "sleep 12 & exit 3",
    "asleep": "exec sleep 12",
    "echo": "exec cat",
    "wrong-option": f"exec {shlex.quote(sys.executable)} --no-such-option",
}


def _rows(step, *names_and_kinds, when=("request", "3"), program="misfit.py"):
    return [Misdeed(name, frozenset(kinds), step, when, program) for name, *kinds in names_and_kinds]


MISDEEDS = [
    *_rows(
        "starts in time",
        ("no-program", CRASHED),
        ("no-interpreter", CRASHED),
        ("wrong-option", CRASHED),
        ("grandchild", CRASHED),
        ("asleep", TIMEOUT),
        ("stillborn", CRASHED),
        ("sleepy", TIMEOUT),
        ("closed-input", CRASHED, TIMEOUT),
        ("daemon", CRASHED),
        when=(),
    ),
    *_rows(
        "says nothing unasked",
        ("chatty", UNASKED, MALFORMED),
        ("echo", UNKNOWN),
        ("polite", UNKNOWN, UNASKED),
        when=(),
    ),
    *_rows(
        "replies within the clock",
        ("silent", TIMEOUT),
        ("drip", TIMEOUT),
        ("spin", TIMEOUT),
        ("late", TIMEOUT),
        ("to-stderr", TIMEOUT),
        ("stop", TIMEOUT),
        ("deaf", TIMEOUT),
        ("orphan-then-silence", TIMEOUT),
    ),
    *_rows(
        "writes well-formed replies",
        ("half", TIMEOUT),
        ("dotted", MALFORMED),
        ("quoted", MALFORMED),
        ("quote-mark", MALFORMED),
        ("brackets", MALFORMED),
        ("float", MALFORMED),
        ("huge-number", MALFORMED),
        ("infinity", MALFORMED),
        ("binary", MALFORMED),
        ("nul", MALFORMED),
        ("accent", MALFORMED),
        ("prose", MALFORMED),
        ("unbalanced", MALFORMED),
        ("deep", MALFORMED),
        ("many", MALFORMED),
        ("flood", FLOODED),
        ("parentheses", FLOODED),
        ("one-long-word", FLOODED),
        ("blank-flood", FLOODED),
    ),
    *_rows(
        "answers in each phase",
        ("nonsense", UNKNOWN),
        ("shouting", UNKNOWN),
        ("empty", UNKNOWN),
        ("an-update", UNKNOWN),
    ),
    *_rows("plays legally", ("cheat", ILLEGAL)),
    *_rows(
        "stays alive",
        ("crash", CRASHED),
        ("leave", CRASHED),
        ("kill", CRASHED),
        ("segfault", CRASHED),
        ("abort", CRASHED),
        ("close", CRASHED),
        ("close-all", CRASHED),
        ("orphan-then-leave", CRASHED),
        ("answer-and-leave", CRASHED),
        ("kill-parent", CRASHED, TIMEOUT),
    ),
    *_rows("flushes its output", ("never-flush", TIMEOUT)),
    *_rows(
        "says nothing unasked",
        ("comment", MALFORMED),
        ("twice", UNASKED),
        ("babbling-child", UNASKED, MALFORMED, UNKNOWN),
    ),
    *_rows("leaves at the end of its input", ("unmoved",), ("outlive",), when=()),
    *_rows("leaves at the end of its input", ("orphans",)),
    *_rows("keeps its standard error short", ("noisy",)),
    *_rows("rests while others play", ("spinner",)),
    *_rows("", ("crlf",), ("spread",), ("syllables",), when=()),
    *_rows(
        "replies within the clock",
        ("stuffed", TIMEOUT),
        ("masked", TIMEOUT),
        ("vfork", TIMEOUT),
        program="vandal.py",
    ),
    *_rows(
        "stays alive",
        ("close-input", CRASHED, TIMEOUT),
        ("no-errors", CRASHED),
        ("errors-pipe", CRASHED),
        ("errors-stretched", CRASHED),
        ("steer", CRASHED),
        ("traced", TIMEOUT, CRASHED),
        ("stop-parent", CRASHED, TIMEOUT),
        program="vandal.py",
    ),
    *_rows("says nothing unasked", ("flood-off-turn", UNASKED, UNKNOWN), program="vandal.py"),
    *_rows("rests while others play", ("spin-elsewhere",), program="vandal.py"),
    *_rows("", ("bend",), ("push",), ("litter",), ("no-folder",), ("swapped-folder",), program="vandal.py"),
    *_rows("", ("threads",), program="vandal.py"),
]
"""What is done on turn; without a step it is unusual, but allowed."""

UNDER_ATTACK = [
    *_rows("writes well-formed replies", ("half", TIMEOUT), when=("attacked",)),
    *_rows(
        "defends when attacked",
        ("silent", TIMEOUT),
        ("dotted", MALFORMED),
        ("nonsense", UNKNOWN),
        ("card-it-has-not", ILLEGAL),
        ("flood", FLOODED),
        ("twice", UNASKED),
        ("crash", CRASHED),
        ("close", CRASHED),
        ("orphan-then-leave", CRASHED),
        when=("attacked",),
    ),
]
"""What is done when a Militia comes."""

SHUT_IN = [
    *_rows(
        "stays alive",
        ("fork-many", CRASHED),
        ("fork-many-sessions", CRASHED),
        ("thread-many", CRASHED),
        ("fill-the-disk", CRASHED),
        ("open-files", CRASHED),
        ("hog", CRASHED),
        ("hog-in-children", CRASHED),
        ("hog-unmapped", CRASHED),
        ("hoard", CRASHED),
    ),
    *_rows("stays alive", ("hog-headless", CRASHED), ("in-flight-then-silence", CRASHED), program="vandal.py"),
]
"""What only a sandbox can hold."""

ALL = [*MISDEEDS, *UNDER_ATTACK, *SHUT_IN]
