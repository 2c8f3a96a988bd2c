"""A field that is as it was is not written anew, and one that is not is."""

from croupier.protocol.notifications import Request
from croupier.protocol.views.hearts import HeartsView
from croupier.protocol.views.known import Known, Settled
from croupier.protocol.views.sedma import SedmaView
from croupier.protocol.views.view import CARDS, FORMS, SETTLED, TABLE, Entries, Field, Trick, View


class Written(Field):
    """A codec that counts."""

    def __init__(self, inner: Field) -> None:
        self.times = 0
        super().__init__(self._count, inner.read, lasting=inner.lasting)
        self._inner = inner

    def _count(self, value):
        self.times += 1
        return self._inner.write(value)


def page(**fields):
    """Make a page of these fields."""
    return type("Page", (View,), {"FIELDS": fields})


def test_what_is_as_it_was_is_written_once():
    """The same value, and an equal tuple, are not written again; another is."""
    cards, sums = Written(CARDS), Written(TABLE)
    kind, known, tally = page(hand=cards, tally=sums), Known(), Entries(ann=3)
    for hand in (("c2", "h9"), ("c2", "h9"), ("h9",)):
        view = kind(hand=tuple(hand), tally=tally)
        assert view.text(known) == str(view)
    assert (cards.times, sums.times) == (2 + 3, 1 + 3)  # `str` writes all of it each time


def test_what_may_change_is_written_each_time():
    """A list, a plain dict, and whatever a codec of others makes of a tuple, may be other than when last seen."""
    pile, sums, inner = ["c2"], {"ann": 1}, ["c3"]
    kind = page(pile=CARDS, sums=TABLE, piles=Field(lambda value: f" {len(value[0])}", FORMS.read))
    view, known = kind(pile=pile, sums=sums, piles=(inner,)), Known()
    assert view.text(known) == "((pile c2) (sums (ann 1)) (piles 1))"
    pile.append("h9")
    sums["ann"] = 2
    inner.append("c4")
    assert view.text(known) == "((pile c2 h9) (sums (ann 2)) (piles 2))"


def test_a_field_that_is_gone_is_not_shown():
    """What was written of it before stays away, and comes back with it."""
    known = Known()
    texts = [HeartsView(hand=("c2",), gave=gave).text(known) for gave in (("h9",), None, ("h9",))]
    assert texts == ["((hand c2) (gave h9))", "((hand c2))", "((hand c2) (gave h9))"]


def test_another_page_is_written_from_nothing():
    """Equal values at the same place of two pages are different fields."""
    known = Known()
    HeartsView(trick=Trick(), tally=Entries()).text(known)
    view = SedmaView(trick=Trick(), stock=3)
    assert Request(view).write(known=known) == f"(request {view})"


def test_tricks_are_written_whole_however_many_were_written_before():
    """One more, the same, none, as many of other cards, and fewer: each as if nothing had been written."""
    ann, bob = Trick("ann", ("c2", "c9")), Trick("bob", ("h9", "c3"))
    for tricks in ((ann,), (ann, bob), (ann, bob), (), (bob, ann), (bob,)):
        told = "".join(f" ({trick.leader} {' '.join(trick.cards)})" for trick in tricks)
        assert str(HeartsView(tricks=tricks)) == f"((tricks{told}))"


SINCE = object()


def settled_view(settled, **fields):
    """Return a view of Hearts in which these fields are settled."""
    return HeartsView.showing({SETTLED: settled, **fields})


def test_what_lies_between_fields_that_move_is_as_it_was_told_last():
    """Whoever writes what moves himself writes the view, with the clock of the moment; a view told then is whole."""
    settled = Settled({"game": "hearts", "tally": Entries(ann=3), "passing": "none"}, SINCE)
    known, names = Known(), ("hand", "taken", "legal")
    for hand, clock in ((("c2", "h9"), (1000, None)), (("h9",), (1000, 30)), (("c2",), (900, 20)), ((), (900, None))):
        fields = {"hand": hand, "taken": Entries(ann=len(hand)), "legal": (("play", "c2"),)}
        view = settled_view(settled, clock=clock[0], **fields, **({} if clock[1] is None else {"bank": clock[1]}))
        told = view.text(known)
        assert told == str(view)
        for _ in range(2):
            one, two, three = known.between(names, clock)
            hand_text, taken = "".join(f" {card}" for card in hand), len(hand)
            assert f"{one} (hand{hand_text}){two} (taken (ann {taken})){three} (legal (play c2)))" == told


def test_the_same_fields_settled_in_another_game_are_not_looked_at_again():
    """And if one of them is another, all are."""
    tallies, known = Written(TABLE), Known()
    kind, times = page(tally=tallies, passing=FORMS, hand=CARDS), []
    for tally, passing in ((3, "none"), (3, "none"), (3, "left"), (4, "left")):
        settled = Settled({"tally": Entries(ann=tally), "passing": (passing,)}, object())
        before = tallies.times
        assert kind.showing({SETTLED: settled, "hand": ("c2",)}).text(known) == (
            f"((tally (ann {tally})) (passing {passing}) (hand c2))"
        )
        times.append(tallies.times - before)
        assert known.settled is settled
    assert times == [1, 0, 1, 1]


def test_what_was_rewritten_before_is_looked_at_again_where_it_is_settled():
    """What one while has rewritten, the next may settle: it is as it is now, though it was that when told last."""
    known = Known()
    bidding = Settled({"game": "hearts", "passing": "none"}, object(), ("hand", "legal"))
    playing = Settled({"game": "hearts", "hand": ("c2",)}, object(), ("passing", "legal"))
    settled_view(bidding, hand=("c2",), clock=5).text(known)
    for _ in range(3):
        assert known.settle(bidding)
        before, after = known.between(bidding.rewritten, (5, None))
        assert f"{before} (hand h9){after})" == "((game hearts) (passing none) (hand h9) (clock 5))"
        assert known.settle(playing)
        before, after = known.between(playing.rewritten, (5, None))
        assert f"{before} (passing left){after})" == "((game hearts) (passing left) (hand c2) (clock 5))"


def test_other_fields_are_settled_without_a_view_of_the_same_game_alone():
    """Not where nobody was shown a view, or one of another game; what neither stays nor is rewritten is not shown."""
    known, rewritten = Known(), ("hand", "legal")
    settled = [Settled({"game": "hearts", "passing": word}, SINCE, rewritten) for word in ("none", "left")]
    assert not known.settle(settled[0])
    SedmaView(game="sedma", stock=3).text(known)
    assert not known.settle(settled[0])
    HeartsView(game="hearts", passing="none", broken=True, hand=("c2",), clock=5).text(known)
    for one in settled:
        assert known.settle(one)
        before, after = known.between(rewritten, (1000, None))
        passing = one["passing"]
        told = f"{before} (hand h9){after})"
        assert told == f"((game hearts) (passing {passing}) (hand h9) (clock 1000))"
        assert told == settled_view(one, hand=("h9",), clock=1000).text(Known())
