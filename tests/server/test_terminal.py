"""What is written to a terminal: printable text, and command lines that a shell reads as they were meant."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server import terminal


@given(st.text())
def test_nothing_drives_a_terminal(text):
    """Escapes, control characters and what turns the direction of writing are shown as question marks."""
    assert all(char.isprintable() for char in terminal.printable(text))


@given(st.binary(), st.integers(1, 80))
def test_bytes_are_shown_in_ascii_and_not_too_many(data, most):
    """Each byte that is not printable ASCII is two hexadecimal digits."""
    shown = terminal.escape(data.decode("latin-1"), most)
    assert all(" " <= char <= "~" for char in shown)
    assert len(shown.partition(" ... (")[0] if len(shown) > most else shown) <= most


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
def test_a_word_is_read_back_as_it_was(text):
    """By whatever shell: blanks, quotation marks, dollars and umlauts."""
    assert shlex.split(terminal.word(text)) == [text]
    assert shlex.split(terminal.command("croupier", "check", text)) == ["croupier", "check", text]


@pytest.mark.parametrize(
    ("text", "word"), [("python bot.py", '"python bot.py"'), ("./bot", "./bot"), ("echo $HOME", "'echo $HOME'")]
)
def test_double_quotation_marks_are_enough_where_nothing_is_active(text, word):
    """As the documentation writes a BOT."""
    assert terminal.word(text) == word
