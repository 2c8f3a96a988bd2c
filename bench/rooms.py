"""Draw the rooms of the source and the arrows between them, from the imports themselves, as SVG.

    python bench/rooms.py docs/pictures/rooms.svg           write the picture
    python bench/rooms.py --check docs/pictures/rooms.svg   fail if the imports have changed since it was written

The order of the rooms is the one that import-linter holds (pyproject.toml); an arrow that points up is drawn in red.
"""

from __future__ import annotations

import sys
import textwrap
import tomllib
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
WIDTH, LEFT, RIGHT = 900, 20, 470
LINE, GAP, CHARACTERS = 15, 18, 78
COLOURS = ("#4477aa", "#228833", "#aa7700", "#aa3377", "#007788", "#666666")
STYLE = (
    "text{font:13px sans-serif;fill:#222}.name{font-weight:bold}.in{font-size:11px;fill:#555}"
    ".room{fill:#f6f4ee;stroke:#998;rx:5}path{fill:none;stroke-width:1.6}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.in{fill:#bbb}.room{fill:#26282c;stroke:#667}}"
)


def rooms() -> list[str]:
    """List the rooms from top to bottom, as import-linter has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    server = next(each["layers"] for each in contracts if each.get("containers") == ["croupier.server"])
    names = [name.strip() for layer in server for name in layer.split("|")]
    return [*(f"server.{name}" for name in names), "agents", "protocol"]


def room_of(module: str, known: list[str]) -> str | None:
    """Return the room in which a module lies."""
    inside = module.removeprefix("croupier.")
    return next((name for name in known if f"{inside}.".startswith(f"{name}.")), None)


def arrows(known: list[str]) -> list[tuple[str, str]]:
    """List which room imports which, once each."""
    graph = grimp.build_graph("croupier", cache_dir=None)
    found = {
        (room_of(module, known), room_of(imported, known))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    }
    return sorted((one, other) for one, other in found if one and other and one != other)


def inside(room: str) -> list[str]:
    """Return the contents of a room, as lines of text; folders end in a slash."""
    folder = ROOT / room.replace(".", "/")
    if not folder.is_dir():
        return []
    parts = [path.stem if path.is_file() else f"{path.name}/" for path in sorted(folder.iterdir()) if _is_ours(path)]
    return textwrap.wrap("  ".join(parts), CHARACTERS)


def _is_ours(path: Path) -> bool:
    return path.stem != "__init__" and (path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py"))))


def picture() -> str:
    """Return the SVG: a column of rooms, and to its right an arrow from each to every room that it imports."""
    known = rooms()
    boxes, middle, y = [], {}, GAP
    for room in known:
        lines = inside(room)
        height = LINE * (len(lines) + 1) + 10
        boxes.append(f'<rect class="room" x="{LEFT}" y="{y}" width="{RIGHT - LEFT}" height="{height}"/>')
        boxes.append(f'<text class="name" x="{LEFT + 10}" y="{y + LINE + 1}">{room.replace(".", "/")}</text>')
        for number, line in enumerate(lines, 2):
            boxes.append(f'<text class="in" x="{LEFT + 10}" y="{y + LINE * number + 1}">{escape(line)}</text>')
        middle[room] = y + height / 2
        y += height + GAP
    curves = [_curve(one, other, known, middle) for one, other in arrows(known)]
    heads = "".join(
        f'<marker id="h{colour[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" style="fill:{colour};stroke:none"/></marker>'
        for colour in (*COLOURS, "#cc0000")
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" role="img">',
            "<title>The rooms of the source, and which imports which</title>",
            f"<style>{STYLE}</style><defs>{heads}</defs>",
            *boxes,
            *curves,
            "</svg>\n",
        ]
    )


def _curve(one: str, other: str, known: list[str], middle: dict[str, float]) -> str:
    place = known.index(one)
    colour = COLOURS[place % len(COLOURS)] if known.index(other) > place else "#cc0000"
    start, end = middle[one] + 4, middle[other] - 6 + place % 5 * 3
    bulge = RIGHT + 50 + abs(end - start) * 0.5
    return (
        f'<path d="M{RIGHT} {start:g}C{bulge:g} {start:g} {bulge:g} {end:g} {RIGHT + 3} {end:g}" '
        f'stroke="{colour}" marker-end="url(#h{colour[1:]})"><title>{one} imports {other}</title></path>'
    )


def main() -> int:
    """Write the picture, or report that it is out of date."""
    *option, file = sys.argv[1:]
    drawn = picture()
    if option != ["--check"]:
        Path(file).write_text(drawn)
        return 0
    if Path(file).read_text() == drawn:
        return 0
    print(f"{file} shows other rooms or arrows than the source has: python bench/rooms.py {file}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
