"""A bot of one file that plays the first legal play until its moment comes, and then misbehaves.

    misfit.py KIND [request N | attacked]

It knows nothing of the project: it reads byte by byte, counts parentheses and answers without newlines.
"""

import os
import re
import sys
import time

LEGAL = re.compile(r"\(legal (\(.*\))\)\)\)$")


def say(text):
    os.write(1, text.encode("latin-1"))


def forms():
    """Yield each balanced message of standard input, read a byte at a time."""
    message, depth = "", 0
    while byte := os.read(0, 1).decode("ascii"):
        if depth == 0 and byte.isspace():
            continue
        message += byte
        depth += (byte == "(") - (byte == ")")
        if depth == 0:
            yield message
            message = ""


def first_legal(message):
    """Return the first of the listed plays, or the plainest one where none are listed."""
    found = LEGAL.search(message)
    if not found:
        return "(clean copper)"
    listed, depth = found[1], 0
    for place, char in enumerate(listed):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return listed[: place + 1]
    raise AssertionError(listed)


def spin_out_output():
    while True:
        say("(" + "a " * 2000)


MISDEEDS = {
    "silent": lambda: time.sleep(3600),
    "half": lambda: (say("(play "), time.sleep(3600)),
    "dotted": lambda: say("(play . h9)"),
    "binary": lambda: say("\x00\xff\xfe"),
    "prose": lambda: say("I pass, thank you\n"),
    "unbalanced": lambda: say(")"),
    "deep": lambda: say("(" * 40 + ")" * 40),
    "many": lambda: say("(" + "a " * 1100 + ")"),
    "nonsense": lambda: say("(frobnicate 17)"),
    "empty": lambda: say("()"),
    "cheat": lambda: say("(buy province)"),
    "card-it-has-not": lambda: say("(discard province province)"),
    "flood": spin_out_output,
    "blank-flood": lambda: [say(" " * 65536) for _ in range(4)],
    "crash": lambda: 1 / 0,
    "leave": lambda: sys.exit(0),
    "kill": lambda: os.kill(os.getpid(), 9),
    "close": lambda: (os.close(1), time.sleep(3600)),
}


def main():
    kind, *when = sys.argv[1:]
    asked = int(when[1]) if when[:1] == ["request"] else 1
    head = "(attacked" if when == ["attacked"] else "(request"
    if kind == "chatty":
        say("hello\n")
    for message in forms():
        if not message.startswith(("(request", "(attacked")):
            continue
        asked -= message.startswith(head)
        if asked == 0 and message.startswith(head):
            if kind == "twice":
                say(first_legal(message) * 2)
                continue
            if kind in MISDEEDS:
                MISDEEDS[kind]()
                asked -= 1
                continue
        say(first_legal(message))


if __name__ == "__main__":
    main()
