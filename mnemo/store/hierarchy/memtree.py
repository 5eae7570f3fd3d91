"""The memtree in the database: routes, pending episodes, and writes that apply only to the revision that was read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemo.models.embedding_text import episode_text
from mnemo.models.hierarchy import DescentStep, Hierarchy, Member
from mnemo.store.driver import Call, Database, Row
from mnemo.store.hierarchy.members import STORED_KINDS, to_hierarchy, to_member

__all__ = [
    "ROUTE_PROCEDURE",
    "MemtreeWrite",
    "PendingEpisode",
    "RouteLevel",
    "chains",
    "children",
    "open_root",
    "pending",
    "route",
    "step",
    "write_call",
]

ROUTE_PROCEDURE = "mnemo.memtree.route"

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEpisode:
    """An episode that is not in the memtree yet."""

    uuid: str
    text: str
    """The text it is embedded by."""
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteLevel:
    """One node of a route and its nearest child."""

    revision: int | None
    """Revision of the root; None at a category."""
    candidates: int
    """Number of children compared."""
    next_position: int
    """Position after the last child."""
    nearest: DescentStep | None
    """The nearest child, with its own `candidates` not filled in; None if the node has no children."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemtreeWrite:
    """A change of the memtree, as rows for `memtree/write.cypher`."""

    categories: Sequence[Mapping[str, Any]] = ()
    nested: Sequence[Mapping[str, Any]] = ()
    leaves: Sequence[Mapping[str, Any]] = ()
    gone: Sequence[str] = ()
    detached: Sequence[str] = ()
    lifted: Sequence[Mapping[str, Any]] = ()
    calls: int = 0
    inserts: int = 0
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    """New embeddings by category uuid."""


async def open_root(db: Database, group: str, uuid: str, now: datetime) -> Hierarchy:
    """Return the root of a group's memtree; create it with that uuid if there is none.

    Raises:
        ConflictError: Another process created one at the same moment; call again.
        StoreError: See its kinds.
    """
    rows = await db.run("memtree/open", group=group, kind=STORED_KINDS["memtree"], uuid=uuid, created_at=now)
    return to_hierarchy(rows[0]["root"])


async def pending(db: Database, group: str, *, skipped: Sequence[str], limit: int) -> list[PendingEpisode]:
    """Return processed episodes that are not in the memtree yet, in the order of their arrival."""
    rows = await db.run("memtree/pending", group=group, skipped=list(skipped), limit=limit)
    return [
        PendingEpisode(
            uuid=row["uuid"],
            text=episode_text(row["content"] or "", row["speaker"]),
            vector=np.asarray(row["vector"], np.float32),
        )
        for row in rows
    ]


async def children(db: Database, group: str, parents: Sequence[str]) -> list[Member]:
    """Return the children of nodes, with vectors; by parent and position, ties by uuid."""
    rows = await db.run("memtree/children", group=group, parents=list(parents))
    return [to_member(group, row) for row in rows]


async def chains(db: Database, hierarchy: Hierarchy, uuids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the categories above each leaf, nearest to the root first; leaves not in the memtree are left out."""
    rows = await db.run("memtree/chains", group=hierarchy.group, hierarchy=hierarchy.uuid, uuids=list(uuids))
    return {row["uuid"]: tuple(row["categories"]) for row in rows}


async def route(
    db: Database, group: str, vector: Vector, thresholds: Sequence[float], tie: float
) -> tuple[tuple[DescentStep, ...], int] | None:
    """Return the route of a vector from the root down, and the root's revision at its start, in one round trip.

    Args:
        db: A database with the plugin.
        group: Group to read.
        vector: Unit length.
        thresholds: Minimum cosine to descend from depth 0, 1, …; nothing descends past the end.
        tie: Cosines within `tie` of the highest count as equal; the first by position wins.

    Returns:
        The steps, root first; None if there is no memtree.
    """
    rows = await db.run("memtree/route", group=group, vector=vector, thresholds=list(thresholds), tie=tie)
    return (tuple(_step(row) for row in rows), int(rows[0]["revision"])) if rows else None


async def step(db: Database, group: str, above: DescentStep, vector: Vector, tie: float) -> RouteLevel | None:
    """Return one level of a route, by a plain statement; None if the node no longer exists.

    Args:
        db: Database to read.
        group: Group to read.
        above: The root or a category.
        vector: Unit length.
        tie: See `route`.
    """
    rows = await db.run("memtree/step", group=group, parent=above.uuid, vector=vector, tie=tie)
    if not rows:
        return None
    row = rows[0]
    nearest = None
    if row["uuid"] is not None:
        nearest = _step({**row, "depth": above.depth + 1, "candidates": 0, "next_position": 0})
    return RouteLevel(
        revision=row["revision"], candidates=row["candidates"], next_position=row["next_position"], nearest=nearest
    )


def write_call(hierarchy: Hierarchy, revision: int, model: str, change: MemtreeWrite) -> Call:
    """Return the call that applies a change; it returns no row if the memtree is no longer at `revision`."""
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
