"""What a search asks of Doppelkopf: a hand retold from a view, the parties, and a deal of the hidden cards.

Besides the suits that were not followed, much can be inferred: a queen of clubs that was announced or excluded, both in
a wedding, and the second of the Schweinchen. So can the cards exchanged in a poverty and how many were trumps, and what
a losing reservation must have been where a solo would have won.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Self

from croupier.protocol.doppelkopf import CHARLIE, FOX, NORMAL, OLD_QUEEN, POINTS, WITH_NINES, WITHOUT_NINES
from croupier.server.games.doppelkopf import scoring
from croupier.server.games.doppelkopf.announcements import KONTRA, PARTIES, RE
from croupier.server.games.doppelkopf.contracts import FOXES, NORMAL_TRUMPS, OLD_QUEENS, PACK, order
from croupier.server.games.doppelkopf.plays import HEALTHY, POVERTY, RESERVATION, SOLO_PLAYS, WEDDING
from croupier.server.games.doppelkopf.poverty import Poverty
from croupier.server.games.doppelkopf.reservations import POOR, is_poor, may_marry
from croupier.server.games.game import Dice
from croupier.server.games.open_cards import Stakes, lay_open, numbered
from croupier.server.games.redeal import ImpossibleError, Pile, Redeal
from croupier.server.games.tricks_world import Retelling, TrickWorld

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from croupier.protocol.open_cards import NumberedCards, OpenCards
    from croupier.server.games.doppelkopf.game import Doppelkopf
    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand

TRIES = 200
ALL_POINTS = 240
MOST_SPECIAL = 12
"""More special points than there are in the last tricks."""
QUEEN = PACK.units[OLD_QUEEN]
ALL_TRUMPS = PACK.everything & NORMAL_TRUMPS
DUTY: dict[str, Any] = {"duty-solo": "no", "list": 1}


# cached because there are few orders of cards
@cache
def numbered_cards(game: str, dulle: str, foxes: str, *, special: bool) -> NumberedCards:
    """Return the cards of a game in numbers, under the arguments of `order`; ``special`` points count or not."""
    suits, _, table = order(game, dulle, foxes)
    stakes = Stakes(POINTS)
    if special:
        caught = FOXES if foxes == "low" else 0
        stakes = Stakes(POINTS, foxes=caught, charlies=PACK.masks[CHARLIE], large=scoring.DOPPELKOPF)
    return numbered(PACK, suits, table, stakes)


# cached because most games have the same few announcements
@cache
def worths(steps: tuple[int, int], *, special: bool) -> list[int]:
    """Return the value of the game to Re, by its card points, if both sides win a trick."""
    results = [scoring.result((points, ALL_POINTS - points), (1, 1), steps) for points in range(ALL_POINTS + 1)]
    return [result.value - (special and result.winner == KONTRA) for result in results]


class DoppelkopfRetelling(Retelling):
    """A hand retold: the reservations as far as they are known, the announcements, the play."""

    def __init__(self, rules: Any, view: Any) -> None:
        self.size = len(self._pack(view)) // 4
        self.contract: Any = view.contract if view.contract is not None else ()
        self.word = self.contract if isinstance(self.contract, str) else next(iter(self.contract), "")
        super().__init__(rules, view)
        self.alone = self._alone()

    @staticmethod
    def _pack(view: Any) -> Sequence[str]:
        return WITH_NINES if view.options["nines"] == "yes" else WITHOUT_NINES

    def pack(self) -> Sequence[str]:
        """Return the cards, with or without nines."""
        return self._pack(self.view)

    def forehand(self) -> int:
        """Return the player who spoke first, or is to speak first."""
        return self.place(next(iter(self.view.reservations), self.view.me))

    def options(self) -> dict[str, Any]:
        """Return the options without duty solos, so that the hand is dealt without asking for one."""
        return {**super().options(), **DUTY}

    # Who plays alone, and what is known about hands

    def _alone(self) -> str:
        """Return the soloist, the poor player, or the one with the wedding; else one who may have both queens."""
        if self.word == "solo":
            return str(self.contract[2])
        if self.word == "poverty":
            return str(self.contract[1])
        if self.word != "wedding":
            return ""
        view = self.view
        names = [name for name, said in view.reservations.items() if said == "reservation"]
        queens = {name: self.played[name].count(OLD_QUEEN) for name in names}
        mine = view.hand.count(OLD_QUEEN) + self.played[view.me].count(OLD_QUEEN)
        alone: str = max(
            names, key=lambda name: (view.parties.get(name) == "re", mine if name == view.me else queens[name])
        )
        return alone

    def certain(self, name: str) -> list[str]:
        """Return the queens and the fox that a player must have, and the cards received from the viewer."""
        view, played = self.view, self.played[name]
        queens = 2 if self.word == "wedding" and name == self.alone else 0
        if self.word == NORMAL and view.parties.get(name) == "re":
            queens = 1
        known_cards = [OLD_QUEEN] * max(0, queens - played.count(OLD_QUEEN))
        known_cards += [FOX] * (2 - played.count(FOX)) if name == view.schweinchen else []
        return [*known_cards, *self._taken()] if name == self.alone else known_cards

    def _taken(self) -> Sequence[str]:
        """Return the trumps that the viewer has taken in a poverty and has yet to answer; they are dealt back."""
        return (self.view.received or ()) if self.view.phase == "poverty" else ()

    def current_hands(self) -> dict[str, list[str]]:
        """Return what each player holds now, or held before trumps were taken that are not yet answered."""
        hands = super().current_hands()
        for card in self._taken():
            hands[self.view.me].remove(card)
        return hands

    def lacking(self, name: str) -> Sequence[str]:
        """Return the other fox if a player played one without Schweinchen."""
        schweinchen = self.view.options["schweinchen"] == "yes" and self.view.schweinchen != name
        return (FOX,) if schweinchen and FOX in self.played[name] else ()

    # The retelling

    def before(self, game: Any) -> None:
        """Repeat the reservations."""
        view, options = self.view, self.view.options
        game.finished = view.finished or 0
        game.owing = frozenset(self.seat(name) for name in view.owing or ())
        game.forced = len(game.owing) == int(options["list"]) - game.finished
        for name, said in view.reservations.items():
            game.turn = self.seat(name)
            game.play(game.turn, HEALTHY if said == "healthy" else self._reservation(name))
        if self.word == "poverty":
            self._repeat_poverty(game)
        if view.phase != "play":
            game.turn = self.seat(view.me)

    def _repeat_poverty(self, game: Any) -> None:
        """Repeat an offer of trumps, and what followed; cards that the viewer does not know are any.

        In the play, the hands are dealt as they were after the exchange.
        """
        view, hands, poor = self.view, game.hands, self.seat(self.alone)
        count, *after = self.contract[2:]
        hands[poor] += game.poverty.offered
        taker = self.seat(after[0]) if after else None
        given, received = (PACK.hand(cards or ()) for cards in (view.exchanged, view.received))
        offered = {self.alone: given, after[0] if after else None: received}.get(view.me)
        if offered is None:
            offered = PACK.hand(PACK.cards.of(ALL_TRUMPS if view.phase == "play" else hands[poor])[:count])
        game.poverty = Poverty(poor, offered, taker)
        if view.phase == "poverty":
            hands[poor] -= offered
        if taker is not None:
            game.parties.openly({poor, taker})
            if view.phase == "poverty":
                hands[taker] += offered
            else:
                returned = {self.alone: received, after[0]: given}.get(view.me)
                if returned is None:
                    plain = PACK.cards.of(PACK.everything - ALL_TRUMPS)[: count - after[1]]
                    returned = PACK.hand([*PACK.cards.of(ALL_TRUMPS)[: after[1]], *plain])
                game.poverty = game.poverty._replace(returned=returned)
        game.contract = game.poverty.contract(game.players)
        if view.phase == "play":
            game.begin_play(NORMAL, game.contract)

    def _reservation(self, name: str) -> Play:
        """Return what a reservation was, or may have been."""
        if self.word == "poverty" and name == self.alone:
            return POVERTY
        if self.word == "wedding" or name != self.alone:
            return WEDDING if self.word else SOLO_PLAYS[0]
        return ("solo", self.contract[1])

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """List who was healthy or played alone, and who announced a party, as if before the first card."""
        if game.phase != "play" or game.poverty is not None:  # the hands after an exchange are others
            return
        again = cls.again(game, cls.began(game), **DUTY)
        for other, said in game.said:
            if other != seat and said != RESERVATION:
                again.turn = other
                yield again, other, said
        for other, said in game.said:
            again.turn = other
            again.play(other, said if said != RESERVATION else WEDDING)
        for other, word in game.announcements.said:
            if other != seat and word in PARTIES:
                again.turn = other
                yield again, other, ("announce", word)

    def close(self, game: Any) -> None:
        """Repeat the announcements, and reveal what is public."""
        view = self.view
        for name, word in view.announced:
            seat, side = self.seat(name), PARTIES.index(view.parties[name])
            game.announcements.announce(seat, side, word, self.size)
        game.parties.known = [
            PARTIES.index(view.parties[name]) if name in view.parties else None for name in self.players
        ]
        if view.party is not None and view.legal is not None and set(game.legal()) > set(view.legal):
            game.announcements.late[PARTIES.index(view.party)] = True


class DoppelkopfWorld(TrickWorld):
    """Doppelkopf as a search sees it."""

    game: Doppelkopf
    RETELLING = DoppelkopfRetelling

    def open_cards(self) -> OpenCards | None:
        """Return the rest of a hand in numbers, once both sides have a trick and the order of cards is final."""
        game, sides = self.game, self.game.parties.sides
        if sides is None or len({sides[winner] for winner in game.winners}) < 2 or self._may_reorder():
            return None
        special, foxes = sides.count(RE) == 2, "low" if game.high_foxes is None else "high"
        cards = numbered_cards(game.game, str(game.options["dulle"]), foxes, special=special)
        value = worths(tuple(game.announcements.steps), special=special)
        re = [seat for seat in range(4) if sides[seat] == RE]
        return lay_open(game, cards, re)._replace(
            bounds=(min(value) - MOST_SPECIAL, max(value) + MOST_SPECIAL),
            gained=sum([game.points[seat] for seat in re]),
            worths=value,
        )

    def _may_reorder(self) -> bool:
        """Return whether the order of cards may still change: for the last trick, or by Schweinchen."""
        game = self.game
        foxes = game.options["schweinchen"] == "yes" and game.high_foxes is None and game.game == NORMAL
        both = any(hand & FOXES == 2 * PACK.units[FOX] for hand in game.hands)
        return game.options["dulle"] == "second-but-last-trick" or (foxes and both)

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which everything that ``seat`` cannot know is dealt again, each deal equally likely.

        Deals that do not explain a losing reservation are dropped. Where hardly any does, such reservations are guessed
        first, so that not all deals are equally likely then.
        """
        lacks = self.lacks()
        for guessing in (False, True):
            for _ in range(TRIES):
                try:
                    return type(self)(_Guess(self.game, seat, lacks[:], rng, guessing=guessing).deal())
                except ImpossibleError:
                    continue
        raise ImpossibleError("no deal agrees with what was seen")


