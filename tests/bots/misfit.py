"""A bot of one file that plays the first legal play until its moment comes, and then misbehaves.

    misfit.py KIND [request N | attacked]

It knows nothing of the project: it reads byte by byte, counts parentheses and answers without newlines. Whatever it
does has an end of its own: each process of it lives for seconds, none of its children forks on, and what it writes or
takes is counted.
"""

import os
import random
import re
import select
import signal
import sys
import time

LIFE = 12
LEGAL = re.compile(r"\(legal (\(.*\))\)\)\)$")


def say(text):
    """Write text as bytes."""
    os.write(1, text.encode("latin-1"))


def forms(wait):
    """Yield each balanced message of standard input, read a byte at a time."""
    message, depth = "", 0
    while (wait(), byte := os.read(0, 1).decode("ascii"))[1]:
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


def flood(text):
    """Write without end, as far as the referee can tell."""
    for _ in range(256):
        say(text)
    silent()


def drip():
    """Write a blank now and then."""
    while True:
        say(" ")
        time.sleep(0.01)


def fork():
    """Fork; the child ends by itself before long, whatever becomes of the table."""
    child = os.fork() == 0
    if child:
        signal.alarm(LIFE)
    return child


def fork_many(*, session):
    """Be forty processes; never does one of them fork again."""
    for _ in range(40):
        if fork():
            if session:
                os.setsid()
            silent()
    silent()


def thread_many():
    """Be a program of many threads."""
    threading = __import__("threading")
    for _ in range(60):
        threading.Thread(target=time.sleep, args=(LIFE,), daemon=True).start()
    silent()


def hog():
    """Take 256 MiB, bit by bit."""
    held = []
    for _ in range(32):
        held.append(b"x" * (8 << 20))
        time.sleep(0.005)
    silent()


def hog_in_children():
    """Take 40 MiB in each of five children."""
    for _ in range(5):
        if fork():
            held = b"x" * (40 << 20)
            silent(held)
    silent()


def hog_unmapped():
    """Take 160 MiB in files that are in memory and in no folder."""
    held = [os.memfd_create("hoard") for _ in range(160)]
    for file in held:
        os.write(file, b"x" * (1 << 20))
    silent(held)


def hoard():
    """Write 16 MiB into a few files."""
    for number in range(16):
        with open(f"hoard-{number}", "wb") as file:
            file.write(b"x" * (1 << 20))
    silent()


def fill_the_disk():
    """Write 4 MiB into a file."""
    file = os.open("full", os.O_WRONLY | os.O_CREAT)
    for _ in range(16):
        os.write(file, b"x" * (256 << 10))
    silent()


def open_files():
    """Open a file more than a thousand times."""
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(1200)]
    silent(held)


def orphan(then):
    """Leave a process with a session of its own that holds the pipes, and one under it."""
    if fork():
        os.setsid()
        if fork():
            os.setsid()
        silent()
    then()


def daemon():
    """Continue as a grandchild of this process."""
    if not fork():
        os._exit(0)
    os.setsid()
    if not fork():
        os._exit(0)


def babbling_child():
    """Have a child that speaks out of turn."""
    if fork():
        for _ in range(2000):
            say("(chatter) ")
            time.sleep(0.001)
        os._exit(0)


def deaf():
    """Listen to no signal that can be ignored."""
    for ignored in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(ignored, signal.SIG_IGN)
    silent()


def silent(_held=None):
    """Say nothing, for longer than anybody waits."""
    time.sleep(LIFE)
    os._exit(0)


def spin():
    """Think about nothing."""
    while True:
        pass


def close(*fds):
    """Close descriptors and stay."""
    for fd in fds:
        os.close(fd)
    silent()


def outlive_the_input():
    """Leave a child that stays when everything else is over."""
    if fork():
        silent()


def never_flush():
    """Answer into a buffer, and read on."""
    with open(1, "w", buffering=4096, closefd=False) as kept_back:
        kept_back.write("(clean copper)\n")
        while os.read(0, 4096):
            kept_back.write("(clean copper)\n")


