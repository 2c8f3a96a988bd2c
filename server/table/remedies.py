"""Remedies: what the author of a bot can do about a fault."""

from __future__ import annotations

from croupier.server.processes.sandbox_advice import cure
from croupier.server.table.faults import Kind

FLUSH = "Flush your output after every reply: into a pipe it is written only when a buffer is full."
WAITS = (
    "It used next to no CPU time meanwhile: it sleeps, or waits for more input, a lock, a file or another program."
    " `clock` in STATE says how many milliseconds a reply may take."
)
NO_LOOP = (
    "It ended by itself: one process answers all questions. Read standard input in a loop until that ends;"
    " a Python agent ends with drive(YourAgent())."
)
_ONE_LIST = (
    "A reply is one list of symbols and whole numbers such as (play h9), in plain ASCII;"
    ' in the JSON dialect one array, ["play", "h9"].'
)
BY_KIND = {
    Kind.TIMEOUT: "`clock` in STATE says how many milliseconds a reply may take; answer within them.",
    Kind.MALFORMED: _ONE_LIST,
    Kind.FLOODED: _ONE_LIST,
    Kind.UNKNOWN: "Look at `phase` in STATE: each has plays of its own; `croupier games GAME` lists them.",
    Kind.ILLEGAL: "Choose among the plays of `legal` in STATE; where it is left out there are more than 64.",
    Kind.UNASKED: "One reply to each `request` and each `attacked`, no more; notes go to standard error.",
}


def remedy(kind: Kind, why: str, received: str, errors: str = "") -> str:
    """Return what to do about a fault in a game that is over; nothing of what has no cure.

    ``why`` is what the table says of it, ``received`` what the bot answered, ``errors`` the end of its standard error.
    """
    match kind:
        case Kind.CRASHED if "it left with exit status 0" in why:
            return NO_LOOP
        case Kind.CRASHED:
            return cure(f"{errors}\n{why}")
        case Kind.TIMEOUT if why.endswith("it waits"):
            return f"{WAITS} {FLUSH}"
        case Kind.MALFORMED if not received.startswith(("(", "[", "{")):
            return BY_KIND[Kind.UNASKED]
    return BY_KIND.get(kind, "")
