"""Cost: what a tournament has cost, and the usage of bots that ask a provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import number, section, table, text

if TYPE_CHECKING:
    from croupier.agents.bridges.usage import Usage
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings


def cost(findings: Findings) -> Section | None:
    """Show the total, if there is a budget or a cost, and the usage of each bot that reports one."""
    spent, budget = findings.spent, findings.budget
    if not (spent.usage or budget):
        return None
    total = f"Spent so far: {text(spent.words(budget))}."
    if not spent.usage:
        return section("cost", "Cost", total)
    about = (
        "Bots that ask a language model wrote this into their notes: calls of the provider, questions asked again,"
        " tokens as the provider counts them, and the cost by the prices that the bot was given. "
    )
    head = (
        "player",
        "decisions",
        "calls",
        "retries",
        "tokens in",
        "cached",
        "tokens out",
        "cost",
        "cost of a decision",
    )
    rows = [(text(name), *_cells(used)) for name, used in spent.usage.items()]
    return section("cost", "Cost", about + total, table(head, rows, "cards sortable"))


def _cells(used: Usage) -> list[str]:
    counts = (used.decisions, used.calls, used.retries, used.tokens_in, used.cached, used.tokens_out)
    each = None if used.cost is None else used.cost / max(1, used.decisions)
    return [*(f"{count:,}" for count in counts), number(used.cost, 4), number(each, 6)]
