"""Calls an OpenAI-compatible server with limits, timeouts and retries, for the LLM and the embedder."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import SecretStr

from mnemo.clock import Clock, SystemClock
from mnemo.errors import ProviderTimeoutError, ProviderUnavailableError
from mnemo.providers.off_loop import off_loop
from mnemo.providers.openai.errors import mapped
from mnemo.providers.rate_limits import Bucket, Gate
from mnemo.providers.retries import Retries

__all__ = ["OpenAiHttp", "RawAnswer", "TransportLimits"]

_NO_KEY = "none"
"""Sent if no key is set: the client requires one, and self-hosted servers accept any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportLimits:
    """Limits of the calls to a provider."""

    timeout_s: float = 60.0
    """Seconds for one attempt, from sending to the last byte."""
    max_retries: int = 4
    concurrency: int = 8
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


class RawAnswer(Protocol):
    """A raw response of the client."""

    @property
    def content(self) -> bytes:
        """Return the body."""
        ...


class OpenAiHttp:
    """The `openai` client with mnemo's retries, limits and errors."""

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
        """Create the client; nothing is sent yet.

        Args:
            base_url: URL of the API; None for OpenAI's.
            api_key: None sends a placeholder, for servers without keys.
            limits: Limits of the calls.
            clock: Current time, for a Retry-After header that is a date.
            now: A monotonic clock in seconds, for the limits.
            sleep: Waits for a number of seconds.
        """
        import openai  # noqa: PLC0415  # 0.5 s to import, and only needed if a server is called

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
        """Send a request, retry it if that may help, and return the JSON object of the answer.

        Takes at most two timeouts, plus up to `max_retries` failed answers and the waits between them.

        Args:
            send: Sends it once, with a `with_raw_response` method of `client`.
            tokens: Estimated cost, for the token limit.

        Raises:
            ProviderError: The call failed; see its subclasses.
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
                    content = (await send()).content
                    return await off_loop(len(content), lambda: _object(content))
            except openai.OpenAIError as error:
                raise mapped(error, self._clock.now()) from None  # the original may quote the prompt
            except TimeoutError:
                message = f"the provider did not answer within {self._timeout_s:g} s"
                raise ProviderTimeoutError(message) from None  # the original may quote the prompt


def _bucket(per_minute: int | None, now: float) -> Bucket | None:
    return None if per_minute is None else Bucket(per_minute, now)


def _object(content: bytes) -> dict[str, Any]:
    """Parse the body; some gateways send an error with status 200, which is raised as an error."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or brackets without end
        body = None
    if not isinstance(body, dict):
        message = "the provider returned 200 with a body that is not a JSON object; check the base URL"
        raise ProviderUnavailableError(message)
    if body.get("error"):
        message = "the provider returned 200 with an error in the body"
        raise ProviderUnavailableError(message)
    return body
