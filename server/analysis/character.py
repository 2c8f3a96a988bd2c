"""Character: what kind of game it is, in a few sentences before any number."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from croupier.server.analysis.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.analysis.basics import Facts
    from croupier.server.analysis.measures import Figures
    from croupier.server.analysis.variance import VarianceShares

    Steps = Sequence[tuple[float, str]]
    """Words, each for numbers below a bound."""

SIZES: Steps = ((3, "a very short game"), (10, "a short game"), (40, "a game of medium length"), (inf, "a long game"))
"""Words by the number of choices of a player."""
OPTIONS: Steps = (
    (1.5, "with one option"),
    (3.5, "among two or three options"),
    (6, "among a few options"),
    (15, "among many options"),
    (inf, "among very many options"),
)
FORCED: Steps = ((0.2, ""), (0.5, ", and often has but one"), (inf, ", and in most cases has but one"))
TIMES = (
    "once", "once", "twice", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen",
)  # fmt: skip
TENS = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "a hundred")
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
PLAYERS = {
    "order": "a player that tries out each option",
    "sensible-order": "the bundled bot",
    "search-order": "a player that searches",
}
"""The player among random ones, by the measure of how often it won."""
PAYS: Steps = (
    (0.2, "Thinking pays a little: {} wins more than its share against random players."),
    (0.5, "Thinking pays: {} wins much more than its share against random players."),
    (inf, "Thinking pays a great deal: {} wins most games against random players."),
)
SOURCES = {
    "deal": "the cards that are dealt",
    "seat": "the seat",
    "player": "who plays better",
    "opponents": "how the others play, and luck within the game",
}
OF_THE_DEAL: Steps = ((0.1, "hardly anything"), (0.4, "a part"), (inf, "much"))
CHANGES: Steps = (
    (0.5, "hardly ever changes"),
    (1.5, "changes about once a game"),
    (3.5, "changes a few times a game"),
    (inf, "changes often"),
)
DECIDED: Steps = ((1 / 3, "early"), (2 / 3, "about halfway"), (inf, "only near the end"))
OFTEN = 0.1


def character(name: str, figures: Figures, facts: Facts, options: float) -> list[str]:
    """Return three to six sentences about a game; one, if no random game came to an end.

    ``options`` is the median number of options: a single choice among hundreds is not what a game is like.
    """
    if figures.numbers["length"].mean is None:
        return [f"No random game of {name} came to an end."]
    return [
        _size(name, figures, facts, options),
        _seats(figures, facts),
        _skill(figures),
        *([] if figures.variance is None else [_luck(figures.variance)]),
        *_course(figures),
        *_ends(figures),
    ]


def _size(name: str, figures: Figures, facts: Facts, options: float) -> str:
    choices = _mean(figures, "length") / facts.seats
    forced = _word(FORCED, _mean(figures, "forced"))
    chooses = f"a player chooses {_times(choices)}, mostly {_word(OPTIONS, options)}{forced}"
    return f"{name} is {_word(SIZES, choices)}: {chooses}."


def _times(number: float) -> str:
    """Return how often, in words: exactly up to fifteen, then by tens."""
    whole = round(number)
    if whole < len(TIMES):
        return TIMES[whole] + (" times" if whole > 2 else "")
    tens = round(number / 10)
    return f"about {TENS[tens - 1]} times" if tens <= len(TENS) else "more than a hundred times"


def _seats(figures: Figures, facts: Facts) -> str:
    wins = [seat.wins for seat in figures.basics[Table.RANDOM].seats]
    due = 1 / facts.seats  # partners share a win
    more = [place for place, each in enumerate(wins) if each.low is not None and each.low > due]
    less = [place for place, each in enumerate(wins) if each.high is not None and each.high < due]
    if not more and not less:
        return "No seat is known to be better than another."
    kinds = [f"{word} in {_in_order(which)}" for word, which in (("more", more), ("less", less)) if which]
    return f"Random players do not win alike in every seat: {', '.join(kinds)}."


def _in_order(places: Sequence[int]) -> str:
    *names, last = (f"the {PLACES[place] if place < len(PLACES) else f'{place + 1}th'}" for place in places)
    return f"{', '.join(names)} and {last} seat" if names else f"{last} seat"


def _skill(figures: Figures) -> str:
    known = [name for name in PLAYERS if name in figures.measures and figures.measures[name].mean is not None]
    if not known:
        return "Whether thinking pays was not measured."
    sure = [name for name in known if (figures.measures[name].low or 0) > 0]
    if not sure:
        who = PLAYERS[known[0]]
        return f"Whether thinking pays is not known yet: the lead of {who} over random players may be chance."
    return _word(PAYS, figures.measures[sure[0]].mean or 0).format(PLAYERS[sure[0]])


def _luck(shares: VarianceShares) -> str:
    known = {source: share.mean or 0 for source, share in shares._asdict().items()}
    most = max(known, key=known.__getitem__)
    said = f"What a player scores depends {'mostly' if known[most] > 0.5 else 'most'} on {SOURCES[most]}"
    return f"{said}." if most == "deal" else f"{said}; the deal explains {_word(OF_THE_DEAL, known['deal'])}."


def _course(figures: Figures) -> Iterator[str]:
    changes, decided = (figures.measures.get(name) for name in ("lead-changes", "decisiveness"))
    if changes is not None and decided is not None and changes.mean is not None and decided.mean is not None:
        lead, winner = _word(CHANGES, changes.mean), _word(DECIDED, decided.mean)
        yield f"Among thinking players the lead {lead}, and the winner is known {winner}."


def _ends(figures: Figures) -> Iterator[str]:
    ties, void = _mean(figures, "ties") > OFTEN, _mean(figures, "void") > 0
    if ties:
        yield f"Opponents often share the first place{', and some random games come to no end' if void else ''}."
    elif void:
        yield "Some random games come to no end."


def _mean(figures: Figures, name: str) -> float:
    return figures.numbers[name].mean or 0


def _word(steps: Steps, number: float) -> str:
    return next(word for bound, word in steps if number < bound)
