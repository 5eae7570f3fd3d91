"""The base graph: messages as given, and episodes, entities and edges as stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["Edge", "Entity", "Episode", "EpisodeStatus", "Message", "Phase", "Precision", "Recurrence", "Role"]

Role: TypeAlias = Literal["user", "assistant", "system", "tool", "document"]
EpisodeStatus: TypeAlias = Literal["pending", "done", "failed"]
Precision: TypeAlias = Literal["minute", "day", "week", "month", "season", "year", "unknown"]
Phase: TypeAlias = Literal["current", "upcoming", "ended", "event"]
Recurrence: TypeAlias = Literal["yearly"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message or document to remember."""

    content: str
    role: Role = "user"
    speaker: str | None = None
    """Name of the author; None if there is none, as for a document."""
    session: str = ""
    """Conversation or file that it belongs to, unique within the group."""
    occurred_at: datetime | None = None
    """When it was written: aware, or naive and then in `zone`. None is unknown, never now."""
    zone: str | None = None
    """IANA zone of the author; None is that of `occurred_at`, else that of the settings."""
    source: str | None = None
    """Where it came from, to show with it: a file name, a URL."""
    source_id: str | None = None
    """Its id at the source: with the group, the idempotency key. None derives one from session, speaker, time,
    content, and the number of equal messages before it in the same call."""
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One stored message, or one chunk of a long one."""

    uuid: str
    group: str
    content: str
    role: Role
    speaker: str | None
    session: str
    position: int
    """Order within the session, from 0, without gaps between chunks."""
    occurred_at: datetime | None
    """When it was written, aware, UTC; None is unknown."""
    zone: str | None
    source: str | None
    source_id: str
    content_hash: str
    recorded_at: datetime
    status: EpisodeStatus = "pending"
    reason: str | None = None
    """Why it failed, or why the local extractor read it in place of the LLM; else None."""
    attempts: int = 0
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, place, thing or topic."""

    uuid: str
    group: str
    name: str
    summary: str = ""
    tags: tuple[str, ...] = ()
    """At most 5, of at most 3 words each."""
    aliases: tuple[str, ...] = ()
    speaker: bool = False
    """Whether it wrote messages in this group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A fact: about one entity, or between two."""

    uuid: str
    group: str
    fact: str
    """A sentence that can be understood on its own."""
    relation: str
    """In snake case, such as `works_at`."""
    subject: str
    """Uuid of the entity it is about."""
    object: str | None
    """Uuid of the other entity, if there is one."""
    valid_from: datetime | None
    """When it began to hold in the world, or when an event happens; aware, UTC; None is unknown."""
    valid_to: datetime | None
    """When it ceased to hold; None means that it still holds. An event that is over still holds: it happened."""
    recorded_at: datetime
    retired_at: datetime | None = None
    """When mnemo learnt that it never held; None means never."""
    when: str | None = None
    """The words that give its time, such as "last Saturday"."""
    precision: Precision = "unknown"
    zone: str | None = None
    """IANA zone of the episode that stated it first, in which its days are counted; None is unknown."""
    certain: bool = True
    """False if the words left open whether it holds, such as "I may move to Ghent"."""
    event: bool = False
    """Whether it is a one-off, such as a trip or an exam, and not a state that lasts."""
    event_end: datetime | None = None
    """When an event of several days ends, aware, UTC; None is unknown, or a single day."""
    recurs: Recurrence | None = None
    """`yearly` for birthdays and anniversaries: `valid_from` is one occurrence, the year of which may be any."""

    def phase(self, now: datetime) -> Phase:
        """Return whether the fact is current, to come or ended at a moment.

        `ended` if it ceased to hold; `current` if it recurs; `upcoming` if it begins later; `event` for a one-off that
        has begun; else `current`, also if it is unknown when it began.

        Args:
            now: Aware.
        """
        if self.valid_to is not None and self.valid_to <= now:
            return "ended"
        if self.recurs is not None:
            return "current"
        if self.valid_from is not None and self.valid_from > now:
            return "upcoming"
        return "event" if self.event else "current"

    def next_occurrence(self, now: datetime) -> date | None:
        """Return the first day from now on, in its own zone, on which a yearly fact recurs.

        29 February falls on 28 February in years without one.

        Args:
            now: Aware.

        Returns:
            None if the fact does not recur, or it is unknown on which day.
        """
        if self.recurs is None or self.valid_from is None:
            return None
        zone = _zone(self.zone)
        first, today = self.valid_from.astimezone(zone).date(), now.astimezone(zone).date()
        this_year = _in_year(first, today.year)
        return this_year if this_year >= today else _in_year(first, today.year + 1)


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February
        return date(year, 2, 28)


@lru_cache(maxsize=256)
def _zone(name: str | None) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
