"""A fast bot of one file that answers with one of the legal plays of a request.

quick.py first|last|mixed|patched [N]

The mixed one chooses by the request's text. The patched one answers with the first play as a rule, and with the last
play for one hand in sixteen. With N it answers nonsense throughout one game in N, chosen by the hand. With LEDGER in
its environment it writes the hand of every game to that file, after its process id and, if its folder was not new, an
exclamation mark.
"""

import os
import sys
from zlib import crc32


def plays(line):
    """List the legal plays of a request; where it lists none, a pass."""
    found, depth, start = [], 0, 0
    listed = line.partition("(legal ")[2]
    for place, char in enumerate(listed):
        if char == "(":
            start = start if depth else place
            depth += 1
        elif char == ")" and depth == 0:
            break
        elif char == ")":
            depth -= 1
            found += [] if depth else [listed[start : place + 1]]
    return found or ["(pass)"]


def hand(line):
    """Return the cards of the hand that a message shows."""
    return line.partition("(hand ")[2].partition(")")[0]


def chosen(line, how):
    """Return the play that answers a request."""
    legal = plays(line)
    if how == "mixed":
        return legal[crc32(line.encode()) % len(legal)]
    last = how == "last" or (how == "patched" and crc32(hand(line).encode()) % 16 == 0)
    return legal[-1 if last else 0]


def main():
    """Play until the input ends."""
    how = sys.argv[1]
    one_in = int(sys.argv[2]) if sys.argv[2:] else 0
    faulty, stale, path = False, os.path.exists("notes"), os.environ.get("LEDGER")
    if path:
        open("notes", "w").close()
    for line in sys.stdin:
        if line.startswith("(update table (start") and hand(line):
            faulty = bool(one_in) and crc32(hand(line).encode()) % one_in == 0
            if path:
                with open(path, "a") as ledger:
                    ledger.write(f"{os.getpid()}{'!' * stale} {hand(line)}\n")
        elif line.startswith(("(request", "(attacked")):
            print("(nonsense)" if faulty else chosen(line, how), flush=True)


if __name__ == "__main__":
    main()
