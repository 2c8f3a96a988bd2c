"""Draw the table of a person at a terminal for the manual: a real game with bundled bots, as SVG without outside fonts.

python bench/person.py docs/pictures/person.svg
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import trio
from rich.console import Console

from croupier.agents import bundled
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat
from croupier.server.table.terminal_seat import TerminalSeat

TYPED = ("1", "1", "2", "1", "1", "2")


class Drawn(Exception):
    """Everything worth a picture is on the screen."""


def main(out: Path) -> None:
    """Play until something is typed, and keep what the last turn showed."""
    console = Console(record=True, width=92, force_terminal=True, file=io.StringIO(), highlight=False)
    typed = iter(TYPED)

    def hear(prompt: str) -> str:
        words = next(typed, None)
        if words is None:
            console.print(prompt)
            raise Drawn
        console.export_text(clear=True)
        return words

    seats = [TerminalSeat("ann", console, hear), *(LocalSeat(n, bundled.make("duck")) for n in ("bob", "cleo", "dan"))]
    referee = Referee(games.find("hearts"), {}, seats, Key.from_seed("picture").deal(1), Terms())
    try:
        trio.run(referee.play)
    except Exception as ended:
        if not isinstance(ended.__cause__, Drawn):
            raise
    svg = console.export_svg(title="croupier play hearts ann=human duck duck duck", unique_id="person")
    out.write_text(re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
