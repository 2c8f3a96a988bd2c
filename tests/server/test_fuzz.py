"""Whatever bytes come, each reader answers with a value or its own error, and soon; tests/corpus keeps some."""

import random
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import misfit

from croupier.protocol import notifications
from croupier.protocol.sexp import MAX_BYTES, Flooded, Framer, Malformed, read, write
from croupier.server import entries
from croupier.server.games import BadOption
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.hearts import Hearts
from croupier.server.records.card_lists import judge_jass, judge_sedma
from croupier.server.records.replay import judge
from croupier.server.table.faults import Kind
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table
from croupier.server.tournaments.config import tournament_file

TESTS = Path(__file__).parent.parent
CORPUS = TESTS / "corpus"
GOLDEN = sorted((TESTS / "golden").glob("*.record"))
PIECES = [
    b"(",
    b")",
    b" ",
    b"\r\n",
    b"\n",
    b"\0",
    b"\xff",
    b"'",
    b'"',
    b"\\",
    b";",
    b"[",
    b"#",
    b"-",
    b"9" * 30,
    b"nil",
    b"play",
]

hostile = st.binary(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join)
forms = st.recursive(
    st.sampled_from(
        ["request", "update", "moved", "attacked", "defended", "move", "game", "players", "legal", "a", 1, -7]
    ),
    lambda inner: st.lists(inner, max_size=5).map(tuple),
    max_leaves=25,
)


def framed(chunks):
    """Return the messages that a framer cuts from chunks, and the error that ended it."""
    framer, messages = Framer(), []
    try:
        for chunk in chunks:
            framer.feed(chunk)
            while (message := framer.take()) is not None:
                messages.append(message)
    except (Malformed, Flooded) as problem:
        return messages, type(problem)
    return messages, None


def garbled(text, dice):
    """Change a text here and there: letters, words, lines."""
    for _ in range(dice.choice((1, 1, 2, 8))):
        lines = text.splitlines(keepends=True) or [""]
        place = dice.randrange(len(text) + 1)
        match dice.randrange(6):
            case 0:
                text = text[:place] + chr(dice.choice((0, 9, 34, 39, 40, 41, 92, 233, 0x2028, 0xD800))) + text[place:]
            case 1:
                text = text[:place] + text[place + dice.randrange(40) :]
            case 2:
                lines.insert(dice.randrange(len(lines)), dice.choice(lines))
                text = "".join(lines)
            case 3:
                dice.shuffle(lines)
                text = "".join(lines)
            case 4:
                words = text.split(" ")
                words[dice.randrange(len(words))] = dice.choice([*words, "-1", "9" * 400, "()", '"'])
                text = " ".join(words)
            case 5:
                text = text[:place]
    return text


@given(hostile, st.lists(st.integers(0, 300), max_size=6))
def test_no_chopping_changes_what_a_framer_says(data, cuts):
    """The messages are the same in one piece and in many, and so is whether an error ended them."""
    cuts = sorted({0, *(cut for cut in cuts if cut < len(data))})
    chopped, error = framed([data[a:b] for a, b in pairwise([*cuts, None])])
    whole, at_once = framed([data])
    assert chopped[: len(whole)] == whole
    assert (error is None) == (at_once is None)


@given(hostile)
def test_whatever_a_stranger_writes_reads_or_is_malformed(data):
    """A form that was read is tuples, symbols and integers, and is the same again when it is written."""
    try:
        form = read(data)
    except Malformed:
        return
    assert read(write(form).encode()) == form


@pytest.mark.parametrize("path", sorted((CORPUS / "replies").iterdir()), ids=lambda path: path.name)
def test_the_corpus_of_replies(path):
    """Each is framed and read, or refused, in no time."""
    began = time.process_time()
    messages, _ = framed([path.read_bytes()])
    for message in messages:
        assert len(message) <= MAX_BYTES
        with suppress(Malformed):
            read(message)
    assert time.process_time() - began < 0.5


@given(forms)
def test_a_form_is_a_notification_or_none_or_malformed(form):
    """An agent's reader fails in one way only, whatever the form."""
    try:
        note = notifications.read(form)
    except Malformed:
        return
    assert note is None or note.__class__.__module__ == notifications.__name__


@settings(max_examples=60)
@given(st.sampled_from(GOLDEN), st.randoms(use_true_random=False))
def test_a_garbled_record_is_judged(path, dice):
    """A record is valid, or not at a line and for a reason; it never breaks the judge."""
    verdict = judge(garbled(path.read_text(), dice))
    assert verdict.valid or verdict.why


@pytest.mark.parametrize("path", sorted((CORPUS / "records").iterdir()), ids=lambda path: path.name)
def test_the_corpus_of_records(path):
    """Each is judged in no time."""
    began = time.process_time()
    verdict = judge(path.read_bytes().decode())
    assert verdict.valid or verdict.why
    assert time.process_time() - began < 1


@given(
    st.randoms(use_true_random=False),
    st.lists(st.sampled_from(["bots.0.cores=2", "bots.-1=1", "a.b=", "=1", "x.y.z=["])),
)
def test_a_garbled_tournament_file_is_refused_in_one_way(dice, changes):
    """It is settings or BadConfig."""
    fine = 'game = "skat"\nseed = "s"\ntime = 100\n[options]\nlist = 2\n[[bots]]\nname = "a"\nbuiltin = "random"\n'
    with suppress(tournament_file.BadConfig):
        tournament_file.parse(garbled(fine, dice), changes)


@pytest.mark.parametrize("path", sorted((CORPUS / "configs").iterdir()), ids=lambda path: path.name)
def test_the_corpus_of_tournament_files(path):
    """Each of them is refused."""
    with pytest.raises(tournament_file.BadConfig):
        tournament_file.read(path)


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["h7", "hT", "sA", "d8", "c6", "xx", ";", ",", "\n"]), max_size=40).map(" ".join)
)
def test_a_bare_list_is_judged(text):
    """Whatever is listed, there is a verdict with its reason."""
    for verdict in (judge_sedma(text), judge_jass(text, "h")):
        assert verdict.valid or verdict.why


def test_a_contract_that_is_none_is_refused():
    """A bare list of Jass needs one of the six."""
    with pytest.raises(BadOption):
        judge_jass("", "x")


@pytest.mark.parametrize("rules", [Dominion, Hearts])
async def test_hostile_bytes_into_a_whole_table(key, rules, tmp_path):
    """Where everybody recites the corpus or garbles his plays, games end, and records replay."""
    dice = random.Random(rules.NAME)
    corpus = sorted((CORPUS / "replies").iterdir())
    for number in range(6):
        words = [
            ("recite", "request", 2, dice.choice(corpus)) if seat % 2 else ("garble", "request", 3, dice.random())
            for seat in range(4)
        ]
        bots = entries.distinct([misfit(*word) for word in words])
        async with Table(bots, tmp_path) as table:
            result = await table.play(
                rules, {"turns": 8} if rules is Dominion else {}, key.deal(number + 1), Terms(time=1)
            )
        assert len({fault.seat for fault in result.faults}) == len(result.faults)
        assert {fault.fault.kind for fault in result.faults} <= set(Kind)
        assert judge("\n".join(result.record)).valid
