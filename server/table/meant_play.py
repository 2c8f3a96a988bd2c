"""Meaning: the play that an illegible reply was probably meant to be: misspelled, or of another game."""

from __future__ import annotations

import re
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import islice, product
from typing import TYPE_CHECKING

from croupier.protocol.sexp import Malformed, read, write
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.games.game import IllegalPlay, UnknownPlay
from croupier.server.table.faults import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.server.games.game import Game, Play

    Spell = Callable[[str], str]

UNREADABLE = frozenset({Kind.UNKNOWN, Kind.MALFORMED})
"""The faults whose reply may be a misspelled play."""
_WORD = re.compile(r"[^\s()\[\]{}\"',;]+")
_LONGEST = 5
"""The most words of a reply that is examined; no play with a name or an easily misspelled card has more."""
MOST_PLAYS = 1000
"""At most this many plays are compared with a reply."""
_CLOSE = 0.75
_NAMED = 3
_CHOICE = "choose"


def meaning(game: Game, seat: int, received: bytes, spell: Spell = str) -> str:
    """Return a hint for the author of this reply; an empty string if no play resembles it.

    ``spell`` writes a play, given as an s-expression, as the bot would.
    """
    words = _WORD.findall(received.decode("ascii", "replace"))
    if not 0 < len(words) <= _LONGEST:
        return ""
    if spelt := _respelt(game, seat, words):
        return _did_you_mean(words, [spelt], spell)
    if others := _games_with(_play(words), type(game)):
        return _of_another_game(spell(f"({' '.join(words)})"), others)
    return nearest(words, map(write, islice(game.legal(), MOST_PLAYS)), spell)


def _respelt(game: Game, seat: int, words: Sequence[str]) -> str:
    """Return a play that differs only in case, in the order of a card's two characters or in parentheses."""
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
    players = [f"player-{number}" for number in range(rules.SEATS[0])]
    game = rules(players, {}, Key.from_seed("another game").deal(1))
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


def nearest(words: Sequence[str], plays: Iterable[str], spell: Spell = str) -> str:
    """Return a question about the play that most resembles these words; empty if none or too many do."""
    said = " ".join(words)
    likeness = {play: max(_likeness(said, bare), _likeness(said, rest)) for play, bare, rest in map(_bared, plays)}
    best = max(likeness.values(), default=0.0)
    found = [play for play, ratio in likeness.items() if ratio == best]
    return _did_you_mean(words, found, spell) if best >= _CLOSE and len(found) <= _NAMED else ""


def _bared(play: str) -> tuple[str, str, str]:
    bare = play.strip("()")
    return play, bare, bare.partition(" ")[2]


def _likeness(said: str, play: str) -> float:
    return SequenceMatcher(None, said, play).ratio()


def _did_you_mean(words: Sequence[str], plays: Iterable[str], spell: Spell) -> str:
    return f"did you mean {' or '.join(dict.fromkeys(_difference(words, play, spell) for play in plays))}?"


def _difference(words: Sequence[str], play: str, spell: Spell) -> str:
    """Return the one word in which a play differs, or the play if more words do."""
    other = play.strip("()").split()
    wrong = [right for word, right in zip(words, other, strict=False) if word != right]
    return wrong[0] if len(other) == len(words) and len(wrong) == 1 else spell(play)
