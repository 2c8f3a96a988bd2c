"""The JSON dialect: one notification per line as a JSON object, a play as an array; written and read.

STATE is an object with the fields of the game's page by key, each as its codec writes it. A value without a codec of
its own, such as a play or the referee's news, is written as its form: a list as an array, a symbol as a string, an
integer as a number.
"""

from __future__ import annotations

import json
import re

from croupier.protocol import sexp, views
from croupier.protocol.full_deal import FullDeal
from croupier.protocol.notifications import TABLE, Attacked, Defended, Open, Request, Update
from croupier.protocol.sexp import Malformed
from croupier.protocol.views.view import View, form_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.notifications import Notification
    from croupier.protocol.sexp import Sexp

_SYMBOL = re.compile(r"[A-Za-z0-9_-]+")
_WHOLE = re.compile(r"-?[0-9]+")
_SHOWN = 40


def write(note: Notification) -> str:
    """Return the notification's line, without its newline. It is ASCII."""
    said: dict[str, Any]
    match note:
        case Request(view):
            said = {"type": "request", "state": view}
        case Update(name, play):
            said = {"type": "update", "name": name, "play": play}
        case Attacked(play, name, view):
            said = {"type": "attacked", "play": play, "name": name, "state": view}
        case Defended(name, defense):
            said = {"type": "defended", "name": name, "defense": defense}
        case Open(deal):
            said = {"type": "open", "deal": write_deal(deal)}
        case _:
            raise TypeError(f"{note!r} has no JSON")
    return json.dumps(said, default=state_of)


def state_of(view: object) -> dict[str, Any]:
    """Return STATE as an object; a field whose value is None is left out."""
    if not isinstance(view, View):
        raise TypeError(f"{view!r} has no JSON")
    values = [(key, codec, getattr(view, name)) for name, (key, codec) in view.codecs().items()]
    return {key: codec.to_json(value) for key, codec, value in values if value is not None}


def read(line: str) -> Notification | None:
    """Return the notification on a line, None if only a later version of the protocol could know it."""
    match load(line):
        case {"type": "request", "state": dict(state)}:
            return Request(read_state(state))
        case {"type": "update", "name": str(name), "play": ["start", dict(state)]} if name == TABLE:
            start: Any = ("start", read_state(state))
            return Update(name, start)
        case {"type": "update", "name": str(name), "play": list(play)}:
            return Update(name, form_of_json(play))
        case {"type": "attacked", "play": list(play), "name": str(name), "state": dict(state)}:
            return Attacked(form_of_json(play), name, read_state(state))
        case {"type": "defended", "name": str(name), "defense": list(defense)}:
            return Defended(name, form_of_json(defense))
        case {"type": "open", "deal": {"players": dict(players), "unseen": list(unseen)}}:
            return Open(_read_deal(players, unseen))
        case {"type": "request" | "update" | "attacked" | "defended" | "open"}:
            raise Malformed(f"a notification of another shape: {line[:200]}")
    return None


def load(line: str) -> dict[str, Any]:
    """Return the object on a line; raise Malformed if there is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise Malformed(f"not JSON: {problem}") from None
    if not isinstance(said, dict):
        raise Malformed("a message is an object")
    return said


def read_state(state: dict[str, Any]) -> View:
    """Return STATE as the view of its game; a field that its page does not know has the form of its value."""
    page = views.page(state.get("game"))
    codecs = dict(page.codecs().values())
    fields: dict[str, Any] = {}
    for key, value in state.items():
        try:
            fields[key.replace("-", "_")] = codecs[key].of_json(value) if key in codecs else form_of_json(value)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise Malformed(f"STATE has a {key} of another shape: {json.dumps(value)[:_SHOWN]}") from None
    return page(**fields)


def write_deal(deal: FullDeal) -> dict[str, Any]:
    """Return a full deal as an object: players by name, and the piles as pairs of pile and cards."""
    return {"players": {name: state_of(view) for name, view in deal.players.items()}, "unseen": deal.unseen}


def _read_deal(players: dict[str, Any], unseen: list[Any]) -> FullDeal:
    try:
        piles: Any = tuple([(pile, cards) for pile, cards in form_of_json(unseen)])
        return FullDeal({name: read_state(state) for name, state in players.items()}, piles)
    except (AttributeError, TypeError, ValueError):
        raise Malformed("a full deal of another shape") from None


def write_play(play: Sexp) -> str:
    """Return a play as an array."""
    return json.dumps(play)


def read_play(message: bytes) -> Sexp:
    """Read a stranger's array as the s-expression that it stands for, with all limits of one.

    Raise Malformed with what is wrong with it.
    """
    try:
        value = json.loads(
            message.decode("ascii"),
            object_pairs_hook=_refuse_object,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
        text = _form(value)
    except json.JSONDecodeError as problem:
        raise Malformed(f"not JSON at byte {problem.pos + 1}: {problem.msg}") from None
    except RecursionError:
        raise Malformed(f"more than {sexp.MAX_LEVELS} levels of lists") from None
    except Malformed:
        raise
    except ValueError:  # an integer of more digits than Python reads, or a byte that the framer would have refused
        raise Malformed("not JSON of the protocol: a number of thousands of digits, or a byte outside ASCII") from None
    return sexp.read(text.encode("ascii"))


def _form(value: object) -> str:
    """Return the s-expression that a value stands for, as text."""
    if isinstance(value, list):
        return f"({' '.join(map(_form, value))})"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    told = json.dumps(value)[:_SHOWN]
    if not isinstance(value, str):
        raise Malformed(f"{told} is neither a string nor a whole number")
    if _WHOLE.fullmatch(value):
        raise Malformed(f"the string {told} is a number: write it without quotation marks")
    if not _SYMBOL.fullmatch(value):
        raise Malformed(f"the string {told} is no word of the protocol: letters, digits, - and _")
    return value


def _refuse_object(_pairs: object) -> None:
    raise Malformed("an object where a play has arrays, strings and whole numbers")


def _refuse_number(token: str) -> None:
    raise Malformed(f"{token[:_SHOWN]} is no whole number")
