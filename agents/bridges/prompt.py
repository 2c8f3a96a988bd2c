"""Prompt: turns a view into a question to a language model, and its answer into a play.

The text depends on the view alone. Players are called by their seats, so that bots' names reveal nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from itertools import islice

from croupier.agents.bridges.skin import CARD, NoWord, Skin
from croupier.protocol.sexp import MAX_LEVELS, Malformed, parse, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from croupier.protocol.sexp import Atom, Sexp
    from croupier.protocol.views.view import Play, View

LONGEST = 16_000
"""The most characters of an answer in which a play is searched."""
_MOST_PLAYS = 5_000
_DROPPED = {"game", "options", "players", "program", "clock", "bank", "legal"}
"""Fields that are shown elsewhere, or that are not about the cards."""
_PLAIN = frozenset(
    {"yes", "no", "none", "play", "pass", "give", "bid", "discard", "choose", "left", "right", "across", "first"}
    | {"free", "safe", "high", "low", "one", "many", "rules", "table", "team", "card", "cards", "deck", "top", "owns"}
    | {"hands", "trick", "tricks", "game", "games", "player", "players", "point", "points", "score", "deal", "lead"}
    | {"leader", "croupier"}
)
"""Words that do not reveal the game, and that a skin leaves unchanged."""
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_SYMBOL = re.compile(r"[A-Za-z0-9_-]+")
_PLAYERS = re.compile(r"\(players ([^()]+)\)")
_NUMBERED = re.compile(r"player([1-9]\d?)")
_TASK = """\
You are player1 in a card game. The players are called player1, player2 and so on, clockwise. Each message shows STATE:
all that you may know, as fields (key value ...). It begins with the mark of the position. Choose your play.

Answer with one JSON object: {"position": "the mark", "play": "(...)"}. The play is one s-expression, as the rules write
plays. Give one play, and no other JSON object."""


class NoAnswer(ValueError):
    """A model's answer that is not accepted; the message says why. ``play`` is the illegal play in it, if any."""

    def __init__(self, why: str, play: Play | None = None) -> None:
        super().__init__(why)
        self.play = play


class Prompt:
    """How positions of any game are shown to a model.

    ``rules`` returns the text of the rules of a view's game, with code between backquotes.
    """

    def __init__(self, rules: Callable[[View], str], skin: Skin | None = None, *, legal: bool = True) -> None:
        self.rules = rules
        self.skin = skin
        self.legal = legal
        self._known: tuple[object, str, frozenset[str]] = (None, "", frozenset())

    def of(self, view: View, attack: tuple[Play, str] | None = None) -> Position:
        """Return the position of a view; ``attack`` is the play to be met, with its player."""
        which = (view.game, view.options, getattr(view, "program", None), len(view.players))
        if self._known[0] != which:
            rules = _with_places(self.rules(view))
            code = _SYMBOL.findall(" ".join(_CODE.findall(rules)))
            words = frozenset(word for word in code if not _NUMBERED.fullmatch(word))
            self._known = which, rules, words
        return Position(self, view, self._known[1], self._known[2], attack)


