"""Searches the memtree for nodes near a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.models.embedding_text import session_key, speaker_key
from mnemo.models.graph import Episode
from mnemo.models.hierarchy import Category, Hierarchy
from mnemo.models.tree import Vector
from mnemo.store import records
from mnemo.store.driver import Database, Row
from mnemo.store.search import KNOWN, Filters

__all__ = ["MemtreeHit", "best_children", "nearest", "sources"]

_ANY = ["", "\U0010ffff"]
_SCAN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class MemtreeHit:
    """A node of the memtree and its similarity."""

    node: Category | Episode
    cosine: float
    above: frozenset[str]
    """Uuids of all categories above the node."""


async def nearest(db: Database, root: Hierarchy, vector: Vector, filters: Filters, limit: int) -> list[MemtreeHit]:
    """Return up to `limit` categories and `limit` episodes that pass the filters, nearest first, ties by uuid."""
    rows = await db.run(
        "memtree/nearest",
        hierarchy=root.uuid,
        group=root.group,
        vector=vector,
        limit=limit,
        **_filters(filters),
    )
    return [_hit(root.group, row) for row in rows]


async def best_children(
    db: Database, root: Hierarchy, parents: Sequence[str], vector: Vector, filters: Filters, limit: int
) -> list[MemtreeHit]:
    """Return the `limit` nearest children of some nodes that pass the filters, nearest first, ties by uuid."""
    rows = await db.run(
        "memtree/best_children",
        group=root.group,
        parents=list(parents),
        vector=vector,
        limit=limit,
        **_filters(filters),
    )
    return [_hit(root.group, row) for row in rows]


async def sources(
    db: Database, group: str, categories: Sequence[str], vector: Vector, limit: int
) -> dict[str, list[Episode]]:
    """Return up to `limit` episodes under each category, nearest first; at most 60 per category are compared."""
    rows = await db.run("memtree/sources", group=group, uuids=list(categories), vector=vector, scan=_SCAN, limit=limit)
    found: dict[str, list[Episode]] = {}
    for row in rows:
        found.setdefault(row["uuid"], []).append(records.episode(row["properties"]))
    return found


def _filters(filters: Filters) -> dict[str, Any]:
    return {
        "visible_until": filters.visible_until or DISTANT_FUTURE,
        "since": filters.since or (DISTANT_PAST if filters.until is None else KNOWN),
        "until": filters.until or DISTANT_FUTURE,
        "sessions": _ANY if filters.session is None else [session_key(filters.session)] * 2,
        "speakers": _ANY if filters.speaker is None else [speaker_key(filters.speaker)] * 2,
    }


def _hit(group: str, row: Row) -> MemtreeHit:
    values = row["properties"]
    node: Category | Episode
    if row["category"]:
        node = Category(
            uuid=values["uuid"],
            group=group,
            name=values.get("name") or "",
            content=values.get("content") or "",
            tags=tuple(values.get("tags") or ()),
            layer=values.get("layer") or 0,
            leaves=values.get("leaves") or 0,
        )
    else:
        node = records.episode(values)
    return MemtreeHit(node=node, cosine=row["cosine"], above=frozenset(row["above"]))
