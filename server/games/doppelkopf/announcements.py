"""Announcements: Re and Kontra, the denials, and their deadlines.

A side's announcements are steps: its base call (Re or Kontra), then no 90, no 60, no 30, black. A deadline is the least
number of cards that the speaker must still hold: 11 for the base call, one less for each step (DDV 6.3).
"""

from __future__ import annotations

from typing import Self

from croupier.server.games.game import IllegalPlay

RE, KONTRA = 0, 1
PARTIES = ("re", "kontra")
DENIALS = ("no90", "no60", "no30", "black")
WORDS = (("re", *DENIALS), ("kontra", *DENIALS))
"""The announcements of each party, in order."""
STEPS = {"re": 1, "kontra": 1, "no90": 2, "no60": 3, "no30": 4, "black": 5}
"""The level of an announcement: 0 for none, 1 for the base call, 2 to 5 for the denials."""
_FIRST_DEADLINE = 11


class Announcements:
    """The announcements of both sides so far, and those that are still possible.

    ``shift`` is by how many cards every deadline is later: one or two after a wedding that was clarified in the second
    or third trick, two if the pack has no nines.
    """

    __slots__ = ("late", "said", "shift", "steps")

    def __init__(self, shift: int = 0) -> None:
        self.shift = shift
        self.steps = [0, 0]
        self.late = [False, False]
        self.said: tuple[tuple[int, str], ...] = ()

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = type(self)(self.shift)
        twin.steps, twin.late, twin.said = self.steps[:], self.late[:], self.said
        return twin

    def deadline(self, step: int) -> int:
        """Return the least number of cards that must be held for a step."""
        return _FIRST_DEADLINE + 1 - step - self.shift

    def open(self, party: int, held: int) -> tuple[str, ...]:
        """List what a player of this party with ``held`` cards may announce, as far as it changes something.

        All steps that are skipped must be in time too. A base call that was only a reply allows no denial, unless it is
        still in time.
        """
        step, in_time = self.steps[party], held >= self.deadline(1)
        if step == 0:
            return WORDS[party] if in_time else WORDS[party][:1] if self._in_reply(party, held) else ()
        if in_time or (held >= self.deadline(step + 1) and not self.late[party]):
            return WORDS[party][step:]
        return ()

    def _in_reply(self, party: int, held: int) -> bool:
        """Return whether the base call may answer the other side's highest call, which it may one card later."""
        other = self.steps[1 - party]
        return other > 0 and held >= self.deadline(other) - 1

    def changes_nothing(self, party: int, word: str) -> bool:
        """Return whether the party has already announced as much or more."""
        return word in WORDS[party] and self.steps[party] >= STEPS[word]

    def check(self, party: int, word: str, held: int) -> None:
        """Raise IllegalPlay with the reason why this cannot be announced now."""
        if word in self.open(party, held):
            return
        if word == PARTIES[1 - party]:
            raise IllegalPlay(f"{word} is for the other party to announce")
        if self.changes_nothing(party, word):
            raise IllegalPlay(f"{word} changes nothing: the party has announced that much")
        if word in PARTIES:
            raise IllegalPlay(
                f"{word} is announced with {self.deadline(1)} cards or more, or in reply; {held} are left"
            )
        if self.late[party]:
            raise IllegalPlay(f"a {PARTIES[party]} that was said in reply, after its own time, carries no {word}")
        needs = self.deadline(self.steps[party] + 1)
        raise IllegalPlay(f"{word} now needs {needs} cards or more, for what it includes; {held} are left")

    def announce(self, seat: int, party: int, word: str, held: int) -> None:
        """Note an announcement that `check` allows."""
        self.said += ((seat, word),)
        self.steps[party] = STEPS[word]
        self.late[party] = held < self.deadline(1) and word in PARTIES
