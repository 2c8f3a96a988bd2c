"""Dialect of the original engine: one flat table of variables, and the words and steps with other meanings.

Equal cards are never the same. A point map that was never set is worth nothing. A repeated action is evaluated
completely before it is performed. A run that was found keeps growing.

A loop or a `let` overwrites its variable, whatever had that name before, and removes it at the end. In an `any`, the
option of the first element is followed first, then the last one's, and so on down to the second's. For all but the
first, the rest of the option is done in reverse order. Lists may be in another order after options were tried out and
undone. An option is kept as references, which are resolved again when it is chosen.

A card at an end or a place of a real list is remembered as that place, and so is one in a variable. A card from a list
that was assembled from places is remembered as itself, and so is an actual one. It becomes the last of its place when
it is put back. A list bound by `let` is copied for each action, so every `(top 'V)` of it is the same card.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.actions import ends_of, list_in_variable
from croupier.server.games.recycle.card_table import CardList, move_back, move_card
from croupier.server.games.recycle.choices import Choice, Unfolding
from croupier.server.games.recycle.deck import PointMap
from croupier.server.games.recycle.groups import RUNS
from croupier.server.games.recycle.places import map_store
from croupier.server.games.recycle.reader import KINDS, Broken
from croupier.server.games.recycle.scope import Expression, Scope, Sort
from croupier.server.games.recycle.source import UNBOUND, callable_in_texts
from croupier.server.games.recycle.steps import Action, Let, Loop, Pending, ProgramStep, bind, repeat
from croupier.server.games.recycle.values import equality, operands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.choices import Way
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Builder, StepBuilder

    Cards = list[int]


class _Bound(ProgramStep):
    """Bind a variable, or remove it."""

    def __init__(self, slot: int, value: Any) -> None:
        def run(table: CardTable) -> None:
            table.env[slot] = value

        self.run = run


class FlatLoop(Loop):
    """A loop that removes its variable at the end."""

    def __init__(self, node: Node, items: Expression, slot: int, body: ProgramStep) -> None:
        super().__init__(node, items, slot, body)
        self.lines.append(f"table.env[{slot}] = UNBOUND")

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the body before the pending steps, once for each element, the last element first."""
        for element in table.pay(self.items.run(table)):
            rest = Pending(_Bound(self.slot, UNBOUND), table.env, rest)
            rest = Pending(self.body, table.env, rest)
            rest = Pending(_Bound(self.slot, element), table.env, rest)
        return rest


class FlatLet(Let):
    """A `let` that removes its variable at the end, like an `any` with one element."""

    branching = True

    def __init__(self, node: Node, value: Expression, slot: int, body: ProgramStep) -> None:
        super().__init__(node, value, slot, body)
        self.lines.append(f"table.env[{slot}] = UNBOUND")


class FlatUnfolding(Unfolding):
    """The options of one step, found in the order of the original engine."""

    def __init__(self, table: CardTable) -> None:
        super().__init__(table)
        self.bound: list[int] = []

    def explore(self, pending: Pending | None) -> None:
        """Follow the steps to the end of every option; there the innermost variable is removed."""
        super().explore(pending)
        if self.bound:
            self.table.env[self.bound[-1]] = UNBOUND

    def elements(self, step: ProgramStep) -> list[Any]:
        """List the first element, then the others from the last to the second."""
        if isinstance(step, FlatLet):
            return [step.value.run(self.table)]
        found = super().elements(step)
        return [*found[:1], *found[:0:-1]]

    def follow(self, step: Any, element: Any, rest: Pending | None, place: int) -> None:
        """Follow one branch, with the rest reversed except for the first."""
        env = self.table.env
        env[step.slot] = element
        self.bound.append(step.slot)
        pending = Pending(step.body, env, rest)
        self.explore(_turn_round(pending) if place else pending)
        self.bound.pop()


def _turn_round(pending: Pending | None) -> Pending | None:
    """Return the same steps in reverse order."""
    turned = None
    while pending is not None:
        turned = Pending(pending.step, pending.env, turned)
        pending = pending.rest
    return turned


