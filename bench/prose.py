"""Check the English of docs, docstrings and comments: phrases that readers had to read twice, and long sentences.

    python bench/prose.py    list the findings; exit 1 if there are any

The check is a table because proselint has neither these phrases nor a check of length, and vale's package downloads its
program.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
LONGEST = 30
"""Words per sentence: about 25 read well, and a list within a sentence needs some more."""
PATTERNS = {
    r"\bso manieth\b|\bafter so many\b|\bso many (milliseconds|games|sets|deals)\b": "name the number: N milliseconds",
    r"\bplays (him|her)self\b|\bwho types\b": "a noun: players, anyone at a shell",
    r"\bwhat (stands|lies|comes) (behind|before)\b|\bstands? behind\b": "the text after, what precedes it",
    r"\b(is|are) (another|others) than\b|\bothers than before\b": "has changed, different",
    r"\banew\b|\bonce more\b": "again",
    r"\bhangs? on\b": "depends on",
    r"\bby turns\b|\bin turns\b": "alternately, interleaved",
    r"\b(too|as|more) dear\b|\bdearer\b": "expensive, costs more",
    r"\bquick(er|est)?\b(?!\.\w)": "fast, faster",
    r"\bcomes? to the same\b": "are equivalent",
    r", as (nobody|nothing|there|each|it|they|he)\b": "because",
    r"\bof (the|its|their) \w+ the (first|last|second|most|least)\b": "the first deal, not 'of the deals the first'",
    r"\b(Tell|Say) whether\b": "Return whether",
    r"\b[Ww]hoever\b": "a noun: the player, anyone who",
    r"(?:^|[.!?:] )Who [^?]*[.;:]": "a noun: the player who",
    r"\bnought\b": "0, zero",
    r"\b\w*(colour|favour|neighbour|behaviour|honour|organis|generalis|licence)\w*": "American spelling",
    r"\b\w*(normalis|recognis|initialis|serialis|summaris|optimis(e|ing)|minimis|maximis)\w*": "American spelling",
    r"\b(mis)?spelt\b|\blearnt\b|\bcatalogue\b|\bgrey\b|\bcentre\b|\bper cent\b|\bfor ever\b": "American spelling",
    r"[;,] (and )?nothing (if|where|of|for|without)\b": "empty, None, 0",
    r"\bc[ao]mes? of (it|them|one|each|that|a|the|some)\b": "the result of",
    r"\b[Bb]e done with\b": "finish, end",
    r"^Say (what|who|why|how|if|so|in|by|when|which|where)\b": "Return what",
    r"(?<!the )(?<!this )(?<!next )(?<!that )\bone's own\b|\boneself\b": "the player's own, your own",
    r"\b(a|one) (row|line|record|column|process|set|batch|page|item|core|fault|game) an? "
    r"(row|record|column|process|set|batch|game|player|seat|bot|deal|unit|run|decision|option|trick|worker)\b": "per",
    r"\b[Ss]o (many|much)\b(?! (that|as|more|less|faster|for|choices))": "this many, or name the number",
    r"\bbut for\b": "except",
    r", for (it|they|he|she|there|nobody|most) (is|are|was|were|may|can|has|have|would|will|\w+s)\b": "because",
    r"\b(came|comes?|words?|texts?|follows?|numbers?|put|names?) behind\b": "after",
    r"\b(plays?|played|answers?|answered|goes|went|spelt|draws?|drew|seats?|reads?) otherwise\b": "differently",
    r"\bthrice\b|\bthereof\b|\btherein\b|\bwhence\b|\bforthwith\b": "plain words",
}
"""Phrases over which a native reader stumbles, and what to write instead."""
ALLOWED = {
    "Wang and Ramdas": "titles of papers",
    "infinite while k ≥ g": "a formula counts as many words",
}
"""A piece of each sentence that stays as it is, with the reason."""


class Finding(NamedTuple):
    """A faulty sentence, its file and line, and what to write."""

    file: Path
    line: int
    text: str
    advice: str


def findings(file: Path, line: int, paragraph: str, *, length: bool = True) -> Iterator[Finding]:
    """Judge a paragraph, sentence by sentence."""
    for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z(\"'*`-])|(?<=\.\))\s+|(?<=:)\s", " ".join(paragraph.split())):
        if any(piece in sentence for piece in ALLOWED):
            continue
        for pattern, advice in PATTERNS.items():
            if re.search(pattern, sentence):
                yield Finding(file.relative_to(ROOT), line, sentence, advice)
        if length and len(sentence.split()) > LONGEST:
            advice = f"{len(sentence.split())} words: make two sentences of it"
            yield Finding(file.relative_to(ROOT), line, sentence, advice)


def in_page(path: Path) -> Iterator[Finding]:
    """Judge a page: paragraphs, items and headings by phrases and length, cells of tables by phrases alone."""
    text = re.sub(r"(?ms)^( *)```.*?^\1```", lambda found: "\n" * found[0].count("\n"), path.read_text("utf-8"))
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    paragraph: list[str] = []
    start = 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        opens = re.match(r"\s*([-*]|\d+\.) |#", line)
        if paragraph and (not line.strip() or opens or line.startswith("|")):
            yield from findings(path, start, " ".join(paragraph))
            paragraph = []
        if line.startswith("|"):
            for cell in line.strip("|").split("|"):
                yield from findings(path, number, cell, length=False)
        elif line.strip() and not line.startswith("    "):
            start = start if paragraph else number
            paragraph.append(re.sub(r"^\s*([-*]|\d+\.|#+) ", "", line))


def in_code(path: Path) -> Iterator[Finding]:
    """Judge the docstrings and comments of a module."""
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                for paragraph in re.split(r"\n\s*\n|\n(?=\s*- )", cleandoc(text)):
                    if not paragraph.startswith(("    ", "====")):
                        yield from findings(path, node.lineno, re.sub(r"``[^`]*``", "CODE", paragraph))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from findings(path, token.start[0], token.string.lstrip("# "))


def everything() -> Iterator[Finding]:
    """Judge the whole project."""
    for page in [ROOT / "README.md", ROOT / "bench" / "NOTES.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        yield from in_page(page)
    for folder in ("agents", "protocol", "server", "bench", "examples", "tests"):
        for module in sorted((ROOT / folder).rglob("*.py")):
            yield from in_code(module)


def main() -> int:
    """Print the findings; return 1 if there are any."""
    found = list(everything())
    sys.stdout.writelines(f"{each.file}:{each.line}: {each.text}\n    {each.advice}\n" for each in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
