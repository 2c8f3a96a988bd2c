"""JassPosition: an observation of jass-kit as a game of ours that its player cannot tell from the real one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from croupier.agents.bridges.jass_observation import CARDS, CHOICES, SHIFT
from croupier.protocol.cards import PACK_36
from croupier.server.games.game import Stacked
from croupier.server.games.jass import Jass
from croupier.server.games.jass.contracts import UNDERTRUMP
from croupier.server.imagining import BadState, worlds

if TYPE_CHECKING:
    from croupier.server.games.game import Play

NAMES = ("north", "east", "south", "west")
Place = Annotated[int, Meta(ge=0, le=3)]
"""A player there: North, East, South, West. They play in the opposite order."""


class Trick(msgspec.Struct):
    """A trick: who led, and the cards in the order played. What it counts follows from the rules."""

    first: Place
    cards: Annotated[list[str], Meta(max_length=4)] = []


class Player(msgspec.Struct):
    """A player's hand; empty where it is not known."""

    hand: Annotated[list[str], Meta(max_length=9)] = []


class Observation(msgspec.Struct, rename="camel"):
    """What jass-kit tells a player."""

    version: Literal["V0.2"]
    trump: Annotated[int, Meta(ge=-1, le=5)]
    """-1 before it is chosen."""
    dealer: Place
    current_player: Place
    player_view: Place
    forehand: Annotated[int, Meta(ge=-1, le=1)]
    """1 if the first chooser chose, 0 if that one pushed, -1 before either."""
    tricks: Annotated[list[Trick], Meta(max_length=9)]
    player: Annotated[list[Player], Meta(min_length=4, max_length=4)]
    jass_typ: Annotated[str, Meta(pattern="^SCHIEBER")] = "SCHIEBER"


class BadObservation(ValueError):
    """An observation that cannot be read, or of no game; the message says why."""


class JassPosition(NamedTuple):
    """A game from its deal up to a player's turn."""

    players: tuple[str, ...]
    """From the first chooser, who leads."""
    seat: int
    """The seat of the player on turn among them."""
    pack: tuple[str, ...]
    """As it was dealt; the cards that the player cannot know of are in any order."""
    plays: tuple[Play, ...]
    """What was said and played so far."""
    undertrump: str
    """The strictest rule by which the cards can have been played; the last one is that of jass-kit."""

    @classmethod
    def read(cls, body: bytes) -> JassPosition:
        """Return the position of an observation in JSON. Raise BadObservation."""
        seen = read_observation(body)
        if seen.current_player != seen.player_view:
            raise BadObservation("currentPlayer is not playerView: only the player on turn has a decision")
        seats = {place: (seen.dealer - 1 - place) % 4 for place in range(4)}
        mine = seats[seen.player_view]
        hands: list[list[str]] = [[], [], [], []]
        for trick in seen.tricks:
            for later, name in enumerate(trick.cards):
                hands[(seats[trick.first] + later) % 4].append(_card(name))
        hands[mine] += map(_card, seen.player[seen.player_view].hand)
        known = [card for hand in hands for card in hand]
        unknown = [card for card in PACK_36 if card not in known]
        if len(known) + len(unknown) > len(PACK_36):
            raise BadObservation("a card is named twice")
        if len(hands[mine]) != 9:
            raise BadObservation(f"the player has had {len(hands[mine])} cards, in hand and played, instead of 9")
        for hand in hands:
            hand.extend([unknown.pop() for _ in range(9 - len(hand))])
        names = tuple(sorted(NAMES, key=lambda name: seats[NAMES.index(name)]))
        pack, plays = tuple(card for hand in hands for card in hand), _plays(seen)
        for undertrump in UNDERTRUMP:
            position = cls(names, mine, pack, plays, undertrump)
            if position._is_possible(seen, seats):
                return position
        raise BadObservation("by the rules nobody can have played these cards, whatever was dealt")

    @property
    def is_chosen(self) -> bool:
        """Return whether the contract is chosen."""
        return any(play[0] == "trump" for play in self.plays)

    def opening(self) -> Jass:
        """Return the game before the first play."""
        return Jass(self.players, Jass.read_options({"undertrump": self.undertrump}), Stacked(self.pack))

    def _is_possible(self, seen: Observation, seats: dict[int, int]) -> bool:
        """Return whether some deal agrees. Raise BadObservation unless the players on turn led, and the viewer is."""
        game = self.opening()
        leaders = {4 * number: seats[trick.first] for number, trick in enumerate(seen.tricks)}
        for number, play in enumerate((*self.plays, None), -sum(play[0] != "play" for play in self.plays)):
            turn = game.turn
            if turn is None:
                raise BadObservation("the hand is over: nobody is on turn")
            if leaders.get(number, turn) != turn:
                raise BadObservation(f"trick {number // 4 + 1}: by the rules its first is {self.players[turn]}")
            if play is not None:
                game.play(turn, play)
            elif turn != self.seat:
                raise BadObservation(f"playerView is {self.players[self.seat]}, but {self.players[turn]} is on turn")
        try:
            next(worlds(game.view(self.seat), Random(0)))
        except BadState:
            return False
        return True


def _plays(seen: Observation) -> tuple[Play, ...]:
    """List what was said and played. Raise BadObservation if it does not fit together."""
    if seen.forehand > 0 if seen.trump < 0 else seen.forehand < 0:
        raise BadObservation(f"trump {seen.trump} does not go with forehand {seen.forehand}")
    cards = [card for trick in seen.tricks for card in trick.cards]
    if seen.trump < 0 and cards:
        raise BadObservation("cards are played before trump is chosen")
    if any(len(trick.cards) < 4 for trick in seen.tricks[:-1]):
        raise BadObservation("a trick that is not the last has fewer than four cards")
    said = [*([SHIFT] if seen.forehand == 0 else []), *([CHOICES[seen.trump]] if seen.trump >= 0 else [])]
    return (*said, *[("play", _card(name)) for name in cards])


def _card(name: str) -> str:
    if name not in CARDS:
        raise BadObservation(f"{name[:20]!r} is no card: a card is a text such as H6 or D10")
    return CARDS[name]


def read_observation(body: bytes) -> Observation:
    """Return an observation in JSON. Raise BadObservation."""
    try:
        return msgspec.json.decode(body, type=Observation)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as problem:
        raise BadObservation(f"no observation of jass-kit: {problem}") from None
