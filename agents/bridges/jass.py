"""Jass: a player that asks a player service of jass-kit for each play, over HTTP."""

from __future__ import annotations

import json
import re
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, SimpleQueue
from threading import Thread

from croupier.agents.agent import Agent
from croupier.agents.bridges.base import Clock, NoPlay, note
from croupier.agents.bridges.jass_observation import CARDS, CHOICES, observation, undertrumps_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.views.view import Play

MOST_BYTES = 1 << 16
"""Bytes of an answer that are read."""
_URL = re.compile(r"(https?)://([\w.-]+(?::\d{1,5})?|\[[0-9a-f:]+\](?::\d{1,5})?)((?:/[!-.0->@-~]+)*)/?", re.ASCII)
_QUOTED = 200


class JassKit(Agent):
    """Ask the service at an address such as http://127.0.0.1:8888/jass/players/NAME. Raise ValueError if it is none."""

    def __init__(self, url: str) -> None:
        found = _URL.fullmatch(url)
        if found is None:
            raise ValueError(f"{url}: write a player's address such as http://127.0.0.1:8888/jass/players/NAME")
        scheme, self._server, self._path = found.groups()
        self._kind = HTTPSConnection if scheme == "https" else HTTPConnection

    def started(self, state: Any) -> None:
        """Refuse other games. Raise NoPlay."""
        if state.game != "jass":
            raise NoPlay(f"a player service of jass-kit plays jass, not {state.game}")

    def tryBid(self, state: Any) -> Play:
        """Choose or shift; show no Weis, of which the service knows nothing. Raise NoPlay."""
        if state.phase == "weis":
            return ("weis",)
        number = self._ask("action_trump", observation(state), "trump", Clock(state))
        if type(number) is not int or number not in CHOICES:
            raise NoPlay(f"the service chose {_quote(number)}: trump is a number from 0 to 5, or 10 to push")
        return CHOICES[number]

    def tryPlay(self, state: Any) -> Play:
        """Play a card. One that only jass-kit allows is taken out of the hand, and the question asked again."""
        clock, hand = Clock(state), list(state.hand)
        while True:
            name = self._ask("action_play_card", observation(state, hand), "card", clock)
            if not isinstance(name, str) or name not in CARDS:
                raise NoPlay(f"the service played {_quote(name)}: a card is a text such as H6 or D10")
            card = CARDS[name]
            if ("play", card) in state.legal or card not in hand or not undertrumps_there(state, hand, card):
                return ("play", card)  # the referee says what is wrong with it, if it is not legal
            note(f"asked again without {name}: it undertrumps, which jass-kit allows here and this game does not")
            hand.remove(card)

    def _ask(self, action: str, asked: dict[str, Any], key: str, clock: Clock) -> Any:
        """Return what the service's answer has at a key. Raise NoPlay.

        The whole exchange has one deadline. What is still going on in the thread then ends with the process.
        """
        answers: SimpleQueue[Any] = SimpleQueue()
        seconds = max(0.0, clock.left)
        Thread(target=self._exchange, args=[action, json.dumps(asked), seconds, answers], daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            raise NoPlay(f"{action}: the service gave no whole answer within {clock.seconds:.1f} s") from None
        if isinstance(answer, NoPlay):
            raise answer
        if key not in answer:
            raise NoPlay(f"{action}: the answer {_quote(answer)} has no {key}")
        return answer[key]

    def _exchange(self, action: str, body: str, seconds: float, answers: SimpleQueue[Any]) -> None:
        try:
            answers.put(self._post(action, body, seconds))
        except NoPlay as problem:
            answers.put(problem)
        except (OSError, HTTPException, ValueError, RecursionError) as problem:
            why = f"{action}: the service cannot be asked: {type(problem).__name__} {_quote(problem)}"
            answers.put(NoPlay(why))

    def _post(self, action: str, body: str, seconds: float) -> dict[str, Any]:
        connection = self._kind(self._server, timeout=seconds + 1)
        try:
            headers = {"Content-Type": "application/json", "Connection": "close"}
            connection.request("POST", f"{self._path}/{action}", body, headers)
            response = connection.getresponse()
            data = response.read(MOST_BYTES + 1)
        finally:
            connection.close()
        if len(data) > MOST_BYTES:
            raise NoPlay(f"{action}: the answer has more than {MOST_BYTES:,} bytes")
        if response.status != 200:
            raise NoPlay(
                f"{action}: the service answered with status {response.status}: {_quote(data.decode('latin-1'))}"
            )
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise NoPlay(f"{action}: the answer is no JSON object: {_quote(data.decode('latin-1'))}")
        return answer


def _quote(what: object) -> str:
    return str(what)[:_QUOTED]
