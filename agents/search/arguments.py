"""Words: the options after ``search`` on a command line: thinking time, seed, and the program of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.agents.search.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_MS = 3_600_000
MOST_ITERATIONS = 1_000_000_000
USAGE = "search [--ms N | --iterations N] [--seed TEXT] [--program FILE]"


class BadWords(ValueError):
    """An option after ``search`` that it does not know."""


class Words(NamedTuple):
    """How the searching player is to think."""

    budget: Budget = Budget()
    seed: str = ""
    program: str | None = None
    """The file of the RECYCLE program that is played, if it is not from the library."""

    @classmethod
    def read(cls, words: Sequence[str]) -> Words:
        """Read the options; raise BadWords, listing the valid ones."""
        given = dict(zip(words[::2], words[1::2], strict=False))
        known = {"--ms", "--iterations", "--seed", "--program"}
        if len(words) % 2 or len(given) < len(words) // 2 or not given.keys() <= known:
            raise BadWords(f"{' '.join(words)}: behind search there may stand what {USAGE} says, each once")
        if {"--ms", "--iterations"} <= given.keys():
            raise BadWords("search thinks for --ms milliseconds a decision or for --iterations playouts, not for both")
        budget = Budget()
        if "--ms" in given:
            budget = Budget(ms=_number("--ms", given["--ms"], MOST_MS))
        if "--iterations" in given:
            budget = Budget(iterations=_number("--iterations", given["--iterations"], MOST_ITERATIONS))
        return cls(budget, given.get("--seed", ""), given.get("--program"))


def _number(name: str, text: str, most: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 12 and 1 <= int(text) <= most:
        return int(text)
    raise BadWords(f"{name} takes a whole number from 1 to {most}, not {text}")
