"""How scores are spread, and how they fall by seat."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from croupier.server.tournaments.report.drawing import Scale, line, number, rect, section, svg, table, tag, text, words

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.standings import Ranked

BARS = 40
HEIGHT, FOOT = 84, 18


def spread(findings: Findings) -> str:
    """Draw a histogram of each player's scores, all on one scale."""
    every = [score for counted in findings.scores.values() for score in counted]
    if not every:
        return ""
    low, high = min(every), max(every)
    width = max(1, ceil((high - low + 1) / BARS))
    bins = ceil((high - low + 1) / width)
    shares = {name: _binned(counted, low, width, bins) for name, counted in findings.scores.items()}
    tallest = max(max(of_one) for of_one in shares.values()) or 1
    scale = Scale(low, low + bins * width)
    figures = [
        _figure(player, _histogram(player, shares[player.name], tallest, scale), findings.own)
        for player in findings.standings.players
        if player.games
    ]
    about = "The share of games that ended with each score, on one scale for all; the line is the mean."
    return section("scores", "Scores", about, tag("div", *figures, class_="figures"))


def _binned(counted: Counter[int], low: int, width: int, bins: int) -> list[float]:
    total = sum(counted.values()) or 1
    shares = [0.0] * bins
    for score, count in counted.items():
        shares[(score - low) // width] += count / total
    return shares


def _figure(player: Ranked, drawn: str, own: str | None) -> str:
    caption = tag("figcaption", text(player.name), tag("span", f"mean {number(player.score.mean)}"))
    return tag("figure", caption, drawn, class_="own" if player.name == own else None)


def _histogram(player: Ranked, shares: Sequence[float], tallest: float, scale: Scale) -> str:
    base, step = HEIGHT - FOOT, 100 / len(shares)
    width = round((scale.high - scale.low) / len(shares))
    shapes = [line(0, base, 100, base, "axis")]
    for place, share in enumerate(shares):
        if share:
            first = round(scale.low) + place * width
            hint = f"{first}{f' to {first + width - 1}' if width > 1 else ''}: {share:.1%} of games"
            height = max(1.0, (base - 6) * share / tallest)
            shapes.append(rect(place * step + step * 0.08, base - height, step * 0.84, height, "bar", hint))
    if player.score.mean is not None:
        at = scale.at(player.score.mean + 0.5)
        shapes.append(line(at, 2, at, base, "mark"))
    shapes.append(words(0, HEIGHT - 4, number(scale.low, 0), "start"))
    shapes.append(words(100, HEIGHT - 4, number(scale.high - 1, 0), "end"))
    return svg(HEIGHT, *shapes, label=f"{player.name}: how the scores are spread")


def seats(findings: Findings) -> str:
    """Show each player's mean by seat, coloured by how far it is from his own mean."""
    players = [player for player in findings.standings.players if player.games]
    width = max((len(player.seats) for player in players), default=0)
    if width < 2:
        return ""
    away = [_away(player, place) for player in players for place in range(width)]
    largest = max((abs(value) for value in away if value is not None), default=0) or 1
    rows = [
        [text(player.name), *(_seat(player, place, largest, findings) for place in range(len(player.seats)))]
        for player in players
    ]
    about = (
        "The mean score in each seat, from the first to play. Every deal is played in all its seatings, so no seat's"
        " advantage touches the standings. Deeper colours are further from the player's own mean."
    )
    head = ["", *(f"seat {place + 1}" for place in range(width))]
    return section("seats", "By seat", about, table(head, rows, "seats sortable"))


def _seat(player: Ranked, place: int, largest: float, findings: Findings) -> str:
    off = _away(player, place)
    if off is None:
        return number(None)
    side = "better" if (off < 0) == findings.low_wins else "worse"
    hint = f"{player.seats[place].games} games, {number(off, 2, '+')} from the player's mean"
    said = number(player.seats[place].mean)
    return tag("span", said, class_=f"heat {side}", style=f"--depth:{0.5 * abs(off) / largest:.2f}", title=hint)


def _away(player: Ranked, place: int) -> float | None:
    mean = player.seats[place].mean
    return None if mean is None or player.score.mean is None else mean - player.score.mean
