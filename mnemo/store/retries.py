"""Repeats work that failed for a passing reason, within one limit for everything that waits for the same database."""

import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from neo4j.exceptions import DatabaseUnavailable, DriverError, Neo4jError, ServiceUnavailable, SessionExpired
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from mnemo.store.failures import is_deleted_meanwhile

__all__ = ["StoreRetries"]

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_SAME_OUTAGE_S = 5.0
"""A failure this soon after another one belongs to the same outage."""
_UNREACHABLE = (ServiceUnavailable, SessionExpired, DatabaseUnavailable)


class StoreRetries:
    """Retries within a limit of seconds, counted for an unreachable server from its first failure.

    A call that comes right after another one gave up does not wait again, so that a call of many statements takes the
    limit once.
    """

    def __init__(self, seconds: float, *, now: Callable[[], float] = monotonic) -> None:
        """Set the limit.

        Args:
            seconds: How long to retry; 0 never does.
            now: A monotonic clock in seconds.
        """
        self._seconds = seconds
        self._now = now
        self._down_since: float | None = None
        self._failed_at = 0.0

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do some work; again if it failed for a passing reason.

        Raises:
            DriverError, Neo4jError: The last failure.
        """
        retrying = AsyncRetrying(
            retry=retry_if_exception(_is_passing),
            stop=self._is_spent,
            wait=wait_random_exponential(0.05, max=1),
            before_sleep=self._say,
            reraise=True,
        )
        result: T = await retrying(work)
        self._down_since = None
        return result

    def _is_spent(self, state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, _UNREACHABLE):
            return (state.seconds_since_start or 0.0) >= self._seconds
        now = self._now()
        if self._down_since is None or now - self._failed_at > _SAME_OUTAGE_S:
            self._down_since = now
        self._failed_at = now
        return now - self._down_since >= self._seconds

    def _say(self, state: RetryCallState) -> None:
        """Log once, at the first failure of an outage, what is waited for."""
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _UNREACHABLE) and self._down_since == self._failed_at:
            _LOG.warning("the database cannot be reached; trying again for up to %g s", self._seconds)


def _is_passing(error: BaseException) -> bool:
    retryable = isinstance(error, DriverError | Neo4jError) and error.is_retryable()
    return retryable or is_deleted_meanwhile(error)
