"""The roster: from which round on each entry takes part, in the order of coming and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Change(NamedTuple):
    """An entry that came or left before a round, counted from 0."""

    name: str
    round: int
    here: bool


class Roster(NamedTuple):
    """All changes so far, including those at the beginning, and the current or last version of each entry.

    A change never affects a round that has begun: what was drawn for earlier rounds stays as it was.
    """

    changes: tuple[Change, ...]
    versions: Mapping[str, str]

    def places(self) -> dict[str, int]:
        """Return each entry's number, also by its version's name, in the order in which they first came.

        The key draws by these numbers, so that names decide nothing.
        """
        numbers = {name: number for number, name in enumerate(dict.fromkeys(change.name for change in self.changes))}
        return numbers | {version: numbers[name] for name, version in self.versions.items() if name in numbers}

    @classmethod
    def beginning(cls, names: Iterable[str]) -> Roster:
        """Return the roster of a tournament in which all have taken part from the beginning."""
        names = tuple(names)
        return cls(tuple(Change(name, 0, here=True) for name in names), {name: name for name in names})

    def entries(self, versions: Iterable[str]) -> list[str]:
        """Return the entries that play as these versions."""
        called = {version: entry for entry, version in self.versions.items()}
        return [called.get(name, name) for name in versions]

    def here(self, number: int) -> list[str]:
        """List the entries of a round, in the order in which they first came."""
        return _present(change for change in self.changes if change.round <= number)

    def founders(self, number: int) -> bool:
        """Return whether nobody has come or left by this round."""
        return not any(0 < change.round <= number or not change.here for change in self.changes)

    def came_later(self) -> Iterator[tuple[str, range, Sequence[str]]]:
        """Yield each later entry, the rounds it missed, and who was there when it came."""
        since: dict[str, int] = {}
        for place, change in enumerate(self.changes):
            if not change.here:
                since[change.name] = change.round
            elif change.round:
                first = since.get(change.name, 0)
                yield change.name, range(first, change.round), _present(self.changes[:place])

    def change(self, names: Iterable[str], number: int) -> Roster:
        """Return the roster after the next run has entered these; those new or missing are so from this round on."""
        present, wanted = _present(self.changes), list(dict.fromkeys(names))
        came = [Change(name, number, here=True) for name in wanted if name not in present]
        left = [Change(name, number, here=False) for name in present if name not in wanted]
        return self._replace(changes=(*self.changes, *came, *left))


def _present(changes: Iterable[Change]) -> list[str]:
    last = {change.name: change.here for change in changes}
    return [name for name, here in last.items() if here]
