"""Roots and members of both hierarchies: the categories and the memtree."""

from collections.abc import Mapping

from mnemo.clock import DISTANT_PAST
from mnemo.models.hierarchy import Category, Hierarchy, HierarchyKind, Leaf, Member
from mnemo.store.driver import Database, Row

__all__ = ["STORED_KINDS", "find_root", "members", "to_hierarchy", "to_member"]

STORED_KINDS: Mapping[HierarchyKind, str] = {"categories": "entities", "memtree": "episodes"}
"""The `kind` property of a stored root by kind of hierarchy: it names what the leaves are."""
_KINDS: Mapping[str, HierarchyKind] = {stored: kind for kind, stored in STORED_KINDS.items()}


async def find_root(db: Database, group: str, kind: HierarchyKind) -> Hierarchy | None:
    """Return the current hierarchy of a kind, or None."""
    rows = await db.run("hierarchy/find", group=group, kind=STORED_KINDS[kind])
    return to_hierarchy(rows[0]["root"]) if rows else None


async def members(db: Database, hierarchy: Hierarchy, limit: int) -> list[Member]:
    """Return up to `limit` nodes of a hierarchy, without vectors, in no particular order.

    A node with several parents is returned once for each.
    """
    rows = await db.run("hierarchy/nodes", group=hierarchy.group, hierarchy=hierarchy.uuid, limit=limit)
    return [to_member(hierarchy.group, row) for row in rows]


def to_hierarchy(row: Row) -> Hierarchy:
    """Convert the properties of a root."""
    return Hierarchy(
        uuid=row["uuid"],
        group=row["group"],
        kind=_KINDS[row["kind"]],
        generation=row["generation"],
        revision=row.get("revision") or 0,
        created_at=row.get("created_at") or DISTANT_PAST,
        calls=row.get("calls") or 0,
        inserts=row.get("inserts") or 0,
    )


def to_member(group: str, row: Row) -> Member:
    """Convert a row of `hierarchy/nodes` or `memtree/children`."""
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
