"""The bridge to language models: of all that a server may do comes a play, another question or a reason, in time."""

import re
import socket
from contextlib import closing, contextmanager

import pytest
from mock_model import KEY, WAIT, answer, http, legal, mark_of, packed, plays, reply, serving

from croupier.agents.bridges import base
from croupier.agents.bridges.base import NoPlay
from croupier.agents.bridges.prompt import Prompt
from croupier.agents.bridges.usage import Usage, total
from croupier.protocol import views
from croupier.protocol.sexp import parse

pytest.importorskip("openai", reason="needs the llm extra")

from croupier.agents.bridges.chat import MOST_BYTES, Chat
from croupier.agents.bridges.llm import Llm

STATE = """((game hearts) (options (pass left)) (players bob carol dave alice) (tally (bob 0) (carol 7) (dave 0)
 (alice 19)) (passing left) (phase play) (hand d9 dK h3 sQ) (trick alice d2) (tricks (carol c2 c9 cA cK))
 (gave cQ hA hK) (received c3 d9 s2) (broken yes) (taken (bob 0) (carol 0) (dave 4) (alice 0)) (clock {clock})
 (legal (play d9) (play dK)))"""
PLAY = ("play", "d9")
PATIENCE = 60_000


def said(text, **rest):
    """Return a script in which the model says this."""
    return lambda prompt: http(reply(text, **rest))


def told(make):
    """Return a script in which the model says what is made of the prompt."""
    return lambda prompt: http(reply(make(prompt)))


def document(found):
    """Return a script with this reply, whatever is asked."""
    return lambda prompt: http(found)


def raw(*pieces):
    """Return a script that sends these bytes and leaves."""
    return lambda prompt: leave(pieces)


def leave(pieces):
    yield from pieces
    raise OSError


