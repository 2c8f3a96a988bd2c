"""Games that break a law, most of them one each."""

from random import Random
from typing import ClassVar

from croupier.protocol.views.hearts import HeartsView
from croupier.protocol.views.view import SYMBOL, Field
from croupier.server.games.game import Dice, IllegalPlay, Option, UnknownPlay
from croupier.server.games.hearts import Hearts
from croupier.server.games.hearts.cards import HEARTS
from croupier.server.games.hearts.world import HeartsRetelling
from croupier.server.games.jass import Jass
from croupier.server.games.sedma import Sedma
from croupier.server.games.tricks import FIRST_DEAL


class Shown(HeartsView):
    """A page that no entry point names."""


class Boastful(Hearts):
    """Its players see a page that its bots do not read."""

    PAGE = Shown


class Stubborn(Hearts):
    """Its option refuses its own default."""

    OPTIONS = Hearts.OPTIONS | {"colour": Option("red", ("green", "blue"), "nothing")}


class Speechless(Hearts):
    """It does not say which plays there are."""

    PLAYS: ClassVar = {"(give C C C)": "give three cards away"}


class Endless(Hearts):
    """Hands follow hands."""

    def goes_on(self):
        return True


class Void(Hearts):
    """It counts for nobody."""

    void = "nobody counts"


class Twice(Hearts):
    """It lists a play twice."""

    def legal(self):
        return [*super().legal(), *list(super().legal())[:1]]


class Promising(Hearts):
    """It lists the whole hand, and refuses what does not follow."""

    def legal(self):
        return () if self.turn is None else self.PACK.plays[self.hands[self.turn]]

    def show(self, seat, to):
        super().show(seat, to)
        if seat == self.turn:
            to.offer(self.hands[seat])


class Lax(Hearts):
    """It lists what follows suit, and lets everything of the hand pass."""

    def check(self, seat, play):
        if len(play) == 2 and play[0] == "play" and seat == self.turn and self.phase == "play":
            if play[1] not in self.PACK.masks or not self.hands[seat] & self.PACK.masks[play[1]]:
                raise IllegalPlay("not in the hand")
        else:
            super().check(seat, play)


class Wordless(Hearts):
    """It refuses without a reason."""

    def check_bid(self, seat, play):
        raise UnknownPlay


class Fragile(Hearts):
    """It breaks at what a stranger sends."""

    def check(self, seat, play):
        if not isinstance(play[0], str):
            raise KeyError(play[0])
        super().check(seat, play)


class Shared(Sedma):
    """Its copies play from the same hands."""

    def copy(self):
        twin = super().copy()
        twin.hands = self.hands
        return twin


class Forgetful(Hearts):
    """What its players see is not what STATE says."""

    def show(self, seat, to):
        super().show(seat, to)
        to.put("broken", "perhaps")


class Divided(Sedma):
    """Partners have different scores."""

    def scores(self):
        one, other, *rest = super().scores()
        return (one + 1, other, *rest)


class Upside(Hearts):
    """Its best score is last."""

    def ranks(self, scores=None):
        return tuple(5 - rank for rank in super().ranks(scores))


class Tireless(Hearts):
    """It lets play on after the end."""

    def check(self, seat, play):
        if self.turn is not None:
            super().check(seat, play)


class Lucky(Hearts):
    """It has a chance of its own."""

    def deal_hands(self, cards):
        super().deal_hands(Dice(CHANCE).shuffle(FIRST_DEAL, cards))


CHANCE = Random(1)


class Gossip(Hearts):
    """What is taken so far is told with what the next player holds."""

    def show(self, seat, to):
        super().show(seat, to)
        to.around("taken", [hand & HEARTS and 1 for hand in self.hands])


class Renamed(Hearts):
    """It has a word for where cards go that its page does not list."""

    def show_hand(self, seat, to):
        to.around("tally", self.tally)
        to.put("passing", "nowhere")


class Outdated(Hearts):
    """How many cards were played is said to stay for a whole hand."""

    def show_hand(self, seat, to):
        to.around("tally", self.tally)
        to.put("passing", f"after-{len(self.tricks)}")


class Unsaid(Hearts):
    """Its players do not see where cards go."""

    def show_hand(self, seat, to):
        to.around("tally", self.tally)


class Muddled(Hearts):
    """In JSON its page says of a word that it is a list."""

    class Page(HeartsView):
        """The page of Hearts, except for one codec."""

        FIELDS: ClassVar = HeartsView.FIELDS | {
            "passing": Field(SYMBOL.write, SYMBOL.read, lambda value: [value], lambda value: value[0])
        }

    PAGE = Page


class Backwards(Hearts):
    """It states its fields in another order than that of the page."""

    def show_hand(self, seat, to):
        to.put("passing", self.passing)
        to.around("tally", self.tally)


