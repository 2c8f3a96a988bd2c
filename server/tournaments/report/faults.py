"""Faults: who committed which, by cause, with an example of question and answer."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from croupier.server.pages.drawing import section, table, tag, text
from croupier.server.records.blame import deals_in_words
from croupier.server.table.faults import Kind
from croupier.server.terminal import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.exchanges import Exchange
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.standings import Ranked

LONGEST = 600
"""The most characters of a question and of an answer that are shown."""
MOST_KINDS = 3
"""The number of columns that fit on a phone."""


def faults(findings: Findings) -> Section:
    """Show the faults of everybody, or of the page's bot."""
    mine = [player for player in findings.standings.players if findings.own in {None, player.name}]
    guilty = [player for player in mine if any(player.faults.values())]
    if not guilty:
        said = f"{text(findings.own)} committed no faults." if findings.own else "Nobody committed a fault."
        return section("faults", "Faults", said)
    about = (
        "A fault never pays: it costs at least the game's penalty, a stand-in plays on where there are others, and the"
        " program is started afresh. Each cause has one example, with the last question and all that came. The command"
        " that shows its game again is for the folder of this page."
    )
    order = [player.name for player in guilty]
    found = sorted(findings.exchanges, key=lambda exchange: order.index(exchange.name))
    by_name = groupby(found, key=lambda exchange: exchange.name)
    entries = (_entry(name, each, findings.left_out.get(name, 0)) for name, each in by_name)
    return section("faults", "Faults", about, _counts(guilty), *entries)


def _counts(guilty: Sequence[Ranked]) -> str:
    kinds = [kind.value for kind in Kind if any(player.faults.get(kind.value) for player in guilty)]
    rows = [
        [
            text(player.name),
            *(f"{player.faults[kind]:,}" if player.faults[kind] else "" for kind in kinds),
            f"{player.faults_committed / max(player.games - player.games_withdrawn, 1):.1%}",
        ]
        for player in guilty
    ]
    return table(["player", *kinds, "of games played"], rows, f"sortable{' cards' if len(kinds) > MOST_KINDS else ''}")


def _entry(name: str, exchanges: Iterable[Exchange], left_out: int) -> str:
    more = f"{left_out} more causes: {tag('code', 'croupier standings --json')} lists them all."
    note = tag("p", more, class_="note") if left_out else ""
    return tag("div", tag("h3", text(name)), *map(_exchange, exchanges), note, class_="exchanges")


def _exchange(each: Exchange) -> str:
    said = {"asked": each.asked, "answered": each.received}
    parts = [
        tag("dt", title) + tag("dd", tag("pre", text(escape(words, LONGEST)) or "nothing"))
        for title, words in said.items()
    ]
    if each.hint:
        parts.insert(0, tag("dt", "hint") + tag("dd", text(each.hint)))
    again = tag("dt", "again") + tag("dd", tag("code", text(each.again)))
    where = deals_in_words(each.deals or [each.deal])
    head = tag("summary", tag("b", text(each.kind)), f" {text(each.why)} ", tag("small", where))
    return tag("details", head, tag("dl", *parts, again))
