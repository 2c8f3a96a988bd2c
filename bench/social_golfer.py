"""Search for rounds in which no two meet twice: the table in social_golfer.py.

python -m bench.social_golfer SIZE FROM TO [ATTEMPTS]
"""

from __future__ import annotations

import sys

from croupier.server.tournaments.formats.social_golfer import search

ATTEMPTS = 6


def main() -> None:
    """Print for each number of members the first attempt that succeeds."""
    size, first, last, *more = map(int, sys.argv[1:])
    for members in range(first, last + 1):
        if members % size > members // ((members - 1) // (size - 1)):
            continue  # there are not enough circles to take one member each who sits out
        found = next((at for at in range(*more or [ATTEMPTS]) if search(members, size, at)), None)
        if found is not None:
            print(f"{members}: {found},", end=" ", flush=True)
    print()


if __name__ == "__main__":
    main()
