"""DominionBroadcast: describes and draws Dominion: the supply, and each player's cards by place."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from croupier.protocol.dominion import COINS, COST, PILES, POINTS, TREASURES, VICTORIES
from croupier.server.games.broadcast import Broadcast, Face, Picture, Place, Role, Said, counted
from croupier.server.games.dominion.plays import EFFECTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.protocol.views.dominion import DominionView
    from croupier.server.games.game import Game, Play

_PLAIN = ("cards", "actions", "buys", "coins")
_SPECIAL = {
    "mine": "treasure into a better one",
    "cellar": "discard, draw as many",
    "remodel": "card into one of 2 more",
    "workshop": "gain a card up to 4",
    "militia": "others down to 3",
    "moat": "shields from attacks",
}


def _text(card: str) -> str:
    if card in COINS:
        return f"{COINS[card]} coin{'s' * (COINS[card] > 1)}"
    if card in POINTS:
        return f"{POINTS[card]} point{'s' * (POINTS[card] > 1)}"
    gains = [
        f"+{many} {what if many > 1 else what[:-1]}" for many, what in zip(EFFECTS[card], _PLAIN, strict=True) if many
    ]
    return ", ".join([*gains, *([_SPECIAL[card]] if card in _SPECIAL else [])])


def _kind(card: str) -> str:
    if card in TREASURES:
        return "treasure"
    return "victory" if card in VICTORIES else "reaction" if card == "moat" else "action"


class DominionBroadcast(Broadcast):
    """Describe and draw Dominion."""

    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "act": ("play", "plays"),
        "add": ("play", "plays"),
        "buy": ("buy", "buys"),
        "clean": ("end the turn, showing", "ends the turn"),
        "moat": ("show a moat", "shows a moat"),
        "discard": ("discard", "discards"),
    }
    QUESTIONS: ClassVar[Mapping[str, str]] = {
        "action": "Play an action card, or go on to your treasures.",
        "buy": "Play treasures, buy a card, or end your turn.",
        "defend": "You are attacked: discard down to three cards, or show a moat.",
    }
    FACES: ClassVar[Mapping[str, Face]] = {card: Face(_kind(card), COST[card], _text(card)) for card in PILES}

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._turn: tuple[str, int] | None = None

    def _in_words(self, play: Play, *, told: bool = True) -> str:
        """Return a play in words; the end of a turn without the card that it shows on the discards."""
        ends = self.drawn and play[0] == "clean"
        if ends and not told and len(play) == 1:
            return "end the turn"
        return super()._in_words(play[:1] if ends and told else play, told=told)

    def open_hands(self) -> Iterator[Said]:
        """Yield the hand with which a turn begins."""
        if self.game.turn is None:
            return
        view: DominionView = self.game.view(self.game.turn)
        if view.phase != "defend" and (turn := (view.me, view.turn)) != self._turn:
            self._turn = turn
            yield Said(self.game.turn, f"holds {' '.join(sorted(view.hand))}")

    def progress(self) -> tuple[int, object]:
        """Return a value that changes with each turn."""
        return 1, (self.game.active, self.game.sides[self.game.active].turns)

    def picture(self, seat: int | None) -> Picture:
        """Draw the supply and the trash, and everybody's cards as far as they are visible."""
        game = self.game
        view: DominionView = game.view(game.active if seat is None else seat)
        places = [
            Place("supply", None, Role.SUPPLY, tuple(view.supply), counts=tuple(view.supply.values())),
            Place("trash", None, Role.PILE, tuple(reversed(view.trash))),
        ]
        for each, name in enumerate(game.players):
            places += self._own(each) if seat in {None, each} else _others(each, view, name)
        places += [Place("in play", game.active, Role.ROW, tuple(reversed(game.sides[game.active].plays)))]
        turns = [(f"turn {side.turns}",) for side in game.sides]
        counters = (counted(game.actions, "action"), counted(game.buys, "buy"), counted(game.coins, "coin"))
        facts = () if game.turn is None else (f"{game.phase} phase", *counters)
        return Picture(tuple(places), tuple(turns), facts)

    def _own(self, seat: int) -> list[Place]:
        """Return what a player sees of his own cards; for the deck only its size."""
        view: DominionView = self.game.view(seat)
        return [
            Place("", seat, Role.HAND, tuple(sorted(view.hand, key=PILES.index))),
            Place("deck", seat, Role.PILE, hidden=len(view.deck)),
            Place("discards", seat, Role.PILE, tuple(reversed(view.discards))),
        ]


def _others(seat: int, view: DominionView, name: str) -> list[Place]:
    """Return what another player sees of a player's cards."""
    other = view.others[name]
    top = (other.top,) if other.top else ()
    return [
        Place("", seat, Role.HAND, hidden=other.hand),
        Place("deck", seat, Role.PILE, hidden=other.deck),
        Place("discards", seat, Role.PILE, top, hidden=other.discards - len(top)),
    ]
