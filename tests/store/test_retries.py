"""One limit for everything that waits for the same database."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from neo4j.exceptions import ClientError, Neo4jError, ServiceUnavailable, TransientError

from mnemo.store.retries import StoreRetries


class Failing:
    """Fails some times, then returns the number of attempts."""

    def __init__(self, error: Exception, times: int = 1_000_000) -> None:
        self.error = error
        self.times = times
        self.attempts = 0

    async def __call__(self) -> int:
        self.attempts += 1
        if self.attempts <= self.times:
            raise self.error
        return self.attempts


@pytest.mark.parametrize(
    "error",
    [
        ServiceUnavailable("gone"),
        Neo4jError._hydrate_neo4j(code="Neo.TransientError.Transaction.DeadlockDetected", message="x"),
        Neo4jError._hydrate_neo4j(code="Neo.ClientError.Statement.EntityNotFound", message="x"),
    ],
)
async def test_passing_failure_is_retried(error: Exception) -> None:
    assert await StoreRetries(10).run(Failing(error, 2)) == 3


async def test_other_failure_is_raised_at_once() -> None:
    work = Failing(ClientError("no"))
    with pytest.raises(ClientError):
        await StoreRetries(10).run(work)
    assert work.attempts == 1


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    loop = asyncio.get_running_loop()
    start = loop.time()
    with pytest.raises((ServiceUnavailable, TransientError)):
        await work()
    return loop.time() - start


async def test_calls_of_one_outage_wait_once(caplog: pytest.LogCaptureFixture) -> None:
    retries = StoreRetries(0.5)
    with caplog.at_level(logging.WARNING):
        first = await timed(lambda: retries.run(Failing(ServiceUnavailable("gone"))))
        second = await timed(lambda: retries.run(Failing(ServiceUnavailable("gone"))))
    assert 0.5 <= first < 3
    assert second < 0.3
    assert [record.getMessage() for record in caplog.records] == [
        "the database cannot be reached; trying again for up to 0.5 s"
    ]


async def test_answer_ends_an_outage() -> None:
    retries = StoreRetries(0.3)
    assert await retries.run(Failing(ServiceUnavailable("gone"), 1)) == 2
    assert await timed(lambda: retries.run(Failing(ServiceUnavailable("gone")))) >= 0.3


async def test_later_failure_is_another_outage() -> None:
    moments = iter([0.0, 0.2, 0.4, 60.0, 60.2, 60.4])
    retries = StoreRetries(0.3, now=lambda: next(moments))
    for _ in range(2):
        work = Failing(ServiceUnavailable("gone"))
        with pytest.raises(ServiceUnavailable):
            await retries.run(work)
        assert work.attempts == 3


async def test_zero_never_retries() -> None:
    work = Failing(ServiceUnavailable("gone"))
    with pytest.raises(ServiceUnavailable):
        await StoreRetries(0).run(work)
    assert work.attempts == 1
