"""Program: a whole RECYCLE program, compiled to a short list of instructions, and the machine that runs them.

``(stage player (end B) BODY)`` becomes an entry, a test (leave when B is true), BODY, and a return (leave when B is
true, else advance the pointer and go back to BODY). The machine runs until a choice has to be made or the program ends.
"""

from __future__ import annotations

import hashlib
from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.games.game import Dice
from croupier.server.games.recycle import groups  # noqa: F401  it registers what it reads
from croupier.server.games.recycle.actions import deck_parts, members
from croupier.server.games.recycle.card_table import CardTable, list_key
from croupier.server.games.recycle.choices import Choice
from croupier.server.games.recycle.deck import Deck, cards_of
from croupier.server.games.recycle.original.dialect import FlatChoice, OriginalScope
from croupier.server.games.recycle.original.generations import Translation
from croupier.server.games.recycle.places import POINTERS, real, successor
from croupier.server.games.recycle.reader import KINDS, Broken, Node, Wrong, layout, read
from croupier.server.games.recycle.scope import ELEMENT, Scope, Sort, excerpt, meaning
from croupier.server.games.recycle.source import UNBOUND
from croupier.server.games.recycle.steps import step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.reader import Problem

BLOCKS = ("stage", "choice", "do", "any", "all", "let", "scoring")
DECLARED = {*ELEMENT, Sort.NUMBER, Sort.STRING, Sort.TRUTH} - {Sort.CARDS}
MAX_PLAYERS = 24
MAX_MADE = 1_000_000
MOST_LISTS = 200
"""At most this many lists of cards are created in advance, because they are copied with every table."""


class Stuck(Exception):
    """The machine ran too long without a choice, in the stage ``at``."""

    def __init__(self, at: Node) -> None:
        super().__init__(str(at))
        self.at = at


class Instruction(NamedTuple):
    """One instruction: a function that returns the number of the next one; or the choice to be made there."""

    run: Callable[[CardTable], int] | None
    choice: Choice | None
    at: Node
    """The innermost stage around it, or the whole program."""
    around: tuple[bool, ...]
    """For each stage around it, outermost first, whether it is one of players; the others are of teams."""
    steps: int = 1
    """How much it counts towards the limit of steps without a choice."""


