"""TrickTaking: what all trick-taking games share, from the deal to the score of a hand.

A game declares ``PACK`` and ``DEALT``, and in its constructor calls `next_hand`. Once a hand's contract is known it has
``suits`` (for each card that may be led, the mask of its effective suit) and ``table`` (the compiled ordering), both
constant in games with one contract, and calls `lead`. In the order of a hand, a game says

    dealt          what goes to ``hands``; `deal_around` deals blocks of equal size
    begin          what comes before the cards: bidding, the choice of trumps, or `lead` at once
    biddable       what may be said or done before the cards, while the phase is not ``play``
    check_bid, bid why that may not be said, and what follows from it
    playable       which cards may be played: all of a hand, or those of the suit led if there are any
    why_not        the reason a person would give for a card that may not be played
    took           what follows when a trick was won: count points; when the hand is over, return `end_hand`
    goes_on        whether another hand follows: until somebody has ``target`` points, which is the option ``score-to``,
                   but no more hands than the option ``hands`` says, as scores may go down for ever

What those who search need beside the rules is `Imagined` in tricks_imagined.py.

State, by seat where it is a list: ``phase``, ``hands`` (each a `Hand`), ``leader`` of the trick, ``trick`` (its cards),
``tricks`` (finished: leader and cards), ``number`` of the hand from 1, ``forehand``, ``tally`` (scores before this
hand), and ``around[seat]``, the active seats clockwise from one. ``only_follow`` tells whether following suit is all
that is asked now, so that `playable` need not be; a game with a `playable` of its own may set it. A copy copies lists;
what is no list is replaced, never changed.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cache, lru_cache
from operator import add, itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.protocol.views.known import Settled
from croupier.protocol.views.view import MAX_LEGAL, PLAYS, SETTLED, Entries, Trick
from croupier.server.games.game import Game, IllegalPlay, Label, Option, Told, UnknownPlay, untold
from croupier.server.games.tricks_broadcast import TrickBroadcast
from croupier.server.games.tricks_imagined import Imagined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from croupier.protocol.sexp import Atom
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.hands import Hand, Pack
    from croupier.server.games.retelling import Retelling


FIRST_DEAL = Label("deal")
MOST_HANDS = 1000
HANDS = Option(
    MOST_HANDS, range(1, 100_001), "hands in a game at the most, whatever the score: it may go down for ever"
)
"""The option of a game that is played to a score."""


_NO_TRICK = Trick()


@lru_cache(256)
def _from(players: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """Return the players clockwise from one."""
    return players[seat:] + players[:seat]


@lru_cache(4096)
def _entries(players: tuple[str, ...], seat: int, values: tuple[Any, ...]) -> Entries:
    """Return values by name from a seat on: the same as before while they are, which need not be written anew."""
    return Entries(zip(_from(players, seat), (*values[seat:], *values[:seat]), strict=True))


@lru_cache(4096)
def told_around(key: str, players: tuple[str, ...], values: tuple[Atom | None, ...]) -> tuple[str, ...]:
    """Return by seat how a field is written that has a value of each player, but for None: from that seat clockwise.

    It is written once for all seats, and for all games of the same players in which the values come again.
    """
    each = zip(players, values, strict=True)
    parts = ["" if value is None else f" ({name} {value})" for name, value in each]
    return tuple([f" ({key}{''.join([*parts[seat:], *parts[:seat]])})" for seat in range(len(parts))])


@cache
def clockwise(seats: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Return by seat all of the seats, in turn from that one; none for a seat that is not among them."""
    circle = tuple(seats)
    after = {seat: circle[place:] + circle[:place] for place, seat in enumerate(circle)}
    return tuple([after.get(seat, ()) for seat in range(max(circle) + 1)])


