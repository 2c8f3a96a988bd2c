"""Bare lists: a game judged from its cards alone, in the order they fell or in a table of tricks and players.

White space separates the cards; parentheses, which mark winners in print, mean nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.cards import PACK_32
from croupier.server.games import sedma

if TYPE_CHECKING:
    from collections.abc import Sequence


class Verdict(NamedTuple):
    """What a list is: a game with its winner and points where it has them, or not, where and why not."""

    valid: bool
    winner: str | None = None
    points: int | None = None
    trick: int | None = None
    player: int | None = None
    why: str | None = None

    def json(self) -> dict[str, object]:
        """Return the shape that ``croupier replay --json`` prints: what this verdict has to say, and no more."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def judge_sedma(text: str) -> Verdict:
    """Judge 32 cards in the order they were played; the first player's pair is ``AC``, the other ``BD``.

    Any order of the 32 cards is a game: let the players be dealt the cards that they play in the first four tricks, and
    draw those of the last four.
    """
    cards = _cards(text)
    if why := _not_the_pack(cards, PACK_32):
        return Verdict(valid=False, why=why)
    leader, won, points = 0, [0] * 4, [0] * 4
    for start in range(0, 32, 4):
        trick = cards[start : start + 4]
        leader = (leader + sedma.taker(trick)) % 4
        won[leader] += 1
        points[leader] += sedma.worth(trick)
    points[leader] += sedma.LAST_TRICK
    pair, score = sedma.outcome(won, points)
    return Verdict(valid=True, winner=("AC", "BD")[pair], points=score)


def _cards(text: str) -> list[str]:
    return text.translate(_MARKS).split()


_MARKS = str.maketrans("()", "  ")


def _not_the_pack(cards: Sequence[str], pack: Sequence[str]) -> str:
    """Say why the cards are not those of the pack, each once; or nothing."""
    seen = set()
    for place, card in enumerate(cards, 1):
        if card not in pack:
            return f"card {place} is {card[:20]}, which is not in the pack of {len(pack)}"
        if card in seen:
            return f"card {place} is {card} for the second time"
        seen.add(card)
    return "" if len(cards) == len(pack) else f"{len(cards)} cards, where a game has {len(pack)}"
