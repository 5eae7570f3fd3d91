"""The time of a fact, from its time phrase and the time at which the message was written."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from mnemo.ingestion.quotes import find_quote
from mnemo.models.graph import Episode
from mnemo.temporal import resolve
from mnemo.temporal.resolve import When

__all__ = ["NO_TIME", "Timing", "find_times", "format_time", "local_time", "resolve_timing", "timing_of"]


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of a fact."""

    start: datetime | None
    """When it began or happened, aware, UTC; None if unknown."""
    end: datetime | None
    """When it ended, aware, UTC; None if not stated (until 2019)."""
    when: When | None


NO_TIME = Timing(None, None, None)


def find_times(text: str, episode: Episode) -> list[When]:
    """Return the dates in a text of an episode, in order, with offsets in `text`.

    Relative dates resolve against the episode's time. If that is unknown, only complete dates (3 May 2021) are
    returned; nothing is resolved against the present.
    """
    return resolve.resolve(text, episode.occurred_at, _zone(episode))


def resolve_timing(phrase: str | None, episode: Episode, quote: tuple[int, int] = (0, 0)) -> Timing:
    """Resolve a time phrase in its episode; the words around it show whether it is past or future.

    Args:
        phrase: A phrase such as on Monday; it need not occur in the episode.
        episode: The episode that states the fact.
        quote: Offsets of the fact's quote, which is searched first for the phrase.
    """
    if not phrase:
        return NO_TIME
    place = _place(phrase, episode.content, quote)
    there = [when for when in find_times(episode.content, episode) if _meet(when.span, place)] if place else []
    found = there or find_times(phrase, episode)
    return timing_of(found[0] if found else None)


def _place(phrase: str, content: str, quote: tuple[int, int]) -> tuple[int, int] | None:
    start, end = quote
    within = find_quote(content[start:end], phrase)
    return (start + within[0], start + within[1]) if within else find_quote(content, phrase)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def timing_of(when: When | None) -> Timing:
    """Return a fact's time for a date: `until` sets the end only, `before` gives no start."""
    if when is None:
        return NO_TIME
    if when.sense == "until":
        return Timing(None, when.start, when)
    end = when.end if when.sense == "during" else None
    return Timing(None if when.sense == "before" else when.start, end, when)


def format_time(when: When, episode: Episode) -> str:
    """Return a date as appended to a fact's text, in the episode's zone and with the precision stated.

    `2023-05-07`, `2023-05-07 18:30`, `week of 2023-05-01`, `May 2023`, `from 2023-06-01`, `2023`, `about 2021`,
    `2025-12-28 to 2026-01-03`, `March 2018 to June 2018`, `2015 to 2018`.
    """
    start = when.start.astimezone(_zone(episode))
    shape = {"year": "%Y", "month": "%B %Y", "minute": "%Y-%m-%d %H:%M", "week": "week of %Y-%m-%d"}
    if when.sense == "during":
        last = when.end.astimezone(_zone(episode)) - timedelta(minutes=1)
        form = {"year": "%Y", "season": "%B %Y", "month": "%B %Y", "minute": "%Y-%m-%d %H:%M"}.get(
            when.precision, "%Y-%m-%d"
        )
        return f"{start.strftime(form)} to {last.strftime(form)}"
    sense = "" if when.sense == "at" else f"{when.sense} "
    if when.precision == "season" and when.sense == "at":
        sense = "from "
    if when.approximate and when.sense == "at":
        sense = "about "
    return f"{sense}{start.strftime(shape.get(when.precision, '%Y-%m-%d'))}"


def _zone(episode: Episode) -> ZoneInfo:
    return ZoneInfo(episode.zone or "UTC")


def local_time(episode: Episode) -> str:
    """Return when an episode was written, in its zone, such as `2023-05-08 13:56 Monday`; empty when unknown."""
    if episode.occurred_at is None:
        return ""
    return f"{episode.occurred_at.astimezone(_zone(episode)):%Y-%m-%d %H:%M %A}"
