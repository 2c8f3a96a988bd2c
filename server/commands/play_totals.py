"""Totals: the results of the games of one ``croupier play``, as JSON and in the terminal."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.table import Table as RichTable

from croupier.agents.bridges.usage import Usage, total
from croupier.protocol import record as lines
from croupier.protocol.notifications import OWN
from croupier.server.commands.fault_lines import Committed, FaultFiles, fault_lines
from croupier.server.commands.tables import print_again, print_burnt, print_probe, print_usage
from croupier.server.console import Console
from croupier.server.entries import sight_lines
from croupier.server.records.blame import faults_by_player, meant_play
from croupier.server.records.files import show_command
from croupier.server.table.process_seat import MUCH_BURNT
from croupier.server.table.standard_error import last_piece
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.server.commands.game_files import Keeping
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.records.blame import Blamed
    from croupier.server.table.faults import Fault
    from croupier.server.table.played_game import PlayedGame, Probed


class Totals:
    """The results of games between the same players, who keep their seats.

    ``program`` is the file of a RECYCLE program, which a command to show a kept game must name.
    """

    def __init__(
        self, rules: type[Game], seated: Sequence[Entry], kept: Keeping | None = None, program: str | None = None
    ) -> None:
        self.rules = rules
        self.seated = seated
        self.kept = kept
        self.program = program
        self.results: list[tuple[PlayedGame, Path | None]] = []
        """The games without their records, each with the file of its record."""
        self.misled: list[str] = []
        """The bots that were assumed to forget earlier games, and did not."""
        self._blamed: dict[tuple[int, str], Blamed] = {}
        """The faults as the records have them, by deal and name."""
        self._meant: dict[tuple[str, Fault], str] = {}
        """Which play the reply of the first of equal faults was meant to be, by name and fault."""
        self.usage: dict[str, Usage] = {}
        """The usage of bots that ask a provider, by name."""
        self.probed: dict[str, Probed] = {}
        """What a probe found, by name."""
        self._said: dict[tuple[int, str], str] = {}
        """The last standard error before each of these faults."""

    def add(self, game: PlayedGame, path: Path | None) -> None:
        """Add a game, with the file of its record if it is kept."""
        if game.faults:
            self._blame(game)
        self.results.append(
            (game._replace(record=(), thinking=()), path)
        )  # without the record, because there may be many games

    def _blame(self, game: PlayedGame) -> None:
        """Keep what the record says of each fault, and which play was meant at the first of equal ones."""
        text = "\n".join(game.record)
        found = faults_by_player(line for _, line in lines.read(text))
        self._blamed |= {(game.deal, name): fault for name, fault in found.items()}
        for seat, fault in game.faults:
            name = game.seating[seat]
            if (name, fault.plain) not in self._meant:
                self._meant[name, fault.plain] = meant_play(text, name, lambda _: self.rules)

    def take_errors(self, number: int, name: str, text: str) -> None:
        """Add a bot's standard error in a game that was added before."""
        if (number, name) in self._blamed:
            self._said[number, name] = last_piece(text)
        if (used := total(text.splitlines())) is not None:
            self.usage[name] = self.usage.get(name, Usage()).plus(used)
        if self.kept is not None:
            self.kept.write_errors(number, name, text)

    def totals(self) -> dict[str, int]:
        """Return each player's sum of scores."""
        return {
            entry.name: sum(result.scores[seat] for result, _ in self.results if result.scores)
            for seat, entry in enumerate(self.seated)
        }

    def network(self) -> list[str]:
        """List the bots that may use the network."""
        return [entry.name for entry in self.seated if entry.network]

    def sights(self) -> dict[str, str]:
        """Return what the bots are told that are told more than their own cards."""
        return {entry.name: entry.sight for entry in self.seated if entry.sight != OWN}

    def json(self) -> dict[str, object]:
        """Return the JSON that scripts rely on."""
        return {
            "game": self.rules.NAME,
            "players": [entry.name for entry in self.seated],
            "games": [game_json(result, path) for result, path in self.results],
            "totals": self.totals(),
            "network": self.network(),
            **({"sights": sights} if (sights := self.sights()) else {}),
            **({"probe": {name: found.document() for name, found in self.probed.items()}} if self.probed else {}),
            **({"usage": {name: used.document() for name, used in self.usage.items()}} if self.usage else {}),
        }

    def print(self) -> None:
        """Print who won and how."""
        games = [result for result, _ in self.results]
        title = f"{self.rules.NAME}: games {len(games)}, {'low' if self.rules.LOW_WINS else 'high'} scores win"
        table = RichTable("player", "wins", "shared", "total", "mean", "faults", title=title)
        for column in table.columns[1:]:
            column.justify = "right"
        totals = self.totals()
        counting = sum(bool(result.scores) for result in games)
        for seat, entry in enumerate(self.seated):
            faults = sum(fault.seat == seat for result in games for fault in result.faults)
            mean = f"{totals[entry.name] / counting:.2f}" if counting else ""
            row = (*self._wins(seat), totals[entry.name], mean, faults)
            table.add_row(entry.name, *map(str, row))
        Console().print(table)
        if network := self.network():
            say(f"may use the network: {', '.join(network)}")
        for line in sight_lines(self.sights()):
            say(line)
        print_probe(self.probed)
        print_usage(self.usage)
        self._print_trouble()
        for name in self.misled:
            say(f"{name} remembers earlier games, and was taken to forget them: it played one otherwise", err=True)
        print_burnt({entry.name: self._burnt(seat) for seat, entry in enumerate(self.seated)})
        print_again({entry.name: self._returned_seconds(seat) for seat, entry in enumerate(self.seated)})

    def _print_trouble(self) -> None:
        """Print which games do not count and why, who faulted, and commands to see it."""
        for result, path in self.results:
            if result.void:
                say(f"deal {result.deal} counts for nobody: {result.void}", err=True)
                if path is not None:
                    say(f"    again: {show_command(path, program=self.program)}", err=True)
        faults = [
            Committed(name := result.seating[seat], fault, result.deal, partial(self._look, result, name, fault, path))
            for result, path in self.results
            for seat, fault in result.faults
        ]
        for entry in fault_lines(faults).values():
            say(*entry, err=True)
        if faults and self.kept is None:
            say(
                "--record DIR keeps the games, and what each bot wrote to standard error,"
                " and names the commands that show a fault.",
                err=True,
            )

    def _look(self, game: PlayedGame, name: str, fault: Fault, path: Path | None) -> FaultFiles:
        """Return the evidence of a fault."""
        blamed, meant = self._blamed.get((game.deal, name)), self._meant.get((name, fault.plain), "")
        errors = None if self.kept is None else self.kept.errors.get((game.deal, name))
        said = self._said.get((game.deal, name), "")
        return FaultFiles(blamed, path, program=self.program, errors=errors, said=said, meant=meant)

    def _wins(self, seat: int) -> tuple[int, int]:
        """Count a seat's wins, in which nobody was ranked above it, and those of them shared with opponents."""
        won = [result.winners for result, _ in self.results if seat in result.winners]
        partners = next((set(side) for side in self.rules.PARTNERS if seat in side), {seat})
        return len(won), sum(not partners.issuperset(winners) for winners in won)

    def _burnt(self, seat: int) -> float:
        """Return the seconds of CPU time that a seat used off turn, in games where they were many."""
        return sum(result.burnt[seat] for result, _ in self.results if result.burnt[seat] > MUCH_BURNT)

    def _returned_seconds(self, seat: int) -> float:
        """Return the seconds that were given back to a seat's replies because the machine had withheld them."""
        return sum(result.again[seat] for result, _ in self.results if result.again)


def game_json(result: PlayedGame, path: Path | None) -> dict[str, object]:
    """Return one game as the JSON that scripts rely on."""
    names = result.seating

    def by_name(values: Sequence[float]) -> dict[str, float] | None:
        return dict(zip(names, values, strict=True)) if values else None

    return {
        "deal": result.deal,
        "seating": list(names),
        "scores": by_name(result.scores),
        "ranks": by_name(result.ranks),
        "outcome": result.outcome.value,
        **({"void": result.void} if result.void else {}),
        "faults": [
            {"player": names[fault.seat], "kind": fault.fault.kind.value, "why": fault.fault.description}
            for fault in result.faults
        ],
        "assisted": [names[seat] for seat in result.assisted],
        "decisions": result.decisions,
        "burnt": by_name([round(seconds, 3) for seconds in result.burnt]),
        **({"again": by_name([round(seconds, 3) for seconds in result.again])} if result.again else {}),
        "seconds": round(result.seconds, 6),
        "record": None if path is None else str(path),
    }
