"""Hierarchies in the database: roots, members, routes, and changes that hold only if nobody was first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mnemo.clock import DISTANT_PAST
from mnemo.models.embedding_text import episode_text
from mnemo.models.hierarchy import Category, DescentStep, Hierarchy, HierarchyKind, Leaf, Member
from mnemo.store.driver import Call, Database, Row

__all__ = [
    "ROUTE_PROCEDURE",
    "Level",
    "Member",
    "Pending",
    "TreeWrite",
    "chains",
    "children",
    "find_root",
    "members",
    "open_root",
    "pending",
    "route",
    "step",
    "write_call",
]

ROUTE_PROCEDURE = "mnemo.memtree.route"

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """An episode that the tree has not taken in yet."""

    uuid: str
    text: str
    """What it is embedded by."""
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What one node of a route brings."""

    revision: int | None
    """Of the root; None at a category."""
    candidates: int
    """Children compared."""
    next_position: int
    """Behind all children."""
    nearest: DescentStep | None
    """The nearest child, its own children not counted; None without children."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeWrite:
    """A change of a tree over episodes: rows as `memtree/write.cypher` takes them."""

    categories: Sequence[Mapping[str, Any]] = ()
    nested: Sequence[Mapping[str, Any]] = ()
    leaves: Sequence[Mapping[str, Any]] = ()
    gone: Sequence[str] = ()
    detached: Sequence[str] = ()
    lifted: Sequence[Mapping[str, Any]] = ()
    calls: int = 0
    inserts: int = 0
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    """By uuid of a category, those that are new."""


async def find_root(db: Database, group: str, kind: HierarchyKind) -> Hierarchy | None:
    """Return the current hierarchy of a kind; None where there is none."""
    rows = await db.run("memtree/find", group=group, kind=kind)
    return _hierarchy(rows[0]["root"]) if rows else None


async def open_root(db: Database, group: str, uuid: str, now: datetime) -> Hierarchy:
    """Return the root of the tree over episodes; makes it, with that uuid, where there is none.

    Raises:
        ConflictError: Someone else made one at the same moment; call it again.
        StoreError: See its kinds.
    """
    rows = await db.run("memtree/open", group=group, kind="episodes", uuid=uuid, created_at=now)
    return _hierarchy(rows[0]["root"])


async def pending(db: Database, group: str, *, skipped: Sequence[str], limit: int) -> list[Pending]:
    """Return processed episodes that the tree lacks, in the order of their arrival."""
    rows = await db.run("memtree/pending", group=group, skipped=list(skipped), limit=limit)
    return [
        Pending(
            uuid=row["uuid"],
            text=episode_text(row["content"] or "", row["speaker"]),
            vector=np.asarray(row["vector"], np.float32),
        )
        for row in rows
    ]


async def children(db: Database, group: str, parents: Sequence[str]) -> list[Member]:
    """Return what some nodes hold, with vectors; by parent and position, ties by uuid."""
    rows = await db.run("memtree/children", group=group, parents=list(parents))
    return [_member(group, row) for row in rows]


async def members(db: Database, hierarchy: Hierarchy, limit: int) -> list[Member]:
    """Return up to `limit` nodes of a hierarchy, one for each of their parents, without vectors, in no order."""
    rows = await db.run("memtree/nodes", group=hierarchy.group, hierarchy=hierarchy.uuid, limit=limit)
    return [_member(hierarchy.group, row) for row in rows]


async def chains(db: Database, hierarchy: Hierarchy, uuids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the categories above each leaf, nearest the root first; leaves that are not in the tree are left out."""
    rows = await db.run("memtree/chains", group=hierarchy.group, hierarchy=hierarchy.uuid, uuids=list(uuids))
    return {row["uuid"]: tuple(row["categories"]) for row in rows}


async def route(
    db: Database, group: str, vector: Vector, thresholds: Sequence[float], tie: float
) -> tuple[tuple[DescentStep, ...], int] | None:
    """Return the way of a vector from the root down, and the root's revision before it began, in one round trip.

    Args:
        db: With the plugin.
        group: Whose memory.
        vector: Of unit length.
        thresholds: Least cosine to go down from depth 0, 1, …; past the end nothing goes down.
        tie: Cosines that near to the highest are a tie: the first in position wins.

    Returns:
        The root first; None where there is no tree.
    """
    rows = await db.run("memtree/route", group=group, vector=vector, thresholds=list(thresholds), tie=tie)
    return (tuple(_step(row) for row in rows), int(rows[0]["revision"])) if rows else None


async def step(db: Database, group: str, above: DescentStep, vector: Vector, tie: float) -> Level | None:
    """Return one level of a route by a plain statement; None if the node is no more.

    Args:
        db: Where.
        group: Whose memory.
        above: The root or a category.
        vector: Of unit length.
        tie: As for `route`.
    """
    rows = await db.run("memtree/step", group=group, parent=above.uuid, vector=vector, tie=tie)
    if not rows:
        return None
    row = rows[0]
    nearest = None
    if row["uuid"] is not None:
        nearest = _step({**row, "depth": above.depth + 1, "candidates": 0, "next_position": 0})
    return Level(
        revision=row["revision"], candidates=row["candidates"], next_position=row["next_position"], nearest=nearest
    )


def write_call(hierarchy: Hierarchy, revision: int, model: str, change: TreeWrite) -> Call:
    """Return the call that makes a change; it gives no row when somebody else was first."""
    categories = [{**row, "vector": change.vectors.get(row["uuid"])} for row in change.categories]
    return "memtree/write", {
        "group": hierarchy.group,
        "hierarchy": hierarchy.uuid,
        "revision": revision,
        "model": model,
        "categories": categories,
        "nested": list(change.nested),
        "leaves": list(change.leaves),
        "gone": list(change.gone),
        "detached": list(change.detached),
        "lifted": list(change.lifted),
        "calls": change.calls,
        "inserts": change.inserts,
    }


def _hierarchy(row: Row) -> Hierarchy:
    return Hierarchy(
        uuid=row["uuid"],
        group=row["group"],
        kind=cast("HierarchyKind", row["kind"]),
        generation=row["generation"],
        revision=row.get("revision") or 0,
        created_at=row.get("created_at") or DISTANT_PAST,
        calls=row.get("calls") or 0,
        inserts=row.get("inserts") or 0,
    )


def _member(group: str, row: Row) -> Member:
    position = row["position"] or 0
    node: Category | Leaf
    if row["label"] == "Category":
        node = Category(
            uuid=row["uuid"],
            group=group,
            name=row["name"] or "",
            content=row["content"],
            tags=tuple(row["tags"]),
            layer=row["layer"],
            leaves=row["leaves"],
            position=position,
        )
    else:
        text = row["name"] if row["label"] == "Entity" else row["content"]
        node = Leaf(uuid=row["uuid"], text=text or "", position=position)
    return Member(
        parent=row["parent"],
        node=node,
        position=position,
        speaker=row["speaker"],
        vector=tuple(row.get("vector") or ()),
    )


def _step(row: Row) -> DescentStep:
    return DescentStep(
        uuid=row["uuid"],
        kind=row["kind"],
        depth=row["depth"],
        candidates=row["candidates"],
        next_position=row["next_position"],
        position=row["position"] or 0,
        cosine=row["cosine"],
        leaves=row["leaves"],
        text=_text(row),
    )


def _text(row: Row) -> str:
    if row["kind"] == "root":
        return ""
    return episode_text(row["content"] or "", row["speaker"]) if row["kind"] == "leaf" else row["content"] or ""
