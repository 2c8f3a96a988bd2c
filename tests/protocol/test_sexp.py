"""S-expressions: two readers that agree, a writer that inverts them, and a framer that no chopping confuses."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.protocol.sexp import (
    MAX_ATOMS,
    MAX_BYTES,
    MAX_LEVELS,
    Flooded,
    Framer,
    Malformed,
    Reader,
    parse,
    read,
    write,
)

WHITE = " \t\n\r\v\f"

symbols = st.text("abzAZ019_-", min_size=1, max_size=12).filter(
    lambda word: not re.fullmatch(r"-?(\d[\d_]*(e-?[\d_]+)?|nan|inf|infinity)", word, re.IGNORECASE)
)
integers = st.integers(-(10**18) + 1, 10**18 - 1)
atoms = symbols | integers
forms = st.recursive(atoms, lambda inner: st.lists(inner, max_size=6).map(tuple), max_leaves=20)
lists = st.lists(forms, max_size=6).map(tuple)
streams = st.lists(lists, max_size=5)
cuts = st.lists(st.integers(0, 200), max_size=20)
texts = st.text("()ab-_019 \n\r\tten.\"'[];", max_size=30)


def outcome(reader, text):
    """Return what a reader makes of a text: a form, or that it is malformed."""
    try:
        return reader(text)
    except Malformed:
        return Malformed


def chopped(data, cuts):
    """Cut bytes into pieces at the given places."""
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


# Reading and writing


@given(forms)
def test_both_readers_invert_the_writer(form):
    """Whatever the protocol can say reads back as itself, by the strict reader and by the guarded one."""
    text = write(form)
    assert parse(text) == form
    assert read(text.encode()) == form


@given(texts)
@example("(t nil nan)")
@example("(a . b)")
@example("(1 . 2)")
@example("'a")
@example("(1_000)")
@example("(1e3 -1 007 -0 --1 -)")
@example("(inf)")
@example("()")
@example("a)")
@example("")
def test_the_readers_agree_on_any_text(text):
    """The strict reader accepts exactly what the guarded one accepts, and reads it as the same."""
    assert outcome(parse, text) == outcome(lambda text: read(text.encode()), text)


@given(st.binary(max_size=40))
def test_arbitrary_bytes_never_raise_anything_else(data):
    """A stranger's bytes are an s-expression or Malformed; no other error gets out."""
    outcome(read, data)
    framer = Framer()
    try:
        framer.feed(data)
        framer.take()
    except (Malformed, Flooded):
        pass


@given(forms)
def test_writing_is_one_line_without_padding(form):
    """What is written is ASCII with single spaces and none beside a parenthesis's inside."""
    text = write(form)
    assert text.isascii()
    assert not re.search(r"[\t\n\r\v\f]|  |\( | \)", text)


def test_atoms_are_symbols_and_decimal_integers():
    """The words that sexpdata would read as values are symbols here; leading zeros and a minus make integers."""
    assert read(b"(t nil T NIL true -7 007 -0 0-miner h9 --1 -)") == (
        ("t", "nil", "T", "NIL", "true", -7, 7, 0, "0-miner", "h9", "--1", "-")
    )


@pytest.mark.parametrize(
    "text",
    [
        "(a . b)",
        "'a",
        "('a b)",
        "`(a ,b)",
        '("a")',
        "(a ; b)\n",
        "(a;b)",
        "[a]",
        "(a]",
        "{a}",
        "#(a)",
        "(a|b|)",
        "(a\\ b)",
        "(1_000)",
        "(1.5)",
        "(.5)",
        "(1e3)",
        "(1e999)",
        "(nan)",
        "(NaN)",
        "(inf)",
        "(-inf)",
        "(Infinity)",
        "(+1)",
        "(1000000000000000000)",
        "(\u0661)",
        "(\u00e4)",
        "(a\x00b)",
        "(a\x1cb)",
        "(a\xa0b)",
        "(a\u2028b)",
        "",
        " ",
        "(",
        ")",
        "(a",
        "a)",
        "(a))",
        "(a)(b)",
        "(a) b",
        "a b",
    ],
)
def test_what_the_protocol_lacks_is_malformed(text):
    """No strings, quotes, dotted pairs, floats, comments, brackets, other alphabets; exactly one expression."""
    assert outcome(parse, text) is Malformed
    assert outcome(read, text.encode()) is Malformed


def test_sixteen_levels_are_the_deepest():
    """A message nested more than 16 levels is malformed, whatever its width."""
    deepest = b"(" * MAX_LEVELS + b")" * MAX_LEVELS
    assert write(read(deepest)) == deepest.decode()
    assert len(read(b"(" + b"()" * 100 + b")")) == 100
    with pytest.raises(Malformed, match="16 levels"):
        read(b"(" + deepest + b")")


def test_a_thousand_and_twenty_four_atoms_are_the_most():
    """A message of more than 1,024 atoms is malformed."""
    assert len(read(b"(" + b"a " * MAX_ATOMS + b")")) == MAX_ATOMS
    with pytest.raises(Malformed, match="1024 atoms"):
        read(b"(" + b"a " * MAX_ATOMS + b"a)")


