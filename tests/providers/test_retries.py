from datetime import UTC, datetime

import pytest

from mnemo.errors import ProviderAuthError, ProviderTimeoutError, ProviderUnavailableError, RateLimitError
from mnemo.providers.retries import Retries, seconds_until

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("5", 5.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 12:00:30 -0000", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_parsed(header: str | None, seconds: float | None) -> None:
    assert seconds_until(header, NOW) == seconds


class Failing:
    """Raises the given errors, then returns how often it was called."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    async def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.calls


async def sleep(_: float) -> None:
    """Return at once."""


async def test_transient_errors_are_retried() -> None:
    call = Failing(ProviderUnavailableError("x"), RateLimitError("x", retry_after_s=1))
    assert await Retries(4, sleep).run(call) == 3


async def test_error_that_is_not_retryable_is_raised_at_once() -> None:
    call = Failing(ProviderAuthError("x"))
    with pytest.raises(ProviderAuthError):
        await Retries(4, sleep).run(call)
    assert call.calls == 1


async def test_second_timeout_is_raised() -> None:
    call = Failing(ProviderTimeoutError("x"), ProviderUnavailableError("x"), ProviderTimeoutError("x"))
    with pytest.raises(ProviderTimeoutError):
        await Retries(9, sleep).run(call)
    assert call.calls == 3


async def test_no_retries_means_one_call() -> None:
    call = Failing(ProviderUnavailableError("x"))
    with pytest.raises(ProviderUnavailableError):
        await Retries(0, sleep).run(call)
    assert call.calls == 1


async def test_waits_are_bounded_and_grow() -> None:
    waits: list[float] = []

    async def keep(seconds: float) -> None:
        waits.append(seconds)

    call = Failing(*[ProviderUnavailableError("x")] * 12)
    await Retries(12, keep).run(call)
    assert all(0 <= wait <= 20 for wait in waits)
    assert max(waits[:2]) <= 1.0
