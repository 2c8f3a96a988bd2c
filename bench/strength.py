"""Measure how strong the searching bot is: against chance, a game's own bot, and itself with ten times as long.

    python -m bench.strength [--game NAME ...] [--against own|itself|tree|BOT ...] [--ms N | --iterations N]
                             [--deals N] [--seconds N] [--parts] [--whole] [--out FILE]

``BOT`` is any bundled bot that plays the game, ``tree`` the search of bench.tree. Every deal is played in all the
seatings that matter. A row is limited by ``--deals`` or ``--seconds``, and ends sooner if the difference is known. With
``--whole`` it plays all of them, for the narrower interval of a single look. The table is Markdown, for bench/NOTES.md.
``--parts`` measures instead the worth of the parts of the search, each left out at the same budget against the whole.
``--out`` keeps each deal's difference, and continues where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import count
from math import inf
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.tree import Tree
from scipy.special import stdtrit

from croupier.agents import bundled
from croupier.agents.driver import decide
from croupier.protocol.notifications import Attacked, Request
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.thinking import SENSIBLE, Thinker
from croupier.server.tournaments.statistics.stopping import t_boundary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from croupier.agents.agent import Agent
    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Game

    Seating = tuple[int, ...]

NAMES = ("alice", "bob", "carol", "dave")
AGAINST = ["own", "random", "itself"]
OPPONENTS = ["own", "itself", "tree", *bundled.BUNDLED]
DEFAULTS: Mapping[str, Atom] = {}
FEWEST = 8
"""Deals before a row may end."""
EFFECT = 0.5
"""The lead, in standard deviations of a deal's, for which the intervals are tightest; a thinking bot's is large."""


class Row(NamedTuple):
    """Two ways to play a game against each other: the first one's lead in every deal."""

    game: str
    one: str
    other: str
    leads: list[float]
    whole: bool = False
    """Whether all deals are played regardless of results, and looked at once, for the narrowest interval."""

    def interval(self) -> tuple[float, float]:
        """Return the mean lead and half of a 95 % interval, which holds at any number of looks, unless `whole`."""
        number = len(self.leads)
        mean = fmean(self.leads)
        spread = (sum([(lead - mean) ** 2 for lead in self.leads]) / max(1, number - 1)) ** 0.5
        if number < 2:
            return mean, inf
        reach = float(stdtrit(number - 1, 0.975) if self.whole else t_boundary(number, effect=EFFECT))
        return mean, inf if reach == inf else reach * spread / number**0.5

    def __str__(self) -> str:
        mean, wide = self.interval()
        known = f"± {wide:.2f}" if wide < inf else "(too few for an interval)"
        return f"| {self.game} | {self.one} | {self.other} | {len(self.leads)} | {mean:+.2f} {known} |"


def sides(rules: type[Game]) -> list[Seating]:
    """Return the seats of one side, seating by seating; the other side has the others."""
    seats = rules.SEATS[0]
    return [(0, 2), (1, 3)] if seats == 4 else [(seat,) for seat in range(seats)]


def asked(agent: Agent, game: Game, seat: int) -> tuple[object, ...]:
    """Ask an agent of this process for a decision."""
    view = game.view(seat)
    if game.attack is not None:
        return decide(agent, Attacked(game.attack.play, game.players[game.attack.attacker], view))
    return decide(agent, Request(view))


def lead(
    rules: type[Game], number: int, side: Seating, one: Agent, other: Agent, options: Mapping[str, Atom] = DEFAULTS
) -> float:
    """Play a deal; return by how much one side is ahead per seat."""
    game = rules(NAMES[: rules.SEATS[0]], options, Key.from_seed("strength").deal(number))
    while (seat := game.turn) is not None:
        game.play(seat, asked(one if seat in side else other, game, seat))  # type: ignore[arg-type]  # ours always answer
    scores = game.scores()
    ahead = fmean([scores[seat] for seat in side])
    ahead -= fmean([score for seat, score in enumerate(scores) if seat not in side])
    return -ahead if rules.LOW_WINS else ahead


