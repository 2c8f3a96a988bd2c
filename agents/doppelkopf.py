"""Doko: a bot for Doppelkopf that helps its partner once it knows who that is, and announces when it is strong."""

from __future__ import annotations

from croupier.agents.agent import Agent, first
from croupier.agents.tricks import card, playable
from croupier.protocol.cards import TEN_HIGH
from croupier.protocol.doppelkopf import NORMAL, TRUMPS, WITH_NINES, card_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.views.doppelkopf import DoppelkopfView
    from croupier.protocol.views.view import Play

PLAIN = TEN_HIGH[7:]
"""The ranks of a plain suit, from the nine."""
TOP = ("hT", "cQ", "sQ")


def strength_of_normal(hand: Sequence[str]) -> float:
    """Weigh a hand for a normal game by high trumps, trumps and aces; the average is about 12."""
    trumps = [name for name in hand if name in TRUMPS[NORMAL]]
    high = sum({"hT": 3, "cQ": 2.5, "sQ": 2, "hQ": 1.5, "dQ": 1.5}.get(name, 0) for name in trumps)
    aces = sum(name[1] == "A" and name not in TRUMPS[NORMAL] for name in hand)
    return high + len(trumps) / 2 + 1.5 * aces


def strength_of_solo(game: str, hand: Sequence[str]) -> float:
    """Weigh a hand for a solo: one that weighs 10 or more is worth playing."""
    trumps = [name for name in hand if name in TRUMPS[game]]
    aces = [name for name in hand if name[1] == "A" and name not in TRUMPS[game]]
    tens = [name for name in hand if name[1] == "T" and name not in TRUMPS[game] and f"{name[0]}A" in aces]
    if game == "ace":
        return 1.6 * len(aces) + len(tens) - 1.5
    if game in {"queens", "jacks"}:
        return 1.3 * len(trumps) + trumps.count(TRUMPS[game][0]) + 1.1 * len(aces) + len(tens) / 2 - 2
    return 0.7 * len(trumps) + 0.8 * sum(name in TOP for name in trumps) + len(aces) / 2 - 0.25


class Outlook:
    """What a view reveals about this trick: trumps, friends, and how likely a card is to win."""

    def __init__(self, state: DoppelkopfView) -> None:
        contract = state.contract
        self.state = state
        self.trumps = TRUMPS[contract[1] if contract[0] == "solo" else NORMAL]
        if state.schweinchen is not None:
            self.trumps = ("dA", *[name for name in self.trumps if name != "dA"])
        self.height = {name: 30 - place for place, name in enumerate(self.trumps)}
        self.unseen = list(WITH_NINES)
        seen = [name for trick in state.tricks for name in trick.cards] + [*state.trick.cards, *state.hand]
        for name in seen:
            self.unseen.remove(name)
        if state.options["nines"] == "no":
            self.unseen = [name for name in self.unseen if name[1] != "9"]
        players = state.players
        start = players.index(state.trick.leader) if state.trick else 0
        self.players = players[start:] + players[:start]
        self.later = self.players[len(state.trick) + 1 :]

    def suit(self, name: str) -> str:
        """Return the effective suit."""
        return "trump" if name in self.height else name[0]

    def worth(self, name: str, led: str) -> int:
        """Return how high a card is in a trick; 0 cannot win."""
        if name in self.height:
            return self.height[name]
        return 1 + PLAIN.index(name[1]) if name[0] == led else 0

    def side(self, player: str) -> float:
        """Return 1 for a friend, -1 for an opponent, and an estimate between for a player whose party is unknown."""
        state = self.state
        if player == state.me:
            return 1.0
        party, mine = state.parties.get(player), state.party
        if party is None or mine is None:
            return -0.4 if mine == "re" or mine is None else -0.2
        return 1.0 if party == mine else -1.0

    def holds(self, best: int, led: str) -> float:
        """Return the probability that no later player beats the best card: opponents who both can and want to."""
        unseen = len(self.unseen) or 1
        share = len(self.state.hand) / unseen
        higher = sum([self.worth(name, led) > best for name in self.unseen])
        if led == "trump" or best > 10:
            beaten = 1 - (1 - share) ** (higher * 0.7)
        else:
            rest = sum([self.suit(name) == led for name in self.unseen])
            void = (1 - share) ** rest
            same = sum([self.worth(name, led) > best for name in self.unseen if self.suit(name) == led])
            beaten = 1 - (1 - 0.9 * void) * (1 - share) ** same
        hold = 1.0
        for player in self.later:
            hold *= 1 - min(max(beaten, 0.0), 1.0) * (0.25 if self.side(player) == 1 else 1.0)
        return hold


