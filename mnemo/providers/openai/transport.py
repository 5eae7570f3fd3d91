"""Calls an OpenAI-compatible server: limits, time bounds, retries; one for the LLM and the embedder."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import SecretStr

from mnemo.clock import Clock, SystemClock
from mnemo.errors import ProviderTimeoutError, ProviderUnavailableError
from mnemo.providers.openai.errors import mapped
from mnemo.providers.rate_limits import Bucket, Gate
from mnemo.providers.retries import Retries

__all__ = ["OpenAiHttp", "RawAnswer", "TransportLimits"]

_NO_KEY = "none"
"""Sent where no key is set: servers of one's own take any, and the client wants one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportLimits:
    """How a provider may be called."""

    timeout_s: float = 60.0
    """For one attempt, from sending to the last byte."""
    max_retries: int = 4
    concurrency: int = 8
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


class RawAnswer(Protocol):
    """What the client gives when asked for raw responses."""

    @property
    def content(self) -> bytes:
        """The body."""
        ...


class OpenAiHttp:
    """The `openai` client with mnemo's own retries, limits and errors around it."""

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: SecretStr | None,
        limits: TransportLimits,
        clock: Clock | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Make the client; nothing is sent yet.

        Args:
            base_url: None is OpenAI's own.
            api_key: None sends a placeholder, for servers that want no key.
            limits: How it may be called.
            clock: For a Retry-After that is a date.
            now: A monotonic clock in seconds, for the limits.
            sleep: Waits for seconds.
        """
        import openai  # noqa: PLC0415  # 0.5 s to import, and only needed where a server is called

        key = api_key.get_secret_value() if api_key else _NO_KEY
        self.client = openai.AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, timeout=limits.timeout_s)
        self._timeout_s = limits.timeout_s
        self._clock = clock or SystemClock()
        self._retries = Retries(limits.max_retries, sleep)
        self.gate = Gate(
            concurrency=limits.concurrency,
            requests=_bucket(limits.requests_per_minute, now()),
            tokens=_bucket(limits.tokens_per_minute, now()),
            now=now,
            sleep=sleep,
        )

    async def call(self, send: Callable[[], Awaitable[RawAnswer]], tokens: int) -> dict[str, Any]:
        """Send a request, again where that may help, and return the JSON object of its answer.

        Takes at most two timeouts, plus answered failures up to `max_retries` and the waits between.

        Args:
            send: Sends it once, by a `with_raw_response` method of `client`.
            tokens: What it is estimated to cost, for the limit.

        Raises:
            ProviderError: See its kinds.
        """
        return await self._retries.run(lambda: self._once(send, tokens))

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    async def _once(self, send: Callable[[], Awaitable[RawAnswer]], tokens: int) -> dict[str, Any]:
        import openai  # noqa: PLC0415  # loaded already by the constructor

        async with self.gate.enter(tokens):
            try:
                async with asyncio.timeout(self._timeout_s):
                    return _object((await send()).content)
            except openai.OpenAIError as error:
                raise mapped(error, self._clock.now()) from None  # the original may quote the prompt
            except TimeoutError:
                message = f"the provider did not answer within {self._timeout_s:g} s"
                raise ProviderTimeoutError(message) from None  # as above


def _bucket(per_minute: int | None, now: float) -> Bucket | None:
    return None if per_minute is None else Bucket(per_minute, now)


def _object(content: bytes) -> dict[str, Any]:
    """Read the body; an error inside a 200, as some gateways send it, is an error."""
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        message = "the provider answers 200 with a body that is no JSON object; check the base URL"
        raise ProviderUnavailableError(message)
    if body.get("error"):
        message = "the provider answers 200 with an error inside"
        raise ProviderUnavailableError(message)
    return body
