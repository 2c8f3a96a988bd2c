"""Agents: which hook is asked when, what they hear, and what becomes of their answers."""

import pytest

from croupier.agents import Agent, first
from croupier.agents.dominion import DominionAgent
from croupier.agents.driver import respond
from croupier.protocol import views
from croupier.protocol.notifications import Attacked, Defended, Request, Update, read
from croupier.protocol.sexp import parse
from croupier.server.games import BUNDLED

LEGAL = (("play", "h9"), ("play", "sT"))


def request(phase="play", game="war"):
    """Return a request in a phase of a game."""
    return Request(views.page(game)(game=game, players=("ann", "bob"), phase=phase, legal=LEGAL))


class Noting(Agent):
    """Write down every call."""

    def __init__(self):
        self.calls = []

    def tryBid(self, state):
        self.calls.append("tryBid")

    def tryPlay(self, state):
        self.calls.append("tryPlay")

    def tryDefend(self, attack, attacker, state):
        self.calls.append(("tryDefend", attack, attacker))

    def choose(self, state):
        self.calls.append("choose")
        return super().choose(state)

    def heard(self, name, play):
        self.calls.append(("heard", name, play))

    def heardDefense(self, name, defense):
        self.calls.append(("heardDefense", name, defense))

    def started(self, state):
        self.calls.append(("started", state.players))

    def ended(self, scores):
        self.calls.append(("ended", scores))


def test_an_agent_without_hooks_plays_the_first_legal_play():
    """A strategy need not fill in anything."""
    assert respond(Agent(), request()) == ("play", "h9")
    assert respond(Agent(), request("give", "hearts")) == ("play", "h9")
    assert respond(Agent(), Attacked(("act", "militia"), "bob", request().view)) == ("play", "h9")


BIDDING = {
    "hearts": ["give"],
    "skat": ["bid", "skat", "declare", "contra"],
    "doppelkopf": ["reserve", "poverty"],
    "jass": ["trump", "weis"],
    "sedma": [],
    "dominion": [],
    "recycle": [],
}


@pytest.mark.parametrize(("game", "phase"), [(game, phase) for game in BIDDING for phase in BIDDING[game]])
def test_tryBid_is_asked_in_every_phase_before_the_cards(game, phase):
    """Whatever is decided before a card is played is a bid: the game's page says which phases those are."""
    agent = Noting()
    assert respond(agent, request(phase, game)) == ("play", "h9")
    assert agent.calls == ["tryBid", "choose"]


@pytest.mark.parametrize(
    ("game", "phase"),
    [
        ("hearts", "play"),
        ("hearts", "bid"),
        ("dominion", "action"),
        ("recycle", "choose"),
        ("war", "bid"),
        ("war", None),
    ],
)
def test_tryPlay_is_asked_in_the_play(game, phase):
    """All other phases are the play: those of other games, and of games that have no page here."""
    agent = Noting()
    respond(agent, request(phase, game))
    assert agent.calls == ["tryPlay", "choose"]


@pytest.mark.parametrize("game", [*BUNDLED, "recycle"])
def test_a_page_declares_the_phases_before_the_cards(game):
    """Each bundled page, by its file alone."""
    assert list(views.page(game).BIDDING) == BIDDING[game]
    assert game == views.page(game).GAME


def test_tryDefend_is_told_the_attack_and_who_attacks():
    """An attacked agent defends, or leaves it to choose."""
    agent = Noting()
    respond(agent, Attacked(("act", "militia"), "bob", request().view))
    assert agent.calls == [("tryDefend", ("act", "militia"), "bob"), "choose"]


def test_the_first_hook_with_a_play_decides():
    """Where a hook answers, choose is not asked."""

    class Last(Noting):
        def tryPlay(self, state):
            return state.legal[-1]

    agent = Last()
    assert respond(agent, request()) == ("play", "sT")
    assert agent.calls == []


def test_chained_hooks_are_asked_from_left_to_right():
    """A chain is a hook: the first play found is its answer, None if there is none."""
    asked = []

    def hook(name, play):
        return lambda agent, state: asked.append(name) or play

    class Chained(Agent):
        tryPlay = first(hook("a", None), hook("b", ("pass",)), hook("c", ("play", "h9")))
        tryBid = first(hook("d", None), first())

    assert respond(Chained(), request()) == ("pass",)
    assert asked == ["a", "b"]
    assert respond(Chained(), request("give", "hearts")) == ("play", "h9")


def test_news_are_heard_and_not_answered():
    """Updates and defenses go to the ears; the start and the end of a game have ears of their own."""
    agent = Noting()
    for line in (
        "(update table (start ((game war) (players ann bob) (phase play))))",
        "(update table (deal 1))",
        "(update bob (play h9))",
        "(defended bob (moat))",
        "(update table (end (ann 3) (bob -1)))",
    ):
        assert respond(agent, read(parse(line))) is None
    assert agent.calls == [
        ("started", ("ann", "bob")),
        ("heard", "table", ("deal", 1)),
        ("heard", "bob", ("play", "h9")),
        ("heardDefense", "bob", ("moat",)),
        ("ended", {"ann": 3, "bob": -1}),
    ]


def test_an_agent_may_be_deaf():
    """By default nothing comes of what is heard."""
    for notification in (
        Update("bob", ("pass",)),
        Update("table", ("start", (("game", "war"), ("players", "ann")))),
        Update("table", ("end", ("ann", 1))),
        Defended("bob", ("moat",)),
    ):
        assert respond(Agent(), notification) is None


@pytest.mark.parametrize("answer", ["h9", ["play", "h9"], 7, {"play": "h9"}])
def test_an_answer_that_is_no_tuple_is_the_authors_mistake(answer):
    """The author learns what a play looks like, before the referee calls it malformed."""

    class Wrong(Agent):
        def tryPlay(self, state):
            return answer

    with pytest.raises(TypeError, match=r"Wrong answered .* a play is a tuple"):
        respond(Wrong(), request())


@pytest.mark.parametrize("name", ["tryplay", "try_play", "TryBid", "Ended", "heard_defense"])
def test_a_hook_that_is_spelt_differently_is_refused(name):
    """Nobody would call it, and the first legal play would be made instead."""
    with pytest.raises(TypeError, match=rf"Mine defines {name}; did you mean \w+\?"):
        type("Mine", (Agent,), {name: lambda self, *_: None})
    with pytest.raises(TypeError, match="did you mean tryBuy"):
        type("Mine", (DominionAgent,), {"trybuy": lambda self, *_: None})
    type("Mine", (Agent,), {"_started": 0, "played": lambda self: None})
