"""Decides whether and when a failed call is retried."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_random_exponential

from mnemo.errors import MnemoError, ProviderError, ProviderTimeoutError

__all__ = ["LONGEST_WAIT_S", "Retries", "seconds_until"]

T = TypeVar("T")

LONGEST_WAIT_S = 120.0
"""If a provider asks for a longer wait, the call fails; the error says how long to wait."""
_TIMEOUTS = 2
"""Timeouts after which a call fails, since a provider that hangs usually keeps hanging."""
_BACKOFF = wait_random_exponential(multiplier=0.5, max=20)


class Retries:
    """Retries calls whose error is retryable, after the wait that the provider asks for."""

    def __init__(self, most: int, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Set the number of retries.

        Args:
            most: Retries per call, at least 0.
            sleep: Waits for a number of seconds.
        """
        self._most = most
        self._sleep = sleep

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return the call's result, or raise its last error.

        Raises:
            MnemoError: The error is not retryable; or it persists after the last retry or the second
                timeout; or the provider asks for a wait above `LONGEST_WAIT_S`.
        """
        timeouts = 0

        def worth_repeating(error: BaseException) -> bool:
            """Whether to retry; also counts timeouts."""
            nonlocal timeouts
            timeouts += isinstance(error, ProviderTimeoutError)
            retryable = isinstance(error, MnemoError) and error.retryable
            return retryable and timeouts < _TIMEOUTS and _asked_wait(error) <= LONGEST_WAIT_S

        async def once() -> T:
            """Call once; tenacity awaits only coroutine functions."""
            return await call()

        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._most + 1),
            wait=_wait,
            retry=retry_if_exception(worth_repeating),
            sleep=self._sleep,
            reraise=True,
        )
        return await retrying(once)


def seconds_until(header: str | None, now: datetime) -> float | None:
    """Parse a Retry-After header (RFC 9110): seconds or an HTTP date.

    Args:
        header: Value of the header, or None.
        now: Current time, aware.

    Returns:
        Seconds, at least 0; None if the header is missing or invalid.
    """
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def _asked_wait(error: BaseException | None) -> float:
    return getattr(error, "retry_after_s", None) or 0.0 if isinstance(error, ProviderError) else 0.0


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return _asked_wait(error) or _BACKOFF(state)
