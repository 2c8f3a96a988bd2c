"""Names: what a player may be called, names made from file and folder names, and titles for readers."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from croupier.server.terminal import printable

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 32
NAME = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{0,{LONGEST - 1}}}")
RESERVED = {"nan", "inf", "infinity", "t", "nil", "table"}
LONGEST_TITLE = 40
_SAY_NOTHING = {"__main__", "agent", "bot", "index", "main"}
"""Names that many programs have and that do not distinguish them."""
_INNER = _SAY_NOTHING | {"bin", "build", "debug", "dist", "out", "release", "src", "target"}
"""Folders inside the one that is named after the bot."""
_SPELLED = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
"""Letters that Unicode does not decompose into a letter with a mark."""
_WRITTEN_TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}
"""Scripts whose letters resemble no others and are used beside them."""
_MOST_MARKS = 2
_LOOK_ALIKE = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u04cf\u0501\u051b\u051d\u04bb"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9"
    "\u0131\u0251\u026101i",
    "abekmhopctyxsijldqwhabezhikmvoptyxwlagoll",
)
"""Cyrillic, Greek and other characters by the Latin letter or digit that they resemble, small or capital."""
_VERSION = re.compile(r"[^A-Za-z0-9]*v?[0-9]+$")


def good_name(name: str) -> bool:
    """Return whether a player may have this name."""
    return bool(NAME.fullmatch(name)) and name.lower() not in RESERVED


def nearest(text: str) -> str:
    """Return the nearest valid name to a text: letters without their marks, ``-`` for every invalid character."""
    letters = [char for char in unicodedata.normalize("NFKD", text.translate(_SPELLED)) if not _is_mark(char)]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", "".join(letters)).strip("-")[:LONGEST].rstrip("-") or "bot"
    if not name[0].isalpha():
        name = f"bot-{name}"[:LONGEST]
    return name if good_name(name) else f"{name}-bot"


def says_nothing(stem: str) -> bool:
    """Return whether a program's name, such as ``bot`` or ``Main``, tells nothing about it."""
    return stem.lower() in _SAY_NOTHING


def of_folder(path: Path) -> str:
    """Return a name made from the folder of a program, or from the folder around its src, bin and the like."""
    folders = (folder.name for folder in path.absolute().parents)
    return nearest(next((name for name in folders if name and name.lower() not in _INNER), path.stem))


def title_defect(title: str) -> str:
    """Return why a player may not have this title, as in "is empty"; empty if it may.

    A title must look like what it is: no invisible characters, none that control a terminal or reverse a line, and no
    word with letters of several scripts.
    """
    if not title.strip():
        return "is empty"
    if len(title) > LONGEST_TITLE:
        return f"has {len(title)} characters, and at most {LONGEST_TITLE} are shown"
    if not title.isprintable():
        return "has characters that are not printed"
    if title.split(" ") != title.split():
        return "begins or ends with a blank, or has two in a row"
    marks = [len(list(run)) for is_mark, run in groupby(title, _is_mark) if is_mark]
    if _is_mark(title[0]) or max(marks, default=0) > _MOST_MARKS:
        return "has more marks than letters to bear them"
    scripts = {_script(char) for char in unicodedata.normalize("NFKC", title) if char.isalpha()} - _WRITTEN_TOGETHER
    if len(scripts) > 1:
        return f"mixes the letters of several scripts: {', '.join(sorted(scripts)).lower()}"
    return "" if looks(title) else "has neither a letter nor a digit"


def looks(text: str) -> str:
    """Return what a text looks like to a reader: the same for two texts that are easily confused."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_SPELLED)
    letters = "".join(char for char in plain if char.isalnum()).translate(_LOOK_ALIKE)
    return letters.replace("rn", "m").replace("vv", "w")


def looks_without_version(text: str) -> str:
    """Return what a text looks like without the number at its end that a repeated name gets."""
    return looks(_VERSION.sub("", unicodedata.normalize("NFKC", text)))


def game_title(game: str) -> str:
    """Return the title of a game for readers, such as "Crazy eights" for ``recycle:crazy-eights`` or for its file."""
    words = re.sub(r"[-_]+", " ", PurePath(game.removeprefix("recycle:")).stem).strip()
    plain = printable(words or game)
    return plain[:1].upper() + plain[1:]


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split()[0]
