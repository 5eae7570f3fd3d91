"""The categories in the database: built beside the current generation, swapped in at once, extended online."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import ConflictError
from mnemo.models.category_builds import TopCategory
from mnemo.store.driver import Database, Row
from mnemo.store.owners import LEASE_S, is_dead

__all__ = [
    "CategorisedEntity",
    "CategorySummary",
    "GenerationRows",
    "OpenGeneration",
    "OutgrownCategory",
    "begin",
    "clear",
    "entities",
    "entities_under",
    "graft",
    "keep_replies",
    "layer_one_members",
    "outgrown",
    "place",
    "refresh",
    "release",
    "rename",
    "summaries",
    "swap",
    "tops",
    "unplaced",
    "write",
]

Vector = NDArray[np.float32]

_PAGE = 2_000
_ROWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategorisedEntity:
    """An entity to categorise."""

    uuid: str
    name: str
    tags: tuple[str, ...]
    speaker: bool
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGeneration:
    """A generation being built, claimed by one process."""

    uuid: str
    group: str
    generation: int
    owner: str
    replies: Mapping[str, str]
    """LLM replies of an earlier, interrupted run, by key."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GenerationRows:
    """All nodes and relationships of a generation, as rows for `categories/write.cypher`."""

    categories: Sequence[Mapping[str, Any]]
    vectors: Vector
    """Embeddings of the categories, shape (categories, dimensions)."""
    tops: Sequence[Mapping[str, Any]]
    nested: Sequence[Mapping[str, Any]]
    leaves: Sequence[Mapping[str, Any]]
    properties: Mapping[str, Any] = field(default_factory=dict)
    """Properties of the root, written when the generation becomes current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategorySummary:
    """A category's name, tags and first members."""

    uuid: str
    name: str
    tags: tuple[str, ...]
    members: tuple[str, ...]
    """Member names by position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgrownCategory:
    """A category whose name is due for review, because it has grown."""

    uuid: str
    name: str
    tags: tuple[str, ...]
    layer: int
    leaves: int
    """Entities under it."""
    members: tuple[str, ...]
    """Names of its first members by position."""
    added: tuple[str, ...] = ()
    """Names of some members placed since the build."""
    siblings: tuple[str, ...] = ()
    """Names of its sibling categories."""


async def begin(db: Database, group: str, uuid: str, owner: str, now: datetime) -> OpenGeneration:
    """Open a new generation, or resume one whose build was interrupted: at once if its process is dead.

    The claim lasts `LEASE_S` seconds; `keep_replies` renews it.

    Raises:
        ConflictError: Another process is building this group's categories; retryable.
        StoreError: See its kinds.
    """
    claim = {"group": group, "uuid": uuid, "owner": owner, "patience": LEASE_S, "created_at": now}
    (row,) = await db.run("categories/begin", stale="", **claim)
    if row["root"]["owner"] != owner and is_dead(row["root"]["owner"]):
        (row,) = await db.run("categories/begin", stale=row["root"]["owner"], **claim)
    root = row["root"]
    if root["owner"] != owner:
        raise _claim_held(row["left"])
    replies = dict(zip(root["draft_keys"], root["draft_replies"], strict=True))
    return OpenGeneration(uuid=root["uuid"], group=group, generation=root["generation"], owner=owner, replies=replies)


async def keep_replies(db: Database, opened: OpenGeneration, replies: Mapping[str, str]) -> None:
    """Store replies by key, and renew the claim.

    Raises:
        ConflictError: Another process has taken over the build.
        StoreError: See its kinds.
    """
    rows = await db.run(
        "categories/keep_replies",
        group=opened.group,
        hierarchy=opened.uuid,
        owner=opened.owner,
        keys=list(replies),
        replies=list(replies.values()),
    )
    if not rows:
        raise _claim_lost()


async def release(db: Database, opened: OpenGeneration) -> None:
    """Release the claim on a generation and keep its replies; no effect if another process has taken over.

    Raises:
        StoreError: See its kinds.
    """
    await db.run("categories/release", group=opened.group, hierarchy=opened.uuid, owner=opened.owner)


async def entities(db: Database, group: str) -> list[CategorisedEntity]:
    """Return all entities of a group that have an embedding, by uuid."""
    found: list[CategorisedEntity] = []
    while True:
        after = found[-1].uuid if found else ""
        rows = await db.run("categories/entities", group=group, after=after, limit=_PAGE)
        found.extend(map(_entity, rows))
        if len(rows) < _PAGE:
            return found


async def write(db: Database, opened: OpenGeneration, generation: GenerationRows, model: str) -> None:
    """Write a generation in batches, not visible yet; deletes what an interrupted build wrote.

    Raises:
        ConflictError: Another process has taken over the build.
        StoreError: See its kinds.
    """
    await clear(db, opened.group, opened.uuid)
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
        await db.run("categories/write", group=opened.group, hierarchy=opened.uuid, model=model, **{**empty, **part})
        await keep_replies(db, opened, {})


async def swap(db: Database, opened: OpenGeneration, properties: Mapping[str, Any]) -> None:
    """Make a generation current in one transaction.

    Raises:
        ConflictError: Another process has taken over the build.
        StoreError: See its kinds.
    """
    rows = await db.run(
        "categories/swap",
        group=opened.group,
        hierarchy=opened.uuid,
        owner=opened.owner,
        properties=dict(properties),
    )
    if not rows:
        raise _claim_lost()


async def clear(db: Database, group: str, building: str = "") -> None:
    """Delete old generations, and the categories of the generation being built, in batches."""
    while (await db.run("categories/clear", group=group, building=building, limit=_ROWS))[0]["deleted"]:
        pass


async def unplaced(db: Database, group: str, limit: int = _ROWS) -> list[str]:
    """Return uuids of entities in no category; empty if the group has no categories."""
    return [row["uuid"] for row in await db.run("categories/unplaced", group=group, limit=limit)]


async def place(db: Database, group: str, uuids: Sequence[str], *, candidates: int) -> dict[str, str]:
    """Place entities in the current categories, in one round trip.

    Returns:
        Category uuid by uuid of each placed entity; empty if the group has no categories.
    """
    rows = await db.run("categories/place", group=group, uuids=list(uuids), candidates=candidates)
    return {row["entity"]: row["category"] for row in rows}


async def layer_one_members(db: Database, group: str) -> list[list[str]]:
    """Return the entity uuids of each layer-1 category, ordered by category uuid."""
    return [row["entities"] for row in await db.run("categories/layer_one_members", group=group)]


async def tops(db: Database, group: str) -> list[TopCategory]:
    """Return the top categories of the current generation, in order."""
    return [TopCategory(**row) for row in await db.run("categories/tops", group=group)]


async def entities_under(db: Database, group: str, category: str) -> list[CategorisedEntity]:
    """Return all entities under a category that have an embedding, by uuid."""
    return [_entity(row) for row in await db.run("categories/entities_under", group=group, uuid=category)]


async def graft(db: Database, top: TopCategory, group: str, generation: GenerationRows, model: str) -> None:
    """Replace the subtree of a top category: write the new categories first, then make them visible at once."""
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


async def summaries(db: Database, group: str, uuids: Sequence[str], limit: int) -> list[CategorySummary]:
    """Return names, tags and up to `limit` member names of categories."""
    rows = await db.run("categories/summaries", group=group, uuids=list(uuids), limit=limit)
    return [
        CategorySummary(
            uuid=row["uuid"], name=row["name"] or "", tags=tuple(row["tags"]), members=tuple(row["members"])
        )
        for row in rows
    ]


async def outgrown(
    db: Database, group: str, uuids: Sequence[str], *, growth: float, limit: int, shown: int
) -> list[OutgrownCategory]:
    """Return categories that have outgrown their name, among changed categories and those above them.

    Args:
        db: Migrated.
        group: Group to read.
        uuids: Changed categories of layer 1.
        growth: Minimum growth since the name was last reviewed: new entities / entities at that time.
        limit: Most categories returned, the ones that grew most first.
        shown: Most member names from each end.
    """
    rows = await db.run("categories/outgrown", group=group, uuids=list(uuids), growth=growth, limit=limit, shown=shown)
    return [
        OutgrownCategory(
            uuid=row["uuid"],
            name=row["name"] or "",
            tags=tuple(row["tags"]),
            layer=row["layer"],
            leaves=row["leaves"],
            members=tuple(row["members"]),
            added=tuple(row["added"]),
            siblings=tuple(row["siblings"]),
        )
        for row in rows
    ]


async def rename(db: Database, group: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Write names and tags, and record the number of entities they were reviewed for.

    Args:
        db: Migrated.
        group: Group to write.
        rows: Each with uuid, name, tags and leaves (number of entities).

    Returns:
        Uuids of their parent categories, no duplicates.
    """
    written = await db.run("categories/rename", group=group, rows=list(rows))
    return list(dict.fromkeys(parent for row in written for parent in row["parents"]))


async def refresh(db: Database, group: str, contents: Mapping[str, str], vectors: Vector, model: str) -> None:
    """Write contents by uuid with their vectors in the same order, and recount the leaves of each."""
    rows = [
        {"uuid": uuid, "content": content, "vector": vector}
        for (uuid, content), vector in zip(contents.items(), vectors, strict=True)
    ]
    await db.run("categories/refresh", group=group, model=model, rows=rows)


def _entity(row: Row) -> CategorisedEntity:
    return CategorisedEntity(
        uuid=row["uuid"],
        name=row["name"] or "",
        tags=tuple(row["tags"]),
        speaker=row["speaker"],
        vector=np.asarray(row["vector"], np.float32),
    )


def _parts(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    return [list(rows[start : start + _ROWS]) for start in range(0, len(rows), _ROWS)]


def _claim_held(seconds: int) -> ConflictError:
    message = (
        f"another process is building this group's categories; its claim lasts {seconds} s more unless it renews it; "
        "try again then"
    )
    error = ConflictError(message)
    error.retryable = True
    return error


def _claim_lost() -> ConflictError:
    message = "another process is building this group's categories; try again when it has finished"
    return ConflictError(message)
