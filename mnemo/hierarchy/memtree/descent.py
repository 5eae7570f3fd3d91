"""The way of a vector through the tree, found in the database: in one round trip, or in one a level."""

from collections.abc import Sequence
from dataclasses import replace

from mnemo.errors import ConflictError
from mnemo.hierarchy.memtree.thresholds import TOLERANCE
from mnemo.models.hierarchy import DescentStep, Hierarchy
from mnemo.providers.base import Vectors
from mnemo.store import hierarchy as store
from mnemo.store.driver import Database

__all__ = ["find_route"]


async def find_route(
    database: Database, root: Hierarchy, vector: Vectors, least: Sequence[float]
) -> tuple[tuple[DescentStep, ...], int]:
    """Return the steps from the root down, and the tree's revision before the walk began.

    Asks the plugin's procedure where it is there, else a plain statement a level: the same steps.

    Args:
        database: Where the tree is.
        root: Of the tree.
        vector: Of unit length, (dimensions,).
        least: Least cosine to go down from depth 0, 1, …; past the end nothing goes down.

    Raises:
        ConflictError: The tree was deleted meanwhile.
        StoreError: See its kinds.
    """
    if store.ROUTE_PROCEDURE in database.procedures:
        found = await store.route(database, root.group, vector, least, TOLERANCE)
        if found is None:
            message = "the tree was deleted while a text was on its way through it; try again"
            raise ConflictError(message)
        return found
    return await _by_levels(database, root, vector, least)


async def _by_levels(
    database: Database, root: Hierarchy, vector: Vectors, least: Sequence[float]
) -> tuple[tuple[DescentStep, ...], int]:
    steps: list[DescentStep] = []
    revision = root.revision
    here = DescentStep(uuid=root.uuid, kind="root", depth=0, candidates=0, next_position=0)
    while here.kind != "leaf":
        level = await store.step(database, root.group, here, vector, TOLERANCE)
        if level is None:
            message = "a node was deleted while a text was on its way through the tree; try again"
            raise ConflictError(message)
        if level.revision is not None:
            revision = level.revision
        steps.append(replace(here, candidates=level.candidates, next_position=level.next_position))
        below = level.nearest
        if below is None or here.depth >= len(least) or (below.cosine or 0.0) < least[here.depth]:
            return tuple(steps), revision
        here = below
    return (*steps, here), revision