class Strange(Hearts):
    """It states a field that the page does not have."""

    def show(self, seat, to):
        super().show(seat, to)
        to.put("mood", "gay")


class Partial(Hearts):
    """What may be played is stated without the rules of the first trick."""

    def show(self, seat, to):
        super().show(seat, to)
        if seat == self.turn and self.phase == "play":
            to.offer(self.hands[seat])


class Loud(Hearts):
    """It tells of a gift what its author still holds."""

    def public(self, seat, play):
        return (*play[:1], self.PACK.cards[self.hands[seat]][0]) if play[0] == "give" else play


class Careless(Hearts):
    """It notes at a gift how many hearts its author keeps, and shows that."""

    def bid(self, seat, play):
        news = super().bid(seat, play)
        self.taken[seat] = (self.hands[seat] & HEARTS).bit_count()
        return news


class Doubling(Sedma):
    """What it imagines in the stock is also in a hand."""

    class WORLD(Sedma.WORLD):
        """What is imagined of it."""

        def rehide(self, seat, piles, rng):
            """Leave the stock as it is."""


class Meddling(Hearts):
    """To imagine a deal changes the game."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def determinize(self, seat, rng):
            self.game.taken[seat] += 1
            return super().determinize(seat, rng)


class Trusting(Hearts):
    """A player who does not follow suit may have the suit all the same: `lacking` says nothing."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def lacking(self, before, card):
            return 0


class Hasty(Hearts):
    """Its `lacks` is incomplete: who plays last and does not follow suit may have the suit all the same."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def lacking(self, before, card):
            return super().lacking(before, card) if len(before) < 3 else 0


class Suspicious(Hearts):
    """Its `lacks` is wrong: who plays a low card is thought to have no hearts."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def lacks(self):
            return [lack | HEARTS if self.game.tricks else lack for lack in super().lacks()]


class Peeking(Hearts):
    """Its `known` is wrong: the left neighbor's clubs are known."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def known_cards(self, seat, other):
            clubs = self.game.PACK.where(lambda card: card[0] == "c")
            return self.game.hands[other] & clubs if other == (seat + 1) % 4 else super().known_cards(seat, other)


class Inventing(Hearts):
    """Its `known` is wrong: everybody is thought to have the queen."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def known_cards(self, seat, other):
            return self.game.PACK.units["sQ"]


class Absent(Hearts):
    """Its `known` is incomplete: what was given away is forgotten."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def known_cards(self, seat, other):
            return 0


class Unshown(Jass):
    """Its `known` is incomplete: what was shown as Weis is forgotten."""

    class WORLD(Jass.WORLD):
        """What is imagined of it."""

        def known_cards(self, seat, other):
            return 0


class Fixed(Sedma):
    """Its `hidden_piles` is incomplete: the stock is imagined as it is."""

    class WORLD(Sedma.WORLD):
        """What is imagined of it."""

        def hidden_piles(self, seat):
            return []

        def rehide(self, seat, piles, rng):
            """Leave the stock as it is."""


class Seeing(Hearts):
    """It imagines what is so."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def determinize(self, seat, rng):
            twin = self.copy()
            twin.deal_by(Dice(rng))
            return twin


class Forgotten(Hearts):
    """It is told again without what was given away."""

    class WORLD(Hearts.WORLD):
        """What is told again of it."""

        class RETELLING(HeartsRetelling):
            """Knows nothing of gifts."""

            def before(self, game):
                """Lead, whatever was given."""
                game.lead(game.forehand)


class Leaning(Hearts):
    """It imagines high cards on the left rather than elsewhere."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def determinize(self, seat, rng):
            twins = [Hearts.WORLD.determinize(self, seat, rng) for _ in range(2)]
            return max(twins, key=lambda twin: twin.game.hands[(seat + 1) % 4])


class Blind(Hearts):
    """It imagines one deal again and again."""

    class WORLD(Hearts.WORLD):
        """What is imagined of it."""

        def determinize(self, seat, rng):
            return super().determinize(seat, Random(1))


class Silent(Hearts):
    """It has no play for the player on turn."""

    def legal(self):
        return ()


class Scoreless(Hearts):
    """It has no scores."""

    def scores(self):
        return None


class Over(Hearts):
    """It is over before it begins."""

    turn = property(lambda _: None, lambda *_: None)


class Unmoved:
    """A deal that leaves the cards as they are."""

    def shuffle(self, _, cards):
        return tuple(cards)


class Unshuffled(Hearts):
    """Its cards lie as they are in the pack, and nothing is shuffled."""

    def next_hand(self):
        deal, self.deal = self.deal, Unmoved()
        super().next_hand()
        self.deal = deal


class Angry(Hearts):
    """What a seat sees fails with words of several lines."""

    def show(self, seat, to):
        raise ValueError("one\n  two")


class Seatless(Hearts):
    """It has no table."""

    SEATS = ()
