"""Hard games: those in which a bot did worst compared with others who held the same cards."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.pages.drawing import number, section, table, tag, text
from croupier.server.records.files import show_command
from croupier.server.tournaments.keeping.folder import RECORDS

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.keeping.store import Store
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.columns import Array, Columns, Places

MOST = 5


class HardGame(NamedTuple):
    """A game in which a bot did worse than others with the same cards in the same seat."""

    deal: int
    seating: tuple[str, ...]
    file: str
    place: int
    """The place of its record: the file, and the index there, from 0."""
    score: float
    others: float
    """The mean score of the others in that seat."""
    again: str
    """The command that shows the game."""


def find_hard_games(store: Store, games: Columns, name: str, home: Path, *, low_wins: bool) -> list[HardGame]:
    """Return a bot's worst games for a page in ``home``, one per deal, the worst first, without those with a fault."""
    if name not in games.names:
        return []
    game, scores, others = _beside_others(games, games.names.index(name))
    worse = (scores - others) * (1 if low_wins else -1)
    found: dict[int, HardGame] = {}
    for at in np.argsort(-worse, kind="stable").tolist():
        if not worse[at] > 0 or len(found) == MOST:  # nobody else had the cards of the last ones, which are NaN
            break
        deal, seating = int(games.deal[game[at]]), games.seatings[games.seating[game[at]]]
        if deal not in found:
            played, file, place = next(store.games("WHERE deal = ? AND seating = ? ", (deal, " ".join(seating))))
            again = show_command(os.path.relpath((store.folder / RECORDS / file).resolve(), home.resolve()), place + 1)
            found[deal] = HardGame(deal, played.seating, file, place, float(scores[at]), float(others[at]), again)
    return list(found.values())


def _beside_others(games: Columns, mine: int) -> tuple[Places, Array, Array]:
    """Return each game of a player, its score, and the mean of the others with these cards; NaN if there are none."""
    deals, deal = np.unique(games.deal, return_inverse=True)
    hand, size = deal[:, None] * games.width + np.arange(games.width), len(deals) * games.width
    there = (games.seats >= 0) & games.clean[:, None]
    own = there & (games.seats == mine)
    sums, counts = np.zeros(size), np.zeros(size)
    for which, sign in ((there, 1), (own, -1)):
        sums += sign * np.bincount(hand[which], games.scores[which], minlength=size)
        counts += sign * np.bincount(hand[which], minlength=size)
    others = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    return np.nonzero(own)[0], games.scores[own].astype(float), others[hand[own]]


def hard_games(findings: Findings) -> Section | None:
    """List a bot's worst games, each with the command that shows it and a link to its page, if it has one."""
    if not findings.hard:
        return None
    about = (
        "Where it did worst beside the others who held the same cards in the same seat: the cards are no excuse. Games"
        " with a fault are left out."
    )
    pages = {(page.file, page.place): page.page for page in findings.games}
    rows = []
    for each in findings.hard:
        page = pages.get((each.file, each.place))
        name = f"deal {each.deal}"
        rows.append(
            [
                name if page is None else tag("a", name, href=page),
                text(", ".join(each.seating)),
                number(each.score, 0),
                number(each.others, 1),
                tag("code", text(each.again)),
            ]
        )
    head = ["game", "seats", "its score", "others with its cards", "again"]
    return section("hard", "Its worst games", about, table(head, rows, "games cards"))
