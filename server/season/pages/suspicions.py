"""Suspicions: the section on soft play, which says what chance does not explain, and never more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, number, section, table, tag, text
from croupier.server.season.pages.rankings import linked

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.season.pages.gathered import GamePart, Season
    from croupier.server.tournaments.statistics.soft_play import Gift

ABOUT = (
    "What one bot gains with another at its table, beyond what the scores of both with all others lead to expect: in"
    " points a game, and in the share of comparisons that it wins. The bounds are wide enough for all pairs of a game"
    " together: chance alone names anybody in at most one of twenty games. More than chance explains is no proof of"
    " intent, because an honest bot may suit another. Look at their games together."
)


def soft_play(season: Season) -> Section | None:
    """List the pairs whose results are more than chance explains, game by game."""
    if not season.games:
        return None
    found = [(part, gift) for part in season.games for gift in part.soft.found]
    body = _table(season, found) if found else ""
    notes = "".join(tag("p", text(f"{part.title}: {_counted(part)}"), class_="note") for part in season.games)
    return section("soft-play", "Soft play", ABOUT, body, notes)


def soft_play_of(season: Season, author: str) -> Section | None:
    """List those that one author's bot gave or took; None if there are none."""
    found = [(part, gift) for part in season.games for gift in part.soft.of(author)]
    return section("soft-play", "Soft play", ABOUT, _table(season, found)) if found else None


def _table(season: Season, found: list[tuple[GamePart, Gift]]) -> str:
    rows = [
        [
            f"{linked(season, gift.giver)} to {linked(season, gift.taker)}",
            text(part.title),
            _measured(gift, "points"),
            _measured(gift, "wins"),
            number(gift.points.sets or gift.wins.sets, 0),
            "more than chance explains",
        ]
        for part, gift in found
    ]
    head = ["gave", "game", "points a game", "wins declined", "deals together", ""]
    return table(head, rows, "doubts cards")


def _measured(gift: Gift, kind: str) -> str:
    score = gift.points if kind == "points" else gift.wins
    said = interval(score, 2, "+")
    return tag("strong", said) if kind in gift.kinds else said


def _counted(part: GamePart) -> str:
    """Return in words how many pairs could be judged."""
    judged = {gift.pair for gift in part.soft.gifts if gift.points.low is not None or gift.wins.low is not None}
    more = len({gift.pair for gift in part.soft.found})
    rest = part.soft.pairs - len(judged)
    waiting = f" {rest} have not met often enough, or in too uniform company, to be judged." if rest else ""
    if not judged:
        return "no pair has met often enough, in varied company, to be judged."
    said = "none shows" if not more else "one shows" if more == 1 else f"{more} show"
    return f"of {len(judged)} pairs that can be judged, {said} more than chance explains.{waiting}"
