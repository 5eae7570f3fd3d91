"""Finds the route of a vector through the memtree in the database, in one round trip or in one per level."""

from collections.abc import Sequence
from dataclasses import replace

from mnemo.errors import ConflictError
from mnemo.hierarchy.memtree.thresholds import TOLERANCE
from mnemo.models.hierarchy import DescentStep, Hierarchy
from mnemo.providers.base import Vectors
from mnemo.store.driver import Database
from mnemo.store.hierarchy import memtree as store

__all__ = ["find_route"]


async def find_route(
    database: Database, root: Hierarchy, vector: Vectors, thresholds: Sequence[float]
) -> tuple[tuple[DescentStep, ...], int]:
    """Return the steps from the root down, and the memtree's revision at the start.

    Calls the plugin's procedure if it is installed, else one plain statement per level; both give the same steps.

    Args:
        database: Database of the memtree.
        root: Root of the memtree.
        vector: Unit length, shape (dimensions,).
        thresholds: Minimum cosine to descend from depth 0, 1, …; nothing descends past the end.

    Raises:
        ConflictError: The memtree, or a node on the route, was deleted during the search.
        StoreError: See its kinds.
    """
    if store.ROUTE_PROCEDURE in database.procedures:
        found = await store.route(database, root.group, vector, thresholds, TOLERANCE)
        if found is None:
            message = "the memtree was deleted during an insert; try again"
            raise ConflictError(message)
        return found
    return await _by_levels(database, root, vector, thresholds)


async def _by_levels(
    database: Database, root: Hierarchy, vector: Vectors, thresholds: Sequence[float]
) -> tuple[tuple[DescentStep, ...], int]:
    steps: list[DescentStep] = []
    revision = root.revision
    here = DescentStep(uuid=root.uuid, kind="root", depth=0, candidates=0, next_position=0)
    while here.kind != "leaf":
        level = await store.step(database, root.group, here, vector, TOLERANCE)
        if level is None:
            message = "a node was deleted during an insert into the memtree; try again"
            raise ConflictError(message)
        if level.revision is not None:
            revision = level.revision
        steps.append(replace(here, candidates=level.candidates, next_position=level.next_position))
        below = level.nearest
        if below is None or here.depth >= len(thresholds) or (below.cosine or 0.0) < thresholds[here.depth]:
            return tuple(steps), revision
        here = below
    return (*steps, here), revision
