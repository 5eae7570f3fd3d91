"""Clocks for tests."""

from dataclasses import dataclass
from datetime import datetime

__all__ = ["FixedClock"]


@dataclass(slots=True)
class FixedClock:
    """A clock that changes only when a test sets it."""

    moment: datetime
    """Aware, UTC."""

    def now(self) -> datetime:
        """Return the current moment."""
        return self.moment