class Position:
    """One position: ``system`` stays the same for a game, ``user`` shows STATE; `read` finds the play in an answer."""

    def __init__(
        self, prompt: Prompt, view: Any, rules: str, words: frozenset[str], attack: tuple[Play, str] | None
    ) -> None:
        fields = [form for form in parse(str(view)) if isinstance(form, tuple)]  # type: ignore[union-attr]  # STATE is a list
        self._view = view
        self._skin = prompt.skin
        self._upper = view.game == "recycle"
        self._plain = (_PLAIN | {str(form[0]) for form in fields} | set(view.keys())) - {view.game}
        self._words = words
        self._places: dict[str, str] = {
            name: f"player{place}" for place, name in enumerate(view.players, 1) if self._can_replace(name)
        }
        self._names = {place: name for name, place in self._places.items()}
        self.system = self._system(rules)
        shown = [self._text(form) for form in fields if form[0] not in _DROPPED]
        if attack is not None:
            shown.append(f"(attacked {self._text(attack[0])} {self._text(attack[1])})")
        if prompt.legal and view.legal and not self._upper:  # its choices are the legal plays
            shown.append(f"(legal {' '.join(map(self._text, view.legal))})")
        state = "\n".join(shown)
        self.mark = hashlib.sha256(state.encode()).hexdigest()[:4]
        self.user = f"position {self.mark}\n{state}"

    def read(self, answer: str) -> Play:
        """Return the only play of an answer, in the game's own words; raise NoAnswer."""
        if len(answer) > LONGEST:
            raise NoAnswer(f"the answer has {len(answer):,} characters; answer with one JSON object alone")
        given: dict[str, Play] = {}
        for pairs in _objects(answer):
            marks = [value for key, value in pairs if key == "position"]
            for value in (value for key, value in pairs if key == "play"):
                if any(mark != self.mark for mark in marks):
                    raise NoAnswer(f"the answer is for another position; the mark of this one is {self.mark}")
                play = self._play(value)
                given[write(play)] = play
        if len(given) > 1:
            raise NoAnswer(f"the answer has {len(given)} different plays: {', '.join(islice(given, 4))}; give one")
        if not given:
            raise NoAnswer('there is no JSON object with the key "play" in the answer')
        (play,) = given.values()
        if not _may_be_legal(self._view, play):
            raise NoAnswer(f"{self._text(play)} is not a legal play now", play)
        return play

    def _play(self, value: object) -> Play:
        """Return a play, given as text or as an array, in the game's own words."""
        try:
            form = parse(value) if isinstance(value, str) else _form(value)
            play = self._translate(form, self._hear)
        except (Malformed, NoWord) as problem:
            raise NoAnswer(f"the play cannot be read: {problem}") from None
        if not isinstance(play, tuple) or not play or not isinstance(play[0], str):
            raise NoAnswer("a play is an s-expression in parentheses that begins with a word")
        return play

    def _system(self, rules: str) -> str:
        game = str(self._view.game)
        if self._skin is not None:
            chosen = {str(each) for pair in self._view.options.items() for each in pair}
            words = {word for word in {*self._words, *chosen, game} if self._has_skin(word)}
            legend = "" if self._upper else f"{self._skin.legend()}\n\n"
            rules = legend + self._skin.text(re.sub(r";;.*", "", rules) if self._upper else rules, words)
        options = " ".join(map(self._text, self._view.options.items()))
        return f"{_TASK}\n\n{rules.strip()}\n\nOptions of this game: {options}\n"

    def _can_replace(self, name: str) -> bool:
        """Return whether a player's name can be replaced: it must not be one of the game's words, or they mix.

        Such a name is left: it reveals no more than the rules do.
        """
        return name not in self._words | self._plain and not CARD.fullmatch(name)

    def _has_skin(self, word: str) -> bool:
        """Return whether a skin changes a word. A RECYCLE program's own words are those in capitals."""
        if self._upper:
            return word.upper() == word and not word.isdigit() and word.strip("-_") != ""
        return word not in self._plain and not _NUMBERED.fullmatch(word) and not word.isdigit()

    def _text(self, form: Sexp) -> str:
        """Return the text for a model."""
        return write(self._translate(form, self._show))

    def _translate(self, form: Sexp, atom: Callable[[str], str]) -> Any:
        if isinstance(form, tuple):
            return tuple([self._translate(each, atom) for each in form])
        return atom(form) if isinstance(form, str) else form

    def _show(self, word: str) -> str:
        if (place := self._places.get(word)) is not None:
            return place
        return self._skin.encode(word) if self._skin is not None and self._has_skin(word) else word

    def _hear(self, word: str) -> str:
        if (name := self._names.get(word)) is not None:
            return name
        return word if self._skin is None or word in self._plain else self._skin.decode(word)


def _objects(text: str) -> Iterator[list[tuple[str, object]]]:
    """Yield the key-value pairs of each outermost JSON object in a text, whatever surrounds it."""
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs)
    at = text.find("{")
    while at >= 0:
        try:
            pairs, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield pairs
        at = text.find("{", end)


class _Pairs(list["tuple[str, object]"]):
    """The pairs of a JSON object, with repeated keys; not an array."""


def _form(value: object, level: int = 0) -> Sexp:
    """Return an array of JSON as the s-expression that it stands for; raise Malformed."""
    if isinstance(value, str) and _SYMBOL.fullmatch(value):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return value
    if isinstance(value, list) and not isinstance(value, _Pairs) and level < MAX_LEVELS:
        return tuple([_form(each, level + 1) for each in value])
    raise Malformed(f"{str(value)[:40]} is no word, number or list of these")


def _may_be_legal(view: View, play: Play) -> bool:
    """Return whether a play is among the legal ones, with its cards in any order, or these are unknown."""
    try:
        plays = islice(view.legal_plays(), _MOST_PLAYS + 1)
    except LookupError:
        return True
    listed, wanted = list(plays), _sorted(play)
    return len(listed) > _MOST_PLAYS or any(each == play or _sorted(each) == wanted for each in listed)


def _sorted(play: Play) -> tuple[Atom | Sexp, list[str]]:
    return play[0], sorted(map(str, play[1:]))


def _with_places(rules: str) -> str:
    """Return a text of rules with seats in place of the names in its examples."""
    names = {name: place for found in _PLAYERS.findall(rules) for place, name in enumerate(found.split(), 1)}
    return _SYMBOL.sub(lambda found: f"player{names[found[0]]}" if found[0] in names else found[0], rules)