@pytest.mark.parametrize(
    "message",
    [
        b"(" * 1_000_000,
        b"(" * MAX_BYTES,
        b")" * MAX_BYTES,
        b"(" + b"()" * 32_000 + b")",
        b"(" + b"a " * 32_000 + b")",
        b"(" + b"9" * 60_000 + b")",
        b"(" + b"a" * 60_000,
        b"(" + b"a" * 200 + b") " + b")" * 60_000,
    ],
)
def test_hostile_messages_are_refused_soon_and_briefly(message):
    """What is made to cost time is refused in a fraction of a second, and the reason fits a line."""
    begun = time.process_time()
    with pytest.raises(Malformed) as refused:
        read(message)
    assert time.process_time() - begun < 0.25
    assert len(str(refused.value)) < 300


def test_short_replies_are_remembered_as_what_they_are():
    """A reply read twice is the same form; a malformed one is malformed each time."""
    assert read(b"(play h9)") is read(b"(play h9)")
    for _ in range(2):
        with pytest.raises(Malformed):
            read(b"(play 'h9)")


# The reader of streams


@given(streams, cuts, st.sampled_from(["", " ", "\n", "\r\n"]))
def test_a_stream_reads_the_same_however_it_is_cut(stream, cuts, gap):
    """Forms come out whole and in order wherever the bytes were cut, with or without space between them."""
    reader = Reader()
    data = "".join(write(form) + gap for form in stream).encode()
    assert [form for piece in chopped(data, cuts) for form in reader.feed(piece)] == stream
    assert not reader.inside


def test_a_reader_knows_that_it_is_inside_a_form():
    """An open parenthesis and an atom cut in two are inside; what is complete is not."""
    reader = Reader()
    assert reader.feed(b"(a 12") == []
    assert reader.inside
    assert reader.feed(b"34) b") == [("a", 1234)]
    assert reader.inside
    assert reader.feed(b" ") == ["b"]
    assert not reader.inside


# The framer


@given(streams, cuts, st.sampled_from(["", " ", "\n", "\r\n\t"]))
def test_messages_are_framed_the_same_however_they_are_cut(stream, cuts, gap):
    """Each take is one balanced message, wherever the bytes were cut, with or without space between them."""
    framer = Framer()
    messages = [write(form).encode() for form in stream]
    framed = []
    for piece in chopped(b"".join(gap.encode() + message for message in messages), cuts):
        framer.feed(piece)
        while (message := framer.take()) is not None:
            framed.append(message)
    assert framed == messages
    assert framer.drain() == b""


@given(texts)
def test_one_byte_at_a_time_makes_no_difference(text):
    """A framer fed byte by byte takes the same messages and gives up at the same fault as one fed at once."""

    def framed(pieces):
        framer, messages = Framer(), []
        try:
            for piece in pieces:
                framer.feed(piece)
                while (message := framer.take()) is not None:
                    messages.append(message)
        except Malformed as problem:
            return messages, str(problem)
        return messages, framer.drain()

    data = text.encode()
    assert framed([data]) == framed([data[place : place + 1] for place in range(len(data))])


def test_several_messages_in_one_read_are_taken_one_by_one():
    """What follows a message stays for the next take, or for the drain."""
    framer = Framer()
    framer.feed(b" (buy gold)(clean)\r\n(add cop")
    assert [framer.take(), framer.take(), framer.take()] == [b"(buy gold)", b"(clean)", None]
    assert framer.drain() == b"(add cop"
    framer.feed(b"(clean)")
    assert framer.take() == b"(clean)"


@pytest.mark.parametrize("data", [b"x", b")", b"  9", b"\n'(a)"])
def test_a_message_begins_with_a_parenthesis(data):
    """Any other first byte is malformed at once."""
    framer = Framer()
    framer.feed(data)
    with pytest.raises(Malformed, match="begins with"):
        framer.take()


@pytest.mark.parametrize("data", [b"\x00", b"(a\x00", b"(\xff", b"(\xc3\xa4)", b"(a\x7f)", b"\x1b[1m"])
def test_bytes_that_do_not_print_are_malformed_at_once(data):
    """Control characters and anything beyond ASCII are refused before the message is complete."""
    with pytest.raises(Malformed):
        Framer().feed(data)


def flooded(*pieces):
    """Feed pieces to a framer and tell whether it gave up as flooded."""
    framer = Framer()
    try:
        for piece in pieces:
            framer.feed(piece)
            framer.take()
    except Flooded:
        return True
    return False


def test_a_message_has_64_kibibytes_with_its_white_space():
    """One byte more is flooded, be it white space before, between, or a message that does not end."""
    inside = b"(" + b" " * (MAX_BYTES - 2) + b")"
    assert not flooded(inside)
    assert flooded(b" " + inside)
    assert not flooded(b" " * MAX_BYTES)
    assert flooded(b" " * (MAX_BYTES + 1))
    assert flooded(b" " * MAX_BYTES, b"(")
    assert flooded(b"(" * 1_000_000)
    assert flooded(b"(", *[b"a" * 4096] * 16)


def test_a_dribble_of_white_space_costs_little():
    """Sixty thousand reads of one blank each are no work."""
    framer = Framer()
    begun = time.process_time()
    for _ in range(60_000):
        framer.feed(b" ")
        framer.take()
    assert time.process_time() - begun < 1
    with pytest.raises(Flooded):
        framer.feed(b" " * 6000), framer.take()
