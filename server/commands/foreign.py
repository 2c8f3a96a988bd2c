"""``croupier replay --from``: other servers' games, as records of ours and against what those servers wrote down."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from croupier.server.commands import wrong
from croupier.server.records.readers.foreign import Unreadable
from croupier.server.records.replay import Invalid, Replay

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.server.records.readers.foreign import Foreign

FORMATS = {"iss": "iss", "doko": "doko"}
"""Each format's name and its module in `croupier.server.records.readers`."""


def verdicts(source: str, path: Path, text: str, records: Path | None) -> Iterator[dict[str, Any]]:
    """Yield a verdict on each game of a file; write each as a record into ``records`` if that is given."""
    reader = importlib.import_module(f"croupier.server.records.readers.{FORMATS[source]}")
    try:
        for number, game in enumerate(reader.read(text), 1):
            if records is not None:
                records.mkdir(parents=True, exist_ok=True)
                (records / f"{path.stem}-{number:04}.record").write_text(game.record, encoding="ascii")
            yield {"game": game.title, **_verdict(game)}
    except Unreadable as problem:
        wrong(f"{path}: {problem}")


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
