"""What commands are given: a group's memory, moments."""

from datetime import UTC, datetime

from mnemo.config import load_settings
from mnemo.errors import ArgumentError
from mnemo.memory import Memory

__all__ = ["opened", "when"]


def opened(group: str | None) -> Memory:
    """Open the memory of a group; use as a context manager."""
    return Memory(load_settings(**({"group": group} if group is not None else {})))


def when(text: str | None, name: str) -> datetime | None:
    """Read a moment from the command line; a day alone is its start, a time without a zone is UTC.

    Raises:
        ArgumentError: It is no ISO 8601 date or time.
    """
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        message = (
            f"wanted {name} as an ISO 8601 date or time such as 2025-03-01 or 2025-03-01T18:00+01:00, got {text!r}"
        )
        raise ArgumentError(message) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
