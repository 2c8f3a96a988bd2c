"""Reviewed page: the viewer's page of a game with what each play of it was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.sexp import parse
from croupier.server.records.replay import Replay
from croupier.server.viewer import page_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.server.games.game import Game

    Document = dict[str, Any]


def reviewed_data(
    review: Document, text: str, find: Callable[[str], type[Game]], file: str = "", seat: int | None = None
) -> dict[str, Any]:
    """Return everything that the page of a reviewed record shows; raise Invalid if the record breaks the rules.

    For one seat that is its own decisions by what it knew. What plays were worth with all cards open is left out,
    because the hidden cards would follow from it.
    """
    replay = Replay(text, find)
    players = replay.game.players
    shown = page_data(replay, file, seat)
    of_seat = [each for each in review["decisions"] if seat is None or each["player"] == players[seat]]
    in_words = _plays_in_words(text, find, {each["line"]: each for each in of_seat})
    decisions = [
        {
            "at": each["moment"],
            "seat": players.index(each["player"]),
            "label": each["label"],
            "plays": in_words[each["line"]],
            "known": _sight(each, ""),
            **({"open": _sight(each, "_open")} if seat is None else {}),
        }
        for each in of_seat
    ]
    return shown | {"review": {"budget": budget_in_words(review["budget"]), "decisions": decisions}}


def budget_in_words(budget: Mapping[str, float]) -> str:
    """Return what each decision of a review got, such as ``200 ms a decision``."""
    [(unit, number)] = budget.items()
    return f"{number:g} {'ms' if unit == 'ms' else 'playouts'} a decision"


def _sight(decision: Document, which: str) -> dict[str, Any]:
    """Return a decision's worths by one knowledge: the number of the best play, its lead, and each play's worth."""
    plays = decision["plays"]
    return {
        "best": next(place for place, each in enumerate(plays) if each["play"] == decision[f"best{which}"]),
        "loss": [decision[f"loss{which}"], decision[f"error{which}"]],
        "worths": [[each[f"worth{which}"], each[f"error{which}"]] for each in plays],
    }


def _plays_in_words(
    text: str, find: Callable[[str], type[Game]], decisions: Mapping[int, Document]
) -> dict[int, list[str]]:
    """Return each decision's plays in the words in which the page offers them, by its line."""
    replay, found = Replay(text, find), {}
    broadcast = replay.game.BROADCAST(replay.game)
    broadcast.drawn = True
    for step in replay.steps():
        if step.line in decisions:
            view = replay.game.view(step.seat)
            plays: list[Any] = [parse(each["play"]) for each in decisions[step.line]["plays"]]
            found[step.line] = [broadcast.words_for_choice(view, play) for play in plays]
    return found
