"""Program: a whole RECYCLE program, compiled to a short list of instructions, and the machine that runs them.

``(stage player (end B) BODY)`` becomes ENTER, TEST (leave when B is true), BODY, AGAIN (leave when B is true, else move
the pointer on and go back to BODY). The machine runs until a choice has to be made or the program ends.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.games.recycle import groups, moves  # noqa: F401  they register what they read
from croupier.server.games.recycle.actions import deck_parts, members
from croupier.server.games.recycle.blocks import step
from croupier.server.games.recycle.card_table import Broken, CardTable, list_key
from croupier.server.games.recycle.choices import Choice
from croupier.server.games.recycle.deck import Deck, cards_of
from croupier.server.games.recycle.original.choices import FlatChoice
from croupier.server.games.recycle.original.generations import Translation
from croupier.server.games.recycle.original.scope import OriginalScope
from croupier.server.games.recycle.places import real
from croupier.server.games.recycle.reader import KINDS, layout, read
from croupier.server.games.recycle.scope import CARDS, ELEMENT, NAMES, NUMBER, TRUTH, Scope, Wrong, excerpt, meaning
from croupier.server.games.recycle.source import UNBOUND

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.game import Label
    from croupier.server.games.recycle.reader import Node, Problem

DO, ENTER, TEST, AGAIN, CHOOSE, END = range(6)
BLOCKS = ("stage", "choice", "do", "any", "all", "let", "scoring")
MAX_PLAYERS = 24
MOST_LISTS = 200
"""How many lists of cards are made beforehand; they are copied with every table."""


class Stuck(Exception):
    """The machine went round and round without asking anybody anything, in the stage ``at``."""

    def __init__(self, at: Node) -> None:
        super().__init__(str(at))
        self.at = at


class Instruction(NamedTuple):
    """One instruction: what to do, with what, and where to go on."""

    do: int
    what: Any
    where: int = 0
    at: Any = None
    """The innermost stage around it, the whole program where there is none."""


class _NoDeal:
    """The chance of a table that is only being set up: nothing is shuffled there."""

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Refuse."""
        raise Broken(f"a {label.word} before the game begins")

    def draw(self, label: Label, bound: int) -> int:
        """Refuse."""
        raise Broken(f"a {label.word} before the game begins")


