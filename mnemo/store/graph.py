"""The base graph of one group: pages, single nodes, counts, sources."""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.errors import ArgumentError
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus
from mnemo.models.results import GroupInfo, Page
from mnemo.store import records
from mnemo.store.driver import Database, Row

__all__ = [
    "MAX_PAGE",
    "NodeCounts",
    "Quote",
    "SessionInfo",
    "SpeakerInfo",
    "counts",
    "edges",
    "entities",
    "episodes",
    "groups",
    "list_edges",
    "list_entities",
    "list_episodes",
    "residue",
    "sessions",
    "sources",
    "speakers",
]

MAX_PAGE = 1_000
"""Most items of a page."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCounts:
    """How many nodes of each kind a group has."""

    episodes: int
    entities: int
    edges: int
    categories: int
    trees: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The words in which an episode states a fact."""

    edge: str
    """Uuid of the fact."""
    episode: str
    """Uuid of the episode."""
    quote: str
    start: int
    """Characters before the words in the episode's content."""
    end: int
    """Characters up to their end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerInfo:
    """Someone who wrote messages."""

    speaker: str
    """As most often written."""
    key: str
    """`speaker_key` of the episodes."""
    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """One conversation or file."""

    session: str
    episodes: int
    began: datetime | None
    """Earliest known time, aware, in its zone; None where no time is known."""
    ended: datetime | None


async def list_episodes(
    db: Database,
    group: str,
    *,
    status: EpisodeStatus | None = None,
    session: str | None = None,
    cursor: str | None = None,
    limit: int = 100,
) -> Page[Episode]:
    """Return one page of episodes in the order of their arrival.

    Args:
        db: Where.
        group: Whose memory.
        status: Only those.
        session: Only those of this session.
        cursor: From the page before; None is the first page.
        limit: Most items, 1 to `MAX_PAGE`.

    Raises:
        ArgumentError: The cursor is not one of this list, or the limit does not fit.
        StoreError: See its kinds.
    """
    after = _after(cursor, [int]) or [-1]
    params = {"status": status, "session": session, "after": after[0]}
    row = await _page(db, "graph/episodes", group, limit, params)
    return _to_page(row, limit, records.episode, lambda item: [item["sequence"]])


async def list_entities(db: Database, group: str, *, cursor: str | None = None, limit: int = 100) -> Page[Entity]:
    """Return one page of entities by normalised name; arguments and errors as for `list_episodes`."""
    after = _after(cursor, [str]) or [""]
    row = await _page(db, "graph/entities", group, limit, {"after": after[0]})
    return _to_page(row, limit, records.entity, lambda item: [item["name_key"]])


async def list_edges(
    db: Database,
    group: str,
    *,
    between: tuple[datetime, datetime] = (DISTANT_PAST, DISTANT_FUTURE),
    entity: str | None = None,
    cursor: str | None = None,
    limit: int = 100,
) -> Page[Edge]:
    """Return one page of facts in the order in which they were learnt; never retired ones.

    Args:
        db: Where.
        group: Whose memory.
        between: They held at some time from the first to the second moment; twice the same moment is
            what held then, the default is all history.
        entity: Uuid of their subject or object.
        cursor: From the page before; None is the first page.
        limit: Most items, 1 to `MAX_PAGE`.

    Raises:
        ArgumentError: The cursor is not one of this list, or the limit does not fit.
        StoreError: See its kinds.
    """
    after = _after(cursor, [str, str])
    params = {
        "entity": entity,
        "since": between[0],
        "until": between[1],
        "known": DISTANT_FUTURE,
        "after": datetime.fromisoformat(after[0]) if after else DISTANT_PAST,
        "uuid": after[1] if after else "",
    }
    row = await _page(db, "graph/edges", group, limit, params)
    return _to_page(row, limit, records.edge, lambda item: [item["recorded_at"].isoformat(), item["uuid"]])


async def episodes(db: Database, group: str, uuids: Sequence[str]) -> list[Episode]:
    """Return those of the episodes that are there, in the order of `uuids`."""
    return [records.episode(row["item"]) for row in await db.run("graph/get_episodes", group=group, uuids=list(uuids))]


async def entities(db: Database, group: str, uuids: Sequence[str]) -> list[Entity]:
    """Return those of the entities that are there, in the order of `uuids`."""
    return [records.entity(row["item"]) for row in await db.run("graph/get_entities", group=group, uuids=list(uuids))]


async def edges(db: Database, group: str, uuids: Sequence[str]) -> list[Edge]:
    """Return those of the facts that are there, retired or not, in the order of `uuids`."""
    return [records.edge(row["item"]) for row in await db.run("graph/get_edges", group=group, uuids=list(uuids))]


async def sources(db: Database, group: str, uuids: Sequence[str]) -> list[Quote]:
    """Return who states some facts in which words, by fact, oldest episode first."""
    return [Quote(**row) for row in await db.run("graph/sources", group=group, uuids=list(uuids))]


async def counts(db: Database, group: str) -> NodeCounts:
    """Return how many nodes of each kind a group has."""
    return NodeCounts(**(await db.run("graph/counts", group=group))[0])


async def groups(db: Database) -> list[GroupInfo]:
    """Return all groups that have episodes, by name; for the owner of the database."""
    return [GroupInfo(**row) for row in await db.run("graph/groups")]


async def speakers(db: Database, group: str) -> list[SpeakerInfo]:
    """Return who wrote messages, most messages first, ties by name."""
    return [SpeakerInfo(**row) for row in await db.run("graph/speakers", group=group)]


async def sessions(db: Database, group: str) -> list[SessionInfo]:
    """Return the sessions in the order of their first episode."""
    return [SessionInfo(**row) for row in await db.run("graph/sessions", group=group)]


async def residue(db: Database, group: str) -> dict[str, int]:
    """Return what hangs in the air, such as facts that no episode states, and how many; empty is well."""
    return {row["kind"]: row["number"] for row in await db.run("graph/residue", group=group)}


async def _page(db: Database, name: str, group: str, limit: int, params: dict[str, Any]) -> Row:
    if not 1 <= limit <= MAX_PAGE:
        message = f"wanted a limit from 1 to {MAX_PAGE}, got {limit}"
        raise ArgumentError(message)
    return (await db.run(name, group=group, limit=limit + 1, **params))[0]


def _to_page(row: Row, limit: int, read: Callable[[Row], T], key: Callable[[Row], list[Any]]) -> Page[T]:
    items = row["items"][:limit]
    more = len(row["items"]) > limit
    return Page(
        items=tuple(read(item) for item in items), total=row["total"], cursor=_cursor(key(items[-1])) if more else None
    )


def _cursor(key: list[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def _after(cursor: str | None, kinds: Sequence[type]) -> list[Any] | None:
    """Return the key that a cursor holds, of these kinds."""
    if cursor is None:
        return None
    try:
        key = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        key = None
    if not isinstance(key, list) or [type(part) for part in key] != list(kinds):
        message = "wanted a cursor that this list returned, got something else; start without one"
        raise ArgumentError(message)
    return key
