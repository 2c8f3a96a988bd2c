"""The four notifications, native and classic, written and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.notifications import CLASSIC, Attacked, Defended, Request, Update, read
from croupier.protocol.sexp import Malformed, parse
from croupier.protocol.views.dominion import DominionView
from croupier.protocol.views.view import View

NATIVE_STATE = "((game war) (options (rounds 3)) (players ann bob) (phase play) (hand h9 sT) (legal (play h9)))"
CLASSIC_STATE = (
    "((players 0-ann 1-bob) (supply copper gold gold moat) (trash) (actions 0) (buys 0) (coins 0) "
    "(deck copper estate) (hand moat copper) (plays) (discards gold))"
)

names = st.text("abmzAZ09_-", min_size=1, max_size=32).filter(lambda name: name[0].isalpha())
plays = st.sampled_from([("play", "h9"), ("give",), ("bid", 18), ("act", "mine", "copper", "silver"), ("weis", ())])


def view():
    """Return a view with a field of every plain kind."""
    return read(parse(f"(request {NATIVE_STATE})")).view


@pytest.mark.parametrize(
    "line",
    [
        f"(request {NATIVE_STATE})",
        "(update bob (play h9))",
        "(update table (end (ann 61) (bob -59)))",
        f"(update table (start {NATIVE_STATE}))",
        f"(attacked (act militia) bob {NATIVE_STATE})",
        "(defended bob (discard estate))",
        "(defended bob (moat))",
    ],
)
def test_a_native_line_reads_and_writes_back(line):
    """Writing what was read gives the same bytes."""
    assert read(parse(line)).write() == line


@pytest.mark.parametrize(
    "line",
    [
        f"(move {CLASSIC_STATE})",
        "(moved 1-bob (clean estate))",
        f"(attacked (act militia) 1-bob {CLASSIC_STATE})",
        "(defended 1-bob (discard))",
    ],
)
def test_a_classic_line_reads_and_writes_back(line):
    """Reading tells the dialects apart by itself; writing in classic gives the same bytes."""
    assert read(parse(line)).write(CLASSIC) == line


@given(names, plays)
def test_what_is_written_reads_as_its_equal(name, play):
    """A notification equals what is read of its line, and hashes and prints the same."""
    for notification in (
        Request(view()),
        Update(name, play),
        Update("table", play),
        Attacked(play, name, view()),
        Defended(name, play),
    ):
        again = read(parse(notification.write()))
        assert again == notification
        assert hash(again) == hash(notification)
        assert repr(again) == repr(notification)


def test_notifications_differ_by_kind_and_content():
    """An update is no defense, and another player's update is another update."""
    assert Update("ann", ("moat",)) != Defended("ann", ("moat",))
    assert Update("ann", ("moat",)) != Update("bob", ("moat",))
    assert Update("ann", ("moat",)) != ("ann", ("moat",))


def test_the_state_becomes_the_view_of_its_game():
    """A game with a page gets its view, any other the plain one, classic STATE that of Dominion."""
    assert type(read(parse(f"(request {NATIVE_STATE})")).view) is View
    assert type(read(parse("(request ((game dominion) (players ann bob) (actions 1)))")).view) is DominionView
    assert type(read(parse(f"(move {CLASSIC_STATE})")).view) is DominionView


def test_a_classic_attack_is_a_phase_of_its_own():
    """A player attacked in the classic dialect sees the phase that native would tell."""
    assert read(parse(f"(attacked (act militia) 1-bob {CLASSIC_STATE})")).view.phase == "defend"
    assert read(parse(f"(move {CLASSIC_STATE})")).view.phase == "buy"


def test_classic_has_no_words_for_the_table():
    """News from the table is written as nothing in classic."""
    assert Update("table", ("deal", 1)).write(CLASSIC) == ""


@pytest.mark.parametrize("line", ["(hello)", "(update2 bob (play h9))", "()", "move", "7"])
def test_what_a_later_version_may_add_is_none(line):
    """A head that is not known here is no error."""
    assert read(parse(line)) is None


@pytest.mark.parametrize(
    "line",
    [
        "(request)",
        "(request x)",
        "(request (x))",
        "(update bob)",
        "(update bob clean)",
        "(update 3 (clean))",
        "(attacked (act militia) bob)",
        "(move ((players a b)))",
        "(defended bob moat)",
    ],
)
def test_a_known_head_with_another_shape_is_malformed(line):
    """A notification is well formed or refused as a whole."""
    with pytest.raises(Malformed):
        read(parse(line))
