"""The JSON dialect: what is said to a bot, what strangers reply, and both read back."""

import json
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol import json_dialect
from croupier.protocol.notifications import Attacked, Defended, Request, Update
from croupier.protocol.sexp import MAX_BYTES, Flooded, Framer, Malformed, parse
from croupier.protocol.views import View
from croupier.protocol.views.hearts import HeartsView
from croupier.protocol.views.view import Field, Trick

STATE = HeartsView(
    game="hearts",
    options={"score-to": 0},
    players=("ann", "bob"),
    tally={"ann": -3, "bob": 0},
    phase="play",
    hand=("c2", "hQ"),
    trick=Trick("bob", ("c9",)),
    tricks=(),
    broken=False,
    clock=10_000,
    legal=(("play", "c2"),),
)
LINE = (
    '{"game": "hearts", "options": {"score-to": 0}, "players": ["ann", "bob"], "tally": {"ann": -3, "bob": 0}, '
    '"phase": "play", "hand": ["c2", "hQ"], "trick": {"leader": "bob", "cards": ["c9"]}, "tricks": [], '
    '"broken": false, "clock": 10000, "legal": [["play", "c2"]]}'
)


@pytest.mark.parametrize(
    ("note", "line"),
    [
        (Request(STATE), '{"type": "request", "state": ' + LINE + "}"),
        (Update("table", ("start", STATE)), '{"type": "update", "name": "table", "play": ["start", ' + LINE + "]}"),
        (Update("bob", ("play", "hQ")), '{"type": "update", "name": "bob", "play": ["play", "hQ"]}'),
        (
            Update("table", ("end", ("ann", 3), ("bob", 10))),
            '{"type": "update", "name": "table", "play": ["end", ["ann", 3], ["bob", 10]]}',
        ),
        (
            Attacked(("act", "militia"), "bob", STATE),
            '{"type": "attacked", "play": ["act", "militia"], "name": "bob", "state": ' + LINE + "}",
        ),
        (Defended("bob", ("moat",)), '{"type": "defended", "name": "bob", "defense": ["moat"]}'),
    ],
)
def test_a_notification_is_an_object_on_a_line(note, line):
    """Its fields by name, plays as arrays; STATE leaves out what is not known. It reads back as what it was."""
    assert json_dialect.write(note) == line
    assert json_dialect.read(line) == note


def test_what_a_later_version_says_is_nothing_yet():
    """Another type is skipped; a known one of another shape is refused, and so is no JSON."""
    assert json_dialect.read('{"type": "weather", "rain": 3}') is None
    for line in ('{"type": "update", "name": 3}', '{"type": "request"}', "(request ())"):
        with pytest.raises(Malformed):
            json_dialect.read(line)


def test_a_codec_without_json_of_its_own_has_the_array_of_its_forms():
    """So a page from outside has the dialect for nothing."""

    class Page(View):
        GAME = "outside"
        FIELDS: ClassVar = {
            "pairs": Field(lambda value: f" {value[0]} ({value[1]} 7)", lambda forms: (forms[0], forms[1][0]))
        }

    said = json.loads(json_dialect.write(Request(Page(game="outside", pairs=("a", "b")))))
    assert said["state"] == {"game": "outside", "pairs": ["a", ["b", 7]]}
    assert Page.FIELDS["pairs"].of_json(said["state"]["pairs"]) == ("a", "b")


def test_a_game_without_a_page_here_is_read_as_forms():
    """Each field is what its value stands for; none is lost."""
    told = json_dialect.read('{"type": "request", "state": {"game": "nowhere", "chosen-by": [["ann", 3]]}}')
    assert told.view.chosen_by == (("ann", 3),)


words = st.from_regex(r"[a-z][a-z0-9-]{0,5}", fullmatch=True).filter(lambda word: word not in {"nan", "inf"})
plays = st.recursive(
    words | st.integers(-(10**17), 10**17), lambda items: st.lists(items, max_size=4).map(tuple), max_leaves=20
).map(lambda item: item if isinstance(item, tuple) else (item,))


