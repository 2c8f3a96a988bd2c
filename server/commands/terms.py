"""Terms: the options for a bot's time in a game, the consequences of a fault, and access to the network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from croupier.server.commands import wrong
from croupier.server.commands.command import option
from croupier.server.refusals import Milliseconds
from croupier.server.table.clock import REPLIES
from croupier.server.table.faults import Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.entries import Entry

network_option = option(
    "--network", multiple=True, metavar="NAME", help="Let this bot use the network. May be repeated."
)


def terms_options(command: Any) -> Any:
    """Add the options for a bot's time in a game, in addition to that for a reply, and for the cost of a fault."""
    bank = option(
        "--bank",
        type=Milliseconds(0),
        help="Reserve beyond --time for all of a game, in milliseconds. With --time 0 there is nothing but this.",
    )
    total = option(
        "--total",
        type=Milliseconds(1),
        help="How long all of a bot's replies in a game may take together, in milliseconds."
        f"  [default: {REPLIES} replies and the bank]",
    )
    fault = option(
        "--on-fault",
        type=click.Choice([policy.value for policy in Policy]),
        help="What follows a fault.  [default: forfeit at a table of two, else stand-in]",
    )
    return bank(total(fault(command)))


def with_network(seated: Sequence[Entry], names: Sequence[str]) -> list[Entry]:
    """Return the entries, with the network for those named. Refuse the call if no entry has such a name."""
    if unknown := sorted({*names} - {entry.name for entry in seated}):
        wrong(f"--network {unknown[0]}: nobody here is called so; they are {', '.join(each.name for each in seated)}")
    return [replace(entry, network=entry.name in names) for entry in seated]
