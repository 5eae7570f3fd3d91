"""The hierarchy over entities in the database: built beside the current one, swapped in whole, added to online."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import ConflictError
from mnemo.store.driver import Database, Row

__all__ = [
    "About",
    "Building",
    "Due",
    "EntityRow",
    "Generation",
    "Top",
    "abouts",
    "begin",
    "clear",
    "due",
    "entities",
    "graft",
    "holds",
    "keep_draft",
    "place",
    "refresh",
    "release",
    "rename",
    "swap",
    "tops",
    "under",
    "unplaced",
    "write",
]

Vector = NDArray[np.float32]

PATIENCE_S = 300
"""Seconds without a sign of life after which a build may be taken over."""
_PAGE = 2_000
_ROWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EntityRow:
    """An entity as a build reads it."""

    uuid: str
    name: str
    tags: tuple[str, ...]
    speaker: bool
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """A generation that is being built."""

    uuid: str
    group: str
    generation: int
    owner: str
    drafts: Mapping[str, str]
    """Replies that were paid for already, by key."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Generation:
    """All nodes and ties of a generation: rows as `categories/write.cypher` takes them."""

    categories: Sequence[Mapping[str, Any]]
    vectors: Vector
    """Of the categories, (categories, dimensions)."""
    tops: Sequence[Mapping[str, Any]]
    nested: Sequence[Mapping[str, Any]]
    leaves: Sequence[Mapping[str, Any]]
    properties: Mapping[str, Any] = field(default_factory=dict)
    """Of the root, written when it becomes current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """A top category of the current hierarchy."""

    hierarchy: str
    """Uuid of the root."""
    layers: int
    """Of the hierarchy."""
    uuid: str
    name: str
    leaves: int
    """Entities under it."""
    placed: int
    """Of these, placed since it was built."""

    @property
    def drift(self) -> float:
        """Share of what is under it that came since it was built, 0 to 1."""
        return min(1.0, self.placed / self.leaves) if self.leaves else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a category is about."""

    uuid: str
    name: str
    tags: tuple[str, ...]
    members: tuple[str, ...]
    """Names, by position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A category whose name is to be looked at again."""

    uuid: str
    name: str
    tags: tuple[str, ...]
    layer: int
    leaves: int
    """Entities under it."""
    members: tuple[str, ...]
    """Names of what it holds, the first ones by position."""
    fresh: tuple[str, ...] = ()
    """Names of some that were placed in it since it was built."""
    taken: tuple[str, ...] = ()
    """Names of its siblings."""


async def begin(db: Database, group: str, uuid: str, owner: str, now: datetime) -> Building:
    """Open a new generation, or go on with one whose builder was stopped.

    Raises:
        ConflictError: Another process builds this group's hierarchy at the moment.
        StoreError: See its kinds.
    """
    (row,) = await db.run("categories/begin", group=group, uuid=uuid, owner=owner, patience=PATIENCE_S, created_at=now)
    root = row["root"]
    if root["owner"] != owner:
        raise _lost()
    drafts = dict(zip(root["draft_keys"], root["draft_replies"], strict=True))
    return Building(uuid=root["uuid"], group=group, generation=root["generation"], owner=owner, drafts=drafts)


async def keep_draft(db: Database, building: Building, replies: Mapping[str, str]) -> None:
    """Keep replies by key, and say that the builder is alive.

    Raises:
        ConflictError: Another process has taken over.
        StoreError: See its kinds.
    """
    rows = await db.run(
        "categories/draft",
        group=building.group,
        hierarchy=building.uuid,
        owner=building.owner,
        keys=list(replies),
        replies=list(replies.values()),
    )
    if not rows:
        raise _lost()


async def release(db: Database, building: Building) -> None:
    """Give up the claim on a generation, with its drafts kept; does nothing where another has taken over.

    Raises:
        StoreError: See its kinds.
    """
    await db.run("categories/release", group=building.group, hierarchy=building.uuid, owner=building.owner)


async def entities(db: Database, group: str) -> list[EntityRow]:
    """Return all embedded entities of a group, by uuid."""
    found: list[EntityRow] = []
    while True:
        after = found[-1].uuid if found else ""
        rows = await db.run("categories/entities", group=group, after=after, limit=_PAGE)
        found.extend(map(_entity, rows))
        if len(rows) < _PAGE:
            return found


async def write(db: Database, building: Building, generation: Generation, model: str) -> None:
    """Write a generation that nobody sees yet, in batches; what a stopped build wrote is deleted first.

    Raises:
        ConflictError: Another process has taken over.
        StoreError: See its kinds.
    """
    await clear(db, building.group, building.uuid)
    categories = [
        {**row, "vector": vector} for row, vector in zip(generation.categories, generation.vectors, strict=True)
    ]
    parts = [
        *({"categories": part} for part in _parts(categories)),
        *({"tops": part} for part in _parts(generation.tops)),
        *({"nested": part} for part in _parts(generation.nested)),
        *({"leaves": part} for part in _parts(generation.leaves)),
    ]
    empty: dict[str, Any] = {"categories": [], "tops": [], "nested": [], "leaves": []}
    for part in parts:
        await db.run(
            "categories/write", group=building.group, hierarchy=building.uuid, model=model, **{**empty, **part}
        )
        await keep_draft(db, building, {})


