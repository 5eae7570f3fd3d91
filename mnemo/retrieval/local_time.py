"""Instants in the zone where they were written: pure."""

from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["local", "local_day"]


def local(instant: datetime, zone: str | None) -> datetime:
    """Return an instant in a zone; unchanged if the zone is unknown."""
    found = _zone(zone) if zone else None
    return instant.astimezone(found) if found else instant


def local_day(instant: datetime, zone: str | None) -> date:
    """Return the day that it was in a zone."""
    return local(instant, zone).date()


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None
