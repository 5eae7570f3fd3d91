"""Where the time comes from: injected, always aware, UTC inside."""

from datetime import UTC, datetime
from typing import Protocol

__all__ = ["DISTANT_FUTURE", "DISTANT_PAST", "Clock", "SystemClock"]

DISTANT_PAST = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for an unknown start in an indexed interval, which cannot hold null."""

DISTANT_FUTURE = datetime(9999, 12, 31, tzinfo=UTC)
"""Stands for an open end in an indexed interval, which cannot hold null."""


class Clock(Protocol):
    """Tells the time of recording; never used to guess when a message was written."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        return datetime.now(UTC)
