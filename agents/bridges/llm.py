"""Llm: a player that asks a language model for each play."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from croupier.agents.agent import Agent
from croupier.agents.bridges.base import Clock, NoPlay, note
from croupier.agents.bridges.chat import Trouble, text_of
from croupier.agents.bridges.prompt import NoAnswer
from croupier.agents.bridges.usage import Usage

if TYPE_CHECKING:
    from croupier.agents.bridges.chat import Chat
    from croupier.agents.bridges.prompt import Prompt
    from croupier.protocol.views.view import Play, View

_PAUSE = 0.1
"""Seconds before a failing server that gives no waiting time is asked again; doubled each time."""
_QUOTED = 2000
"""The most characters of an answer that are shown to the model again."""


class Llm(Agent):
    """Ask for each play, and again with the reason if the answer has none, as long as the clock allows.

    ``prices`` are per million tokens sent and answered; ``secret`` is a text that is never written anywhere.
    """

    def __init__(
        self,
        chat: Chat,
        prompt: Prompt,
        retries: int = 2,
        prices: tuple[float | None, float | None] = (None, None),
        secret: str = "",
    ) -> None:
        self._chat = chat
        self._prompt = prompt
        self._retries = retries
        self._prices = prices
        self._secret = secret
        self._usage = Usage()
        self._runner = asyncio.Runner()

    def choose(self, state: Any) -> Play:
        """Ask for a play; raise NoPlay."""
        return self._decide(state)

    def tryDefend(self, attack: Play, attacker: str, state: Any) -> Play:
        """Ask how to meet an attack; raise NoPlay."""
        return self._decide(state, (attack, attacker))

    def close(self) -> None:
        """Close the connections."""
        self._runner.run(self._chat.close())
        self._runner.close()

    def _decide(self, view: View, attack: tuple[Play, str] | None = None) -> Play:
        """Return the model's play in time, and note its usage."""
        self._usage = Usage(decisions=1)
        try:
            return self._runner.run(self._ask_until_answered(Clock(view), view, attack))
        finally:
            note(str(self._usage.priced(*self._prices)))

    async def _ask_until_answered(self, clock: Clock, view: View, attack: tuple[Play, str] | None) -> Play:
        position = self._prompt.of(view, attack)
        asked = [{"role": "system", "content": position.system}, {"role": "user", "content": position.user}]
        messages, attempt = asked, 0
        while True:
            is_last = attempt >= self._retries or clock.before_reserve <= 0
            answer, illegal, wait = "", None, 0.0
            try:
                answer = await self._answer(messages, clock.left if is_last else clock.before_reserve)
                return position.read(answer)
            except NoAnswer as problem:
                why, illegal = str(problem), problem.play
            except Trouble as problem:
                why, wait = str(problem), problem.wait or min(clock.left / 2, _PAUSE * 2**attempt)
            why = self._in_one_line(why)
            if is_last or wait >= clock.left:
                if illegal is not None:
                    return illegal  # the referee says what is wrong with it
                raise NoPlay(f"no play from the model after {attempt + 1} calls: {why}")
            attempt += 1
            self._usage = self._usage._replace(retries=attempt)
            note(f"asked again: {why}")
            await asyncio.sleep(wait)
            said = [{"role": "assistant", "content": answer[:_QUOTED]}] if answer else []
            messages = [*asked, *said, {"role": "user", "content": f"{why}. Answer now, with one JSON object alone."}]

    async def _answer(self, messages: list[dict[str, str]], seconds: float) -> str:
        """Ask once; return the text of the answer, and add up its usage."""
        self._usage = self._usage._replace(calls=self._usage.calls + 1)
        document, tokens = await self._chat.ask(messages, seconds)
        self._usage = self._usage.with_tokens(*tokens)
        return text_of(document)

    def _in_one_line(self, why: str) -> str:
        """Return a reason without the secret, which a server may repeat."""
        hidden = why.replace(self._secret, "<key>") if self._secret else why
        return " ".join(hidden.split())[:_QUOTED]