@given(plays, st.lists(st.integers(0, 200), max_size=5))
def test_every_play_comes_through_however_it_is_cut(play, cuts):
    """With white space around it, and in pieces that end anywhere."""
    text = b" \r\n" + json_dialect.write_play(play).encode("ascii") + b"\n"
    framer = Framer(pair="[]")
    places = sorted({cut % len(text) for cut in cuts})
    for begin, end in zip([0, *places], [*places, len(text)], strict=True):
        framer.feed(text[begin:end])
    assert json_dialect.read_play(framer.take()) == play
    assert framer.drain() == b""


@pytest.mark.parametrize("text", ['["choose", 3]', '[ "choose" ,\n 3 ]', r'["\u0063hoose", 3]'])
def test_a_reply_may_be_written_in_any_way_that_json_allows(text):
    """White space and escapes make no difference."""
    assert json_dialect.read_play(text.encode("ascii")) == parse("(choose 3)")


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (b'["play", NaN]', "NaN is no whole number"),
        (b"[-Infinity]", "-Infinity is no whole number"),
        (b'["choose", 1.5]', "1.5 is no whole number"),
        (b'["choose", 1e2]', "1e2 is no whole number"),
        (b'["choose", "3"]', 'the string "3" is a number: write it without quotation marks'),
        (b"[" + b"9" * 19 + b"]", "a decimal integer of at most 18 digits"),
        (b"[" + b"9" * 60_000 + b"]", "a number of thousands of digits"),
        (b'[{"play": "h9", "play": "h8"}]', "an object where a play has arrays"),
        (b"[true]", "true is neither a string nor a whole number"),
        (b"[null]", "null is neither a string nor a whole number"),
        (b'["play", "h 9"]', 'the string "h 9" is no word of the protocol'),
        (b'["play", ""]', 'the string "" is no word of the protocol'),
        (rb'["\ud800"]', r'the string "\ud800" is no word of the protocol'),
        (rb'["\u0000\u001b[2J"]', r'the string "\u0000\u001b[2J" is no word'),
        (b'["nan"]', "nan is neither a symbol nor a decimal integer"),
        # what follows the place is Python's own wording, and differs between its versions
        (b"['play', 'h9']", "not JSON at byte 2: "),
        (b'["play", "h9",]', "not JSON at byte 1"),
        (b'["play]', "not JSON at byte 2: "),
        (b'["play\n", "h9"]', "not JSON at byte 7: "),
        (b"[" * 17 + b"]" * 17, "more than 16 levels of lists"),
        (b"[" * 20_000 + b"]" * 20_000, "more than 16 levels of lists"),
        (b"[" + b"1," * 1024 + b"1]", "more than 1024 atoms"),
        (b"[" + b"[]," * 1024 + b"[]]", "more than 1024 lists"),
    ],
)
def test_a_reply_that_is_no_play_is_refused_with_the_reason(message, why):
    """Whatever JSON allows beyond plays, in one line that anybody may print."""
    with pytest.raises(Malformed) as refused:
        json_dialect.read_play(message)
    assert why in str(refused.value)
    assert str(refused.value).isprintable()


def framed(data):
    """Return the reply that a framer finds."""
    framer = Framer(pair="[]")
    framer.feed(data)
    return framer.take()


@pytest.mark.parametrize(
    ("data", "kind", "why"),
    [
        (b'{"play": "h9"}', Malformed, r"begins with \[, not with the character {"),
        (b'"play"', Malformed, r"begins with \[, not with the character "),
        (b"\xef\xbb\xbf[]", Malformed, "the byte 0xef is neither printable ASCII nor white space"),
        (b'["\xff"]', Malformed, "the byte 0xff is neither"),
        (b'["play", "' + "♥9".encode() + b'"]', Malformed, "the byte 0xe2 is neither"),
        (b"[" * (MAX_BYTES + 1), Flooded, "before the brackets balance"),
        (b" " * (MAX_BYTES + 1), Flooded, "bytes of white space"),
    ],
)
def test_what_can_become_no_reply_is_refused_at_once(data, kind, why):
    """However much of it is still to come."""
    with pytest.raises(kind, match=why):
        framed(data)
