"""Times of messages: a naive one is in the reading zone, a wrong one is an error, a missing one is unknown."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mnemo.errors import ArgumentError

__all__ = ["checked_zone", "from_epoch", "from_iso", "localise"]

_MILLISECONDS_FROM = 1e11
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
        message = f"wanted an IANA zone such as Europe/Paris, got {zone!r}"
        raise ArgumentError(message) from error


def localise(time: datetime, zone: ZoneInfo) -> tuple[datetime, str | None]:
    """Return an aware time in the zone of its writer, and that zone's name.

    A naive time is local to `zone`: of an hour that clocks show twice it is the first, and one in the
    hour they skip moves forward by the skipped span. UTC says an instant only, so it is shown in `zone`; so is
    an offset that `zone` has at that moment. Any other whole-hour offset is the fixed zone `Etc/GMT±N`;
    an odd one keeps its offset and has no name.
    """
    if time.tzinfo is None:
        return time.replace(tzinfo=zone).astimezone(UTC).astimezone(zone), zone.key
    if isinstance(time.tzinfo, ZoneInfo):
        return time, time.tzinfo.key
    offset = time.utcoffset()
    local = time.astimezone(zone)
    if not offset or offset == local.utcoffset():
        return local, zone.key
    hours, rest = divmod(offset, timedelta(hours=1))
    if rest or not -12 <= hours <= 14:  # noqa: PLR2004  # the fixed zones of the IANA database
        return time.astimezone(timezone(offset)), None
    fixed = ZoneInfo(f"Etc/GMT{-hours:+d}")
    return time.astimezone(fixed), fixed.key


def from_iso(text: str) -> datetime | None:
    """Parse an ISO 8601 time, naive or aware; None if it is none or its year is not 1900 to 2200."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if _FIRST_YEAR <= time.year <= _LAST_YEAR else None


def from_epoch(seconds: float) -> datetime | None:
    """Turn Unix seconds (milliseconds from 1e11 on) into an instant; None if its year is not 1970 to 2200."""
    value = seconds / 1000 if abs(seconds) >= _MILLISECONDS_FROM else seconds
    try:
        time = datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return time if time.year <= _LAST_YEAR and value >= 0 else None
