"""What the states of several games share."""

import pytest

from croupier.protocol import views

TRICK_TAKING = ("hearts", "skat", "doppelkopf", "jass", "sedma")


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
