"""Relative times of a quote as dates, such as `yesterday: 2025-08-09`: pure."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mnemo.models.graph import Episode
from mnemo.temporal.resolve import When, resolve

__all__ = ["resolved_times"]

_MOST = 3
_FORMS = {"minute": "%Y-%m-%d %H:%M", "month": "%Y-%m", "season": "%Y-%m", "year": "%Y"}


def resolved_times(quote: str, episode: Episode) -> str:
    """Return the first times that a quote names, as days of the writer's zone; empty if it names none.

    Args:
        quote: Words of the episode.
        episode: Gives the time and the zone to resolve against.

    Returns:
        Such as `yesterday: 2025-08-09, on Friday: 2025-08-15`. Times that the quote spells as dates are left out.
    """
    zone = _zone(episode.zone)
    shown = ((when, _shown(when, zone)) for when in resolve(quote, episode.occurred_at, zone))
    return ", ".join([f"{when.phrase}: {day}" for when, day in shown if day not in quote][:_MOST])


def _shown(when: When, zone: ZoneInfo) -> str:
    return when.start.astimezone(zone).strftime(_FORMS.get(when.precision, "%Y-%m-%d"))


def _zone(name: str | None) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
