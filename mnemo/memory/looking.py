"""A hierarchy to be looked at."""

from mnemo.hierarchy.view import branches, stats
from mnemo.models.hierarchy import HierarchyKind, HierarchyView
from mnemo.store import hierarchy as store
from mnemo.store.driver import Database

__all__ = ["MOST_NODES", "view"]

MOST_NODES = 200_000
"""Nodes read at most."""


async def view(database: Database, group: str, kind: HierarchyKind, depth: int) -> HierarchyView | None:
    """Return the current hierarchy of a kind, its nodes to a depth; None where there is none.

    Raises:
        StoreError: See its kinds.
    """
    root = await store.find_root(database, group, kind)
    if root is None:
        return None
    members = await store.members(database, root, MOST_NODES)
    return HierarchyView(
        hierarchy=root,
        stats=stats(root, members),
        branches=branches(root, members, depth),
        complete=len(members) < MOST_NODES,
    )
