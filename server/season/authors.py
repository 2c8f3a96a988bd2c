"""Authors: who has handed something in, known again from night to night by the name of a folder or an archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.server import names
from croupier.server.entries import distinct_names
from croupier.server.season.archives import Refused, digest, ending
from croupier.server.season.folder import Author, BadSeason
from croupier.server.season.judging import Found

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from croupier.server.season.folder import Ledger
    from croupier.server.season.settings import SeasonGame


def listing(folder: Path) -> tuple[dict[str, list[Path]], list[str]]:
    """Return what each author has handed in, by stem, and a sentence for each file that is nobody's."""
    found: dict[str, list[Path]] = {}
    strange: list[str] = []
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as problem:
        raise BadSeason(
            f"{folder} cannot be read: {problem.strerror}; it has a folder or an archive per author"
        ) from None
    for path in inside:
        packed = ending(path.name)
        if path.is_symlink() or not (path.is_dir() or (packed and path.is_file())):
            strange.append(f"{path} is neither a folder nor an archive (.zip, .tar, .tar.gz, .tgz): it is left out")
        else:
            found.setdefault(path.name if path.is_dir() else path.name.removesuffix(packed), []).append(path)
    return found, strange


def take_stock(ledger: Ledger, stems: Iterable[str], games: Sequence[SeasonGame]) -> Ledger:
    """Return the ledger with new authors, and with those marked whose folder or archive is gone, or there again.

    A name stays as it was given. Raise BadSeason if the season's own bots have got an author's name since.
    """
    stems = sorted(stems, key=lambda stem: (not names.good_name(stem), stem))
    fixed = {bot.name for game in games for bot in game.bots}
    if taken := next((author.name for author in ledger.authors if author.name in fixed), ""):
        raise BadSeason(f"season.toml has a bot {taken}, and an author is called so: call the bot otherwise")
    known = {author.stem: msgspec.structs.replace(author, gone=author.stem not in stems) for author in ledger.authors}
    fresh = [stem for stem in stems if stem not in known]
    used = (*sorted(fixed), *(author.name for author in known.values()))
    called = distinct_names((*used, *map(names.nearest, fresh)))[len(used) :]
    for stem, name in zip(fresh, called, strict=True):
        title = "" if stem == name else _title(stem, {*used, *called} - {name})
        known[stem] = Author(name=name, stem=stem, title=title)
    return msgspec.structs.replace(ledger, authors=tuple(known.values()))


def look_at(paths: Sequence[Path]) -> Found:
    """Return what an author has handed in, with its hash; what cannot be taken has the hash of the reason."""
    if len(paths) > 1:
        return Found.refusal(paths[0], f"there are {' and '.join(path.name for path in paths)}: leave one of them")
    try:
        return Found(paths[0], digest(paths[0]))
    except Refused as problem:
        return Found.refusal(paths[0], str(problem))


def _title(stem: str, others: Iterable[str]) -> str:
    """Return the original text as a title; empty if it could be taken for another name or is no good title."""
    taken = {names.looks(name) for name in others}
    if names.title_defect(stem) or not taken.isdisjoint({names.looks(stem), names.looks_without_version(stem)}):
        return ""
    return stem
