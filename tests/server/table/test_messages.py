"""What a table says: what each seat is told, in which words, and what is made of its answers."""

import pytest
import trio
from scripted import ScriptedSeat

from croupier.agents import bundled
from croupier.protocol import record as lines
from croupier.protocol.notifications import Attacked, Request
from croupier.server import games
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.hearts import Hearts
from croupier.server.games.sheets import text
from croupier.server.records.replay import Replay, judge
from croupier.server.records.sent import Wire
from croupier.server.table import messages
from croupier.server.table.clock import Clock
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat

NAMES = ("ann", "bob", "cleo", "dan")


def played(rules, seats, key, options=None):
    """Play a game between scripted seats; return it."""
    return trio.run(Referee(rules, options or {}, seats, key.deal(1), Terms()).play)


def faults(game):
    """Return the faults in a game's record."""
    return [line for _, line in lines.read("\n".join(game.record)) if isinstance(line, lines.Faulted)]


@pytest.mark.parametrize("game", games.BUNDLED)
@pytest.mark.parametrize("script", [{}, {3: b"(nonsense)"}, {2: b"hello"}])
@pytest.mark.parametrize("letterboxes", [False, True])
def test_a_record_says_again_what_each_seat_was_sent(game, script, letterboxes, key):
    """Byte for byte, whichever seat faulted, and whether seats take notifications or their lines, as processes do."""
    rules = games.find(game)
    dialects = {"cleo": "classic"} if rules is Dominion else {}
    names = NAMES[: rules.SEATS[-1]]
    seats = [ScriptedSeat(name, script if name == "bob" else None, dialects.get(name, "native")) for name in names]
    for seat in seats if letterboxes else ():
        if seat.dialect == "native":
            seat.letterbox, seat.sheet = seat._held.append, text
    result = played(rules, seats, key, {"turns": 3} if rules is Dominion else None)
    assert [fault.seat for fault in result.faults] == [1] * bool(script)
    for seat in seats:
        wire = Wire(Replay("\n".join(result.record)), seat.name)
        assert list(wire.lines()) == seat.sent


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (b"  (play   c2 ) \n", Kind.ILLEGAL),
        (b"( frob\tnicate  017 )", Kind.UNKNOWN),
        (b"(play . c2)", Kind.MALFORMED),
    ],
)
def test_a_fault_is_recorded_with_the_bytes_that_came(said, kind, key):
    """As they were written, less white space around them: not as the referee would have written them."""
    seats = [ScriptedSeat(name, {1: said}) for name in NAMES]
    result = played(Hearts, seats, key, {"pass": "left"})
    for fault in faults(result):
        assert fault.kind == kind.value
        assert fault.received.encode("latin-1") == said.strip()
        assert fault.request.startswith("(request ((game hearts)")
    assert len(faults(result)) == 4
    assert judge("\n".join(result.record)).valid


def test_a_fault_of_who_says_no_bytes_is_recorded_as_the_play_that_it_was(key):
    """An agent in the referee's own process answers with a play."""

    class Wild(type(bundled.make("random"))):
        def tryBid(self, state):
            return ("play", "c2")

    result = played(Hearts, [LocalSeat(name, Wild()) for name in NAMES], key, {"pass": "left"})
    assert {fault.received for fault in faults(result)} == {"(play c2)"}


def attacked(key):
    """Return a game in which the seat on turn is attacked."""
    game = Dominion(NAMES, {"rules": "classic"}, key.deal(1))
    agent = bundled.make("miner")
    while game.attack is None:
        view = game.view(game.turn)
        militia = next((play for play in view.legal_plays() if "militia" in play), None)
        game.play(game.turn, militia or agent.tryPlay(view) or agent.choose(view))
    return game


@pytest.mark.parametrize("dialect", ["native", "classic"])
def test_what_was_said_can_be_said_again(dialect, key):
    """Speaking a question leaves it as it is: the same words each time, whatever other seats are told in between."""
    game, clock = attacked(key), Clock(10_000)
    speech, other = (messages.Speech(words, game.players) for words in (dialect, "classic"))
    for note in (messages.question(game, clock), Request(game.view(0)), *messages.start(game, 0, clock)):
        once = speech.text(note)
        other.text(note)
        assert speech.text(note) == once


def test_a_question_under_attack_is_for_a_defense(key):
    """And says who attacks, with what."""
    game = attacked(key)
    match messages.question(game, Clock(500, 20_000)):
        case Attacked(("act", "militia"), name, view):
            assert name == game.players[game.attack.attacker]
            assert (view.clock, view.bank) == (500, 20_000)
        case other:
            raise AssertionError(other)


def test_what_is_allowed_is_left_as_it_came(key):
    """And a fault stays the fault that it was."""
    game = Hearts(NAMES, {"pass": "none"}, key.deal(1))
    fine = messages.Answer(next(iter(game.legal())), 0.5, "(request ...)", b"(play c2)")
    assert messages.judge(game, game.turn, fine) is fine
    late = messages.Answer(Fault(Kind.TIMEOUT, "late"))
    assert messages.judge(game, game.turn, late) is late
