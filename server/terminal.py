"""Text for a terminal: words that it shows and does not obey, command lines that a shell reads as they are meant."""

from __future__ import annotations

import shlex
import sys

_ACTIVE = frozenset('"$`\\!')
"""Characters that a shell interprets between double quotation marks."""


def printable(text: str, also: str = "") -> str:
    """Return the text with ``?`` for characters, except ``also``, that control a terminal or are invisible."""
    return "".join(char if char.isprintable() or char in also else "?" for char in text)


def say(*lines: str, err: bool = False) -> None:
    """Print lines on standard output or standard error; everything that no `Console` draws is printed here.

    Each argument is one line, whatever a stranger wrote into it: it can neither control the terminal nor add a line.
    """
    stream = sys.stderr if err else sys.stdout
    stream.write("\n".join([*(printable(line, also="\t") for line in lines), ""]))
    stream.flush()


def escape(text: str, most: int) -> str:
    """Return at most ``most`` characters of bytes (as latin-1), each beyond printable ASCII as ``\\xHH``."""
    plain = "".join(char if " " <= char <= "~" else f"\\x{ord(char):02x}" for char in text)
    return plain if len(plain) <= most else f"{plain[:most]} ... ({len(plain):,} characters)"


def command(*words: object) -> str:
    """Return the command line that passes these words."""
    return shlex.join(map(str, words))


def word(text: str) -> str:
    """Return a text as one word of a command line, in double quotation marks if they are enough."""
    if shlex.quote(text) == text:
        return text
    return shlex.quote(text) if _ACTIVE.intersection(text) else f'"{text}"'
