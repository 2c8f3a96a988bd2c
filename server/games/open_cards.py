"""Open cards: a contract's cards in numbers, derived from the table, the suits and the points by which it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.open_cards import NumberedCards, OpenCards

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from croupier.server.games.hands import Hand, Pack
    from croupier.server.games.orderings import Compiled
    from croupier.server.games.tricks import TrickTaking

SHARE = 16
"""What a card point counts where tricks decide between equal points: more than there are tricks."""


class Stakes(NamedTuple):
    """What the winner of a trick gains, and the rules for playing a card that go beyond following suit."""

    points: Mapping[str, int]
    """What each card adds."""
    trick_gain: int = 0
    last_gain: int = 0
    must_follow: bool = True
    leads: Mapping[str, tuple[Hand, Hand, Hand]] | None = None
    """By card led: its suit, the cards of it that bind, the cards that may be played beside it."""
    higher: Mapping[str, Hand] | None = None
    """By card: which of the cards that may be played beside beat it."""
    free: Hand = 0
    barred: Hand = 0
    breakers: Hand = 0
    counted: Hand = 0
    foxes: Hand = 0
    charlies: Hand = 0
    large: int = 0


def numbered(pack: Pack, suits: Mapping[str, Hand], table: Compiled, stakes: Stakes) -> NumberedCards:
    """Return a contract's cards in numbers: by suit, and from the weakest to the strongest."""
    faces = sorted(pack.cards[pack.everything], key=lambda card: (suits[card], table.takes[card][card]))
    takes, holds = table.takes, table.holds

    def cards(hand: Hand) -> int:
        return sum([1 << number for number, face in enumerate(faces) if pack.masks[face] & hand])

    def masks(hands: Mapping[str, Hand]) -> list[int]:
        by_face = {face: cards(hands[face]) for face in hands}
        return [by_face[face] for face in faces]

    leads = stakes.leads or {face: (suits[face], suits[face] if stakes.must_follow else 0, 0) for face in takes}
    above = {
        led: sum([pack.masks[face] for face, strength in row.items() if strength > row[led]])
        for led, row in takes.items()
    }
    kinds = {
        face: (suits[face], stakes.points[face], bool(mask & stakes.foxes), bool(mask & stakes.charlies))
        for face, mask in pack.masks.items()
    }
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds.values()))}
    return NumberedCards(
        faces=faces,
        suits=masks({face: lead[0] for face, lead in leads.items()}),
        duties=masks({face: lead[1] for face, lead in leads.items()}),
        overs=masks({face: lead[2] for face, lead in leads.items()}),
        higher=masks(stakes.higher or dict.fromkeys(takes, 0)),
        free=cards(stakes.free),
        above=masks(above),
        kinds=[numbers[kinds[face]] for face in faces],
        values=[stakes.points[face] for face in faces],
        takes=[[takes[led][face] for face in faces] for led in faces],
        holds=[[holds[led][face] for face in faces] for led in faces],
        trick_gain=stakes.trick_gain,
        last_gain=stakes.last_gain,
        barred=cards(stakes.barred),
        breakers=cards(stakes.breakers),
        counted=cards(stakes.counted),
        foxes=cards(stakes.foxes),
        charlies=cards(stakes.charlies),
        large=stakes.large,
    )


def lay_open(game: TrickTaking, cards: NumberedCards, first_camp: Collection[int] | None) -> OpenCards:
    """Return the rest of a hand in numbers; ``first_camp`` are the seats of one camp, None if each is alone."""
    copies: dict[str, list[int]] = {}
    for number, face in enumerate(cards.faces):
        copies.setdefault(face, []).append(number)
    seats = next(filter(None, game.around))
    listed = game.PACK.cards.of
    return OpenCards(
        cards=cards,
        hands=[sum([1 << copies[face].pop() for face in listed(game.hands[seat])]) for seat in seats],
        turn=seats.index(game.turn or 0),
        trick=[copies[face].pop() for face in game.trick],
        camps=None if first_camp is None else [seat in first_camp for seat in seats],
    )