def garble(play):
    """Say the play with a few bytes of it changed, cut, doubled or moved; which ones the command's number decides."""
    dice = random.Random(" ".join(sys.argv))
    garbled = bytearray(play, "ascii")
    for _ in range(dice.choice((1, 1, 2, 5, 50))):
        place = dice.randrange(len(garbled) + 1)
        match dice.randrange(5):
            case 0:
                garbled[place:place] = bytes([dice.randrange(256)])
            case 1:
                del garbled[place : place + dice.randrange(4)]
            case 2:
                garbled[place:place] = garbled[: dice.choice((3, 200))][-2000:] * dice.choice((1, 2, 30))
            case 3:
                garbled[place:place] = dice.choice((b"(", b")", b" ", b"\r\n", b"'", b'"', b";", b"-", b"9" * 30, b"t"))
            case 4:
                garbled[place:place] = garbled[: place // 2]
        del garbled[100_000:]
    say(garbled.decode("latin-1"))


def recite(path):
    """Return the content of a file."""
    with open(path, "rb") as file:
        say(file.read().decode("latin-1"))


def kill_parent():
    """End the process that started this one."""
    os.kill(os.getppid(), signal.SIGKILL)
    silent()


MISDEEDS = {
    "silent": silent,
    "half": lambda: (say("(play "), silent()),
    "drip": drip,
    "spin": spin,
    "late": lambda: (time.sleep(2.5), say("(clean copper)")),
    "to-stderr": lambda: (os.write(2, b"(clean copper)\n"), silent()),
    "never-flush": never_flush,
    "dotted": lambda: say("(play . h9)"),
    "quoted": lambda: say('(buy "copper")'),
    "quote-mark": lambda: say("'(buy copper)"),
    "brackets": lambda: say("[buy copper]"),
    "comment": lambda: say("; I think\n(buy copper)"),
    "float": lambda: say("(buy 1.5)"),
    "huge-number": lambda: say("(buy " + "9" * 40 + ")"),
    "infinity": lambda: say("(buy 1e999)"),
    "binary": lambda: say("\x00\xff\xfe"),
    "nul": lambda: say("(buy\x00 copper)"),
    "accent": lambda: say("(caf\xc3\xa9)"),
    "prose": lambda: say("I pass, thank you\n"),
    "unbalanced": lambda: say(")"),
    "deep": lambda: say("(" * 40 + ")" * 40),
    "many": lambda: say("(" + "a " * 1100 + ")"),
    "nonsense": lambda: say("(frobnicate 17)"),
    "shouting": lambda: say("(BUY COPPER)"),
    "empty": lambda: say("()"),
    "an-update": lambda: say("(update table (end))"),
    "cheat": lambda: say("(buy province)"),
    "card-it-has-not": lambda: say("(discard province province)"),
    "flood": lambda: flood("(" + "a " * 2000),
    "parentheses": lambda: flood("(" * 65536),
    "one-long-word": lambda: flood("(" + "a" * 65536),
    "blank-flood": lambda: flood(" " * 65536),
    "crash": lambda: 1 / 0,
    "leave": lambda: sys.exit(0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: (signal.signal(signal.SIGSEGV, signal.SIG_DFL), os.kill(os.getpid(), signal.SIGSEGV)),
    "abort": os.abort,
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "deaf": deaf,
    "close": lambda: close(1),
    "close-all": lambda: close(0, 1, 2),
    "fork-many": lambda: fork_many(session=False),
    "fork-many-sessions": lambda: fork_many(session=True),
    "thread-many": thread_many,
    "hog": hog,
    "hog-in-children": hog_in_children,
    "hog-unmapped": hog_unmapped,
    "hoard": hoard,
    "fill-the-disk": fill_the_disk,
    "open-files": open_files,
    "orphan-then-leave": lambda: orphan(lambda: sys.exit(4)),
    "orphan-then-silence": lambda: orphan(silent),
    "kill-parent": kill_parent,
}
"""What is done instead of answering."""

ASIDES = {
    "babbling-child": babbling_child,
    "noisy": lambda: [os.write(2, b"complaint " * 6000) for _ in range(60)],
    "orphans": lambda: orphan(lambda: None),
    "outlive": outlive_the_input,
}
"""What is done before answering properly."""

AT_START = {
    "chatty": lambda: say("hello\n"),
    "sleepy": silent,
    "stillborn": lambda: sys.exit(3),
    "closed-input": lambda: close(0),
    "daemon": daemon,
}


def spin_while_waiting():
    """Look for input again and again instead of waiting for it."""
    while not select.select([0], [], [], 0)[0]:
        pass


def main():
    """Play until the moment comes."""
    signal.alarm(LIFE)
    kind, *when = sys.argv[1:]
    asked = int(when[1]) if when[:1] == ["request"] else 1
    head = "(attacked" if when == ["attacked"] else "(request"
    if kind in AT_START:
        AT_START[kind]()
    for message in forms(spin_while_waiting if kind == "spinner" else lambda: None):
        signal.alarm(LIFE)
        if not message.startswith(("(request", "(attacked")):
            if kind == "polite":
                say("(thanks)")
            continue
        asked -= message.startswith(head)
        ours = asked == 0 and message.startswith(head)
        if ours and kind in MISDEEDS:
            MISDEEDS[kind]()
            asked -= 1
        elif ours and kind == "garble":
            garble(first_legal(message))
        elif ours and kind == "recite":
            recite(when[2])
        elif ours and kind == "twice":
            say(first_legal(message) * 2)
        elif ours and kind == "answer-and-leave":
            say(first_legal(message))
            return
        else:
            if ours and kind in ASIDES:
                ASIDES[kind]()
            utter(kind, first_legal(message))
    if kind == "unmoved":
        deaf()


def utter(kind, play):
    """Say a play in a manner that is unusual but allowed."""
    if kind == "crlf":
        say(f"\r\n {play}\r\n\r\n")
    elif kind == "spread":
        say("\n\t" + play.replace(" ", "\n  ").replace("(", "( ") + "\n")
    elif kind == "syllables":
        for char in play:
            say(char)
            time.sleep(0.0001)
    else:
        say(play)


if __name__ == "__main__":
    main()
