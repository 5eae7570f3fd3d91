"""Clocks for tests."""

from dataclasses import dataclass
from datetime import datetime

__all__ = ["FixedClock"]


@dataclass(slots=True)
class FixedClock:
    """A clock that stands still until a test moves it."""

    moment: datetime
    """Aware, UTC."""

    def now(self) -> datetime:
        """Return the moment."""
        return self.moment
