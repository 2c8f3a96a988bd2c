"""Draw docs/pictures/learning.svg: how a network learns Sedma, from the table of docs/how-to/learn-sedma.md.

    python -m bench.learning

The rows of the table are what examples/learning/sedma.py prints.
"""

from __future__ import annotations

import re
from pathlib import Path

from bench.pictures import Line, chart

DOCS = Path(__file__).parent.parent / "docs"
PAGE, PICTURE = DOCS / "how-to" / "learn-sedma.md", DOCS / "pictures" / "learning.svg"
ROW = re.compile(r"^\| ([\d,]+) \| [-+.\d]+ ± [.\d]+ \| ([.\d]+)% ± ([.\d]+)% \|$", re.MULTILINE)
BETWEEN, LEVEL = (30, 60), 50
"""The percentages that are drawn, and that of players who are equally strong."""


def drawn(page: str) -> str:
    """Return the picture of a page's table."""
    rows = [[float(cell.replace(",", "")) for cell in row] for row in ROW.findall(page)]
    games = [int(row[0]) for row in rows]
    name, bounds = "hands won", "95 % interval"
    lines = [
        Line(name, "mean", [won for _, won, _ in rows]),
        Line(name, bounds, [won - reach for _, won, reach in rows]),
        Line(name, bounds, [won + reach for _, won, reach in rows]),
    ]
    title = "Hands of Sedma won against the bundled bot, in per cent, by games learned from"
    return chart(title, games, "", lines, BETWEEN, LEVEL)


if __name__ == "__main__":
    PICTURE.write_text(drawn(PAGE.read_text("utf-8")))