def leads(row: Row, one: Agent, other: Agent, options: Mapping[str, Atom]) -> Iterator[float]:
    """Play deal after deal in all seatings; yield the mean lead of the first side."""
    rules = games.find(row.game)
    for number in count(len(row.leads) + 1):
        yield fmean([lead(rules, number, side, one, other, options) for side in sides(rules)])


def measured(
    row: Row, one: Agent, other: Agent, how: argparse.Namespace, options: Mapping[str, Atom] = DEFAULTS
) -> Row:
    """Play until there are enough deals, the time is up, or the difference is known."""
    end = time.monotonic() + how.seconds
    for found in leads(row, one, other, options) if len(row.leads) < how.deals else ():
        row.leads.append(found)
        kept(how.out, *row[:3], found)
        mean, wide = row.interval()
        sure = not row.whole and len(row.leads) >= FEWEST and abs(mean) > wide
        if len(row.leads) >= how.deals or time.monotonic() > end or sure:
            break
    return row


def opponents(game: str, how: argparse.Namespace) -> Iterator[tuple[str, str, Agent, Agent]]:
    """List who is to meet whom."""
    for other in how.against:
        if other == "itself":
            yield "search, ten times as long", "search", thinker(how, 10), thinker(how)
        elif other == "tree":
            yield "search", "one tree", thinker(how), thinker(how, kind=Tree)
        else:
            name = SENSIBLE[game] if other == "own" else other
            yield "search", name, thinker(how), bundled.make(name)


PARTS: dict[str, Callable[[Thinker, str], object]] = {
    "no endgame": lambda search, game: setattr(search, "exact", False),
    "no perfect end of playouts": lambda search, game: setattr(search.playout(game), "perfect", False),
    "no weighing": lambda search, game: setattr(search, "weighing", False),
    "random playouts": lambda search, game: setattr(search.playout(game), "chance", 1.0),
    "no chance in playouts": lambda search, game: setattr(search.playout(game), "chance", 0.0),
}
"""The parts that may be left out of a search."""


def parts(game: str, how: argparse.Namespace) -> Iterator[tuple[str, str, Agent, Agent]]:
    """List the whole against itself without each of its parts."""
    for name, leave_out in PARTS.items():
        without = thinker(how)
        leave_out(without, game)
        yield "search", name, thinker(how), without


def thinker(how: argparse.Namespace, times: int = 1, kind: type[Thinker] = Thinker) -> Thinker:
    """Return the searching bot with this multiple of the budget."""
    words = ("--iterations", how.iterations) if how.iterations else ("--ms", how.ms)
    return kind(words[0], str(words[1] * times))


def kept(out: Path | None, *what: object) -> None:
    """Append a deal's result, the last of these, to the file."""
    if out is not None:
        with out.open("a", encoding="ascii") as file:
            file.write(json.dumps(what) + "\n")


def before(out: Path | None, *what: object) -> list[Any]:
    """Read the results of the deals of a row that were played before."""
    lines = out.read_text("ascii").splitlines() if out is not None and out.exists() else []
    found = [json.loads(line) for line in lines]
    return [result for *whose, result in found if whose == [*what]]


def main() -> None:
    """Measure, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", nargs="*", default=list(games.BUNDLED), choices=list(games.BUNDLED))
    parser.add_argument("--against", nargs="*", default=AGAINST, choices=OPPONENTS)
    parser.add_argument("--ms", type=int, default=100)
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--out", type=Path)
    how = parser.parse_args()
    print("| game | one | other | deals | lead a deal, 95 % |\n|---|---|---|---|---|", flush=True)
    for game in how.game:
        for name, other_name, one, other in (parts if how.parts else opponents)(game, how):
            row = Row(game, name, other_name, before(how.out, game, name, other_name), how.whole)
            print(measured(row, one, other, how), flush=True)


if __name__ == "__main__":
    main()