class FlatChoice(Choice):
    """A choice as the original engine lists it, which may leave the lists in another order."""

    reorders = True

    def unfold(self, step: ProgramStep, table: CardTable) -> list[Way]:
        """List the options of one step."""
        return FlatUnfolding(table).options_of(step)


class Origin(Enum):
    """The source of a card."""

    PLACE = "an end or a place of a list in which cards lie"
    VARIABLE = "a variable that holds the card"
    SHARED = "a list among others that a variable holds"
    COPY = "a list that is put together for this action alone"


def origin_of(card: Node, scope: Scope) -> Origin:
    """Return the source of a card."""
    if card.kind == "variable":
        return Origin.VARIABLE
    if card.head == "actual" and len(card.items) == 2:
        return origin_of(card.items[1], scope)
    if card.head in ("top", "bottom", "nth") and len(card.items) == 2:
        lists = card.items[1]
        if lists.head in KINDS:
            return Origin.COPY if lists.head == "mem" else Origin.PLACE
        if lists.kind == "variable":
            known = scope.variables[lists.text]
            return Origin.COPY if (known.by, known.sort) == ("let", Sort.CARDS) else Origin.SHARED
        if list_in_variable(lists) is not None:
            return Origin.SHARED
    return Origin.COPY


def refer(node: Node, card: str, scope: Scope) -> str:
    """Compile a move as the original logs it: its references, and where undoing puts the card."""
    moved = node.items[1]
    origin, actual = origin_of(moved, scope), moved.head == "actual"
    end = moved.items[1].head if actual else moved.head
    held = list_in_variable(moved) if origin is Origin.SHARED else None
    shared = "None" if held is None else scope.text(held, Sort.CARDS, Sort.GROUPS)

    def move(table: CardTable, card: int, to: CardList, at: int | None, shared: list[int] | None) -> None:
        lying = origin in (Origin.PLACE, Origin.VARIABLE) or isinstance(shared, CardList)
        move_card(table, card, to, at)
        among = () if shared is None or lying else _take_out(shared, card)
        if table.log is not None:
            act, given, back, before = table.log[-1]
            again = _move_at(before[1], end, before[2]) if lying else act
            table.log[-1] = (again, given, _to_end if actual or not lying else back, (*before, *among))

    return scope.source.call(node, move, ends_of(node, card, scope), shared)


def _take_out(shared: list[int], card: int | None) -> tuple[Any, ...]:
    """Take a card out of an assembled list; return a function that puts it back, if it was in there."""
    if card not in shared:
        return ()
    among = shared.index(card)
    del shared[among]
    return shared, among


def _to_end(table: CardTable, card: int, source: CardList, _place: int, *picked: Any) -> None:
    """Undo a move so that the card becomes the last of its list."""
    move_back(table, card, source, len(source))
    if picked:
        shared, among = picked
        shared.insert(among, card)


def _move_at(held: CardList, end: str, number: int) -> Callable[[CardTable, int, CardList, int | None], None]:
    """Return the move of whichever card is at a place when it is performed."""

    def move(table: CardTable, _card: int, to: CardList, at: int | None) -> None:
        place = {"top": len(held) - 1, "bottom": 0}.get(end, number)
        if not 0 <= place < len(held):
            raise Broken("an option is left without its card, which another one moved while it was tried out")
        move_card(table, held[place], to, at)

    return move


class OriginalScope(Scope):
    """The compiler's knowledge while it reads a program in the way of the original engine."""

    unrolls = False

    def __init__(self) -> None:
        super().__init__()
        self.own_words = dict(WORDS)
        self.own_steps = dict(STEPS)
        self.flat: dict[tuple[str, str], int] = {}

    def slot(self, name: str, sort: str) -> int:
        """Return the slot shared by variables of the same name and sort."""
        return self.flat.setdefault((name, sort), self.slots)

    def variable(self, node: Node) -> Expression:
        """Compile a variable, which a loop inside may have removed."""
        known = super().variable(node)
        return self.expression(known.sort, self.source.call(node, partial(_refuse_unbound, node), known.text))

    def close(self, loop: Expression, slot: int) -> Expression:
        """Return a loop that removes its variable at the end."""
        return self.expression(loop.sort, f"strike_out(table, {slot}, {loop.text})")