class TrickTaking(Imagined):
    """A game of tricks: cards are dealt, led and followed, and who wins a trick leads the next."""

    PACK: ClassVar[Pack]
    DEALT: ClassVar[tuple[str, ...]]
    """The cards that are shuffled."""

    RETELLING: ClassVar[type[Retelling] | None] = None
    """How a hand is told again from what a seat sees; `Retelling` itself where nothing comes before the cards."""
    BROADCAST = TrickBroadcast

    MOVING: ClassVar[tuple[str, ...]] = ()
    """The fields that `rewritten` writes while cards are played, ``legal`` the last; none where it is not asked.

    With ``phase`` among them it writes in every phase, and all other fields stay as they are for a whole hand."""

    # What is looked at with each card is found sooner in slots than in a dict, and however much a game keeps beside it.
    __slots__ = (
        *("_held", "_of_each", "_told", "around", "hands", "leader", "named", "only_follow", "phase", "plays"),
        *("suits", "table", "trick", "tricks", "turn", "units"),
    )

    target = 0
    last = False
    """Whether the game ends with this hand, whatever the score: one that is told again from a view."""

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        seats = len(self.players)
        if "score-to" in self.options:
            self.target = int(self.options["score-to"])
        self.units, self.plays, self.named = self.PACK.units, self.PACK.plays, self.PACK.played
        self.only_follow = type(self).playable is TrickTaking.playable
        self.number = 0
        self.tally = (0,) * seats
        self._settled: list[Settled | None] = [None] * seats
        self._held: list[tuple[Hand, str]] = [(0, "")] * seats
        self._of_each: tuple[list[int], tuple[str, ...]] = [], ()
        self.around = clockwise(range(seats))

    # The deal

    def next_hand(self) -> None:
        """Shuffle and deal the next hand, and begin it."""
        self.number += 1
        self.forehand = (self.number - 1) % len(self.players)
        self.clear_table()
        label = FIRST_DEAL if self.number == 1 else Label("deal", number=self.number)
        self.dealt(self.deal.shuffle(label, self.DEALT))
        self.begin()

    def clear_table(self) -> None:
        """Have no trick begun or finished."""
        self.trick: list[str] = []
        self.tricks: list[tuple[int, tuple[str, ...]]] = []
        self._shown: tuple[Trick, ...] = ()
        self._told = 0, " (tricks)"

    @abstractmethod
    def dealt(self, cards: tuple[str, ...]) -> None:
        """Give the shuffled cards to ``hands``."""

    def deal_around(self, seats: Iterable[int], cards: tuple[str, ...], size: int) -> None:
        """Give each of the seats in turn a block of cards."""
        self.hands, units = [0] * len(self.players), itemgetter(*cards)(self.units)
        for block, seat in enumerate(seats):
            self.hands[seat] = sum(units[size * block : size * (block + 1)])

    @abstractmethod
    def begin(self) -> None:
        """Begin what comes before the cards, or `lead` at once."""

    def from_seat(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise from one, whether they are active or not."""
        return clockwise(range(len(self.players)))[seat]

    # The play

    def lead(self, seat: int) -> None:
        """Begin the play of the cards."""
        self.phase = "play"
        self.leader = self.turn = seat

    def playable(self, seat: int) -> Hand:
        """Return what the seat on turn may play of its hand: the effective suit led if there is any, else anything."""
        hand, trick = self.hands[seat], self.trick
        return hand & self.suits[trick[0]] or hand if trick else hand

    def legal(self) -> Sequence[Play]:
        """List the cards that may be played, or what may be said before."""
        turn = self.turn
        if turn is None:
            return ()
        if self.phase != "play":
            return self.biddable(turn)
        if not self.only_follow:
            return self.plays.of(self.playable(turn))
        hand, trick = self.hands[turn], self.trick
        return self.plays.of(hand & self.suits[trick[0]] or hand if trick else hand)

    def biddable(self, seat: int) -> Sequence[Play]:
        """List what the seat on turn may say before the cards."""
        raise NotImplementedError

    def routine(self) -> Play | None:
        """Return the only play; where several cards may be played nothing is listed."""
        if self.turn is not None and self.phase == "play":
            may = self.playable(self.turn)
            if may & (may - 1):
                return None
        return super().routine()

    def sample(self, rng: Random) -> Play:
        """Return one legal play, each equally likely."""
        return rng.choice(self.legal())

    def check(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat is on turn and holds and may play this card."""
        card = self.named.get(play)
        if card is None:
            self.check_bid(seat, play)
        elif seat != self.turn or self.phase != "play" or not card & self.playable(seat):
            self._refuse(seat, str(play[1]))

    def _refuse(self, seat: int, card: str) -> None:
        self.check_turn(seat)
        if self.phase != "play":
            raise IllegalPlay("the cards are not played yet")
        self.check_held(seat, card)
        raise IllegalPlay(self.why_not(seat, card))

    def check_held(self, seat: int, card: str) -> None:
        """Raise IllegalPlay unless the card is in the seat's hand."""
        if not self.hands[seat] & self.PACK.masks[card]:
            raise IllegalPlay(f"{card} is not in the hand")

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat may say this, which is not ``(play C)``."""
        raise UnknownPlay(f"a play of {self.NAME} is one of {', '.join(self.PLAYS)}")

    def why_not(self, seat: int, card: str) -> str:
        """Return the reason why a card that the seat on turn holds may not be played."""
        return f"{self.trick[0]} was led and the hand can follow suit, which {card} does not"

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Play a card to the trick, or do what else the play says."""
        if play[0] != "play":
            return self.bid(seat, play)
        card: Any = play[1]
        self.hands[seat] -= self.units[card]
        self.trick.append(card)
        left = self.around[seat][1]
        if left == self.leader:
            return self.end_trick()
        self.turn = left
        return ()

    def end_trick(self) -> Sequence[News]:
        """Give the trick to its winner, who leads the next."""
        leader, cards = self.leader, tuple(self.trick)
        self.trick = []
        self.tricks.append((leader, cards))
        self.turn = self.leader = winner = self.around[leader][self.table.winner(cards)]
        return self.took(winner, cards)

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Apply what is not ``(play C)``."""
        raise NotImplementedError

    @abstractmethod
    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count what a trick brings its winner, who is on turn to lead the next, and end the hand with `end_hand`."""

    # The score

    def counting(self) -> Sequence[int]:
        """Return the list in which the points of a hand's tricks are counted, if they are; each hand has its own."""
        return ()

    def end_hand(self, points: Sequence[int]) -> Sequence[News]:
        """Score the hand; deal the next one if another follows."""
        self.tally = tuple(map(add, self.tally, points))
        score = Told(("score", *zip(self.players, points, strict=True)))
        if self.last or not self.goes_on():
            self.turn = None
            return (score,)
        self.next_hand()
        return (score, Told(("deal", self.number)))

    def goes_on(self) -> bool:
        """Tell whether another hand follows, now that the tally is up to date."""
        most = self.options.get("hands", MOST_HANDS)
        return bool(self.target) and max(self.tally) < self.target and self.number < int(most)

    def scores(self) -> tuple[int, ...]:
        """Return the tally."""
        return self.tally

    # What a seat sees

    def seen(self, seat: int) -> dict[str, Any]:
        """Return the fields that all trick-taking games show, and ``legal`` where it is listed in full."""
        return self.settled(seat) | self._moving(seat)

    def to_show(self, seat: int) -> dict[str, Any]:
        """Return the same for `View.showing`, with what is `staying`."""
        if (staying := self.staying(seat)) is None:
            return self.seen(seat)
        fields = self._moving(seat)
        fields[SETTLED] = staying
        return fields

    def staying(self, seat: int) -> Settled | None:
        """Return what is `settled` while cards are played, or the phase may change, made once a hand."""
        if self.phase != "play" and "phase" not in self.MOVING:
            return None
        if (settled := self._settled[seat]) is None or settled.since is not self.tally:
            settled = self._settled[seat] = Settled(self.settled(seat), self.tally, self.MOVING)
        return settled

    def rewritten_cards(self, seat: int) -> tuple[str, str, str, str]:
        """Return of `rewritten` how hand, trick, tricks and legal plays are written while cards are played.

        Tricks and legal plays have their key, or are nothing off turn; the others are what stands behind it.
        """
        trick, tricks, players, pack = self.trick, self.tricks, self.players, self.PACK
        number, told = self._told
        if number < len(tricks):
            more = "".join([f" ({players[leader]} {' '.join(cards)})" for leader, cards in tricks[number:]])
            self._told = len(tricks), (told := f"{told[:-1]}{more})")
        hand = self.hands[seat]
        before, held = self._held[seat]
        if hand != before:  # as a rule by the one card that was played
            played = pack.names.get(hand ^ before) if hand < before else None
            held = pack.held.of(hand) if played is None else held.replace(played, "", 1)
            self._held[seat] = hand, held
        if seat != self.turn:
            legal = ""
        elif (may := self.playable(seat)) == hand and pack.single:
            legal = f" (legal{held.replace(' ', ') (play ')[1:]}))"
        else:  # what follows suit comes again, what may be led hardly
            legal = f" (legal{pack.offered[may] if trick else pack.offered.of(may)})"
        return held, f" {players[self.leader]} {' '.join(trick)}" if trick else "", told, legal

    def rewritten_before(self, seat: int, hand: Hand) -> tuple[str, str, str, str]:
        """Return the same as `rewritten_cards` before cards are played; ``hand`` is what the seat sees as its own."""
        return self.PACK.held.of(hand), "", " (tricks)", self.rewritten_biddable(seat)

    def rewritten_biddable(self, seat: int) -> str:
        """Return how is written what may be said before cards are played, with its key; nothing off turn."""
        plays = self.legal() if seat == self.turn else ()
        return f" (legal{PLAYS.write(plays)})" if 0 < len(plays) <= MAX_LEGAL else ""

    def told_of_each(self, key: str, values: list[int]) -> tuple[str, ...]:
        """Return `told_around` of a number of each player, which is looked up when one of them has changed."""
        before, told = self._of_each
        if values != before:
            told = told_around(key, self.players, tuple(values))
            self._of_each = values[:], told
        return told

    def _moving(self, seat: int) -> dict[str, Any]:
        players = self.players
        if (shown := len(self._shown)) < len(self.tricks):
            self._shown += tuple([Trick(players[leader], cards) for leader, cards in self.tricks[shown:]])
        legal = self.legal() if seat == self.turn else None
        return {
            "phase": self.phase,
            "hand": self.PACK.cards.of(self.hands[seat]),
            "trick": Trick(players[self.leader], tuple(self.trick)) if self.trick else _NO_TRICK,
            "tricks": self._shown,
            "legal": legal if legal and len(legal) <= MAX_LEGAL else None,
        }

    def settled(self, seat: int) -> dict[str, Any]:
        """Return the fields that stay as they are as long as the cards of a hand are played, or the hand lasts."""
        fields = {
            "game": self.NAME,
            "options": self.options,
            "players": _from(self.players, seat),
            "tally": self.by_name(seat, self.tally),
        }
        return fields if "phase" in self.MOVING else fields | {"phase": self.phase}

    def by_name(self, seat: int, values: Sequence[Any]) -> dict[str, Any]:
        """Return a value of every seat by its name, ``seat`` first, then clockwise."""
        return _entries(self.players, seat, tuple(values))

    # Told again from a view

    @classmethod
    def of_view(cls, view: View) -> Self:
        """Return a game that looks like this to its viewer, and ends with the hand."""
        if cls.RETELLING is None:
            raise untold(cls.NAME)
        game: Self = cls.RETELLING(cls, view).game()
        return game

    def earlier(self, seat: int) -> Iterable[tuple[Game, int, Play]]:
        """List what others said before the cards, if the game can be told again from its deal."""
        return self.RETELLING.earlier(self, seat) if self.RETELLING is not None and self.last else ()
