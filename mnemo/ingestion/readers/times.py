"""Times of messages: a naive time is in the reading zone, a wrong one is an error, a missing one is unknown."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from mnemo.errors import ArgumentError

__all__ = ["checked_zone", "from_epoch", "from_iso", "localise"]

_MILLISECONDS_FROM = 1e11
_MICROSECONDS_FROM = 1e14
_FIRST_YEAR, _LAST_YEAR = 1900, 2200


def checked_zone(zone: str | ZoneInfo) -> ZoneInfo:
    """Return the IANA zone of that name.

    Raises:
        ArgumentError: There is no such zone.
    """
    if isinstance(zone, ZoneInfo):
        return zone
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        message = f"zone must be an IANA zone such as Europe/Paris, got {zone!r}"
        raise ArgumentError(message) from error


def localise(moment: datetime, zone: ZoneInfo) -> tuple[datetime, str | None]:
    """Return an aware time in the zone of its writer, and that zone's name.

    A naive time is local to `zone`: of an hour that clocks show twice it is the first, and one in the
    hour they skip moves forward by the skipped span. UTC says an instant only, so it is shown in `zone`; so is
    an offset that `zone` has at that moment. Any other whole-hour offset is the fixed zone `Etc/GMT±N`;
    an odd one keeps its offset and has no name. An offset that no place on earth has on that day is shown in `zone`.
    """
    if moment.tzinfo is None:
        return moment.replace(tzinfo=zone).astimezone(UTC).astimezone(zone), zone.key
    if isinstance(moment.tzinfo, ZoneInfo):
        return moment, moment.tzinfo.key
    offset = moment.utcoffset()
    local = moment.astimezone(zone)
    if not offset or offset == local.utcoffset():
        return local, zone.key
    hours, rest = divmod(offset, timedelta(hours=1))
    if rest or not -12 <= hours <= 14:  # noqa: PLR2004  # the fixed zones of the IANA database
        return (
            (moment.astimezone(timezone(offset)), None)
            if _exists(offset, moment.astimezone(UTC).date())
            else (local, zone.key)
        )
    fixed = ZoneInfo(f"Etc/GMT{-hours:+d}")
    return moment.astimezone(fixed), fixed.key


@lru_cache(maxsize=1024)
def _exists(offset: timedelta, day: date) -> bool:
    """Whether a zone has that offset from UTC on that day."""
    if offset.total_seconds() % 60:
        return False
    noon = datetime.combine(day, time(12), UTC)
    names = available_timezones() - {"Factory", "localtime", "posixrules"}
    return any(noon.astimezone(ZoneInfo(name)).utcoffset() == offset for name in names)


def from_iso(text: str) -> datetime | None:
    """Parse an ISO 8601 time, naive or aware; None if it is none or its year is not 1900 to 2200."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if _FIRST_YEAR <= found.year <= _LAST_YEAR else None


def from_epoch(seconds: float) -> datetime | None:
    """Turn Unix seconds into an instant; None if its year is not 1970 to 2200.

    Milliseconds from 1e11 on, microseconds from 1e14 on: as seconds they would lie after the year 5000.
    """
    try:
        value = seconds / (1e6 if seconds >= _MICROSECONDS_FROM else 1e3 if seconds >= _MILLISECONDS_FROM else 1)
        found = datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return found if found.year <= _LAST_YEAR and value >= 0 else None
