"""The seat of a process, its channel and its clock, with a process that is a script."""

import io
from contextlib import suppress
from pathlib import Path

import pytest
from scripted import ScriptedProcess
from scripted import process_seat as scripted_seat
from tables import misfit

from croupier.protocol.notifications import CLASSIC, JSON, NATIVE, Request, Update
from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.hearts import Hearts
from croupier.server.processes.bot_process import AT_ONCE
from croupier.server.processes.control_group import MachineShort
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table import clock, process_seat
from croupier.server.table.channel import Channel
from croupier.server.table.clock import Deadline, OffTurn, Waits
from croupier.server.table.dialect import ENTER_AS
from croupier.server.table.faults import Kind
from croupier.server.table.process_seat import BESIDE_OTHERS
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

NAMES = ("ann", "bob", "cleo", "dan")


class Nowhere:
    """A host that starts nothing."""

    sandboxing = SandboxSettings()


@pytest.fixture
def question(key):
    """A question to the seat on turn."""
    game = Hearts(NAMES, {"pass": "none"}, key.deal(1))
    return Request(game.view(game.turn))


@pytest.fixture
def dominion(key):
    """A question of Dominion."""
    return Request(Dominion(NAMES, {}, key.deal(1)).view(0))


def seated(tmp_path, *script, beside_others=False, dialect=NATIVE):
    """Return a seat whose process says these words, one to each question."""
    seat = scripted_seat(
        entries.Entry("ann", ("ann",), dialect), Nowhere(), tmp_path, *script, beside_others=beside_others
    )
    seat.sit(NAMES)
    seat.ready()
    return seat


async def test_an_answer_says_what_was_asked_and_what_came(question, tmp_path):
    """The play, and the bytes that it was."""
    answer = await seated(tmp_path, b" (play  h9)\r\n").ask(question, 1.0)
    assert answer.outcome == ("play", "h9")
    assert answer.received == b"(play  h9)"
    assert answer.asked == question.write()
    assert 0 <= answer.used <= 1.0


async def test_what_a_fresh_process_says_at_once_took_it_no_time(question, tmp_path):
    """Within the start-up allowance nothing is thinking; the answers after it are."""
    seat = seated(tmp_path, b"(play h9)", b"(play h9)")
    seat._process.at_once = seat._process.pending
    assert (await seat.ask(question, 1.0)).used == 0.0
    assert (await seat.ask(question, 1.0)).used > 0.0


async def test_who_has_less_time_than_prompt_ones_are_waited_for_is_not_waited_for_so_long(question, tmp_path):
    """A deadline of some milliseconds is kept to, though a prompt process is waited for longer."""
    seat = seated(tmp_path, b"(play h9)", b"(play h9)")
    waited = []
    seat._process.at_once = lambda: waited.append(AT_ONCE) or b""
    await seat.ask(question, 1.0)
    assert waited == [AT_ONCE]
    await seat.ask(question, (AT_ONCE - 1) / 1000)
    assert waited == [AT_ONCE]


@pytest.mark.parametrize("beside_others", [False, True])
async def test_who_was_slow_is_no_longer_a_prompt_process(question, tmp_path, monkeypatch, beside_others):
    """After it others (trio) go on while it is waited for, until it is fast again; sooner where other clocks run."""
    now = 100.0
    monkeypatch.setattr(process_seat, "monotonic", lambda: now)

    def thinking(seconds):
        nonlocal now
        now += seconds
        return seat._process.pending()

    seat = seated(tmp_path, *[b"(play h9)"] * 4, beside_others=beside_others)
    for seconds, prompt in (
        (0.9 * BESIDE_OTHERS, True),
        (2 * BESIDE_OTHERS, not beside_others),
        (2 * AT_ONCE / 1000, False),
    ):
        seat._process.at_once = lambda seconds=seconds: thinking(seconds)
        await seat.ask(question, 1.0)
        assert seat._process.prompt is prompt
    seat._process.at_once = seat._process.pending
    await seat.ask(question, 1.0)
    assert seat._process.prompt


async def test_updates_go_with_the_next_question(question, tmp_path):
    """In order, in one write."""
    seat = seated(tmp_path, b"(play h9)")
    for number in (1, 2):
        seat.tell(Update("bob", ("play", f"h{number}")), {})
    await seat.ask(question, 1.0)
    assert seat._process.told.decode() == f"(update bob (play h1))\n(update bob (play h2))\n{question.write()}\n"


