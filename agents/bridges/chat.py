"""Chat: one question to a server of the OpenAI chat API, through its official client library (extra ``llm``)."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx2
import openai

from croupier.agents.bridges.prompt import NoAnswer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    Messages = Sequence[Mapping[str, str]]

MOST_BYTES = 1 << 20
"""The most bytes of a reply that are read, even of an error."""
MOST_TOKENS = 1_000_000_000
"""The most tokens that a provider may claim for one call; a larger number is not a count."""
_PASSING = {408, 409, 425, 429, *range(500, 600)}
"""Statuses after which the same question may be asked again."""
_NO_KEY = "none"
"""Replaces the key, which the library requires, for a server that needs none."""


class Trouble(Exception):
    """The server gave no answer, for this reason; ``wait`` is the number of seconds that it asks for.

    0 leaves the wait to the caller. Infinity means that asking again is useless.
    """

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class Tokens(NamedTuple):
    """The usage of a call, as counted by the provider."""

    sent: int = 0
    cached: int = 0
    """The number of sent tokens that were in its cache."""
    answered: int = 0


class Chat:
    """A model at a server. ``body`` are fields that are added to each request."""

    def __init__(
        self, model: str, key: str = "", url: str | None = None, body: Mapping[str, object] | None = None
    ) -> None:
        http = openai.DefaultAsyncHttpxClient(event_hooks={"response": [_bound]}, follow_redirects=False)
        self._client = openai.AsyncOpenAI(api_key=key or _NO_KEY, base_url=url, max_retries=0, http_client=http)
        self._request = {"model": model, "extra_body": dict(body or {})}

    async def ask(self, messages: Messages, seconds: float) -> tuple[dict[str, Any], Tokens]:
        """Send the messages; return the reply's document and its usage. Raise Trouble."""
        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            async with asyncio.timeout(seconds):
                raw = await create(messages=messages, timeout=seconds, **self._request)
            document = json.loads(raw.content)
        except (TimeoutError, openai.APITimeoutError):
            raise Trouble(f"no answer within {seconds:.1f} s") from None
        except openai.APIStatusError as problem:
            raise _trouble(problem) from None
        except openai.APIConnectionError as problem:
            raise Trouble(f"the connection failed: {problem.__cause__ or problem}") from None
        except (openai.OpenAIError, ValueError, RecursionError) as problem:
            raise Trouble(f"the server's reply is no JSON document: {problem}") from None
        if not isinstance(document, dict):
            raise Trouble("the server's reply is no JSON object")
        return document, _tokens(document)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def text_of(document: Mapping[str, Any]) -> str:
    """Return the text of a reply. Raise NoAnswer with what the model returned instead, Trouble if no model answered."""
    match document:
        case {"choices": [{"message": {"content": str(text)}}, *_]} if text.strip():
            return text
        case {"choices": [{"message": {"refusal": str(why)}}, *_]} if why:
            raise NoAnswer(f"the model refused: {why[:200]}")
        case {"choices": [{"message": {"tool_calls": [_, *_]}}, *_]}:
            raise NoAnswer("the model called a tool; there is none")
        case {"choices": [{"finish_reason": "length"}, *_]}:
            raise NoAnswer("the answer was cut off at its greatest length before it said anything")
        case {"choices": [{"message": dict()}, *_]}:
            raise NoAnswer("the answer has no text")
        case {"error": error} if error:
            raise Trouble(f"the server reports an error: {str(error)[:200]}")
    raise Trouble("the server's reply has no choices")


def _tokens(document: Mapping[str, Any]) -> Tokens:
    used = _dict(document.get("usage"))
    cached = _dict(used.get("prompt_tokens_details")).get("cached_tokens")
    return Tokens(*map(_count, (used.get("prompt_tokens"), cached, used.get("completion_tokens"))))


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else 0


def _trouble(problem: openai.APIStatusError) -> Trouble:
    """Return the meaning of a status other than success."""
    why = f"the server answered with status {problem.status_code}: {str(problem.message)[:200]}"
    if problem.status_code not in _PASSING:
        return Trouble(why, float("inf"))
    try:
        return Trouble(why, max(0.0, float(problem.response.headers.get("retry-after", 0))))
    except ValueError:  # a date
        return Trouble(why)


class _Bounded(httpx2.AsyncByteStream):  # type: ignore[misc]  # the library is an extra
    """A reply's bytes, up to a limit."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MOST_BYTES:
                raise httpx2.ReadError(f"the reply has more than {MOST_BYTES:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._stream.aclose()


async def _bound(response: Any) -> None:
    """Limit the bytes read of a reply. It is not decompressed, because a few bytes may expand to any number."""
    response.headers.pop("content-encoding", None)
    response.stream = _Bounded(response.stream)
