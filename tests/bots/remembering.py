"""A classic client that counts its games: from the third in one process on it only cleans up, or ends (``die``)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import classic

answer = classic.answer
games = supply = 0


def remembering(message):
    global games, supply
    left = len(classic.field("supply", message))
    games, supply = games + (left > supply), left
    if games < 3:
        return answer(message)
    if sys.argv[1:] == ["die"]:
        sys.exit("a third game")
    return " ".join(["(clean", *classic.field("hand", message)[:1]]) + ")"


classic.answer = remembering
classic.main()