class _Guess:
    """One guess at the hidden facts.

    By seat: ``known_cards`` are certain, ``lacks`` is the mask of excluded cards, ``trumps`` is the number of trumps
    left where that is known, ``least`` a lower bound for it.
    """

    def __init__(self, game: Any, seat: int, lacks: list[Hand], rng: Random, *, guessing: bool) -> None:
        self.game: Doppelkopf = game
        self.seat = seat
        self.rng = rng
        self.played = [began - now for began, now in zip(Retelling.began(game), game.hands, strict=True)]
        self.known_cards: list[Hand] = [0] * 4
        self.lacks = lacks
        self.trumps: list[int | None] = [None] * 4
        self.least = [0] * 4
        self._know_queens()
        self._know_foxes()
        taker = None
        if game.poverty is not None:
            self._know_exchange(game.poverty)
            taker = game.poverty.taker
        # the taker no longer has the hand of the reservation
        self.reserved = [other for other in game.no_solos if other not in {seat, taker}]
        for other in self.reserved if guessing else ():
            self._guess_reservation(other)

    # Known facts.

    def _know_queens(self) -> None:
        game = self.game
        for other in range(4):
            queens = PACK.count(self.played[other] & OLD_QUEENS)
            if game.contract == "wedding" and other == game.alone:
                self.known_cards[other] = (2 - queens) * QUEEN
            elif game.contract == NORMAL and game.parties.known[other] == RE and not queens:
                self.known_cards[other] = QUEEN
            elif game.contract == NORMAL and game.parties.known[other] == KONTRA:
                self.lacks[other] |= OLD_QUEENS

    def _know_foxes(self) -> None:
        """Exclude the second fox from players who played one and announced nothing, where two are Schweinchen."""
        game = self.game
        if game.phase != "play" or game.options["schweinchen"] == "no" or game.game != NORMAL:
            return
        for other in range(4):
            foxes = PACK.count(self.played[other] & FOXES)
            if other == game.high_foxes:
                self.known_cards[other] |= (2 - foxes) * PACK.units[FOX]
            elif foxes:
                self.lacks[other] |= FOXES

    def _know_exchange(self, poverty: Poverty) -> None:
        poor, taker, returned = poverty.poor, poverty.taker, poverty.returned
        back = 0 if returned is None else PACK.count(returned & NORMAL_TRUMPS)
        offered = PACK.count(poverty.offered)
        self.trumps[poor] = back - PACK.count(self.played[poor] & NORMAL_TRUMPS)
        if taker is None:
            return
        if self.seat == poor:
            kept = _less(poverty.offered, returned or 0)
            self.known_cards[taker] = _most(self.known_cards[taker], _less(kept, self.played[taker]))
        elif self.seat == taker:
            self.known_cards[poor] = _most(self.known_cards[poor], _less(returned or 0, self.played[poor]))
        else:
            self.least[taker] = max(0, offered - back - PACK.count(self.played[taker] & NORMAL_TRUMPS))

    def _guess_reservation(self, other: int) -> None:
        """Guess a reservation that cannot have been a solo: a wedding, or poverty."""
        queens = PACK.count(self.played[other] & OLD_QUEENS)
        trumps = PACK.count(self.played[other] & NORMAL_TRUMPS)
        if self.game.options["poverty"] == "no" or trumps > POOR or self.rng.random() < 1 / 2:
            self.known_cards[other] = _most(self.known_cards[other], (2 - queens) * QUEEN)
        else:
            self.trumps[other] = self.rng.randint(0, min(POOR - trumps, self.game.hand_size(other)))

    # The deal.

    def deal(self) -> Any:
        """Deal the unseen cards; raise ImpossibleError if no deal fits."""
        game, seat = self.game, self.seat
        others = [other for other in game.around[seat][1:] if game.hand_size(other)]
        table = self._on_table()
        unseen = sum([game.hands[other] for other in others]) + table
        for other in others:
            if _less(self.known_cards[other], unseen):
                raise ImpossibleError("a card would have to be in two places")
            unseen -= self.known_cards[other]
        piles = [pile for other in others for pile in self._piles(other)]
        places = [*piles, Pile(PACK.count(table), PACK.faces(NORMAL_TRUMPS))]
        deal_hands = Redeal(PACK.cards.of(unseen), places).deal(self.rng)
        hands = list(game.hands)
        for place, other in enumerate(others):
            hands[other] = (
                self.known_cards[other] + PACK.hand(deal_hands[2 * place]) + PACK.hand(deal_hands[2 * place + 1])
            )
        if not all(self._explains_reservation(hands[other] + self.played[other]) for other in self.reserved):
            raise ImpossibleError("a losing reservation that cannot have been a solo needs a wedding or a poverty")
        return self._put_back(hands, PACK.hand(deal_hands[-1]))

    def _explains_reservation(self, hand: Hand) -> bool:
        return may_marry(hand) or (self.game.options["poverty"] == "yes" and is_poor(hand))

    def _on_table(self) -> Hand:
        """Return the trumps on offer, unless they are the seat's own."""
        poverty = self.game.poverty
        return 0 if poverty is None or poverty.taker is not None or poverty.poor == self.seat else poverty.offered

    def _piles(self, other: int) -> tuple[Pile, Pile]:
        """Split the unknown part of a hand into cards that must be trumps, and the rest."""
        size = self.game.hand_size(other) - PACK.count(self.known_cards[other])
        may = PACK.everything & ~self.lacks[other]
        certain = PACK.count(self.known_cards[other] & NORMAL_TRUMPS)
        exactly = self.trumps[other]
        trumps = max(0, self.least[other] - certain) if exactly is None else exactly - certain
        if not 0 <= trumps <= size:
            raise ImpossibleError("more trumps are known than there can be")
        rest = may if exactly is None else may & ~NORMAL_TRUMPS
        return Pile(trumps, PACK.faces(may & NORMAL_TRUMPS)), Pile(size - trumps, PACK.faces(rest))

    def _put_back(self, hands: list[Hand], table: Hand) -> Any:
        """Return the copy with these hands, and with everything that follows from them."""
        game = self.game.copy()
        game.deal = Dice(self.rng)
        game.hands = hands
        if game.contract == NORMAL:
            game.parties.sides = [
                RE if hand & OLD_QUEENS or side == RE else KONTRA
                for hand, side in zip(hands, game.parties.known, strict=True)
            ]
        if game.phase == "reserve":
            game.said = tuple([(other, self._reservation(game, other, play)) for other, play in game.said])
        if game.poverty is not None:
            game.poverty = self._exchange(game.poverty, hands, table)
        return game

    def _reservation(self, game: Doppelkopf, other: int, play: Play) -> Play:
        """Choose a reservation that is not yet resolved."""
        if play == HEALTHY or other == self.seat:
            return play
        plays = list(SOLO_PLAYS)
        if may_marry(game.hands[other]):
            plays += [WEDDING] * len(SOLO_PLAYS)
        if game.options["poverty"] == "yes" and is_poor(game.hands[other]):
            plays += [POVERTY] * len(SOLO_PLAYS)
        return self.rng.choice(plays)

    def _exchange(self, poverty: Poverty, hands: list[Hand], table: Hand) -> Poverty:
        """Choose which cards were exchanged, if the seat did not take part."""
        if poverty.taker is None:
            return poverty if self.seat == poverty.poor else poverty._replace(offered=table)
        if self.seat in {poverty.poor, poverty.taker}:
            return poverty
        takers = (hands[poverty.taker] + self.played[poverty.taker]) & NORMAL_TRUMPS
        poors = hands[poverty.poor] + self.played[poverty.poor]
        count = PACK.count(poverty.offered)
        if poverty.returned is None:
            return poverty._replace(offered=self._some(takers, count))
        back = poors & NORMAL_TRUMPS
        plain = self._some(poors & ~NORMAL_TRUMPS, count - PACK.count(back))
        return poverty._replace(offered=self._some(takers + back, count), returned=back + plain)

    def _some(self, cards: Hand, count: int) -> Hand:
        """Draw ``number`` of the cards."""
        return PACK.hand(self.rng.sample(PACK.cards.of(cards), count))


def _less(cards: Hand, without: Hand) -> Hand:
    """Remove cards as far as they are there."""
    return sum([max(0, _count(cards, unit) - _count(without, unit)) * unit for unit in PACK.units.values()])


def _most(one: Hand, other: Hand) -> Hand:
    """Merge two hands that may contain the same copies."""
    return sum([max(_count(one, unit), _count(other, unit)) * unit for unit in PACK.units.values()])


def _count(cards: Hand, unit: Hand) -> int:
    return cards // unit & 3
