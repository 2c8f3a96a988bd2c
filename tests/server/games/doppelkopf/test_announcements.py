"""What may be announced at Doppelkopf, and until when."""

from __future__ import annotations

import pytest

from croupier.server.games.doppelkopf.announcements import DENIALS, KONTRA, RE, Announcements
from croupier.server.games.game import IllegalPlay

LAST = {"re": 11, "no90": 10, "no60": 9, "no30": 8, "black": 7}


def after(*said: tuple[int, str, int], shift: int = 0) -> Announcements:
    """Announce each word for its party with this many cards in hand."""
    announcements = Announcements(shift)
    for party, word, held in said:
        announcements.check(party, word, held)
        announcements.announce(party, party, word, held)
    return announcements


@pytest.mark.parametrize(("word", "last"), LAST.items())
@pytest.mark.parametrize("shift", [0, 1, 2, 4])
def test_each_step_has_its_deadline_in_cards(word, last, shift):
    """Re needs eleven cards, each denial one less than the step before; all less what the shift says."""
    steps = list(LAST)
    announcements = after(*[(RE, step, 12 - shift) for step in steps[: steps.index(word)]], shift=shift)
    assert word in announcements.open(RE, last - shift)
    assert word not in announcements.open(RE, last - shift - 1)
    with pytest.raises(IllegalPlay, match="cards or more"):
        announcements.check(RE, word, last - shift - 1)


def test_a_denial_implies_what_is_missing():
    """No 60 as the first word is Re, no 90 and no 60."""
    assert after((RE, "no60", 11)).steps == [3, 0]
    assert after((KONTRA, "black", 12)).steps == [0, 5]


def test_what_is_skipped_must_be_in_time():
    """With ten cards no denial is left to a side that has not said Re, and no step to one that skipped another."""
    assert after().open(RE, 10) == ()
    assert after((RE, "re", 11)).open(RE, 10) == DENIALS
    assert after((RE, "re", 11)).open(RE, 9) == ()
    assert after((RE, "no90", 11)).open(RE, 9) == ("no60", "no30", "black")


def test_a_partner_may_go_on():
    """The base call and the denials belong to the side, not to the player who says them."""
    announcements = after((RE, "re", 11))
    announcements.announce(3, RE, "no90", 10)
    assert announcements.steps == [2, 0]
    assert announcements.said == ((RE, "re"), (3, "no90"))


@pytest.mark.parametrize(("word", "needed"), LAST.items())
def test_a_reply_is_allowed_with_one_card_less(word, needed):
    """After the other side's announcement the base call may still be made, one card later than that needed."""
    announcements = after((RE, word, 12))
    assert "kontra" in announcements.open(KONTRA, needed - 1)
    assert announcements.open(KONTRA, needed - 2) == ()


def test_a_reply_after_its_own_time_carries_no_denial():
    """Denials need a base call that would have been in time without the other side's."""
    announcements = after((RE, "no60", 11), (KONTRA, "kontra", 9))
    assert announcements.open(KONTRA, 9) == ()
    with pytest.raises(IllegalPlay, match="in reply"):
        announcements.check(KONTRA, "no90", 9)
    in_time = after((RE, "re", 11), (KONTRA, "kontra", 11))
    assert in_time.open(KONTRA, 10) == DENIALS


def test_a_partner_who_is_still_in_time_may_deny_after_a_late_reply():
    """With eleven cards the base call is in time, so what it carries is too."""
    announcements = after((RE, "re", 11), (KONTRA, "kontra", 10))
    assert announcements.open(KONTRA, 11) == DENIALS
    assert announcements.open(KONTRA, 10) == ()


def test_what_changes_nothing_is_refused():
    """A side says each thing once, and nothing that a higher step includes."""
    announcements = after((RE, "no60", 11))
    for word in ("re", "no90", "no60"):
        assert announcements.changes_nothing(RE, word)
        with pytest.raises(IllegalPlay, match="changes nothing"):
            announcements.check(RE, word, 11)
    assert not announcements.changes_nothing(RE, "no30")
    assert not announcements.changes_nothing(RE, "kontra")


def test_nobody_announces_for_the_other_party():
    """Re is for Re, Kontra for Kontra."""
    for party, word in ((RE, "kontra"), (KONTRA, "re")):
        with pytest.raises(IllegalPlay, match="other party"):
            after().check(party, word, 12)
