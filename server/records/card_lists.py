"""Bare lists: a game judged from its cards alone, in the order played or as a table of tricks and players.

White space separates the cards; parentheses, which mark winners in print, are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.cards import PACK_32, PACK_36
from croupier.protocol.jass import CONTRACTS
from croupier.server.games import sedma
from croupier.server.games.game import BadOption
from croupier.server.games.jass.contracts import PACK
from croupier.server.games.jass.contracts import contract as rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.jass.contracts import JassContract


class ListVerdict(NamedTuple):
    """The verdict on a list: a game with its winner and points where it has them, or where and why it fails."""

    valid: bool
    winner: str | None = None
    points: int | None = None
    trick: int | None = None
    player: int | None = None
    why: str | None = None

    def json(self) -> dict[str, object]:
        """Return the form that ``croupier replay --json`` prints: only the fields of this verdict."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def judge_sedma(text: str) -> ListVerdict:
    """Judge 32 cards in the order they were played; the first player's pair is ``AC``, the other ``BD``.

    Any order of the 32 cards is a game: let the players be dealt the cards that they play in the first four tricks, and
    draw those of the last four.
    """
    cards = _cards(text)
    if wrong := _wrong_card(cards, PACK_32):
        return ListVerdict(valid=False, why=wrong[1])
    leader, won, points = 0, [0] * 4, [0] * 4
    for start in range(0, 32, 4):
        trick = cards[start : start + 4]
        leader = (leader + sedma.TABLE.winner(trick)) % 4
        won[leader] += 1
        points[leader] += sedma.worth(trick)
    points[leader] += sedma.LAST_TRICK
    pair, score = sedma.outcome(won, points)
    return ListVerdict(valid=True, winner=("AC", "BD")[pair], points=score)


def judge_jass(text: str, contract: str) -> ListVerdict:
    """Judge nine rows of four cards, a row per trick and a column per player; the first player leads the first trick.

    The contract is one of ``c d h s o u``. A column is a hand, so it is known whether a player could follow.
    """
    if contract not in CONTRACTS:
        raise BadOption(f"the contract is one of {', '.join(CONTRACTS)}, not {contract}")
    cards = _cards(text)
    if wrong := _wrong_card(cards, PACK_36):
        place, why = wrong
        if place is None:
            return ListVerdict(valid=False, why=why)
        return ListVerdict(valid=False, trick=place // 4 + 1, player=place % 4 + 1, why=why)
    return _judge_play([cards[start : start + 4] for start in range(0, 36, 4)], rules(contract))


def _judge_play(rows: Sequence[Sequence[str]], contract: JassContract) -> ListVerdict:
    hands = [PACK.hand(column) for column in zip(*rows, strict=True)]
    leader = 0
    for number, row in enumerate(rows, 1):
        trick: list[str] = []
        for player in (*range(leader, 4), *range(leader)):
            card = row[player]
            if not contract.playable(hands[player], trick) & PACK.units[card]:
                return ListVerdict(valid=False, trick=number, player=player + 1, why=contract.why_not(trick, card))
            trick.append(card)
            hands[player] -= PACK.units[card]
        leader = (leader + contract.table.winner(trick)) % 4
    return ListVerdict(valid=True)


def _cards(text: str) -> list[str]:
    return text.translate(_MARKS).split()


_MARKS = str.maketrans("()", "  ")


def _wrong_card(cards: Sequence[str], pack: Sequence[str]) -> tuple[int | None, str] | None:
    """Return why the cards are not those of the pack, once each, and where if one is to blame; None if they are."""
    if len(cards) != len(pack):
        return None, f"{len(cards)} cards, where a game has {len(pack)}"
    seen: set[str] = set()
    for place, card in enumerate(cards):
        if card not in pack:
            return place, f"card {place + 1} is {card[:20]}, which is not in the pack"
        if card in seen:
            return place, f"card {place + 1} is {card} for the second time"
        seen.add(card)
    return None
