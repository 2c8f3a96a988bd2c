"""Budget: how much time, how many tokens or how much money a tournament may use."""

from __future__ import annotations

import re
from typing import NamedTuple

from croupier.server.suggestions import did_you_mean

SECONDS, TOKENS, MONEY = "time", "tokens", "money"
_UNITS = {
    **dict.fromkeys(("s", "sec", "second", "seconds"), (SECONDS, 1)),
    **dict.fromkeys(("m", "min", "minute", "minutes"), (SECONDS, 60)),
    **dict.fromkeys(("h", "hour", "hours"), (SECONDS, 3600)),
    **dict.fromkeys(("token", "tokens"), (TOKENS, 1)),
    **dict.fromkeys(("dollar", "dollars", "euro", "euros"), (MONEY, 1)),
}
"""Each unit's kind, and how many seconds, tokens or units of money it is. No money is converted."""
_TIMES = {"": 1, "k": 1000, "M": 1_000_000}
_FORM = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)(?: ?([kM]))?(?: ?([A-Za-z]+))?", re.ASCII)
WANTED = "write a time such as 90s, 10m or 2h, tokens such as 500k tokens or 1M tokens, or money such as 5 dollars"


class Budget(NamedTuple):
    """An amount of ``time`` in seconds, of ``tokens``, or of ``money`` in the currency of the prices."""

    kind: str
    amount: float

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Return the budget that a text states; raise ValueError with what is wrong with it."""
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"budget {text!r}: {WANTED}")
        number, times, unit = found.groups(default="")
        if not unit:
            hint = f"{number}m is minutes, {number}M tokens are tokens" if times == "M" else WANTED
            raise ValueError(f"budget {text!r} has no unit: {hint}")
        if unit not in _UNITS:
            raise ValueError(f"budget {text!r}: there is no unit {unit}{did_you_mean(unit, _UNITS)}; {WANTED}")
        kind, size = _UNITS[unit]
        if times and kind != TOKENS:
            raise ValueError(f"budget {text!r}: {times} goes with tokens; {WANTED}")
        amount = float(number) * _TIMES[times] * size
        if not amount:
            raise ValueError(f"budget {text!r}: it must be more than nothing")
        return cls(kind, amount)
