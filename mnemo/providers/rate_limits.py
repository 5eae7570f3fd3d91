"""Keeps calls within what a provider allows: how many at once, and how much a minute."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

__all__ = ["Bucket", "Gate"]


class Bucket:
    """A token bucket (RFC 2697's single rate): fills steadily up to a minute's worth. Pure.

    Who takes more than there is leaves it in debt and waits until the debt is paid, so that waiters
    are served in the order they came.
    """

    def __init__(self, per_minute: float, now: float) -> None:
        """Start full.

        Args:
            per_minute: Units that come in a minute, and the most that gather; above 0.
            now: The clock, in seconds from any start.
        """
        self._capacity = per_minute
        self._rate = per_minute / 60
        self._level = per_minute
        self._at = now

    def take(self, amount: float, now: float) -> float:
        """Take units and return the seconds to wait before using them, 0 if they are there.

        An amount above a minute's worth counts as a minute's worth: it could never be there.
        """
        self._fill(now)
        self._level -= min(amount, self._capacity)
        return max(0.0, -self._level / self._rate)

    def settle(self, amount: float, now: float) -> None:
        """Take more, or give back where negative, once the true cost is known; nobody waits here."""
        self._fill(now)
        self._level = min(self._capacity, self._level - amount)

    def _fill(self, now: float) -> None:
        self._level = min(self._capacity, self._level + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)


class Gate:
    """Lets calls pass by concurrency, requests a minute and tokens a minute."""

    def __init__(
        self,
        *,
        concurrency: int,
        requests: Bucket | None = None,
        tokens: Bucket | None = None,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Set the limits; None is no limit.

        Args:
            concurrency: Calls at once, at least 1.
            requests: Filled with requests.
            tokens: Filled with tokens.
            now: A monotonic clock in seconds.
            sleep: Waits for seconds.
        """
        self._places = asyncio.Semaphore(concurrency)
        self._requests = requests
        self._tokens = tokens
        self._now = now
        self._sleep = sleep

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are limited, so that an estimate is wanted."""
        return self._tokens is not None

    @asynccontextmanager
    async def enter(self, tokens: int) -> AsyncIterator[None]:
        """Wait for a place and for the limits, and hold the place inside.

        Args:
            tokens: What the call is estimated to cost.
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
        """Correct the tokens taken by the true cost less the estimate."""
        if self._tokens is not None:
            self._tokens.settle(difference, self._now())
