"""``croupier imagine``: full deals that agree with what one player sees."""

from __future__ import annotations

import json
import random
import sys
from itertools import islice
from pathlib import Path

import click

from croupier.protocol import json_dialect
from croupier.protocol.notifications import JSON, NATIVE
from croupier.server import imagining
from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.terminal import say
from croupier.server.texts import BadText, read_text

_ASKED = ("(request ", "(attacked ", '{"type": "request"', '{"type": "attacked"')
"""The beginnings of lines of a conversation that contain the STATE of a player on turn."""


@command(
    "croupier replay games/deal-01.record --sent duck '#5' | croupier imagine --count 3",
    name="imagine",
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@option("--count", type=click.IntRange(1), default=10, show_default=True, help="How many full deals are written.")
@option("--seed", help="Any text. The same text gives the same deals.  [default: other deals each time]")
@option(
    "--program",
    type=click.Path(exists=True, dir_okay=False),
    help="The RECYCLE program. Needed if it is not in the library.",
)
@option(
    "--dialect",
    type=click.Choice([NATIVE, JSON]),
    metavar="DIALECT",
    help="The dialect of the protocol. native or json.  [default: that of the text]",
)
@json_option
def imagine(
    file: Path | None, count: int, seed: str | None, program: str | None, dialect: str | None, *, as_json: bool
) -> None:
    """Write full deals that agree with a STATE: a line each, with what every player sees and what nobody sees.

    FILE has STATE, or what a player was sent: then it is that of the last question. Without FILE it is read from
    standard input.
    """
    text = _last_question(_read(file))
    dialect = dialect or (JSON if text.lstrip().startswith("{") else NATIVE)
    try:
        deals = list(islice(imagining.worlds(text, random.Random(seed), program), count))
    except imagining.BadState as problem:
        wrong(f"{file or 'standard input'}: {problem}")
    if as_json:
        print_json({"worlds": [*map(json_dialect.write_deal, deals)]})
        return
    for deal in deals:
        say(json.dumps(json_dialect.write_deal(deal)) if dialect == JSON else str(deal))


def _read(file: Path | None) -> str:
    try:
        return sys.stdin.read() if file is None else read_text(file)
    except (BadText, OSError, UnicodeDecodeError) as problem:
        wrong(f"{file or 'standard input'}: {problem}")


def _last_question(text: str) -> str:
    """Return the last line that asks for a play; the whole text if there is none."""
    asked = [line for line in text.splitlines() if line.startswith(_ASKED)]
    return asked[-1] if asked else text