class CompiledProgram:
    """A compiled program. ``problems`` are all that were found; if one is an error, it cannot be played."""

    def __init__(self, text: str, *, compat: bool = False) -> None:
        tree, self.problems = read(text)
        translation = Translation(tree)
        self.tree = self.stage = translation.tree
        self.stuck_after = translation.stuck_after
        self.scope = OriginalScope() if compat else Scope()
        self.choice_kind = FlatChoice if compat else Choice
        translation.adapt(self.scope, compat=compat)
        self.players = 0
        self.low_wins = False
        self.code: list[Instruction] = []
        self._around: tuple[bool, ...] = ()
        self.score: Callable[[CardTable], int] = lambda _: 0
        self.start: CardTable | None = None
        try:
            self._compile()
        except Wrong as wrong:
            self.scope.problems.append(wrong.problem)
        except Broken as broken:
            self.scope.problems.append((broken.at or self.tree).problem(broken.message))
        if self.scope.problems and not self.problems:
            self.problems = layout(text, "warning")
        self.problems = sorted(self.scope.problems + translation.problems() + self.problems)

    def errors(self) -> list[Problem]:
        """Return the problems that prevent playing."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def _compile(self) -> None:
        if self.tree.head != "game":
            raise self.tree.wrong(f"a program begins with (game, not with {excerpt(self.tree)}")
        items = self.tree.items[1:]
        declared = list(takewhile(lambda node: node.head == "declare", items))
        body = items[len(declared) :]
        if not body or body[0].head != "setup":
            at = body[0] if body else self.tree
            meant = meaning(at, ("declare", "setup"))
            raise at.wrong(meant or "the setup is missing: (setup (create players N) ...)")
        self._set_up(declared, body[0])
        if body[-1].head != "scoring":
            last = body[-1] if len(body) > 1 else self.tree
            raise last.wrong("the program must end with its scoring: (scoring max NUMBER)")
        for node in body[1:-1]:
            self.scope.attempt(self._block, node)
        self.scope.attempt(self._scoring, body[-1])
        self.code.append(Instruction(None, None, self.tree, ()))
        if self.start is not None:
            self.start.env += [UNBOUND] * (self.scope.slots - len(self.start.env))
            self._make_lists(self.start)

    def _make_lists(self, table: CardTable) -> None:
        """Create the lists that the program names, so that games need not create them one by one."""
        for node in self.tree.walk():
            if node.head in KINDS and len(node.items) == 3 and node.items[2].kind == "name":
                key = list_key(node.head, node.items[2].text)
                for owner in [table.game] if node.items[0].kind == "word" else range(table.players):
                    if len(table.every) < MOST_LISTS:
                        _ = table.lists[owner][key]

    # The table as it is before the first step

    def _set_up(self, declared: Sequence[Node], setup: Node) -> None:
        """Create the declared values, the players, teams and decks."""
        for part in [part for node in (*declared, setup) for part in node.walk()]:
            if part.head == "random":
                raise part.wrong("a random before the game begins")
        constants = CardTable(0, Deck([], []), Dice(Random(0)))
        lists: dict[str, list[str]] = {}
        for node in declared:
            self._declare(node, constants, lists)
        match setup.items:
            case [_, Node("create", [_, Node(text="players"), number]), *created]:
                players = self.scope.expect(number, Sort.NUMBER).run(constants)
            case _:
                raise setup.wrong("the setup begins with (create players N)")
        if not 1 <= players <= MAX_PLAYERS:
            raise number.wrong(f"a game is played by 1 to {MAX_PLAYERS} players, not by {players}")
        self.scope.players = self.players = players
        table = CardTable(players, Deck([], []), constants.deal, env=constants.env)
        self._create(setup, created, table, lists)
        self.start = table

    def _declare(self, node: Node, constants: CardTable, lists: dict[str, list[str]]) -> None:
        self.scope.arity(node, 3)
        value, name = self.scope.read(node.items[1]), node.items[2]
        if name.kind != "variable":
            raise name.wrong(f"a declaration ends with a variable, as in 'X, not {name}")
        if value.sort not in DECLARED:
            raise node.wrong("only numbers, names and lists of them can be declared")
        result = value.run(constants)
        slot = self.scope.declare(name.text, value.sort)
        constants.env += [None] * (slot + 1 - len(constants.env))
        constants.env[slot] = result
        if value.sort == Sort.NAMES:
            lists[name.text] = result

    def _create(self, setup: Node, created: Sequence[Node], table: CardTable, lists: dict[str, list[str]]) -> None:
        """Create the teams, then the plain decks, then the repeated ones."""
        teams: list[list[int]] = []
        plain: list[tuple[Node, int]] = []
        repeated: list[tuple[Node, int]] = []
        for node in created:
            match node:
                case Node("create", [_, Node(text="teams"), *listed]):
                    teams += [members(team, self.scope) for team in listed]
                case Node("create", [_, Node(text="deck"), *_]):
                    plain.append((node, 1))
                case Node("repeat", [_, number, Node("create", [_, Node(text="deck"), *_]) as deck]):
                    repeated.append((deck, self.scope.expect(number, Sort.NUMBER).run(table)))
                case Node("repeat"):
                    raise node.wrong("in a setup, only decks are repeated")
                case _:
                    raise node.wrong(f"a setup creates teams and decks, and {excerpt(node)} does neither")
        if not plain and not repeated:
            raise setup.wrong("the setup creates no deck")
        for team in teams or [[player] for player in range(self.players)]:
            table.add_team(team)
        for node, times in plain + repeated:
            self._create_deck(node, times, table, lists)

    def _create_deck(self, node: Node, times: int, table: CardTable, lists: dict[str, list[str]]) -> None:
        back, place, deck = deck_parts(node)
        cards = cards_of(deck, lists)
        if times * max(1, len(cards)) > MAX_MADE:
            raise node.wrong("too many cards")
        where = self.scope.source.function_of(real(place, self.scope))
        table.add_deck([dict(card) for _ in range(times) for card in cards], back, where(table))

    # The instructions

    def _block(self, node: Node) -> None:
        """Compile a form of the game or of a stage."""
        match node.head:
            case "stage":
                self._stage(node)
            case "choice":
                choice = self.choice_kind(node, self.scope)
                self.code.append(Instruction(None, choice, self.stage, self._around))
            case "do" | "any" | "all" | "let":
                self._add([*step(node, self.scope).lines, f"return {len(self.code) + 1}"])
            case _:
                message = f"a stage, a choice or a do is needed here, and {excerpt(node)} is none"
                raise node.wrong(meaning(node, BLOCKS) or message)

    def _add(self, lines: list[str], *, steps: int = 1) -> None:
        run = self.scope.source.function_doing(lines)
        self.code.append(Instruction(run, None, self.stage, self._around, steps))

    def _stage(self, node: Node) -> None:
        match node.items:
            case [_, Node(kind="word", text="player" | "team" as whose), first, *blocks]:
                now, queued, many = POINTERS[whose]
            case _:
                raise node.wrong("a stage is (stage player (end CONDITION) ...)")
        if first.has("word", "simultaneous"):
            raise first.wrong("simultaneous stages are not part of the language that is played here")
        once = first.has("word", "once")
        ends = [block for block in blocks if block.head == "end"]
        if once and ends:
            raise ends[0].wrong("a stage that is played once has no end of its own: leave out once or the end")
        if not once and (first.head != "end" or len(first.items) != 2):
            said = "a stage must say when it ends, first of all: (end CONDITION), or once for a turn each"
            raise first.wrong(said)
        # the next turn is the first player's again
        end = f"{queued} < 0 and ({now} + 1) % {many} == table.stack[-1][0]"
        if not once:
            end = self.scope.attempt(lambda test: self.scope.text(test, Sort.TRUTH), first.items[1])
        before, self.stage, self._around = (self.stage, self._around), node, (*self._around, whose == "player")
        enter = [f"table.stack.append(({now}, {queued}))", f"{queued} = -1"]
        self._add([*enter, f"return {len(self.code) + 1}"], steps=0)
        test = len(self.code)
        if not once:
            self._add([])
        begin = len(self.code)
        for block in blocks:
            self.scope.attempt(self._block, block)
        leave = [f"if {end}:", f"    {now}, {queued} = table.stack.pop()", f"    return {len(self.code) + 1}"]
        self._add([*leave, f"{now} = {successor(whose)}", f"{queued} = -1", f"return {begin}"])
        if not once:
            again = self.scope.source.function_doing([*leave, f"return {begin}"])
            self.code[test] = self.code[test]._replace(run=again)
        self.stage, self._around = before

    def _scoring(self, node: Node) -> None:
        self.scope.arity(node, 3)
        if not node.items[1].has("word", "min", "max"):
            raise node.wrong("the scoring says min or max, and a number")
        self.low_wins = node.items[1].text == "min"
        self.score = self.scope.expect(node.items[2], Sort.NUMBER).run

    # The machine

    def run(self, table: CardTable) -> Choice | None:
        """Run until a player has to choose; return the choice, or None at the end of the program."""
        code, pc, steps = self.code, table.pc, 0
        table.fuel = table.granted
        while True:
            run, choice, at, _, more = code[pc]
            if run is None:
                table.pc = pc
                return choice
            steps += more
            if steps > self.stuck_after:
                table.pc = pc
                raise Stuck(at)
            pc = run(table)

    def scores(self, table: CardTable) -> tuple[int, ...]:
        """Return the current score of each seat, evaluated as if it were on turn."""
        seat, queued = table.seat, table.queued
        table.queued = -1
        try:
            return tuple([self._score(table, player) for player in range(self.players)])
        finally:
            table.seat, table.queued = seat, queued

    def _score(self, table: CardTable, player: int) -> int:
        table.seat = player
        return self.score(table)


def digest(data: bytes) -> str:
    """Return the SHA-256 of a program, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