KEEP = {"hT": 8.0, "cQ": 7.0, "sQ": 6.0, "hQ": 5.0, "dQ": 4.5, "cJ": 3.5, "sJ": 3.0, "hJ": 2.5, "dJ": 2.0}
"""The price of having played a card."""

ENOUGH = {"re": 16, "kontra": 16, "no90": 19, "no60": 23, "no30": 26, "black": 30}
"""How strong a hand must be to announce."""


class Doko(Agent):
    """Weigh the points that each card wins for its party against the strength that it costs."""

    def tryBid(self, state: DoppelkopfView) -> Play | None:
        """Play a strong solo, always announce a wedding, accept the poor player's trumps with a strong hand."""
        if state.phase == "poverty":
            return self.answer(state)
        plays = list(state.legal_plays())
        weights = {play: strength_of_solo(str(play[1]), state.hand) for play in plays if play[0] == "solo"}
        solo = max(weights, key=weights.__getitem__)
        if weights[solo] >= 10 or len(weights) == len(plays):
            return solo
        return next((play for play in (("wedding",), ("poverty",)) if play in plays), ("healthy",))

    def answer(self, state: DoppelkopfView) -> Play:
        """Accept the trumps with a strong hand; give back the least valuable cards, aces and trumps last."""
        if state.received is None:
            return ("take",) if strength_of_normal(state.hand) >= 15 else ("pass",)
        count = len(state.received)
        cheap = sorted(state.hand, key=lambda name: (name in TRUMPS[NORMAL], name[1] == "A", PLAIN.index(name[1])))
        return ("exchange", *cheap[:count])

    def tryAnnounce(self, state: DoppelkopfView) -> Play | None:
        """Announce the party with a strong hand, and denials as the tricks won make it stronger."""
        said = [play for play in state.legal if play[0] == "announce"]
        if not said:
            return None
        contract = state.contract
        if contract[0] == "solo":
            alone = contract[2] == state.me
            weight = 16 + (strength_of_solo(contract[1], state.hand) - 11) * 3 if alone else 0.0
        else:
            weight = strength_of_normal(state.hand) + (1 if state.party == "re" else 0)
        won = sum(state.points[name] for name in state.players if state.parties.get(name) == state.party)
        weight += won / 20
        word = said[0][1]
        return said[0] if weight >= ENOUGH[word] else None

    def tryCard(self, state: DoppelkopfView) -> Play | None:
        """Play the card with the best promise."""
        table = Outlook(state)
        cards = playable(state)
        return card(max(cards, key=lambda name: self.promise(name, table)))

    tryPlay = first(tryAnnounce, tryCard)

    def promise(self, name: str, table: Outlook) -> float:
        """Return the value of playing a card: the trick's points for the side that wins it, less the card's worth."""
        trick = table.state.trick.cards
        led = table.suit(trick[0] if trick else name)
        lying = [table.worth(other, led) for other in trick]
        mine = table.worth(name, led)
        if not trick or mine > max(lying):
            winner, best = 1.0, mine
        else:
            winner, best = table.side(table.players[lying.index(max(lying))]), max(lying)
        hold = table.holds(best, led)
        behind = sum(map(table.side, table.later)) / (len(table.later) or 1)
        stake = card_points([*trick, name]) + 5 * len(table.later)
        cost = KEEP.get(name, 0.0) if name in table.height else 3.0 if name[1] == "A" else 0.0
        return stake * (hold * winner + (1 - hold) * behind) - cost
