import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.providers.rate_limits import Bucket, Gate


def test_full_bucket_allows_a_minutes_worth_at_once() -> None:
    bucket = Bucket(60, now=0)
    assert [bucket.take(20, now=0) for _ in range(3)] == [0, 0, 0]
    assert bucket.take(1, now=0) == 1


def test_waiters_are_served_in_order_of_arrival() -> None:
    bucket = Bucket(60, now=0)
    bucket.take(60, now=0)
    assert [bucket.take(10, now=0) for _ in range(3)] == [10, 20, 30]


def test_bucket_refills_up_to_its_capacity() -> None:
    bucket = Bucket(60, now=0)
    bucket.take(60, now=0)
    assert bucket.take(30, now=30) == 0
    assert bucket.take(61, now=1000) == 0
    assert bucket.take(1, now=1000) == 1


def test_amount_above_capacity_counts_as_capacity() -> None:
    bucket = Bucket(60, now=0)
    assert bucket.take(1_000_000, now=0) == 0
    assert bucket.take(60, now=0) == 60


def test_settle_takes_and_returns_units() -> None:
    bucket = Bucket(60, now=0)
    bucket.take(60, now=0)
    bucket.settle(-30, now=0)
    assert bucket.take(30, now=0) == 0
    bucket.settle(6, now=0)
    assert bucket.take(0, now=0) == 6


def test_backward_clock_adds_nothing() -> None:
    bucket = Bucket(60, now=100)
    bucket.take(60, now=100)
    assert bucket.take(10, now=50) == 10


@given(st.lists(st.tuples(st.floats(0, 30), st.floats(0, 5)), max_size=60))
def test_rate_is_never_exceeded(steps: list[tuple[float, float]]) -> None:
    bucket, now, passed = Bucket(60, now=0), 0.0, []
    for amount, pause in steps:
        now += pause
        passed.append((now + bucket.take(amount, now), amount))
    for moment, _ in passed:
        assert sum(amount for at, amount in passed if at <= moment) <= 60 + moment + 1e-6


async def test_gate_waits_for_the_longer_limit() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    gate = Gate(concurrency=1, requests=Bucket(1, 0), tokens=Bucket(600, 0), now=lambda: 0.0, sleep=sleep)
    for _ in range(2):
        async with gate.enter(600):
            pass
    assert waits == [60]
    gate.settle(-600)
    assert gate.counts_tokens


async def test_gate_without_rates_limits_only_concurrency() -> None:
    gate = Gate(concurrency=2, now=lambda: 0.0)
    async with gate.enter(1), gate.enter(1):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02), gate.enter(1):
                pass
    gate.settle(5)
    assert not gate.counts_tokens