def _refuse_unbound(node: Node, _table: CardTable, value: Any) -> Any:
    if value is UNBOUND:
        raise Broken(f"the original engine has '{node.text} no longer: a loop within bound that name too", node)
    return value


@callable_in_texts
def strike_out(table: CardTable, slot: int, value: Any) -> Any:
    """Return the result of a loop, without its variable."""
    table.env[slot] = UNBOUND
    return value


def _equality(node: Node, scope: Scope) -> Expression:
    """Compare references where cards are compared: they are never the same."""
    left, right = operands(node, scope)
    return (
        equality(node, left, right, scope)
        if left.sort != Sort.CARD
        else scope.expression(Sort.TRUTH, str(node.head == "!="))
    )


def find_map(table: CardTable, name: str, who: int) -> PointMap:
    """Return an owner's point map; one that was never set is worth nothing."""
    return table.maps[who].get(name) or PointMap.of((), table.deck)


def grown_runs(node: Node, table: CardTable, number: int, cards: Sequence[int], points: PointMap) -> list[Cards]:
    """Return runs in the way of the original engine."""
    worth = points.table
    held = sorted(table.look(cards), key=worth.__getitem__)
    return grow(held, worth, max(1, number), table, every=node.items[1].text == "all")


def grow(held: Cards, worth: Sequence[int], least: int, table: CardTable, *, every: bool) -> list[Cards]:
    """Find runs card by card: a growing run that was found at several lengths is one list, as in the original."""
    found: list[Cards] = []
    growing = [held[:1]] if held else []
    for before, card in pairwise(held):
        table.work(len(growing))
        more = worth[card] - worth[before]
        if more == 0:
            growing += [[*run[:-1], card] for run in growing if run[-1] == before]
        elif more == 1:
            found += [run for run in growing if every and len(run) >= least]
            for run in growing:
                run.append(card)
        else:
            found += [run for run in growing if len(run) >= least]
            growing = [] if every else [[card]]
        if every:
            growing.append([card])
    return found + [run for run in growing if len(run) >= least]


WORDS: dict[str, Builder] = {
    "==": _equality,
    "!=": _equality,
    "points": lambda node, scope: map_store(node, scope, find_map),
    "runs": lambda node, scope: scope.expression(Sort.GROUPS, scope.call(node, RUNS, grown_runs)),
}
"""The expressions that the original engine reads differently."""


def _move(node: Node, scope: Scope) -> ProgramStep:
    scope.arity(node, 3)
    return Action(scope.source, [refer(node, scope.text(node.items[1], Sort.CARD), scope)], sure=True)


def _lines_of_many(node: Node, times: str, body: ProgramStep, scope: Scope) -> list[str]:
    """Return the lines of a repeated action, all evaluated before the first is performed.

    The number is evaluated once, and from a list assembled for the action all move the same card.
    """
    action = node.items[2]
    if action.head in ("set", "inc", "dec"):
        return [f"if {times} > 0:", *scope.source.within(node, body.lines)]
    if action.head == "move" and origin_of(action.items[1], scope) is Origin.COPY:
        cards = f"[{scope.text(action.items[1], Sort.CARD)} for _ in range({times})]"
        return [f"for taken in {cards}:", *scope.source.within(node, [refer(action, "taken", scope)], "taken")]
    return [f"for _ in range({times}):", *scope.source.within(node, body.lines)]


STEPS: dict[str, StepBuilder] = {
    "any": lambda node, scope: bind(node, scope, FlatLoop),
    "all": lambda node, scope: bind(node, scope, FlatLoop),
    "let": lambda node, scope: bind(node, scope, FlatLet),
    "repeat": lambda node, scope: repeat(node, scope, _lines_of_many),
    "move": _move,
}
"""The steps that the original engine performs differently."""