def endless(head):
    """Return a script that sends more than anybody reads."""

    def script(prompt):
        yield head
        for _ in range(2 * MOST_BYTES // 65_536):
            yield b" " * 65_536

    return script


def hold(*pieces):
    """Return a script that sends these bytes and nothing more."""
    return lambda prompt: [*pieces, WAIT]


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
TOOL = {"choices": [{"message": {"content": None, "tool_calls": [{"id": "1", "type": "function"}]}}]}
REFUSAL = {"choices": [{"message": {"content": None, "refusal": "I \x1b[31mcannot gamble"}}]}
MISBEHAVIORS = {
    "429 with Retry-After": (lambda p: http({}, 429, ["Retry-After: 0.01"]), "status 429"),
    "429 without it": (lambda p: http({}, 429), "status 429"),
    "429 until a date": (lambda p: http({}, 429, ["Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"]), "status 429"),
    "429 with a negative wait": (lambda p: http({}, 429, ["Retry-After: -5"]), "status 429"),
    "429 with no number": (lambda p: http({}, 429, ["Retry-After: nan"]), "status 429"),
    "408": (lambda p: http({}, 408), "status 408"),
    "500": (lambda p: http({"error": {"message": "overloaded"}}, 500), "status 500.*overloaded"),
    "503 as a page": (lambda p: http(b"<html>back soon</html>", 503), "status 503"),
    "endless error": (endless(HEAD.replace(b"200 OK", b"500 No")), "more than 1,048,576 bytes"),
    "204": (lambda p: b"HTTP/1.1 204 No Content\r\n\r\n", "no JSON document"),
    "truncated body": (raw(HEAD + b'{"choices": ['), "the connection failed"),
    "truncated chunks": (raw(CHUNKED + b"5\r\n[1, 2"), "the connection failed"),
    "chunks of no size": (raw(CHUNKED + b"five\r\n[1, 2\r\n"), "the connection failed"),
    "half JSON": (lambda p: http(b'{"choices": [{"mess'), "no JSON document"),
    "no body": (lambda p: http(b""), "no JSON document"),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.7\r\n\r\n"), "the connection failed"),
    "closed at once": (raw(), "the connection failed"),
    "endless output": (endless(HEAD), "more than 1,048,576 bytes"),
    "endless headers": (endless(b"HTTP/1.1 200 OK\r\nX-Filler: "), "the connection failed"),
    "compressed": (lambda p: packed(reply(answer(p))), "no JSON document"),
    "no UTF-8": (lambda p: http(b'{"choices": "\xff\xfe"}'), "no JSON document"),
    "nested deeply": (lambda p: http(b"[" * 200_000), "no JSON document"),
    "a number of many digits": (lambda p: http(b'{"choices": ' + b"9" * 10_000 + b"}"), "no JSON document"),
    "an array": (document([1, 2]), "no JSON object"),
    "null": (lambda p: http(b"null"), "no JSON object"),
    "empty choices": (document({"choices": []}), "no choices"),
    "no choices": (document({"object": "chat.completion"}), "no choices"),
    "choices of another kind": (document({"choices": {"message": 7}}), "no choices"),
    "no message": (document({"choices": [{"index": 0}]}), "no choices"),
    "an error with status 200": (document({"error": {"message": "quota"}}), "reports an error.*quota"),
    "tool calls": (document(TOOL), "called a tool"),
    "refusal": (document(REFUSAL), "refused: I .*cannot gamble"),
    "content null": (said(None), "no text"),
    "content blank": (said(" \n"), "no text"),
    "content in parts": (said([{"type": "text", "text": "(play d9)"}]), "no text"),
    "cut off": (said("", finish_reason="length"), "cut off"),
    "prose": (said("I shall play the nine of diamonds."), 'no JSON object with the key "play"'),
    "bare s-expression": (said("(play d9)"), 'no JSON object with the key "play"'),
    "half an answer": (told(lambda p: answer(p)[:-3]), 'no JSON object with the key "play"'),
    "Unicode suits": (told(lambda p: answer(p, "(play \u26669)")), "cannot be read"),
    "two different plays": (told(lambda p: answer(p) + " or " + answer(p, "(play dK)")), "2 different plays"),
    "two JSON blocks": (
        told(lambda p: f"```json\n{answer(p)}\n```\n```json\n{answer(p, '(play dK)')}\n```"),
        "2 different plays",
    ),
    "one key twice": (said('{"play": "(play d9)", "play": "(play dK)"}'), "2 different plays"),
    "another position": (said('{"position": "zzzz", "play": "(play d9)"}'), "for another position"),
    "a position that is no text": (said('{"position": [1], "play": "(play d9)"}'), "for another position"),
    "an open parenthesis": (told(lambda p: answer(p, "(play d9")), "cannot be read"),
    "an empty play": (told(lambda p: answer(p, "()")), "begins with a word"),
    "a play of numbers": (said('{"play": [9, 9]}'), "begins with a word"),
    "a play with null": (said('{"play": ["play", null]}'), "cannot be read"),
    "a play within a play": (said('{"play": {"play": "(play d9)"}}'), "cannot be read"),
    "a play nested deeply": (said('{"play": ' + "[" * 500 + "]" * 500 + "}"), "cannot be read"),
    "many braces": (said("{" * 15_000), 'no JSON object with the key "play"'),
    "a very long answer": (told(lambda p: "hm " * 6_000 + answer(p)), "the answer has"),
}
"""What a server or a model does wrong that is asked again, and what the model, or the note, is told of it."""
FINAL = {
    "401": (lambda p: http({"error": {"message": f"Incorrect API key: {KEY}"}}, 401), "status 401.*<key>"),
    "404": (lambda p: http({"error": {"message": "no such model"}}, 404), "status 404.*no such model"),
    "400": (lambda p: http({"error": {"message": "too many tokens"}}, 400), "status 400"),
    "redirect": (lambda p: http({}, 302, ["Location: http://127.0.0.1:9/v1"]), "status 302"),
    "429 for an hour": (lambda p: http({}, 429, ["Retry-After: 3600"]), "status 429"),
}
"""What is of no use to be asked again, or not while the clock runs."""
FINE = {
    "plain": plays,
    "fenced": told(lambda p: f"```json\n{answer(p)}\n```"),
    "after reasoning": told(lambda p: f"Clubs {{c9}} are gone, so (play dK) is {{bad}}.\n{answer(p)}"),
    "as an array": told(lambda p: answer(p, ["play", "d9"])),
    "twice the same": told(lambda p: answer(p) + answer(p)),
    "without its mark": said('{"play": "(play d9)"}'),
    "beside other objects": told(lambda p: '{"thought": {"cards": 4}} ' + answer(p)),
    "with usage that is none": lambda p: http(reply(answer(p)) | {"usage": {"prompt_tokens": "many"}}),
    "with usage below nothing": lambda p: http(reply(answer(p)) | {"usage": {"completion_tokens": -9}}),
    "with usage beyond reason": lambda p: http(reply(answer(p)) | {"usage": {"prompt_tokens": 10**17}}),
    "in chunks": lambda p: [CHUNKED, b"%x\r\n%s\r\n0\r\n\r\n" % (len(text := json_of(p)), text)],
}
STAGES = {
    "headers": hold(),
    "the end of headers": hold(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "the first byte": hold(HEAD),
    "the middle of the body": hold(HEAD + b'{"choices": ['),
    "the middle of a chunk": hold(CHUNKED + b"50\r\n[1,"),
    "the body of an error": hold(HEAD.replace(b"200 OK", b"500 No")),
}


def json_of(prompt):
    """Return the body of a good reply."""
    return http(reply(answer(prompt))).partition(b"\r\n\r\n")[2]


def view(clock=PATIENCE):
    """Return the position, with a clock in milliseconds."""
    return views.read(parse(STATE.format(clock=clock)))


@contextmanager
def seated(*scripts, retries=2, prices=(None, None)):
    """Yield a server of these scripts, and the player that asks it."""
    with serving(*scripts) as server, asking(server.url, retries=retries, prices=prices, secret=KEY) as player:
        yield server, player


def asking(url, body=None, **rest):
    """Return a player that asks the model at an address, to be closed."""
    return closing(Llm(Chat("mock", KEY, url, body), Prompt(lambda view: "`hearts`"), **rest))


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    """A server without manners is asked again at once."""
    monkeypatch.setattr("croupier.agents.bridges.llm._PAUSE", 0.0)


def test_forty_ways_and_more_are_tried():
    """Each of them is a row of its own."""
    assert len(MISBEHAVIORS) + len(FINAL) + len(STAGES) >= 60


@pytest.mark.parametrize("name", FINE)
def test_a_good_answer_is_played_at_once(name, capsys):
    """However it is wrapped."""
    with seated(FINE[name]) as (server, player):
        assert player.choose(view()) == PLAY
    assert len(server.requests) == 1
    assert "asked again" not in capsys.readouterr().err


@pytest.mark.parametrize("name", MISBEHAVIORS)
def test_what_goes_wrong_once_is_asked_again(name, capsys):
    """The note says why, in one printable line, and the next answer is played."""
    script, why = MISBEHAVIORS[name]
    with seated(script, plays) as (server, player):
        assert player.choose(view()) == PLAY
    assert len(server.requests) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [bool(re.search(f"^asked again: .*{why}", line)) for line in lines] == [True, False]
    assert all(line.isprintable() for line in lines)
    usage = Usage.parse(lines[-1])
    assert (usage.decisions, usage.calls, usage.retries) == (1, 2, 1)


@pytest.mark.parametrize("name", MISBEHAVIORS)
def test_what_goes_wrong_every_time_is_the_seats_own_fault(name, capsys):
    """After as many retries as were granted, with the reason."""
    script, why = MISBEHAVIORS[name]
    with seated(script, retries=1) as (server, player), pytest.raises(NoPlay, match=f"after 2 calls: .*{why}"):
        player.choose(view())
    assert len(server.requests) == 2
    assert total(capsys.readouterr().err.splitlines()).calls == 2


@pytest.mark.parametrize("name", FINAL)
def test_what_asking_again_cannot_cure_ends_the_decision(name, capsys):
    """At the first call, and the key is not in the reason."""
    script, why = FINAL[name]
    with seated(script) as (server, player), pytest.raises(NoPlay, match=f"after 1 calls: .*{why}") as problem:
        player.choose(view())
    assert len(server.requests) == 1
    assert KEY not in str(problem.value) + capsys.readouterr().err


def test_the_model_is_told_what_was_wrong_with_its_answer():
    """With that answer before it, and the first messages as they were."""
    with seated(MISBEHAVIORS["another position"][0], plays) as (server, player):
        player.choose(view())
    first, second = (request["messages"] for request in server.requests)
    assert second[:2] == first
    assert [each["role"] for each in second] == ["system", "user", "assistant", "user"]
    assert "for another position" in second[3]["content"]


def test_an_illegal_play_is_asked_again_and_then_left_to_the_referee():
    """The referee says what is wrong with it, and counts it as the seat's fault."""
    with seated(said('{"play": "(play h3)"}'), plays) as (server, player):
        assert player.choose(view()) == PLAY
    assert "(play h3) is not a legal play now" in server.requests[1]["messages"][-1]["content"]
    with seated(said('{"play": "(play h3)"}'), retries=3) as (server, player):
        assert player.choose(view()) == ("play", "h3")
    assert len(server.requests) == 4


@pytest.mark.parametrize("stage", STAGES)
def test_a_server_that_hangs_leaves_time_for_a_last_answer(stage, monkeypatch, capsys):
    """Wherever it hangs: what is kept of the clock is enough to ask again."""
    monkeypatch.setattr(base, "RESERVE", 0.995)
    with seated(STAGES[stage], plays) as (_, player):
        assert player.choose(view()) == PLAY
    assert "asked again: no answer within" in capsys.readouterr().err


@pytest.mark.parametrize("stage", STAGES)
def test_a_server_that_only_hangs_is_left_before_the_clock_runs_out(stage):
    """The reason is there while the table still waits."""
    with seated(STAGES[stage], retries=0) as (_, player), pytest.raises(NoPlay, match="no answer within 0"):
        player.choose(view(400))


def test_an_answer_that_trickles_in_is_not_waited_for_either():
    """Each byte comes in time, and the whole does not."""

    def trickle(prompt):
        yield HEAD
        while True:
            yield b" " * 8

    with seated(trickle, retries=0) as (_, player), pytest.raises(NoPlay, match=r"no answer within|more than"):
        player.choose(view(400))


def test_a_server_that_takes_no_connections_is_left_too():
    """Its queue is full, so that a connection is never made."""
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        crowd = [socket.socket() for _ in range(4)]
        for each in crowd:
            each.setblocking(False)
            each.connect_ex(server.getsockname())
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        with asking(url, retries=0) as player, pytest.raises(NoPlay, match="no answer within"):
            player.choose(view(400))
        for each in crowd:
            each.close()


def test_a_server_that_is_not_there_is_named_as_such():
    """Nothing listens at the port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with asking(url) as player, pytest.raises(NoPlay, match="after 3 calls: the connection failed"):
        player.choose(view())


def test_the_rules_come_first_and_are_the_same_for_a_whole_game():
    """So a provider finds them in its cache; what changes comes after them."""
    with seated() as (server, player):
        player.choose(view())
        player.choose(views.read(parse(STATE.format(clock=PATIENCE).replace("d9 dK h3", "d9 dK").replace("s2", "h2"))))
    one, other = (request["messages"] for request in server.requests)
    assert one[0] == other[0]
    assert one[0]["role"] == "system"
    assert one[1] != other[1]


def test_what_a_decision_took_is_noted():
    """Tokens, calls, retries, and the cost by the prices of a million tokens."""
    with seated(MISBEHAVIORS["prose"][0], plays, prices=(3.0, 15.0)) as (_, player):
        player.choose(view())
    assert player._usage == Usage(1, 2, 1, 2000, 1600, 40)
    assert player._usage.priced(3.0, 15.0).cost == pytest.approx(0.0066)


def test_the_model_the_body_and_the_key_are_sent():
    """Each where the API wants it, and the key nowhere else."""
    with serving() as server, asking(server.url, {"temperature": 0, "seed": 7}) as player:
        player.choose(view())
    (request,), (head,) = server.requests, server.heads
    assert (request["model"], request["temperature"], request["seed"]) == ("mock", 0, 7)
    assert f"authorization: bearer {KEY}" in head.lower().replace(KEY.lower(), KEY)
    assert KEY not in str(request)


def test_an_attack_is_put_to_the_model():
    """The play that is met, and who plays it, by place."""
    state = """((game dominion) (options (rules official)) (players bob alice) (phase defend) (turn 3) (supply)
     (hand moat copper copper copper estate) (clock 60000) (legal (moat) (discard copper estate)))"""
    with seated() as (server, player):
        assert player.tryDefend(("act", "militia"), "alice", views.read(parse(state))) == ("moat",)
    prompt = server.requests[0]["messages"][1]["content"]
    assert "(attacked (act militia) player2)" in prompt
    assert mark_of(prompt)
    assert legal(prompt) == ["(moat)", "(discard copper estate)"]
