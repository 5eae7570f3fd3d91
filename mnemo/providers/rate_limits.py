"""Keeps calls within a provider's limits on concurrency, requests per minute and tokens per minute."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

__all__ = ["Bucket", "Gate"]


class Bucket:
    """A token bucket (the single rate of RFC 2697) that refills steadily up to one minute's worth. Pure.

    A caller may take more than is available; it then waits until the debt is refilled, so callers
    are served in order of arrival.
    """

    def __init__(self, per_minute: float, now: float) -> None:
        """Start full.

        Args:
            per_minute: Units added per minute, and the capacity; above 0.
            now: Time in seconds from any start.
        """
        self._capacity = per_minute
        self._rate = per_minute / 60
        self._level = per_minute
        self._at = now

    def take(self, amount: float, now: float) -> float:
        """Take units and return the seconds to wait before using them; 0 if they are available.

        An amount above the capacity counts as the capacity, because it could never be available.
        """
        self._fill(now)
        self._level -= min(amount, self._capacity)
        return max(0.0, -self._level / self._rate)

    def settle(self, amount: float, now: float) -> None:
        """Take the difference once the true cost is known, or return it if negative; never waits."""
        self._fill(now)
        self._level = min(self._capacity, self._level - amount)

    def _fill(self, now: float) -> None:
        self._level = min(self._capacity, self._level + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)


class Gate:
    """Limits calls by concurrency, requests per minute and tokens per minute."""

    def __init__(
        self,
        *,
        concurrency: int,
        requests: Bucket | None = None,
        tokens: Bucket | None = None,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Set the limits; None means no limit.

        Args:
            concurrency: Most calls at once, at least 1.
            requests: Bucket that counts requests.
            tokens: Bucket that counts tokens.
            now: A monotonic clock in seconds.
            sleep: Waits for a number of seconds.
        """
        self._places = asyncio.Semaphore(concurrency)
        self._requests = requests
        self._tokens = tokens
        self._now = now
        self._sleep = sleep

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are limited, so that callers must estimate them."""
        return self._tokens is not None

    @asynccontextmanager
    async def enter(self, tokens: int) -> AsyncIterator[None]:
        """Wait until the limits allow a call, and occupy one slot while the block runs.

        Args:
            tokens: Estimated cost of the call.
        """
        async with self._places:
            now = self._now()
            waits = [
                bucket.take(amount, now) for bucket, amount in ((self._requests, 1), (self._tokens, tokens)) if bucket
            ]
            if any(waits):
                await self._sleep(max(waits))
            yield

    def settle(self, difference: int) -> None:
        """Correct the tokens taken by the true cost minus the estimate."""
        if self._tokens is not None:
            self._tokens.settle(difference, self._now())
