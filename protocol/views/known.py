"""Known: what a seat was shown last, and how it was written, so that only what is another is written anew."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from croupier.protocol.views.view import View, Writer

_FROZEN: set[type] = {str, int, bool, tuple}
"""The kinds of values that nobody changes; a list might be another tomorrow."""
_CHANGES = object()
_CLOCK = ("clock", "bank")


def never_changed(kind: type) -> None:
    """Say that nobody changes values of this kind: while one is the same it is written the same."""
    _FROZEN.add(kind)


class Settled(dict[str, "Any"]):
    """The fields of a seat's view that stay as they are for a while, shared by its views of that while.

    It is never changed; ``since`` is what will be another object when the while is over. ``rewritten`` are the fields
    that the rules write themselves meanwhile, in the order of the wire, ``legal`` the last; all others are settled.
    """

    __slots__ = ("rewritten", "since")

    def __init__(self, fields: Mapping[str, Any], since: object, rewritten: tuple[str, ...] = ()) -> None:
        super().__init__(fields)
        self.since = since
        self.rewritten = rewritten


class Known:
    """What a seat was shown last: the value of each field of a page, and how it was written.

    ``settled`` are the fields that stayed as they were, ``moving`` how the others of the page are written.
    """

    __slots__ = (
        *("_before", "_clock", "_moved", "_names", "_page", "_parts", "_planned", "_runs", "_staying"),
        *("_texts", "_values", "moving", "settled"),
    )

    def __init__(self) -> None:
        self._page: type[View] | None = None
        self._names: tuple[str, ...] = ()
        self._moved: tuple[str, ...] = ()
        self._planned: tuple[str, ...] = ()
        self._clock: tuple[int | None, int | None] | None = None
        self._before = ""
        self._parts: list[str] = []
        self.settled: Settled | None = None

    def still(self, page: type[View], settled: Settled) -> bool:
        """Say whether the same fields are settled as before, in another game of the same players; take it so."""
        same = page is self._page and settled == self.settled
        if same:
            self.settled = settled
        return same

    def settle(self, settled: Settled) -> bool:
        """Have other fields settled, without a view; say whether it can be done: if a view of that game was written."""
        page, before = self._page, self.settled
        if page is None or settled["game"] != page.GAME:
            return False
        if before is None or before != settled or before.rewritten is not settled.rewritten:
            self._take(page, settled)
            if settled.rewritten is not self._planned:
                self._plan(settled.rewritten)
            self.told(settled, self._staying)  # what neither stays nor is rewritten is not shown
        self.settled = settled
        return True

    def told_whole(self, page: type[View], have: Mapping[str, Any], settled: Settled | None) -> str:
        """Write STATE, every field of a page looked at: of views with the same ones ``settled`` only others need be."""
        if page is not self._page:
            self._page, self._names, self._moved, self._planned = page, (), (), ()
            self._values: list[Any] = [None] * len(page.NAMES)
            self._texts, self.moving = dict.fromkeys(page.NAMES, ""), page.WRITERS
        self.settled = settled
        if settled is not None:
            self._take(page, settled)
        return self.told(have, page.WRITERS)

    def _take(self, page: type[View], settled: Settled) -> None:
        """Find which fields of the page are looked at in a view of which these are settled."""
        if (names := tuple(settled)) != self._names:
            self._names = names
            self.moving = tuple([writer for writer in page.WRITERS if writer[1] not in settled])

    def told(self, have: Mapping[str, Any], writers: Iterable[Writer]) -> str:
        """Write STATE; of the fields of these writers, those whose values are others than before are written anew.

        What somebody else has written meanwhile is here as it was told last: value and text belong together.
        """
        values, texts = self._values, self._texts
        self._moved = ()
        for place, name, opening, as_text, lasting in writers:
            value = have.get(name)
            if value is not values[place]:
                kind = value.__class__
                if kind is tuple and value == values[place]:
                    continue
                values[place] = value if lasting and kind in _FROZEN else _CHANGES
                texts[name] = "" if value is None else f"{opening}{as_text(value)})"
        return f"({''.join(texts.values())[1:]})"

    def between(self, names: tuple[str, ...], clock: tuple[int | None, int | None]) -> list[str]:
        """Return how what lies before each of these fields of STATE was written, and the clock and the bank.

        The fields of these ``names`` are written by somebody else from now on: they are in the order of the wire, the
        last is ``legal``. ``clock`` is the clock and the bank.
        """
        if names is not self._moved:
            self._lay_out(names)
        if clock is not self._clock:
            self._clock = clock
            left = [f" ({name} {time})" for name, time in zip(_CLOCK, clock, strict=True) if time is not None]
            self._parts[-1] = "".join([self._before, *left])
        return self._parts

    def _lay_out(self, names: tuple[str, ...]) -> None:
        """Join what stays between the fields that move; clock and bank are written behind what is ``_before`` them."""
        if names is not self._planned:
            self._plan(names)
        self._moved, self._clock = names, None
        texts = [*self._texts.values()]
        head, *parts = ["".join(texts[begin:end]) for begin, end in self._runs]
        self._parts = [f"({head[1:]}", *parts]
        self._before = self._parts[-1]

    def _plan(self, names: tuple[str, ...]) -> None:
        """Find what stays on the page, and from where to where fields lie before each that moves."""
        assert self._page is not None
        self._staying = tuple([writer for writer in self._page.WRITERS if writer[1] not in {*names, *_CLOCK}])
        self._planned, page = names, [*self._texts]
        earlier = [page.index(name) for name in names[:-1]]  # the last is ``legal``, behind the clock
        ends = (*earlier, page.index("clock"))
        self._runs = tuple(zip((0, *[place + 1 for place in earlier]), ends, strict=True))
