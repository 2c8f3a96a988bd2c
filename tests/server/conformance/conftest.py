"""What the tests of `croupier check` share."""

import pytest

from croupier.server.conformance import Step, asking, examined_seat, examiner

MOMENTS = {
    Step.QUIET: {
        (examiner, "_BEFORE_THE_QUESTION"): 2.0,
        (examiner, "_AFTER_THE_ANSWER"): 2.0,
        (examiner, "_AT_REST"): 2.0,
        (asking, "_MORE_OF_IT"): 2.0,
    },
    Step.FLUSHES: {(asking, "_AT_THE_END"): 6.0, (examined_seat, "_STUCK"): 6.0},
    Step.RESTS: {(examiner, "_RESTLESS"): 0.01},  # what spins gets little of a core
}
"""How long, or how closely, to look for what fails a step: beside other work a bot takes long to show itself."""


@pytest.fixture(autouse=True)
def look(monkeypatch):
    """Have a check look closely enough for a step on a busy machine."""

    def look(step):
        for (module, name), amount in MOMENTS.get(step and Step(step), {}).items():
            monkeypatch.setattr(module, name, amount)

    monkeypatch.setattr(examiner, "_TO_LEAVE", 6.0)
    return look
