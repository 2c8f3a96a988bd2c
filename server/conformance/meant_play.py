"""Meaning: which play a reply that is none was probably meant to be: one spelt otherwise, or another game's."""

from __future__ import annotations

import re
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import islice, product
from typing import TYPE_CHECKING

from croupier.protocol.sexp import Malformed, read, write
from croupier.server import games
from croupier.server.conformance.walk import Route, Walk
from croupier.server.games.game import IllegalPlay, UnknownPlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.server.games.game import Game, Play

_WORD = re.compile(r"[^\s()\[\]{}\"',;]+")
_LONGEST = 5
"""Words of a reply that is looked at: no play with a name or a card that is easily misspelt has more."""
_MOST_PLAYS = 1000
_CLOSE = 0.75
_NAMED = 3
_CHOICE = "choose"


def meaning(game: Game, seat: int, received: bytes, spell: Callable[[Play], str] = write) -> str:
    """Return what to tell the author of this reply, nothing where no play is like it; ``spell`` writes a play."""
    words = _WORD.findall(received.decode("ascii", "replace"))
    if not 0 < len(words) <= _LONGEST:
        return ""
    if spelt := _respelt(game, seat, words):
        return _did_you_mean(words, [spelt], spell)
    if others := _games_with(_play(words), type(game)):
        return _of_another_game(spell(_play(words)), others)
    return _did_you_mean(words, _close(words, map(write, islice(game.legal(), _MOST_PLAYS))), spell)


def _respelt(game: Game, seat: int, words: Sequence[str]) -> str:
    """Return a play of the game that differs in case, in the order of a card's two characters or in its parentheses."""
    known = ""
    for spelling in product(*map(_spellings, words)):
        play = _play(spelling)
        try:
            game.check(seat, play)
        except UnknownPlay:
            continue
        except IllegalPlay:
            known = known or write(play)
        else:
            return write(play)
    return known


def _spellings(word: str) -> Iterable[str]:
    short = word.upper().replace("10", "T")
    cards = [end[0].lower() + end[1:] for end in (short, short[::-1])] if len(short) == 2 else []
    return dict.fromkeys((word, word.lower(), *cards))


def _play(words: Iterable[str]) -> Play:
    with suppress(Malformed):
        play = read(f"({' '.join(words)})".encode())
        if isinstance(play, tuple):
            return play
    return ()


def _games_with(play: Play, rules: type[Game]) -> list[str]:
    """List the other games that know this play."""
    return [name for name in games.names() if name != rules.NAME and _knows(games.find(name), play)] + (
        ["recycle"] if play[:1] == (_CHOICE,) and rules.NAME != "recycle" else []
    )


def _knows(rules: type[Game], play: Play) -> bool:
    game = Walk(rules, {}, Route(1, 0, free=True), "bot", 1.0).game
    try:
        game.check(game.turn or 0, play)
    except UnknownPlay:
        return False
    except IllegalPlay:
        return True
    return True


def _of_another_game(play: str, names: Sequence[str]) -> str:
    which = "a game in RECYCLE" if names == ["recycle"] else " or ".join(names)
    there = "recycle:FILE" if names == ["recycle"] else names[0]
    return f"{play} is a play of {which}: if the bot is made for that, check it there, with --game {there}."


def _close(words: Sequence[str], plays: Iterable[str]) -> list[str]:
    """Return the plays that are most like these words, nothing where none is like them or too many are."""
    said = " ".join(words)
    likeness = {play: SequenceMatcher(None, said, play[1:-1]).ratio() for play in plays}
    best = max(likeness.values(), default=0.0)
    found = [play for play, ratio in likeness.items() if ratio == best]
    return found if best >= _CLOSE and len(found) <= _NAMED else []


def _did_you_mean(words: Sequence[str], plays: Sequence[str], spell: Callable[[Play], str]) -> str:
    named = list(dict.fromkeys(_difference(words, play, spell) for play in plays))
    return f"did you mean {' or '.join(named)}?" if named else ""


def _difference(words: Sequence[str], play: str, spell: Callable[[Play], str]) -> str:
    """Return the one word in which a play differs, the play if there are more or fewer."""
    other = play[1:-1].split()
    wrong = [right for word, right in zip(words, other, strict=False) if word != right]
    return wrong[0] if len(other) == len(words) and len(wrong) == 1 else spell(_play(other))
