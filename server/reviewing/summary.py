"""Summary: the reviews of many games together, player by player."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.reviewing.decision import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Document = dict[str, Any]

LOSSY = {Label.INACCURACY.value, Label.MISTAKE.value}
WORST = 10
"""This many decisions and kinds of loss are listed."""


class _Game(NamedTuple):
    """A player's part in a game: its document, its seat, and the names of the others."""

    player: Document
    seat: int
    opponents: tuple[str, ...]


def summarize(reviews: Sequence[Document]) -> list[Document]:
    """Return what each player lost in all games together, a document per player in the order of names.

    All losses and errors are points per game. ``kinds`` begin with the most expensive. ``deal``, ``others`` and ``own``
    are the parts of ``worth``. They are left out where no game was played to its end; ``deal`` and ``others`` also
    where the decisions of others were not judged.
    """
    by_name: dict[str, list[_Game]] = defaultdict(list)
    for each in reviews:
        names = [player["name"] for player in each["players"]]
        for seat, player in enumerate(each["players"]):
            opponents = tuple([name for name in names if name != player["name"]])
            by_name[player["name"]].append(_Game(player, seat, opponents))
    return [
        _player(name, found)
        for name, found in sorted(by_name.items())
        if any(each.player["decisions"] for each in found)
    ]


def _player(name: str, played: Sequence[_Game]) -> Document:
    labels: Counter[str] = Counter()
    kinds: dict[str, list[Document]] = defaultdict(list)
    games = [each.player for each in played]
    for each in games:
        labels.update(each["labels"])
        for kind, loss in each["kinds"].items():
            kinds[kind].append(loss)
    finished = [each for each in games if each["worth"] is not None]
    split: Document = {}
    if finished:
        for part in ("deal", "others", "own"):
            parts = [each[part] for each in finished if each[part] is not None]
            if len(parts) == len(finished):
                split[part] = _mean(parts, len(parts))
        split["worth"] = round(sum(each["worth"] for each in finished) / len(finished), 4)
    listed = {
        kind: {"decisions": sum(each["decisions"] for each in losses), **_mean(losses, len(games))}
        for kind, losses in kinds.items()
    }
    return {
        "name": name,
        "games": len(games),
        "decisions": sum(each["decisions"] for each in games),
        "labels": dict(labels),
        **_lost(games),
        "kinds": dict(sorted(listed.items(), key=lambda item: -item[1]["loss"])),
        "seats": _by_seat(played),
        "opponents": _by_opponent(played),
        **split,
    }


def _by_seat(played: Sequence[_Game]) -> list[Document]:
    """Return what was lost per game in each seat that the player had; the first is 1."""
    by_seat: dict[int, list[Document]] = defaultdict(list)
    for each in played:
        by_seat[each.seat].append(each.player)
    return [{"seat": seat + 1, "games": len(games), **_lost(games)} for seat, games in sorted(by_seat.items())]


def _by_opponent(played: Sequence[_Game]) -> dict[str, Document]:
    """Return what was lost per game with each other player at the table, and what that one's losses brought."""
    by_name: dict[str, list[Document]] = defaultdict(list)
    for each in played:
        for name in each.opponents:
            by_name[name].append(each.player)
    found: dict[str, Document] = {}
    for name, games in sorted(by_name.items()):
        found[name] = {"games": len(games), **_lost(games)}
        brought = [each["brought"][name] for each in games if name in each["brought"]]
        if brought:
            found[name]["brought"] = _mean(brought, len(games))
    return found


def _lost(games: Sequence[Document]) -> Document:
    return _mean([each["loss"] for each in games], len(games))


def _mean(losses: Iterable[Document], games: int) -> Document:
    """Return the sum of some losses per game, with its standard error."""
    listed = list(losses)
    error = sqrt(sum(each["error"] ** 2 for each in listed))
    return {"loss": round(sum(each["loss"] for each in listed) / games, 4) + 0.0, "error": round(error / games, 4)}


def lossy(reviews: Iterable[Document]) -> list[Document]:
    """Return the decisions whose loss is no chance, each with its record."""
    return [
        {"record": each["record"], **decision}
        for each in reviews
        for decision in each["decisions"]
        if decision["label"] in LOSSY
    ]


def worst(reviews: Iterable[Document]) -> list[Document]:
    """Return the most expensive decisions of all games."""
    return sorted(lossy(reviews), key=lambda decision: -decision["loss"])[:WORST]


def commonest(reviews: Iterable[Document]) -> list[Document]:
    """Return the kinds of decisions by which players lost most in all games together, with the number of them."""
    total: dict[tuple[str, str], list[float]] = defaultdict(list)
    for decision in lossy(reviews):
        total[decision["player"], decision["kind"]].append(decision["loss"])
    ranked = sorted(total.items(), key=lambda item: -sum(item[1]))[:WORST]
    return [
        {"player": player, "kind": kind, "decisions": len(losses), "loss": round(sum(losses), 4)}
        for (player, kind), losses in ranked
    ]
