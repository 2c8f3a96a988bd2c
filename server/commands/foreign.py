"""``croupier replay --from``: other servers' games as our records, compared with what those servers wrote down."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from croupier.server.records.readers.foreign import NoGame
from croupier.server.records.replay import Invalid, Replay

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.server.records.readers.foreign import Foreign

FORMATS = {"iss": "iss", "doko": "doko", "xskat": "xskat"}
"""Each format's name and its module in `croupier.server.records.readers`."""


def verdicts(source: str, path: Path, text: str, records: Path | None) -> Iterator[dict[str, Any]]:
    """Yield a verdict on each game of a file, including those that cannot be read.

    Each readable game is also written as a record into ``records``, if that is given.
    """
    number = 0
    if hint := _elsewhere(source, text):
        yield unreadable(str(path), hint)
        return
    for number, game in enumerate(_reader(source).read(text), 1):
        if isinstance(game, NoGame):
            yield unreadable(game.title, game.why) | {"line": game.line}
            continue
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
            (records / f"{path.stem}-{number:04}.record").write_text(game.record, encoding="ascii")
        yield {"game": game.title, **_verdict(game)}
    if not number:
        yield unreadable(str(path), "no game in the file")


def unreadable(name: str, why: str) -> dict[str, Any]:
    """Return the verdict on a game, or a whole file, that cannot be read."""
    return {"game": name, "valid": False, "unreadable": True, "why": why}


def reads(text: str) -> str | None:
    """Return the name of the format that a text looks like, None if it is none of these."""
    return next((name for name in FORMATS if _reader(name).is_one(text)), None)


def _elsewhere(source: str, text: str) -> str:
    """Return which reader fits a text in another format than the named one; an empty string if the format is right."""
    if text.lstrip().startswith("(record"):
        return "this is a record: replay it without --from"
    other = reads(text)
    return f"--from {other} reads this" if other not in {None, source} else ""


def _reader(source: str) -> Any:
    return importlib.import_module(f"croupier.server.records.readers.{FORMATS[source]}")


def _verdict(game: Foreign) -> dict[str, Any]:
    try:
        replayed = Replay(game.record)
        for _ in replayed.steps():
            pass
        differences = game.differences(replayed.game)
    except Invalid as problem:
        return {"valid": False, "line": problem.line, "why": problem.why}
    if differences:
        return {"valid": False, "why": "; ".join(differences)}
    return {"valid": True, "scores": replayed.scores, **({"stopped": game.stopped} if game.stopped else {})}
