"""A whole conversation in the classic dialect, byte for byte: who is told what, in which order."""

import re
from pathlib import Path

from class_server import conversation

from croupier.server.deals import Listed
from croupier.server.games.dominion.game import Dominion

GOLDEN = Path(__file__).parents[3] / "golden" / "dominion-classic.txt"


def short(line):
    """Count the supply's cards instead of repeating them, as the golden file does."""
    return re.sub(r"\b([a-z]+)((?: \1)+)\b(?=[^()]*\) \(trash)", lambda run: f"{run[1]}*{run[0].count(' ') + 1}", line)


def test_the_recorded_conversation_is_had_again():
    """The same shuffles and replies give every client every byte again."""
    shuffles, lines = (part.split("\n") for part in GOLDEN.read_text().strip().split("\n\n"))
    deal = Listed()
    deal.orders = [tuple(shuffle.split()) for shuffle in shuffles]
    game = Dominion(("alice", "bob", "carol"), {"rules": "classic", "turns": 7}, deal)
    replies = (reply for _, reply in filter(lambda cut: len(cut) == 2, (line.split(" < ") for line in lines)))
    assert list(map(short, conversation(game, replies))) == lines
    assert not deal.orders
