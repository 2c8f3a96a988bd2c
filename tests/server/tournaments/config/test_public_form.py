"""The form of a public text: matched in full and in one pass, even if the pattern is a stranger's."""

from __future__ import annotations

import pytest
from contests import Here, contest, pretend, settings

from croupier.server.tournaments.config.public_form import MOST, NUMBERS, defect, fits
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.keeping.store import StoreError

TWO_DIGITS = r"\d{2}( \d{2}){5}"


@pytest.mark.parametrize(
    ("form", "text", "fitting"),
    [
        (NUMBERS, "3 11 24", True),
        (NUMBERS, "3  11", False),
        (NUMBERS, "03 11", False),
        (NUMBERS, "3 11 ", False),
        (NUMBERS, "3 11\n", False),
        (NUMBERS, "١٢", False),
        (NUMBERS, "1" * (MOST + 1), False),
        (TWO_DIGITS, "03 11 24 30 41 44", True),
        (TWO_DIGITS, "03 11 24 30 41", False),
        (r"[a-z ]+: \d+", "draw of march: 7", True),
        (r"([0-9]{1,2}){50}x", "1" * MOST, False),
        (r"\d*\d*\d*\d*\d*\d*\d*\d*x", "1" * MOST, False),
    ],
)
def test_a_text_has_a_form_as_a_whole(form, text, fitting):
    """Nothing before, behind or between; a pattern that would try without end is over at once."""
    assert not defect(form)
    assert fits(form, text) is fitting


@pytest.mark.parametrize("form", ["", "(a|b)", "((a)+)+", "a**", "[z-a]", "[a", r"(a)\1", "(?=a)", "a" * (MOST + 1)])
def test_a_pattern_that_is_not_matched_in_one_pass_is_refused(form):
    """Alternatives, groups in groups, look-around and references are not taken."""
    assert defect(form)
    with pytest.raises(BadConfig, match="public_form"):
        settings(public_form=form)


def test_a_public_text_of_another_form_is_refused_before_anything_is_written(tmp_path):
    """The message has the form."""
    with pytest.raises(StoreError, match="does not have the form that the manifest fixes, public_form = "):
        contest(tmp_path / "cup", settings(public="lottery of 7 March"), Here(pretend()))
    contest(tmp_path / "cup", settings(public="lottery of 7 March", public_form="[A-Za-z0-9 ]+"), Here(pretend()))
