"""Dominion as one player sees it, in the native STATE and in that of the classic dialect."""

from __future__ import annotations

from croupier.protocol.dominion import PILES, Piles, defenses, turn_plays
from croupier.protocol.sexp import Malformed
from croupier.protocol.views.view import CARDS, NUMBER, TABLE, Field, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, ClassVar, Self

    from croupier.protocol.sexp import Sexp
    from croupier.protocol.views.view import Play


class Other:
    """Public knowledge about another player.

    How many cards are in ``deck``, ``hand`` and ``discards``, the ``top`` of the discards (None of an empty pile), and
    how many of each card the player ``owns`` altogether.
    """

    __slots__ = ("_text", "deck", "discards", "hand", "owns", "top")

    def __init__(self, deck: int, hand: int, discards: int, top: str | None, owns: Mapping[str, int]) -> None:
        self.deck = deck
        self.hand = hand
        self.discards = discards
        self.top = top
        self.owns = owns
        self._text = ""

    @classmethod
    def of(cls, forms: tuple[Any, ...]) -> Self:
        """Read the forms after the player's name."""
        field = {form[0]: form[1:] for form in forms}
        (deck,), (hand,), (discards,) = field["deck"], field["hand"], field["discards"]
        return cls(deck, hand, discards, next(iter(field["top"]), None), dict(field["owns"]))

    def to_json(self) -> dict[str, Any]:
        """Return the player in the JSON dialect; ``top`` is null if there are no discards."""
        return {"deck": self.deck, "hand": self.hand, "discards": self.discards, "top": self.top, "owns": {**self.owns}}

    def __str__(self) -> str:
        """Write the text after the player's name."""
        if not self._text:
            top, owns = f" {self.top}" if self.top else "", _write_piles(self.owns)
            self._text = f"(deck {self.deck}) (hand {self.hand}) (discards {self.discards}) (top{top}) (owns{owns})"
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"Other({self.deck}, {self.hand}, {self.discards}, {self.top!r}, {self.owns!r})"


def _write_piles(piles: Mapping[str, int]) -> str:
    return piles.text() if isinstance(piles, Piles) else TABLE.write(piles)


def _write_others(others: Mapping[str, Other]) -> str:
    return "".join([f" ({name} {other})" for name, other in others.items()])


PILES_LEFT = Field(_write_piles, TABLE.read, dict, dict)
"""``(CARD N) ...``: a dict from card to number."""
OTHERS = Field(
    _write_others,
    lambda forms: {form[0]: Other.of(form[1:]) for form in forms},
    lambda others: {name: other.to_json() for name, other in others.items()},
    lambda value: {name: Other(**other) for name, other in value.items()},
)
"""``(NAME (deck N) (hand N) (discards N) (top C) (owns (C N) ...)) ...``: a dict from name to Other."""


class DominionView(View):
    """What a player of Dominion may know.

    ``supply`` is a dict of all sixteen piles. ``deck`` (alphabetical), ``hand``, ``plays``, ``discards`` and ``trash``
    are tuples of cards; in all but the deck, the newest card is first. ``turn`` counts the turns that this player has
    begun. ``others`` is a dict from name to `Other`, clockwise. A view of the classic dialect has no ``turn`` and no
    ``others``.
    """

    GAME = "dominion"
    CLASSIC = True
    WORDS = ("action", "buy", "defend", "act", "add", "clean", "discard")
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "turn": NUMBER,
        "supply": PILES_LEFT,
        "trash": CARDS,
        "actions": NUMBER,
        "buys": NUMBER,
        "coins": NUMBER,
        "deck": CARDS,
        "hand": CARDS,
        "plays": CARDS,
        "discards": CARDS,
        "others": OTHERS,
    }

    @property
    def owned(self) -> tuple[str, ...]:
        """All cards of this player, wherever they are."""
        cards: tuple[str, ...] = self.deck + self.hand + self.plays + self.discards
        return cards

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays, also those of a Cellar, which are too many for STATE."""
        if self.legal is not None:
            return super().legal_plays()
        if self.phase == "defend":
            return defenses(self.hand)
        if self.turn is not None and not self.actions:
            raise LookupError("STATE lists no legal plays: it is another player's turn")
        return turn_plays(self.hand, self.supply, self.actions, self.buys, self.coins)

    def classic(self) -> str:
        """Write the STATE of the classic dialect."""
        supply = "".join([f" {card}" * number for card, number in self.supply.items()])
        piles = " ".join([f"({key}{CARDS.write(getattr(self, key))})" for key in ("deck", "hand", "plays", "discards")])
        return (
            f"((players{CARDS.write(self.players)}) (supply{supply}) (trash{CARDS.write(self.trash)}) "
            f"(actions {self.actions}) (buys {self.buys}) (coins {self.coins}) {piles})"
        )

    @classmethod
    def of_classic(cls, state: Sexp, phase: str = "") -> Self:
        """Read the STATE of the classic dialect; the number of actions shows which phase it is, except in a defense."""
        match state:
            case (
                ("players", *players), ("supply", *supply), ("trash", *trash),
                ("actions", int(actions)), ("buys", int(buys)), ("coins", int(coins)),
                ("deck", *deck), ("hand", *hand), ("plays", *plays), ("discards", *discards),
            ):  # fmt: skip
                pass
            case _:
                raise Malformed("STATE is not that of the classic dialect")
        return cls(
            game=cls.GAME,
            options={"rules": "classic"},
            players=tuple(players),
            phase=phase or ("action" if actions else "buy"),
            supply={card: supply.count(card) for card in PILES},
            trash=tuple(trash),
            actions=actions,
            buys=buys,
            coins=coins,
            deck=tuple(deck),
            hand=tuple(hand),
            plays=tuple(plays),
            discards=tuple(discards),
        )


VIEW = DominionView
