"""Document: everything that a report shows, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.tournaments.statistics.intervals import rounded
from croupier.server.tournaments.statistics.times import middle

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.standings import Ranked


def document(findings: Findings) -> dict[str, Any]:
    """Return the content of everybody's page in the form of ``standings --json``."""
    table = findings.standings.document()
    ranked = zip(findings.standings.players, table["players"], strict=True)
    return {
        **table,
        "options": [each.given for each in findings.options],
        "format": findings.form,
        "deals": findings.deals,
        "days": list(findings.days),
        "key": findings.revealed,
        "low_wins": findings.low_wins,
        "soft_play": [gift.document() for gift in findings.soft.found],
        "players": [line | _more(player, findings) for player, line in ranked],
        **findings.confinement.document(),
        **findings.bond.document(),
        **({"spent": findings.spent.document(findings.budget)} if findings.budget or findings.spent.usage else {}),
    }


def _more(player: Ranked, findings: Findings) -> dict[str, Any]:
    """Return what the standings do not say of a bot."""
    name, usage, probed = player.name, findings.spent.usage, findings.probed
    return {
        "seats": [{"games": seat.games, "mean": rounded(seat.mean)} for seat in player.seats],
        "scores": {str(score): number for score, number in sorted(findings.scores[name].items())},
        "convergence": [{"sets": each.sets, **each.document()} for each in findings.curves[name]],
        "thinking": [
            [rounded(middle(bucket) / 1000), number] for bucket, number in sorted(findings.times[name].items())
        ],
        "burnt": findings.burnt.get(name),
        "examples": [
            {
                "kind": each.kind,
                "why": each.why,
                "asked": each.asked,
                "received": each.received,
                "hint": each.hint,
                "show": each.again,
                "deals": list(each.deals),
            }
            for each in findings.exchanges
            if each.name == name
        ],
        **({"usage": usage[name].document()} if name in usage else {}),
        **({"probe": probed[name].document()} if name in probed else {}),
    }
