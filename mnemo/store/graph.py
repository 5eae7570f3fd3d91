"""Reads the base graph of one group: pages, single nodes, counts, sources."""

import base64
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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
    "find",
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
"""Most items on a page."""

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
    """In the spelling used most often."""
    key: str
    """`speaker_key` of the episodes."""
    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """One conversation or file."""

    session: str
    episodes: int
    began: datetime | None
    """Earliest known time, aware, in its zone; None if no time is known."""
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
        ArgumentError: The cursor is not one of this list, or the limit is out of bounds.
        StoreError: See its kinds.
    """
    after = _read_cursor(cursor, _EPISODES)
    params = {"status": status, "session": session, "after": -1 if after is None else int(after)}
    row = await _page(db, "graph/episodes", group, limit, params)
    return _to_page(row, limit, records.episode, lambda item: _cursor(_EPISODES, b"%d" % item["sequence"]))


async def list_entities(db: Database, group: str, *, cursor: str | None = None, limit: int = 100) -> Page[Entity]:
    """Return one page of entities by normalised name; arguments and errors as for `list_episodes`."""
    after = _read_cursor(cursor, _ENTITIES) or b""
    row = await _page(db, "graph/entities", group, limit, {"after": after.decode()})
    return _to_page(row, limit, records.entity, lambda item: _cursor(_ENTITIES, item["name_key"].encode()))


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
        ArgumentError: The cursor is not one of this list, or the limit is out of bounds.
        StoreError: See its kinds.
    """
    recorded_at, after = _read_edge_cursor(cursor)
    params = {
        "entity": entity,
        "since": between[0],
        "until": between[1],
        "known": DISTANT_FUTURE,
        "after": recorded_at,
        "uuid": after,
    }
    row = await _page(db, "graph/edges", group, limit, params)
    return _to_page(row, limit, records.edge, _edge_cursor)


async def find(db: Database, group: str, prefix: str, *, limit: int) -> list[str]:
    """Return up to `limit` uuids of episodes, entities and facts that begin with `prefix`, ascending."""
    return [row["uuid"] for row in await db.run("graph/find", group=group, prefix=prefix, limit=limit)]


async def episodes(db: Database, group: str, uuids: Sequence[str]) -> list[Episode]:
    """Return the episodes that exist, in the order of `uuids`."""
    return [records.episode(row["item"]) for row in await db.run("graph/get_episodes", group=group, uuids=list(uuids))]


async def entities(db: Database, group: str, uuids: Sequence[str]) -> list[Entity]:
    """Return the entities that exist, in the order of `uuids`."""
    return [records.entity(row["item"]) for row in await db.run("graph/get_entities", group=group, uuids=list(uuids))]


async def edges(db: Database, group: str, uuids: Sequence[str]) -> list[Edge]:
    """Return the facts that exist, retired ones too, in the order of `uuids`."""
    return [records.edge(row["item"]) for row in await db.run("graph/get_edges", group=group, uuids=list(uuids))]


async def sources(db: Database, group: str, uuids: Sequence[str]) -> list[Quote]:
    """Return the quotes that state some facts, by fact, oldest episode first."""
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
    """Return the kinds of inconsistent nodes, such as facts that no episode states, with counts; empty if none."""
    return {row["kind"]: row["number"] for row in await db.run("graph/residue", group=group)}


async def _page(db: Database, name: str, group: str, limit: int, params: dict[str, Any]) -> Row:
    if not 1 <= limit <= MAX_PAGE:
        message = f"limit must be between 1 and {MAX_PAGE}, got {limit}"
        raise ArgumentError(message)
    return (await db.run(name, group=group, limit=limit + 1, **params))[0]


def _to_page(row: Row, limit: int, read: Callable[[Row], T], cursor: Callable[[Row], str]) -> Page[T]:
    items = row["items"][:limit]
    more = len(row["items"]) > limit
    return Page(
        items=tuple(read(item) for item in items), total=row["total"], cursor=cursor(items[-1]) if more else None
    )


_EPISODES, _ENTITIES, _EDGES = b"\xf1", b"\xf2", b"\xf3"
"""First bytes of the cursors of the three lists."""
_MICROS = struct.Struct(">q")
"""Microseconds since 1970."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BAD_CURSOR = "cursor must be one that this list returned; start without a cursor"


def _cursor(kind: bytes, key: bytes) -> str:
    """Encode the position of a page's last item; `kind` distinguishes the lists."""
    return base64.urlsafe_b64encode(kind + key).decode().rstrip("=")


def _read_cursor(cursor: str | None, kind: bytes) -> bytes | None:
    """Return the key in a cursor of this kind of list; None for the first page."""
    if cursor is None:
        return None
    try:
        key = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise ArgumentError(_BAD_CURSOR) from error
    if key[:1] != kind or not _READABLE[kind](key[1:]):
        raise ArgumentError(_BAD_CURSOR)
    return key[1:]


def _edge_cursor(item: Row) -> str:
    micros = (item["recorded_at"] - _EPOCH) // timedelta(microseconds=1)
    return _cursor(_EDGES, _MICROS.pack(micros) + item["uuid"].encode())


def _read_edge_cursor(cursor: str | None) -> tuple[datetime, str]:
    key = _read_cursor(cursor, _EDGES)
    if key is None:
        return DISTANT_PAST, ""
    (micros,) = _MICROS.unpack_from(key)
    return _EPOCH + timedelta(microseconds=micros), key[_MICROS.size :].decode()


def _is_utf8(key: bytes) -> bool:
    try:
        return bool(key.decode())
    except UnicodeDecodeError:
        return False


_READABLE: dict[bytes, Callable[[bytes], bool]] = {
    _EPISODES: lambda key: key.isdigit() and len(key) < 19,  # noqa: PLR2004  # digits of a 64-bit integer
    _ENTITIES: _is_utf8,
    _EDGES: lambda key: len(key) > _MICROS.size and _is_utf8(key[_MICROS.size :]),
}