async def swap(db: Database, building: Building, properties: Mapping[str, Any]) -> None:
    """Make a generation current, in one transaction.

    Raises:
        ConflictError: Another process has taken over.
        StoreError: See its kinds.
    """
    rows = await db.run(
        "categories/swap",
        group=building.group,
        hierarchy=building.uuid,
        owner=building.owner,
        properties=dict(properties),
    )
    if not rows:
        raise _lost()


async def clear(db: Database, group: str, building: str = "") -> None:
    """Delete generations that no query can be reading, in batches."""
    while (await db.run("categories/clear", group=group, building=building, limit=_ROWS))[0]["deleted"]:
        pass


async def unplaced(db: Database, group: str, limit: int = _ROWS) -> list[str]:
    """Return uuids of entities that the current hierarchy lacks; none where there is no hierarchy."""
    return [row["uuid"] for row in await db.run("categories/unplaced", group=group, limit=limit)]


async def place(db: Database, group: str, uuids: Sequence[str], *, candidates: int) -> dict[str, str]:
    """Place entities in the current hierarchy, in one round trip.

    Returns:
        Uuid of each that was placed to its category's; empty where there is no hierarchy.
    """
    rows = await db.run("categories/place", group=group, uuids=list(uuids), candidates=candidates)
    return {row["entity"]: row["category"] for row in rows}


async def holds(db: Database, group: str) -> list[list[str]]:
    """Return the entities of each category of layer 1 of the current hierarchy, by uuid."""
    return [row["entities"] for row in await db.run("categories/holds", group=group)]


async def tops(db: Database, group: str) -> list[Top]:
    """Return the top categories of the current hierarchy, in order."""
    return [Top(**row) for row in await db.run("categories/tops", group=group)]


async def under(db: Database, group: str, category: str) -> list[EntityRow]:
    """Return all embedded entities under a category, by uuid."""
    return [_entity(row) for row in await db.run("categories/under", group=group, uuid=category)]


async def graft(db: Database, top: Top, group: str, generation: Generation, model: str) -> None:
    """Build the subtree of a top category anew: the new categories are written first, then seen at once."""
    empty: dict[str, Any] = {"tops": [], "nested": [], "leaves": []}
    rows = [
        {**row, "properties": {**row["properties"], "unseen": True}, "vector": vector}
        for row, vector in zip(generation.categories, generation.vectors, strict=True)
    ]
    for part in (
        *({**empty, "categories": part} for part in _parts(rows)),
        *({**empty, "categories": [], "nested": part} for part in _parts(generation.nested)),
        *({**empty, "categories": [], "leaves": part} for part in _parts(generation.leaves)),
    ):
        await db.run("categories/write", group=group, hierarchy=top.hierarchy, model=model, **part)
    children = [{"uuid": row["child"], "position": row["position"]} for row in generation.tops]
    await db.run("categories/graft", group=group, top=top.uuid, children=children)


async def abouts(db: Database, group: str, uuids: Sequence[str], limit: int) -> list[About]:
    """Return what some categories are about, with up to `limit` names of what each holds."""
    rows = await db.run("categories/summaries", group=group, uuids=list(uuids), limit=limit)
    return [
        About(uuid=row["uuid"], name=row["name"] or "", tags=tuple(row["tags"]), members=tuple(row["members"]))
        for row in rows
    ]


async def due(db: Database, group: str, uuids: Sequence[str], *, growth: float, limit: int, shown: int) -> list[Due]:
    """Return categories that have outgrown their name, of some that were touched and those above them.

    Args:
        db: Migrated.
        group: Whose memory.
        uuids: Of categories of layer 1.
        growth: Least entities that came since the name was fitting, as a share of those that were there.
        limit: Most categories; those that have grown most come first.
        shown: Most names of members from either end.
    """
    rows = await db.run("categories/due", group=group, uuids=list(uuids), growth=growth, limit=limit, shown=shown)
    return [
        Due(
            uuid=row["uuid"],
            name=row["name"] or "",
            tags=tuple(row["tags"]),
            layer=row["layer"],
            leaves=row["leaves"],
            members=tuple(row["members"]),
            fresh=tuple(row["fresh"]),
            taken=tuple(row["taken"]),
        )
        for row in rows
    ]


async def rename(db: Database, group: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Write names and tags by uuid, with the number of entities that they are fitting for.

    Args:
        db: Migrated.
        group: Whose memory.
        rows: Of uuid, name, tags and said.

    Returns:
        Uuids of the categories right above them, each once.
    """
    written = await db.run("categories/rename", group=group, rows=list(rows))
    return list(dict.fromkeys(parent for row in written for parent in row["parents"]))


async def refresh(db: Database, group: str, contents: Mapping[str, str], vectors: Vector, model: str) -> None:
    """Write contents by uuid, with their vectors in the same order, and count anew what is under each."""
    rows = [
        {"uuid": uuid, "content": content, "vector": vector}
        for (uuid, content), vector in zip(contents.items(), vectors, strict=True)
    ]
    await db.run("categories/refresh", group=group, model=model, rows=rows)


def _entity(row: Row) -> EntityRow:
    return EntityRow(
        uuid=row["uuid"],
        name=row["name"] or "",
        tags=tuple(row["tags"]),
        speaker=row["speaker"],
        vector=np.asarray(row["vector"], np.float32),
    )


def _parts(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    return [list(rows[start : start + _ROWS]) for start in range(0, len(rows), _ROWS)]


def _lost() -> ConflictError:
    message = "another process builds this group's hierarchy; wait for it, or try again when it has ended"
    return ConflictError(message)
