"""What a player was sent, from a record alone."""

from games import record_of

from croupier.server.records.replay import Replay, judge
from croupier.server.records.sent import Wire

NAMES = ("alice", "bob", "carol", "dave")
HANDS = (
    "hT dJ d9 dK cA cT cK c9 sA sT sK hA",
    "hT cQ hJ d9 dK cA cT cK c9 sA h9 hK",
    "cQ sQ hQ dQ cJ sJ dA dT s9 sT sK h9",
    "sQ hQ dQ cJ sJ hJ dJ dA dT s9 hA hK",
)
RECORD = f"""(record 1)
(game doppelkopf)
(players {" ".join(NAMES)})
(deal 1 0)
(shuffle deal {" ".join(HANDS)})
(play alice (healthy))
(play bob (healthy))
(play carol (healthy))
(play dave (healthy))
(play carol (announce re))
(play alice (play sA))
(play bob (play sA))
(play carol (play s9))
"""


def sent(name: str) -> list[str]:
    """Return the heads of what a player was sent, and who spoke in an update."""
    lines = Wire(Replay(RECORD), name).lines()
    return [" ".join(line.lstrip("(").split(" ", 2)[: 2 if line.startswith("(update") else 1]) for line in lines]


def test_an_announcement_out_of_turn_is_no_question():
    """Only who is on turn is asked: what another server's player said between the cards was never a reply."""
    carol = sent("carol")
    assert carol.count("request") == 2, "her reservation and her card"
    assert "update carol" not in carol


def test_an_announcement_out_of_turn_is_told_to_the_others():
    """Everybody but who announced hears it, before the next card."""
    alice = sent("alice")
    assert alice[-5:] == ["update table", "update carol", "request", "update bob", "update carol"]


def test_who_spoke_unasked_was_not_sent_what_waited():
    """A bot's output is looked at before anything is sent: of the last question and its updates nothing left."""
    plays = RECORD.splitlines()
    fault = '(fault carol unasked "it wrote something before it was asked" "" "(play s9)")'
    lines = list(Wire(Replay("\n".join([*plays[:-1], fault, "(stand-in carol)", plays[-1]])), "carol").lines())
    assert [line.split(" ", 1)[0] for line in lines[2:]] == ["(update", "(update", "(request"]


def test_a_record_keeps_who_was_spoken_to_in_the_classic_dialect():
    """That is his own dialect from then on, unless another is asked for; who is no player has none."""
    record = record_of("dominion", ["miner", "smithy"], names=["ann", "bob"])
    kept = record.replace("(players ann bob)\n", "(players ann bob)\n(classic bob)\n")
    assert all(
        line.startswith(("(move ", "(moved ", "(attacked ", "(defended ")) for line in Wire(Replay(kept), "bob").lines()
    )
    assert next(Wire(Replay(kept), "ann").lines()).startswith("(update table (start ")
    assert next(Wire(Replay(kept), "bob", "native").lines()).startswith("(update table (start ")
    assert judge(kept.replace("(classic bob)", "(classic cleo)")).why == "nobody here is called cleo"
