"""A played game as ``croupier play --json`` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.server.table.played_game import PlayedGame


def game_json(result: PlayedGame, path: Path | None) -> dict[str, object]:
    """Return one game in the form that scripts rely on."""
    names = result.seating

    def by_name(values: Sequence[float]) -> dict[str, float] | None:
        return dict(zip(names, values, strict=True)) if values else None

    return {
        "deal": result.deal,
        "seating": list(names),
        "scores": by_name(result.scores),
        "ranks": by_name(result.ranks),
        "outcome": result.outcome.value,
        **({"void": result.void} if result.void else {}),
        "faults": [
            {"player": names[fault.seat], "kind": fault.fault.kind.value, "why": fault.fault.description}
            for fault in result.faults
        ],
        "assisted": [names[seat] for seat in result.assisted],
        "decisions": result.decisions,
        "burnt": by_name([round(seconds, 3) for seconds in result.burnt]),
        **({"again": by_name([round(seconds, 3) for seconds in result.again])} if result.again else {}),
        "seconds": round(result.seconds, 6),
        "record": None if path is None else str(path),
    }
