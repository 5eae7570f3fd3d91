"""The base graph: messages as they come, and episodes, entities and edges as they are kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

__all__ = ["Edge", "Entity", "Episode", "Message", "Precision", "Role", "Status"]

Role: TypeAlias = Literal["user", "assistant", "system", "tool", "document"]
Status: TypeAlias = Literal["pending", "done", "failed"]
Precision: TypeAlias = Literal["minute", "day", "week", "month", "season", "year", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message, or one document, as a caller hands it in."""

    content: str
    role: Role = "user"
    speaker: str | None = None
    """The name of who wrote it; None is nobody in particular (a document, say)."""
    session: str = ""
    """Which conversation or file it belongs to, unique within the group."""
    occurred_at: datetime | None = None
    """When it was written. Aware, or naive and then in `zone`. None is unknown, never now."""
    zone: str | None = None
    """IANA zone of the writer; None takes the one of `occurred_at` or the setting's."""
    source: str | None = None
    """Where it came from, to show beside it: a file name, a URL."""
    source_id: str | None = None
    """Its id where it came from; with the group it is the idempotency key. None derives one from
    session, speaker, time, content and how many alike came before it in the same session."""
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
    """An instant, aware, in UTC; None is unknown."""
    zone: str | None
    source: str | None
    source_id: str
    content_hash: str
    recorded_at: datetime
    status: Status = "pending"
    reason: str | None = None
    """Why it failed; None unless `status` is failed."""
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
    """At most 5, each of at most 3 words."""
    aliases: tuple[str, ...] = ()
    speaker: bool = False
    """Whether it wrote messages in this group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A fact between two entities, or about one."""

    uuid: str
    group: str
    fact: str
    """A sentence that stands alone."""
    relation: str
    """Snake case, such as works_at."""
    subject: str
    """Uuid of the entity it is about."""
    object: str | None
    """Uuid of the other entity, if there is one."""
    valid_from: datetime | None
    """When it began to hold in the world, aware, UTC; None is unknown."""
    valid_to: datetime | None
    """When it ceased to hold; None is still holding."""
    recorded_at: datetime
    retired_at: datetime | None = None
    """When mnemo was told that it never held; None is never."""
    when: str | None = None
    """The words that said when, such as last Saturday."""
    precision: Precision = "unknown"
    zone: str | None = None
    """IANA zone of the episode that stated it first: its days are days there; None is unknown."""
