"""What the states of several games share."""

import pytest

from croupier.protocol import views
from croupier.protocol.views.view import View

TRICK_TAKING = ("hearts", "skat", "doppelkopf", "jass", "sedma")
HEARTS = views.page("hearts")


@pytest.mark.parametrize("game", TRICK_TAKING)
def test_every_trick_taking_state_begins_with_the_same_fields(game):
    """Tally, then phase, hand, trick and tricks, in this order, behind what stays for a hand."""
    keys = views.page(game).keys()
    assert keys[:4] == ("game", "options", "players", "tally")
    begins = keys.index("phase")
    assert keys[begins : begins + 4] == ("phase", "hand", "trick", "tricks")
    assert keys[-3:] == ("clock", "bank", "legal")


def test_doppelkopf_says_the_contract_before_who_said_what():
    """The fields of a game keep the order of its page."""
    keys = views.page("doppelkopf").keys()
    ordered = ("contract", "reservations", "party", "parties", "announced", "points", "exchanged")
    assert tuple(key for key in keys if key in ordered) == ordered


@pytest.mark.parametrize("name", ["hnad", "Hand", "hands"])
def test_a_misspelt_field_is_answered_with_the_nearest(name):
    """A view that was read from the wire, and one that was filled here."""
    for view in (HEARTS.of({"hand": ("c2",)}), HEARTS(hand=("c2",))):
        with pytest.raises(AttributeError, match=rf"HeartsView has no field {name} \(did you mean hand\?\)"):
            getattr(view, name)


def test_a_field_that_is_near_none_is_answered_with_all():
    """A game without a page of its own has those that came."""
    with pytest.raises(
        AttributeError, match=r"HeartsView has no field xyzzy; its fields: game, options, players, .*, legal$"
    ):
        _ = HEARTS.of({}).xyzzy
    with pytest.raises(AttributeError, match=r"View has no field xyzzy; its fields: pile, chosen_by$"):
        _ = View.of({"pile": (), "chosen-by": ()}).xyzzy


def test_what_copies_a_view_is_told_nothing():
    """It asks for methods that few objects have."""
    with pytest.raises(AttributeError, match=r"HeartsView has no field __wrapped__$"):
        _ = HEARTS.of({}).__wrapped__
