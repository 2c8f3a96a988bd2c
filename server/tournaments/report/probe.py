"""Probe: how many answers of each bot changed when it was asked again, in worlds that it could not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import section, table, text
from croupier.server.table.played_game import probed_by_player

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.table.played_game import Probed
    from croupier.server.tournaments.keeping.store import Store
    from croupier.server.tournaments.report.findings import Findings


def read_probe(store: Store) -> dict[str, Probed]:
    """Return what the probe found of each bot, by name; empty if no game was probed."""
    found = probed_by_player(stored.game for stored in store.games("WHERE whys LIKE '%\"probe\"%' "))
    return dict(sorted(found.items()))


def probe(findings: Findings) -> Section | None:
    """Show what the probe found of each bot."""
    if not findings.probed:
        return None
    about = (
        "After their games the bots were sent the same again: in the same world, and in others, where the cards that"
        " they cannot see were dealt again. A bot that plays by its own cards answers the same. One that plays at"
        " random is not judged: compare both counts."
    )
    head = ("player", "verdict", "changed", "of", "changed in the same world", "of it", "not asked")
    rows = [
        (
            text(name),
            text(found.verdict),
            *(f"{count:,}" for count in (found.changed, found.asked, found.changed_again, found.again, found.skipped)),
        )
        for name, found in findings.probed.items()
    ]
    return section("probe", "Probe", about, table(head, rows, "cards sortable"))
