"""A whole conversation in the classic dialect, byte for byte: who is told what, in which order."""

import re
from pathlib import Path

from croupier.protocol.notifications import CLASSIC, Attacked, Defended, Request, Update
from croupier.protocol.sexp import parse
from croupier.server.deals import Listed
from croupier.server.games.dominion.game import Dominion

GOLDEN = Path(__file__).parents[3] / "golden" / "dominion-classic.txt"


def short(line):
    """Count the supply's cards instead of repeating them, as the golden file does."""
    return re.sub(r"\b([a-z]+)((?: \1)+)\b(?=[^()]*\) \(trash)", lambda run: f"{run[1]}*{run[0].count(' ') + 1}", line)


def conversation(game, replies):
    """Play the game with these replies; yield every line that crosses a pipe, after the name of whose pipe it is."""
    names = game.players
    while game.turn is not None:
        seat, attack, view = game.turn, game.attack, game.view(game.turn)
        asked = Request(view) if attack is None else Attacked(attack.play, names[attack.attacker], view)
        yield f"{names[seat]} > {asked.write(CLASSIC)}"
        reply = next(replies)
        yield f"{names[seat]} < {reply}"
        game.check(seat, play := parse(reply))
        told = [] if attack else [(seat, Update(names[seat], game.public(seat, play)))]
        news = game.play(seat, play)
        if attack:
            told = [(item.seat, Defended(names[item.seat], item.defense)) for item in news]
        for author, notification in told:
            for hearer in game.clockwise[game.active if attack else seat]:
                if hearer != author:
                    yield f"{names[hearer]} > {notification.write(CLASSIC)}"


def test_the_recorded_conversation_is_had_again():
    """The same shuffles and replies give every client every byte again."""
    shuffles, lines = (part.split("\n") for part in GOLDEN.read_text().strip().split("\n\n"))
    deal = Listed()
    deal.orders = [tuple(shuffle.split()) for shuffle in shuffles]
    game = Dominion(("alice", "bob", "carol"), {"rules": "classic", "turns": 7}, deal)
    replies = (reply for _, reply in filter(lambda cut: len(cut) == 2, (line.split(" < ") for line in lines)))
    assert list(map(short, conversation(game, replies))) == lines
    assert not deal.orders