class CompiledProgram:
    """A compiled program. ``problems`` are all that was found wrong; with an error among them it cannot be played."""

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
        self._around: dict[int, tuple[bool, ...]] = {}
        self.choices: list[Choice] = []
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
        """Return the problems for which the program cannot be played."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def _compile(self) -> None:
        items = self.tree.items
        if self.tree.head != "game":
            raise Wrong(self.tree.problem(f"a program begins with (game, not with {excerpt(self.tree)}"))
        body = list(items[1:])
        declared = [body.pop(0) for _ in range(_leading(body, "declare"))]
        if not body or body[0].head != "setup":
            at = body[0] if body else self.tree
            meant = meaning(at, ("declare", "setup"))
            raise Wrong(at.problem(meant or "the setup is missing: (setup (create players N) ...)"))
        self._set_up(declared, body.pop(0))
        if not body or body[-1].head != "scoring":
            last = body[-1] if body else self.tree
            raise Wrong(last.problem("the program must end with its scoring: (scoring max NUMBER)"))
        scoring = body.pop()
        for node in body:
            self.scope.attempt(self._block, node)
        self.scope.attempt(self._scoring, scoring)
        self._add(END, None)
        if self.start is not None:
            self.start.env += [UNBOUND] * (self.scope.slots - len(self.start.env))
            self._lists(self.start)

    def _lists(self, table: CardTable) -> None:
        """Make the lists that the program names, so that they need not be made one by one in every game."""
        for node in self.tree.walk():
            if node.head in KINDS and len(node.items) == 3 and node.items[2].kind == "name":
                key = list_key(node.head, node.items[2].text)
                for owner in [table.game] if node.items[0].kind == "word" else range(table.players):
                    if len(table.every) < MOST_LISTS:
                        _ = table.lists[owner][key]

    def _set_up(self, declared: list[Node], setup: Node) -> None:
        """Make the table as it is before the first step: declarations, players, teams and decks."""
        scope = self.scope
        constants = CardTable(0, 0, Deck([], []), _NoDeal())
        lists: dict[str, list[str]] = {}
        for node in declared:
            self._declare(node, constants, lists)
        if (
            len(setup.items) < 2
            or setup.items[1].head != "create"
            or not setup.items[1].items[1:2]
            or not (setup.items[1].items[1].has("word", "players") and len(setup.items[1].items) == 3)
        ):
            raise Wrong(setup.problem("the setup begins with (create players N)"))
        number = setup.items[1].items[2]
        players = scope.expect(number, NUMBER).run(constants)
        if not 1 <= players <= MAX_PLAYERS:
            raise Wrong(number.problem(f"a game is played by 1 to {MAX_PLAYERS} players, not by {players}"))
        scope.players = self.players = players
        table = CardTable(players, 0, Deck([], []), _NoDeal())
        table.env = constants.env
        self._teams([node for node in setup.items[2:] if _creates(node, "teams")], table)
        self._decks(setup, table, lists)
        self.start = table

    def _declare(self, node: Node, constants: CardTable, lists: dict[str, list[str]]) -> None:
        scope = self.scope
        scope.arity(node, 3)
        value, name = scope.read(node.items[1]), node.items[2]
        if name.kind != "variable":
            raise Wrong(name.problem(f"a declaration ends with a variable, as in 'X, not {name}"))
        if value.sort == CARDS or value.sort not in {*ELEMENT, "number", "string", "truth"}:
            raise Wrong(node.problem("only numbers, names and lists of them can be declared"))
        result = value.run(constants)
        slot = scope.declare(name.text, value.sort)
        constants.env += [None] * (slot + 1 - len(constants.env))
        constants.env[slot] = result
        if value.sort == NAMES:
            lists[name.text] = result

    def _teams(self, created: list[Node], table: CardTable) -> None:
        teams = [team for node in created for team in node.items[2:]]
        if not created:
            for player in range(self.players):
                table.add_team([player])
        for team in teams:
            table.add_team(members(team, self.scope))

    def _decks(self, setup: Node, table: CardTable, lists: dict[str, list[str]]) -> None:
        """Create the plain decks, then the repeated ones."""
        plain = [node for node in setup.items[2:] if _creates(node, "deck")]
        repeated = [node for node in setup.items[2:] if node.head == "repeat"]
        for node in setup.items[2:]:
            if not (_creates(node, "deck") or _creates(node, "teams") or node.head == "repeat"):
                raise Wrong(node.problem(f"a setup creates teams and decks, and {excerpt(node)} does neither"))
        if not plain and not repeated:
            raise Wrong(setup.problem("the setup creates no deck"))
        for node in plain:
            self._deck(node, 1, table, lists)
        for node in repeated:
            self.scope.arity(node, 3)
            if not _creates(node.items[2], "deck"):
                raise Wrong(node.problem("in a setup, only decks are repeated"))
            self._deck(node.items[2], self.scope.expect(node.items[1], NUMBER).run(table), table, lists)

    def _deck(self, node: Node, times: int, table: CardTable, lists: dict[str, list[str]]) -> None:
        back, place, deck = deck_parts(node)
        cards = cards_of(deck, lists)
        if times * max(1, len(cards)) > 1_000_000:
            raise Wrong(node.problem("too many cards"))
        first = len(table.deck.cards)
        copies = [dict(card) for _ in range(times) for card in cards]
        table.deck = table.deck.with_more(copies, back)
        table.columns = table.deck.columns
        where = self.scope.source.function_of(real(place, self.scope))
        table.add_cards(first, len(copies), where(table))

    def _block(self, node: Node) -> None:
        """Compile what may stand in the game or in a stage."""
        match node.head:
            case "stage":
                self._stage(node)
            case "choice":
                choice = self.choice_kind(node, self.scope)
                self.choices.append(choice)
                self._add(CHOOSE, choice)
            case "do" | "any" | "all" | "let":
                self._add(DO, step(node, self.scope).run)
            case _:
                message = f"a stage, a choice or a do is needed here, and {excerpt(node)} is none"
                raise Wrong(node.problem(meaning(node, BLOCKS) or message))

    def _stage(self, node: Node) -> None:
        items = node.items
        if len(items) < 3 or not items[1].has("word", "player", "team"):
            raise Wrong(node.problem("a stage is (stage player (end CONDITION) ...)"))
        if items[2].has("word", "simultaneous"):
            raise Wrong(items[2].problem("simultaneous stages are not part of the language that is played here"))
        players = items[1].text == "player"
        if items[2].has("word", "once"):
            self._stage_once(node, players=players)
            return
        if items[2].head != "end" or len(items[2].items) != 2:
            raise Wrong(
                items[2].problem(
                    "a stage must say when it ends, first of all: (end CONDITION), or once for a turn each"
                )
            )
        end = self.scope.attempt(lambda test: self.scope.expect(test, TRUTH).run, items[2].items[1])
        around, self.stage = self.stage, node
        self._add(ENTER, players)
        test = len(self.code)
        self._add(TEST, end)
        for block in items[3:]:
            self.scope.attempt(self._block, block)
        self._add(AGAIN, (end, players), test + 1)
        self.code[test] = Instruction(TEST, (end, players), len(self.code), node)
        self.stage = around

    def _stage_once(self, node: Node, *, players: bool) -> None:
        """Compile ``(stage player once ...)``: it ends when the turn comes round to where the stage began."""
        if bad := next((block for block in node.items[3:] if block.head == "end"), None):
            raise Wrong(bad.problem("a stage that is played once has no end of its own: leave out once or the end"))
        around, self.stage = self.stage, node
        self._add(ENTER, players)
        first = len(self.code)
        for block in node.items[3:]:
            self.scope.attempt(self._block, block)
        self._add(AGAIN, (_round_of_players if players else _round_of_teams, players), first)
        self.stage = around

    def _add(self, do: int, what: Any, where: int = 0) -> None:
        self.code.append(Instruction(do, what, where, self.stage))

    def _scoring(self, node: Node) -> None:
        self.scope.arity(node, 3)
        if not node.items[1].has("word", "min", "max"):
            raise Wrong(node.problem("the scoring says min or max, and a number"))
        self.low_wins = node.items[1].text == "min"
        self.score = self.scope.expect(node.items[2], NUMBER).run

    def run(self, table: CardTable) -> Choice | None:
        """Run until somebody has to choose; return the choice, or None at the end of the program."""
        code, pc, steps = self.code, table.pc, 0
        table.fuel = table.granted
        while True:
            do, what, where, _ = code[pc]
            if do == CHOOSE:
                table.pc = pc
                choice: Choice = what
                return choice
            if do == ENTER:
                _enter(table, players=what)
                pc += 1
                continue
            if do == END:
                table.pc = pc
                return None
            steps += 1
            if steps > self.stuck_after:
                table.pc = pc
                raise Stuck(code[pc].at)
            if do == DO:
                what(table)
                pc += 1
            elif do == TEST:
                end, players = what
                if end(table):
                    _leave(table, players=players)
                    pc = where
                else:
                    pc += 1
            else:
                end, players = what
                if end(table):
                    _leave(table, players=players)
                    pc += 1
                else:
                    _advance(table, players=players)
                    pc = where

    def around(self, pc: int) -> tuple[bool, ...]:
        """Tell of the stages around an instruction, outermost first, which are of players; the others are of teams."""
        if pc not in self._around:
            stages: list[bool] = []
            for do, what, _, _ in self.code[:pc]:
                if do == ENTER:
                    stages.append(what)
                elif do == AGAIN:
                    stages.pop()
            self._around[pc] = tuple(stages)
        return self._around[pc]

    def scores(self, table: CardTable) -> tuple[int, ...]:
        """Return what each seat has scored so far, each asked as the player on turn."""
        seat, queued = table.seat, table.queued
        table.queued = -1
        try:
            return tuple([self._score(table, player) for player in range(self.players)])
        finally:
            table.seat, table.queued = seat, queued

    def _score(self, table: CardTable, player: int) -> int:
        table.seat = player
        return self.score(table)


def _leading(nodes: list[Node], head: str) -> int:
    return next((place for place, node in enumerate(nodes) if node.head != head), len(nodes))


def _creates(node: Node, what: str) -> bool:
    return node.head == "create" and len(node.items) > 1 and node.items[1].has("word", what)


def _enter(table: CardTable, *, players: bool) -> None:
    """Begin a stage with a pointer of its own, at the same player or team, with nobody queued."""
    if players:
        table.stack.append((table.seat, table.queued))
        table.queued = -1
    else:
        table.stack.append((table.team, table.team_queued))
        table.team_queued = -1


def _leave(table: CardTable, *, players: bool) -> None:
    if players:
        table.seat, table.queued = table.stack.pop()
    else:
        table.team, table.team_queued = table.stack.pop()


def _advance(table: CardTable, *, players: bool) -> None:
    if players:
        table.seat = table.queued if table.queued >= 0 else (table.seat + 1) % table.players
        table.queued = -1
    else:
        table.team = table.team_queued if table.team_queued >= 0 else (table.team + 1) % len(table.teams)
        table.team_queued = -1


def _round_of_players(table: CardTable) -> bool:
    """Return whether the turn comes round by itself to the player with whom the innermost stage began."""
    return table.queued < 0 and (table.seat + 1) % table.players == table.stack[-1][0]


def _round_of_teams(table: CardTable) -> bool:
    """Return the same of the team pointer."""
    return table.team_queued < 0 and (table.team + 1) % len(table.teams) == table.stack[-1][0]


def digest(data: bytes) -> str:
    """Return the SHA-256 of a program, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
