"""A game has a title that people read, whatever a call or a record names it by."""

import pytest

from croupier.server.names import game_title


@pytest.mark.parametrize(
    ("game", "title"),
    [
        ("hearts", "Hearts"),
        ("recycle:crazy-eights", "Crazy eights"),
        ("recycle:../rules/Two_packs.gdl", "Two packs"),
        ("a\x1b[2Jb.gdl", "A?[2Jb"),
        ("recycle:-.gdl", "Recycle:-.gdl"),
    ],
)
def test_a_game_has_a_title(game, title):
    """Without folder, suffix and hyphens, and without characters that are not printed."""
    assert game_title(game) == title