async def test_who_spoke_unasked_used_no_time(question, tmp_path):
    """Nothing was sent, so nothing was thought about: the last answer's time is not counted again."""
    seat = seated(tmp_path, b"(play h9) (play h9)")
    assert (await seat.ask(question, 1.0)).outcome == ("play", "h9")
    answer = await seat.ask(question, 1.0)
    assert answer.outcome.kind is Kind.UNASKED
    assert (answer.used, answer.received) == (0.0, b"(play h9)")


async def test_who_has_ended_leaves_what_came(question, tmp_path):
    """The beginning of an answer is in the fault."""
    answer = await seated(tmp_path, b"(play ").ask(question, 1.0)
    assert answer.outcome.kind is Kind.CRASHED
    assert answer.received == b"(play"


@pytest.mark.parametrize(("words", "hinted"), [("", True), ("Prelude.read: no parse", True), ("no numpy", False)])
async def test_a_forgotten_classic_is_hinted_at(words, hinted, question, dominion, tmp_path, monkeypatch):
    """A bot that has no answer to the very first question of Dominion, and says nothing, or that he cannot read it."""
    monkeypatch.setattr(ScriptedProcess, "last_words", lambda _: words)
    answer = await seated(tmp_path).ask(dominion, 1.0)
    assert (ENTER_AS[CLASSIC] in answer.outcome.why) == hinted
    assert ENTER_AS[CLASSIC] not in (await seated(tmp_path).ask(question, 1.0)).outcome.why
    later = seated(tmp_path, b"(play h9)")
    await later.ask(dominion, 1.0)
    assert ENTER_AS[CLASSIC] not in (await later.ask(dominion, 1.0)).outcome.why


@pytest.mark.parametrize("said", [b'["play", "h9"]', b'{"play": "h9"}'])
async def test_json_from_an_entry_without_json_is_hinted_at(said, question, tmp_path):
    """Also where it has read s-expressions: nothing else of ours begins like that."""
    answer = await seated(tmp_path, said).ask(question, 1.0)
    assert answer.outcome.kind is Kind.MALFORMED
    assert answer.outcome.why.endswith(ENTER_AS[JSON])


@pytest.mark.parametrize("words", ["", "no parse"])
async def test_who_reads_no_json_is_hinted_at(words, question, tmp_path, monkeypatch):
    """A bot entered as json: that says nothing, or that it cannot read what it was sent."""
    monkeypatch.setattr(ScriptedProcess, "last_words", lambda _: words)
    answer = await seated(tmp_path, dialect=JSON).ask(question, 1.0)
    assert answer.outcome.why.endswith(ENTER_AS[NATIVE])


async def test_no_dialects_replies_are_taken_for_anothers(question, tmp_path):
    """What one has said often is remembered for its own dialect alone."""
    for dialect, said, right in ((JSON, b'["play", "h9"]\n', True), (NATIVE, b'["play", "h9"]\n', False)):
        seat = seated(tmp_path, said, dialect=dialect)
        seat._process.at_once = seat._process.pending
        answer = await seat.ask(question, 1.0)
        assert (answer.outcome == ("play", "h9")) == right


def test_whoever_has_started_has_the_time_of_a_reply(now):
    """From then on; what a fault says of it has no start-up in it any more."""
    deadline = Deadline(2.0, 5.0)
    now[0] = 101.0
    deadline.start()
    assert deadline.end == 103.0
    assert str(deadline) == "2000 ms"
    now[0] = 102.0
    deadline.start()
    assert deadline.end == 103.0


def test_a_log_holds_both_sides():
    """What was sent, what was answered, and why nothing was."""
    log = io.StringIO()
    channel = Channel(log)
    channel.post("(update bob (play h1))")
    channel.post("(request ())")
    channel.flush()
    channel.take(b"(play h9)\n")
    channel.recall(b"(play h9)\n")
    channel.take(b"(pla")
    channel.close("no whole answer in time")
    assert log.getvalue().splitlines() == [
        "> (update bob (play h1))",
        "> (request ())",
        "< (play h9)",
        "< (play h9)",
        "< (pla [no whole answer in time]",
    ]


