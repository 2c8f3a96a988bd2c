"""What the class server did: start an executable for each player, speak the classic dialect, close the pipes."""

import subprocess
from contextlib import ExitStack

from croupier.protocol.notifications import CLASSIC, Attacked, Defended, Request, Update
from croupier.protocol.sexp import parse


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


def serve(game, executables, newline="\n"):
    """Play a game between programs, in the order of its players; return what each wrote to standard error."""
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        programs = {
            name: stack.enter_context(subprocess.Popen([path], stdin=pipe, stdout=pipe, stderr=pipe, text=True))
            for name, path in zip(game.players, executables, strict=True)
        }

        def replies():
            while True:
                yield _reply(programs[game.players[game.turn]].stdout)

        for line in conversation(game, replies()):
            name, way, text = line.split(" ", 2)
            if way == ">":
                programs[name].stdin.write(text + newline)
                programs[name].stdin.flush()
        return [program.communicate(timeout=300)[1] for program in programs.values()]


def _reply(output):
    """Read until the parentheses balance."""
    text = ""
    while not text.strip() or text.count("(") > text.count(")"):
        byte = output.read(1)
        if not byte:
            raise EOFError("the program has left")
        text += byte
    return text.strip()
