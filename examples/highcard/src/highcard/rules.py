"""High card: each plays a card face down, and the highest takes the round."""

from croupier.protocol.cards import PACK_52, RANKS, by_suit
from croupier.server.games.game import Dice, Game, IllegalPlay, Label, Option, Told, UnknownPlay
from croupier.server.games.world import World
from highcard.page import HighCardView

HAND = 5


class HighCardWorld(World):
    """What may be imagined of the hands of others."""

    def determinize(self, seat, rng):
        twin = self.copy()
        twin.deal_by(Dice(rng))
        game = twin.game
        hidden = [card for card in PACK_52 if card not in game.hands[seat] and card not in game.gone]
        rng.shuffle(hidden)
        for other, hand in enumerate(game.hands):
            if other != seat:
                game.hands[other] = {hidden.pop() for _ in hand}
                if other in game.chosen:
                    game.chosen[other] = min(game.hands[other])
        return twin


class HighCard(Game):
    """Each chooses a card unseen; the highest rank, of equals the earliest seat's, wins the round."""

    NAME = "highcard"
    PAGE = HighCardView
    WORLD = HighCardWorld
    SEATS = (2, 3, 4)
    OPTIONS = {"hands": Option(1, range(1, 100), "hands in a game")}
    PLAYS = {"(choose C)": "choose a card; the others hear of it when all have chosen"}
    PENALTY = 0
    AWARD = 3

    def __init__(self, players, options, deal):
        super().__init__(players, options, deal)
        self.won = [0] * len(players)
        self.hand_number = 0
        self.next_hand()

    def next_hand(self):
        self.hand_number += 1
        label = Label("deal", number=self.hand_number if self.hand_number > 1 else None)
        pack = self.deal.shuffle(label, PACK_52)
        self.hands = [set(pack[HAND * seat : HAND * seat + HAND]) for seat in range(len(self.players))]
        self.chosen, self.gone = {}, ()
        self.turn = 0

    def legal(self):
        return () if self.turn is None else [("choose", card) for card in by_suit(list(self.hands[self.turn]))]

    def check(self, seat, play):
        if len(play) != 2 or play[0] != "choose" or play[1] not in PACK_52:
            raise UnknownPlay("a play is (choose CARD)")
        if self.turn is None or seat in self.chosen:
            raise IllegalPlay("you have chosen in this round")
        if play[1] not in self.hands[seat]:
            raise IllegalPlay(f"{play[1]} is not in your hand")

    def public(self, seat, play):
        return ("choose",)

    def play(self, seat, play):
        self.chosen[seat] = play[1]
        waiting = [other for other in range(len(self.players)) if other not in self.chosen]
        if waiting:
            self.turn = waiting[0]
            return ()
        return self.settle_round()

    def settle_round(self):
        winner = max(sorted(self.chosen), key=lambda seat: RANKS.index(self.chosen[seat][1]))
        self.won[winner] += 1
        for seat, card in self.chosen.items():
            self.hands[seat].remove(card)
        self.gone = by_suit([*self.gone, *self.chosen.values()])
        news = [Told(("shown", *((self.players[seat], self.chosen[seat]) for seat in sorted(self.chosen))))]
        self.chosen, self.turn = {}, 0
        if not self.hands[0]:
            news.append(Told(("score", *zip(self.players, self.won, strict=True))))
            if self.hand_number == self.options["hands"]:
                self.turn = None
            else:
                self.next_hand()
                news.append(Told(("deal", self.hand_number)))
        return news

    def show(self, seat, to):
        to.put("phase", "play")
        to.put("hand", by_suit(list(self.hands[seat])))
        to.put("chosen", len(self.chosen))
        to.put("gone", self.gone)
        to.around("won", self.won)

    def scores(self):
        return tuple(self.won)

    def copy(self):
        twin = super().copy()
        twin.hands, twin.chosen = [set(hand) for hand in self.hands], dict(self.chosen)
        return twin
