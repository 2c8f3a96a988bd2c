"""S-expressions: guarded reading of strangers' text, fast reading and writing of our own.

The protocol's subset: lists of atoms and lists; an atom is a symbol (``[A-Za-z0-9_-]+``) or a decimal integer. A list
is a tuple, a symbol a ``str``, an integer an ``int``. Only this module uses sexpdata, and it imports it only to read
strangers: a bot starts without it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Atom = str | int
    Sexp = Atom | tuple["Sexp", ...]

MAX_BYTES = 64 * 1024
MAX_LEVELS = 16
MAX_ATOMS = 1024

_SPACE = b" \t\n\r\v\f"
_PRINTABLE = bytes(range(0x20, 0x7F)) + _SPACE
_LEXEMES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-()" + _SPACE
_NO_PARENTHESES = bytes(byte for byte in range(256) if byte not in b"()")
_CACHED_BYTES = 128
_MOST_REMEMBERED = 4096


class Malformed(ValueError):
    """The text is not one s-expression of the protocol; the message says why."""


class Flooded(ValueError):
    """A message longer than the limit in bytes."""


class _Remembered(dict["Any", "Any"]):
    """A dict that computes a missing value once: a table sees the same few hundred tokens and plays all day.

    It is emptied when it is full, because a stranger could fill the memory with ever new tokens.
    """

    def __init__(self, find: Callable[[Any], Any]) -> None:
        self._find = find

    def __missing__(self, value: Any) -> Any:
        found = self._find(value)
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[value] = found
        return found


def _read_atom(token: str) -> Atom:
    digits = token[1:] if token[0] == "-" else token
    if digits.isdigit() and len(digits) < 19:
        return int(token)
    try:
        float(token)
    except ValueError:
        return token
    raise Malformed(f"{token[:40]} is neither a symbol nor a decimal integer of at most 18 digits")


_atoms: dict[str, Atom] = _Remembered(_read_atom)


class Reader:
    """Read a stream of s-expressions, however it is split: feed bytes, get the forms that are complete.

    It checks the protocol's alphabet strictly and is fast, but sets no limit on the length. So it is for the referee's
    text.
    """

    __slots__ = ("_cut", "_stack")

    def __init__(self) -> None:
        self._cut = ""
        self._stack: list[list[Sexp]] = [[]]

    def feed(self, data: bytes) -> list[Sexp]:
        """Return the forms that ``data`` completes; raise Malformed at anything that the protocol cannot contain."""
        if strange := data.translate(None, _LEXEMES):
            raise Malformed(f"{_name(strange[0])} is not part of the protocol")
        text = self._cut + data.decode("ascii")
        words = text.replace("(", " ( ").replace(")", " ) ").split()
        self._cut = words.pop() if words and text[-1] not in "() \t\n\r\v\f" else ""
        stack, atoms = self._stack, _atoms
        current = stack[-1]
        for word in words:
            if word == "(":
                current = []
                stack.append(current)
            elif word == ")":
                form = tuple(stack.pop())
                if not stack:
                    raise Malformed("a closing parenthesis with nothing to close")
                current = stack[-1]
                current.append(form)
            else:
                current.append(atoms[word])
        done, stack[0] = stack[0], []
        return done

    @property
    def inside(self) -> bool:
        """Return whether a form has begun and not ended."""
        return len(self._stack) > 1 or bool(self._cut)


def parse(text: str) -> Sexp:
    """Read exactly one s-expression that the referee wrote; strict and fast. Raise Malformed."""
    reader = Reader()
    try:
        forms = reader.feed(text.encode("ascii") + b" ")
    except UnicodeEncodeError:
        raise Malformed("a character outside ASCII") from None
    if reader.inside:
        raise Malformed("a parenthesis is left open")
    if len(forms) != 1:
        raise Malformed(f"{len(forms)} expressions where one is expected")
    return forms[0]


def read(message: bytes) -> Sexp:
    """Read one s-expression that a stranger wrote; raise Malformed with what is wrong.

    Short messages are remembered: the same few bytes play a card thousands of times a second.
    """
    return _replies[message] if len(message) <= _CACHED_BYTES else _read_with_sexpdata(message)


def _guard(message: bytes) -> str:
    """Refuse text that would be expensive to parse or would be read as something else, before it is parsed."""
    if len(message) > MAX_BYTES:
        raise Malformed(f"a message of more than {MAX_BYTES} bytes")
    if strange := message.translate(None, _LEXEMES):
        raise Malformed(f"{_name(strange[0])} is not part of the protocol")
    check_levels(message)
    text = message.decode("ascii")
    tokens = text.replace("(", " ").replace(")", " ").split()
    if len(tokens) > MAX_ATOMS:
        raise Malformed(f"more than {MAX_ATOMS} atoms")
    if message.count(b"(") > MAX_ATOMS:
        raise Malformed(f"more than {MAX_ATOMS} lists")
    for token in tokens:
        _atoms[token]
    return text


def check_levels(message: bytes) -> None:
    """Raise Malformed if lists are nested too deeply: recursive readers would run out of stack."""
    if message.count(b"(") <= MAX_LEVELS:
        return
    level = 0
    for byte in message.translate(None, _NO_PARENTHESES):
        level += 1 if byte == 0x28 else -1
        if level > MAX_LEVELS:
            raise Malformed(f"more than {MAX_LEVELS} levels of lists")


def _read_with_sexpdata(message: bytes) -> Sexp:
    import sexpdata  # noqa: PLC0415  a bot must not pay for it

    text = _guard(message)
    try:
        forms = sexpdata.parse(text, nil=None, true=None)
    except Exception as problem:  # noqa: BLE001  sexpdata raises whatever its parser trips over
        raise Malformed(f"not an s-expression: {(str(problem) or type(problem).__name__)[:120]}") from None
    if len(forms) != 1:
        raise Malformed(f"{len(forms)} expressions where one is expected")
    return _freeze(forms[0])


_replies: dict[bytes, Sexp] = _Remembered(_read_with_sexpdata)


def _freeze(form: object) -> Sexp:
    if isinstance(form, list):
        return tuple(map(_freeze, form))
    if isinstance(form, int) and not isinstance(form, bool):
        return form
    value = getattr(form, "value", None)
    if callable(value) and isinstance(name := value(), str):
        return name
    raise Malformed(f"{form!r} is neither a symbol nor an integer")


def _name(byte: int) -> str:
    return f"the character {chr(byte)}" if 0x20 < byte < 0x7F else f"the byte 0x{byte:02x}"


def write(form: Sexp) -> str:
    """Write one s-expression with single spaces and no padding."""
    if not isinstance(form, tuple):
        return str(form)
    if len(form) == 2:  # a fast path for a third of all lists: a name and a number, or the play of a card
        one, other = form
        return f"({one if one.__class__ is str else write(one)} {other if other.__class__ is str else write(other)})"
    return f"({' '.join([item if item.__class__ is str else write(item) for item in form])})"


texts: dict[Sexp, str] = _Remembered(write)
"""Look up the text of a form that occurs again and again."""


class Framer:
    """Split a stranger's byte stream into messages by balanced parentheses, with or without newlines between them.

    ``pair`` are the parentheses, or the brackets of another dialect.
    """

    __slots__ = ("_blank", "_buffer", "_closing", "_level", "_limit", "_opening", "_scanned")

    def __init__(self, limit: int = MAX_BYTES, pair: str = "()") -> None:
        self._opening, self._closing = pair[0].encode("ascii"), pair[1].encode("ascii")
        self._blank = 0
        self._buffer = bytearray()
        self._limit = limit
        self._level = 0
        self._scanned = 0

    def feed(self, data: bytes) -> None:
        """Take more bytes; raise Malformed if they cannot be part of a message."""
        self._buffer += data
        if strange := data.translate(None, _PRINTABLE):
            raise Malformed(f"{_name(strange[0])} is neither printable ASCII nor white space")

    def take(self) -> bytes | None:
        """Return the next whole message, or None while it is not complete."""
        buffer = self._buffer
        if self._scanned == 0 and not self._begin():
            return None
        end = self._balance()
        if self._blank + (end or len(buffer)) > self._limit:
            pair = "parentheses" if self._opening == b"(" else "brackets"
            raise Flooded(f"more than {self._limit} bytes before the {pair} balance")
        if end is None:
            return None
        message = bytes(buffer[:end])
        del buffer[:end]
        self._blank = self._level = self._scanned = 0
        return message

    def _begin(self) -> bool:
        """Skip the white space before a message, which counts towards its length; return whether one has begun."""
        buffer = self._buffer
        blank = len(buffer) - len(buffer.lstrip(_SPACE))
        self._blank += blank
        if self._blank > self._limit:
            raise Flooded(f"more than {self._limit} bytes of white space")
        del buffer[:blank]
        if buffer and buffer[0] != self._opening[0]:
            raise Malformed(f"a message begins with {self._opening.decode()}, not with {_name(buffer[0])}")
        return bool(buffer)

    def _balance(self) -> int | None:
        """Count parentheses from where the last call stopped; return the end of the message, None if incomplete."""
        buffer, position, level = self._buffer, self._scanned, self._level
        opening, closing = self._opening, self._closing
        while (close := buffer.find(closing, position)) >= 0:
            level += buffer.count(opening, position, close) - 1
            position = close + 1
            if level == 0:
                return position
        self._level = level + buffer.count(opening, position)
        self._scanned = len(buffer)
        return None

    @property
    def inside(self) -> bool:
        """Return whether a message has begun and not ended."""
        return bool(self._buffer)

    def drain(self) -> bytes:
        """Discard everything that has arrived and return it without the white space."""
        if not (self._buffer or self._blank):
            return b""
        rest = bytes(self._buffer).strip(_SPACE)
        self._buffer.clear()
        self._blank = self._level = self._scanned = 0
        return rest
