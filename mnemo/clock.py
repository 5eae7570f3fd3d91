"""The clock: injected, always aware, in UTC."""

from datetime import UTC, datetime
from typing import Protocol

__all__ = ["DISTANT_FUTURE", "DISTANT_PAST", "Clock", "SystemClock"]

DISTANT_PAST = datetime(1, 1, 1, tzinfo=UTC)
"""An unknown start of an indexed interval, which cannot be null."""

DISTANT_FUTURE = datetime(9999, 12, 31, tzinfo=UTC)
"""An open end of an indexed interval, which cannot be null."""


class Clock(Protocol):
    """Tells when things are recorded, and what "now" is."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        return datetime.now(UTC)
