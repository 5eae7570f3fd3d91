"""When a fact holds, from the words that say so and the time at which they were written."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from mnemo.ingestion import temporal
from mnemo.ingestion.temporal import When
from mnemo.models.graph import Episode

__all__ = ["NO_TIME", "Timing", "in_brackets", "timing", "whens"]


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of a fact."""

    start: datetime | None
    """Aware, UTC; None is unknown."""
    when: When | None


NO_TIME = Timing(None, None)


def whens(text: str, episode: Episode) -> list[When]:
    """Return the dates named in a text of an episode, in order; none when its own time is unknown.

    Spans are offsets in `text`. Never resolved against the present.
    """
    if episode.occurred_at is None:
        return []
    return temporal.resolve(text, episode.occurred_at, _zone(episode))


def timing(phrase: str | None, episode: Episode) -> Timing:
    """Resolve a when-phrase: the first date in it, or none."""
    found = whens(phrase, episode) if phrase else []
    return Timing(found[0].start, found[0]) if found else NO_TIME


def in_brackets(when: When, episode: Episode) -> str:
    """Return a date as it is shown behind a fact, in the episode's zone, as exact as it was said.

    `2023-05-07`, `2023-05-07 18:30`, `week of 2023-05-01`, `May 2023`, `from 2023-06-01`, `2023`.
    """
    start = when.start.astimezone(_zone(episode))
    if when.precision == "year":
        return f"{start:%Y}"
    if when.precision == "month":
        return f"{start:%B %Y}"
    if when.precision == "minute":
        return f"{start:%Y-%m-%d %H:%M}"
    head = {"week": "week of ", "season": "from "}.get(when.precision, "")
    return f"{head}{start:%Y-%m-%d}"


def _zone(episode: Episode) -> ZoneInfo:
    return ZoneInfo(episode.zone or "UTC")