@pytest.fixture
def now(monkeypatch):
    """A clock that stands at what the list's only number says."""
    time = [100.0]
    monkeypatch.setattr(clock, "monotonic", lambda: time[0])
    return time


def test_starting_up_is_not_thinking():
    """What the allowance covers is not counted, and never more than a reply may take."""
    deadline = Deadline(2.0, 5.0)
    assert [deadline.seconds_used(spent) for spent in (0.0, 5.0, 6.0, 8.0)] == [0.0, 0.0, 1.0, 2.0]
    assert str(deadline) == "2000 ms and 5000 ms to start"
    assert str(Deadline(2.0, 0.0)) == "2000 ms"


def test_a_deadline_missed_by_the_referee_is_set_again(now):
    """By a tenth it is the bot's; by a second nobody looked."""
    deadline = Deadline(2.0, 0.0)
    now[0] = 102.1
    assert not deadline.is_missed_by_us(0.0)
    now[0] = 103.0
    assert deadline.is_missed_by_us(0.0)
    assert deadline.end == 105.0


@pytest.mark.parametrize(
    ("stalled", "used", "cores", "withheld"),
    [
        ([0.0], 2.0, 1, 0.0),
        ([1.5], 0.5, 1, 1.5),
        ([1.5], 1.0, 1, 1.0),
        ([1.5], 4.0, 1, 0.0),
        ([1.5], 1.0, 4, 1.5),
        ([1.5, 0.0, 0.0, 0.0], 0.25, 1, 1.5),
        ([1.75] * 8, 2.0, 1, 0.0),
        ([1.75] * 8, 1.0, 1, 1.0),
        ([0.25, 0.25], 0.5, 2, 0.5),
    ],
    ids=[
        "nothing", "by others", "in part by others", "by itself", "with cores of its own", "beside threads that sleep",
        "behind its own threads", "behind its own threads and others", "two threads by others",
    ],
)  # fmt: skip
def test_a_shortage_of_ones_own_making_is_none(stalled, used, cores, withheld):
    """In two seconds: who waits behind its own many processes has used more than the machine left to it."""
    assert Waits(102.0, 8.0 + sum(stalled), 50.0 + used).withheld_since(Waits(100.0, 8.0, 50.0), cores) == withheld


def test_what_the_machine_withholds_is_given_back_until_it_is_too_much(now):
    """As much as it was, if that is a tenth of the time at least; not for longer than a minute in all."""
    deadline = Deadline(2.0, 0.0)
    now[0] = 102.1
    assert not deadline.is_missed_by_us(0.1)
    assert deadline.is_missed_by_us(1.5)
    assert deadline.end == 103.6
    assert deadline.again == 1.5
    assert deadline.is_missed_by_us(clock.MOST_AGAIN)
    with pytest.raises(MachineShort, match="kept a bot waiting for a core for 62 s"):
        deadline.is_missed_by_us(1.5)


async def test_who_is_ended_for_the_memory_of_others_has_not_crashed(key, tmp_path):
    """As its minder tells that the kernel ended it, with less than half of its memory: nobody's fault is made of it."""
    async with Table(
        [misfit("crash", "request", "2"), misfit("fair")], tmp_path, 5, sandboxing=SandboxSettings("limits")
    ) as table:
        table.seats[0].ready()
        table.seats[0]._process._line._take("held", str(20 << 20))
        with pytest.raises(MachineShort, match="ended misfit, which held 20 MiB"):
            await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
    assert table.record[-1] == "(end void)"


def test_cpu_time_off_turn_is_what_was_not_used_on_turn(now):
    """Time on turn is the bot's own, once for each of its cores."""
    account = OffTurn(2)
    account.look(1.0)
    account.on_turn += 0.5
    now[0] = 100.1
    assert not account.due()
    now[0] = 100.3
    assert account.due()
    assert account.look(2.5) == 0.5


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_log_that_cannot_be_written_is_named():
    """The sentence says which file is on the full disk, also where the write fails before the file is closed."""
    with suppress(OSError), Path("/dev/full").open("w", buffering=1) as full:  # closing it fails, too
        with pytest.raises(OSError, match="No space left") as failed:
            Channel(full).log(">", "(request ...)")
        assert failed.value.filename == "/dev/full"
