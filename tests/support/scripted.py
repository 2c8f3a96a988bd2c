"""Seats and processes that answer from a script: a table's talk without programs."""

from croupier.protocol import views
from croupier.protocol.notifications import NATIVE
from croupier.protocol.sexp import parse, write
from croupier.server.processes.bot_process import BotProcess, Hangup
from croupier.server.table.channel import Channel
from croupier.server.table.messages import Answer, Speech
from croupier.server.table.process_seat import ProcessSeat
from croupier.server.table.seat import Seat


def first_legal(question):
    """Answer with the first legal play, as bytes."""
    state = question.view
    view = views.read(parse(state)) if isinstance(state, str) else state
    return write(next(iter(view.legal_plays()))).encode()


class ScriptedSeat(Seat):
    """Keep the lines that a bot here would be sent, as soon as it would be; answer as ``script`` says.

    ``script`` maps the number of a question, from 1, to the bytes that answer it; to all others the answer is legal.
    """

    def __init__(self, name, script=None, dialect=NATIVE):
        super().__init__(name)
        self.dialect = dialect
        self.script = script or {}
        self.sent = []
        self._asked = 0
        self._channel = Channel()
        self._held = []

    def sit(self, players):
        """Learn the names."""
        self._speech = Speech(self.dialect, players)

    def tell(self, note, texts):
        """Hold the line back."""
        self._held += filter(None, [self._speech.text(note)])

    async def ask(self, question, seconds):
        """Answer as the script says."""
        asked = self._speech.text(question)
        self.sent += [*self._held, asked]
        self._held.clear()
        self._asked += 1
        reply = self._channel.take(self.script.get(self._asked) or first_legal(question))
        return Answer(reply.outcome, 0.0, asked, reply.received)

    def finish(self):
        """Send what is held back."""
        self.sent += self._held
        self._held.clear()


class ScriptedProcess(BotProcess):
    """A process that is not there: to each write that ends in a question it says what its script says next."""

    script = ()
    cpu_time = 0.0

    def __init__(self, entry, folder, errors, host):
        self.told = b""
        self._said = iter(self.script)
        self._output = b""

    def unheard(self):
        """Say that it was started."""
        return False

    def pending(self):
        """Return what was said and not read."""
        said, self._output = self._output, b""
        return said

    def offer(self, data):
        """Take all of it, and answer."""
        self.told += data
        self._output += next(self._said, b"")
        return b""

    def at_once(self):
        """Leave it to `read`."""
        return b""

    def waited(self):
        """Never wait for a core."""
        return 0.0

    def reads(self):
        """Have read what was written."""
        return True

    async def write(self, data):
        """Take what is left."""
        assert not data

    async def read(self):
        """Return what was said; there is never more to come."""
        if not self._output:
            raise Hangup("it closed its output")
        return self.pending()

    async def status(self, hangup):
        """Return how it ended."""
        return str(hangup)

    def last_words(self):
        """Say nothing."""
        return ""

    def cpu(self):
        """Return the CPU time as told."""
        return self.cpu_time

    def stop(self):
        """Stand still already."""

    def kill(self):
        """Be gone already."""


def process_seat(entry, host, folder, *script, **how):
    """Return a ProcessSeat whose process says the words of a script, one to each question."""
    hired = type("Hired", (ScriptedProcess,), {"script": script})
    return type("Seated", (ProcessSeat,), {"hires": hired})(entry, folder, folder / "stderr", host, **how)
