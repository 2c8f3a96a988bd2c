"""Check the English of docs, docstrings and comments: phrases that readers had to read twice, and long sentences.

    python bench/prose.py            list the findings; exit 1 if a place has more than its ceiling
    python bench/prose.py --count    print the count of each place, for its ceiling

A ceiling may only go down: a place with fewer findings than its ceiling is reported. The check is a table because
proselint has neither these phrases nor a check of length, and vale's package downloads its program.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
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
CEILINGS = {
    "server/": 19,
    "tests/": 3,
}
"""How many findings a place still has: a page of docs, or a folder of code. All other places have none."""


class Finding(NamedTuple):
    """A faulty sentence, its place, and what to write."""

    place: str
    file: Path
    line: int
    text: str
    advice: str


def findings(place: str, file: Path, line: int, paragraph: str, *, length: bool = True) -> Iterator[Finding]:
    """Judge a paragraph, sentence by sentence."""
    for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z(\"'*`-])|(?<=\.\))\s+|(?<=:)\s", " ".join(paragraph.split())):
        if any(piece in sentence for piece in ALLOWED):
            continue
        for pattern, advice in PATTERNS.items():
            if re.search(pattern, sentence):
                yield Finding(place, file.relative_to(ROOT), line, sentence, advice)
        if length and len(sentence.split()) > LONGEST:
            yield Finding(
                place,
                file.relative_to(ROOT),
                line,
                sentence,
                f"{len(sentence.split())} words: make two sentences of it",
            )


def in_page(path: Path) -> Iterator[Finding]:
    """Judge a page: paragraphs, items and headings by phrases and length, cells of tables by phrases alone."""
    place = str(path.relative_to(ROOT))
    text = re.sub(r"(?ms)^( *)```.*?^\1```", lambda found: "\n" * found[0].count("\n"), path.read_text("utf-8"))
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    paragraph: list[str] = []
    start = 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        opens = re.match(r"\s*([-*]|\d+\.) |#", line)
        if paragraph and (not line.strip() or opens or line.startswith("|")):
            yield from findings(place, path, start, " ".join(paragraph))
            paragraph = []
        if line.startswith("|"):
            for cell in line.strip("|").split("|"):
                yield from findings(place, path, number, cell, length=False)
        elif line.strip() and not line.startswith("    "):
            start = start if paragraph else number
            paragraph.append(re.sub(r"^\s*([-*]|\d+\.|#+) ", "", line))


def in_code(path: Path) -> Iterator[Finding]:
    """Judge the docstrings and comments of a module, as one place with its folder."""
    place = f"{path.relative_to(ROOT).parts[0]}/"
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                for paragraph in re.split(r"\n\s*\n|\n(?=\s*- )", cleandoc(text)):
                    if not paragraph.startswith(("    ", "====")):
                        yield from findings(place, path, node.lineno, re.sub(r"``[^`]*``", "CODE", paragraph))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from findings(place, path, token.start[0], token.string.lstrip("# "))


def everything() -> Iterator[Finding]:
    """Judge the whole project."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        yield from in_page(page)
    for folder in ("agents", "protocol", "server", "bench", "tests"):
        for module in sorted((ROOT / folder).rglob("*.py")):
            yield from in_code(module)


def main(words: list[str]) -> int:
    """Print the findings; return 1 if a ceiling does not fit."""
    found = list(everything())
    counts = Counter(each.place for each in found)
    if "--count" in words:
        sys.stdout.writelines(f'    "{place}": {count},\n' for place, count in sorted(counts.items()))
        return 0
    status = 0
    for place in sorted({*counts, *CEILINGS}):
        ceiling = CEILINGS.get(place, 0)
        if counts[place] > ceiling:
            status = 1
            for each in found:
                if each.place == place:
                    sys.stdout.write(f"{each.file}:{each.line}: {each.text}\n    {each.advice}\n")
            sys.stdout.write(f"{place} has {counts[place]}, at most {ceiling}\n")
        elif counts[place] < ceiling:
            sys.stdout.write(f"{place} has only {counts[place]}: lower its ceiling from {ceiling} in bench/prose.py\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
