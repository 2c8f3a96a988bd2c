"""Terms: the options of a command that say how much time a bot has in a game, and what follows a fault."""

from __future__ import annotations

from typing import Any

import click

from croupier.server.table.clock import REPLIES
from croupier.server.table.faults import Policy


def terms_options(command: Any) -> Any:
    """Add the options that say how much time a bot has in a game, beside that for a reply, and what a fault costs."""
    bank = click.option(
        "--bank",
        type=click.IntRange(0),
        help="Milliseconds of reserve a game, beyond --time; with --time 0 there is no more.",
    )
    total = click.option(
        "--total",
        type=click.IntRange(1),
        help=f"Milliseconds for all of a bot's replies in a game.  [default: {REPLIES} replies and the bank]",
    )
    fault = click.option(
        "--on-fault",
        type=click.Choice([policy.value for policy in Policy]),
        help="What follows a fault.  [default: forfeit at two, else stand-in]",
    )
    return bank(total(fault(command)))
