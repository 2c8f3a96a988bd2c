"""The plays of Doppelkopf as tuples, with the phase of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.doppelkopf import SOLOS
from croupier.server.games.doppelkopf.announcements import STEPS, WORDS
from croupier.server.games.game import UnknownPlay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.games.game import Play

HEALTHY: Play = ("healthy",)
WEDDING: Play = ("wedding",)
POVERTY: Play = ("poverty",)
SOLO_PLAYS: tuple[Play, ...] = tuple(("solo", name) for name in SOLOS)
RESERVATION: Play = ("reservation",)
"""What others hear instead of any reservation except (healthy), and all that is kept of losing ones."""
TAKE: Play = ("take",)
PASS: Play = ("pass",)
SPOKEN: dict[str, Play] = {word: ("announce", word) for word in STEPS}
ANNOUNCEMENTS: dict[tuple[str, ...], tuple[Play, ...]] = {
    some: tuple([SPOKEN[word] for word in some])
    for words in WORDS
    for some in ((), words[:1], *[words[step:] for step in range(len(words))])
}
"""The plays for the words that `Announcements.open` lists."""

ABOUT: Mapping[str, str] = {
    "(healthy)": "no reservation; with both queens of clubs, a silent wedding",
    "(wedding)": "both queens of clubs seek a partner",
    "(poverty)": "offer all trumps, three or fewer (poverty=yes)",
    "(solo queens|jacks|ace|diamonds|hearts|spades|clubs)": "play alone",
    "(take)": "take the poor player's trumps and be his partner",
    "(pass)": "leave them to the next player",
    "(exchange C ...)": "give as many cards back",
    "(play C)": "play a card",
    "(announce re|kontra|no90|no60|no30|black)": "announce, before one's card",
}
_PHASES = {
    **dict.fromkeys((HEALTHY, WEDDING, POVERTY, *SOLO_PLAYS), "reserve"),
    **dict.fromkeys((TAKE, PASS), "poverty"),
    **dict.fromkeys(SPOKEN.values(), "play"),
}

FIXED: tuple[Play, ...] = tuple(_PHASES)
"""Every play that is neither a card nor an exchange."""


def phase_of(play: Play) -> str:
    """Return the phase of a play that is not a card; raise UnknownPlay if it has none."""
    phase = "poverty" if play[:1] == ("exchange",) else _PHASES.get(play)
    if phase is None:
        raise UnknownPlay(f"a play of doppelkopf is one of {', '.join(ABOUT)}")
    return phase
