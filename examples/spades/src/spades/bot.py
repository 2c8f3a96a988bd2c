"""A small bot for Spades: counts sure tricks, takes what it bid, and then ducks.

croupier play spades "python -m spades.bot" random "python -m spades.bot" random
"""

from croupier.agents import drive
from croupier.agents.tricks import TrickAgent, card, lengths, playable


class Spader(TrickAgent):
    """Bid aces, guarded kings and long spades; win while the pair still needs tricks."""

    def suit(self, name, state):
        return name[0]

    def tryBid(self, state):
        held = lengths(state.hand)
        sure = sum(name[1] == "A" or (name[1] == "K" and held[name[0]] > 1) for name in state.hand)
        return ("bid", max(1, sure + max(0, held["s"] - 4)))

    def wants(self, state):
        """Return whether the pair still lacks tricks that it bid."""
        pair = (state.players[0], state.players[2])
        return sum(state.won[name] for name in pair) < sum(state.bids[name] for name in pair)

    def height(self, name):
        """Order all cards: a spade is above the others."""
        return self.strength(name, None) + 13 * (name[0] == "s")

    def tryLead(self, state):
        return card((max if self.wants(state) else min)(playable(state), key=self.height))

    def tryFollow(self, state):
        """Take the trick as cheaply as possible, or stay below it as high as possible."""
        best = max((name for name in state.trick.cards if name[0] in ("s", state.trick.cards[0][0])), key=self.height)
        cards = sorted(playable(state), key=self.height)
        above = [name for name in cards if self.height(name) > self.height(best)]
        below = [name for name in cards if name not in above]
        partner = len(state.trick) > 1 and state.trick.cards[-2] == best
        if self.wants(state) and above and not partner:
            return card(above[0])
        return card(below[0] if below and self.wants(state) else below[-1] if below else above[0])

    def tryDiscard(self, state):
        """Trump while tricks are wanted, else throw the highest card of the other suits."""
        spades = [name for name in playable(state) if name[0] == "s"]
        if spades and self.wants(state):
            return self.tryFollow(state)
        others = [name for name in playable(state) if name[0] != "s"]
        return card((min if self.wants(state) else max)(others or spades, key=self.height))


if __name__ == "__main__":
    drive(Spader())
