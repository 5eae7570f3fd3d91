"""Writes and deletes of more nodes of trees than one transaction should have, seen whole or not at all.

Nodes that no version has yet, or none has any more, hang on a stage. A version takes them over in the last
transaction. What a process that died left, whoever next writes to a tree of the group deletes.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import ConflictError, NotFoundError
from mnemo.store.driver import Call, Database
from mnemo.store.tree import Draft, Head, NodeRow, Stamp, rows_of, version_properties

__all__ = [
    "BATCH",
    "STAGE_S",
    "Load",
    "Told",
    "create",
    "delete",
    "delete_version",
    "give_up",
    "publishing",
    "silent",
    "stage",
    "sweep",
]

BATCH = 500
"""Nodes of one transaction: of 250, 500, 1,000 and 2,000 what a vector index takes in fastest."""

STAGE_S = 60
"""How long a stage outlives its last batch: a batch takes less than a second."""

_SWEEP = 2_000

Told: TypeAlias = Callable[[str, int, int], None]
"""Called with a stage of the work, how much of it is done, and how much there is."""


def silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Nodes to be stored, parents before their children, with a vector each."""

    rows: Sequence[NodeRow]
    vectors: NDArray[np.float32]

    def batches(self, stamp: Stamp) -> Iterator[list[dict[str, object]]]:
        """Yield parameters for one transaction after another."""
        for start in range(0, len(self.rows), BATCH):
            end = start + BATCH
            yield rows_of(self.rows[start:end], self.vectors[start:end], stamp)


async def create(  # what, for whom, and whom to tell
    db: Database, stamp: Stamp, load: Load, head: Head, draft: Draft, told: Told = silent
) -> None:
    """Store a tree with its first version: seen whole or not at all.

    Args:
        db: Where.
        stamp: Whose it is.
        load: Its nodes, the root first.
        head: What the tree is.
        draft: Its first version.
        told: Called after each batch of many.

    Raises:
        ConflictError: There is a tree of that name, or another import of it began; nothing is left of this one.
        StoreError: See its kinds; what was stored is deleted by the next write to a tree of the group.
    """
    staged = str(uuid.uuid4())
    last: Call = (
        "tree/create",
        {
            "group": stamp.group,
            "tree": {"uuid": stamp.tree, "name": head.name, "root": head.root, "schema": head.schema},
            "version": version_properties(draft, stamp.model),
            "vector": head.vector,
            "root": load.rows[0].uuid,
            "stage": staged,
        },
    )
    try:
        if len(load.rows) <= BATCH:
            rows = next(load.batches(stamp))
            await db.run_all([("tree/add_nodes", {"group": stamp.group, "rows": rows}), last])
        else:
            await stage(db, stamp, load, Purpose(head.name, staged), told)
            await db.run_guarded([last, publishing(stamp.group, staged, draft)])
    except ConflictError as error:
        await give_up(db, stamp.group, staged)
        message = (
            f"there is a tree named {head.name!r} in this group already, or another import of it began; "
            "choose another name, or delete that one"
        )
        raise ConflictError(message) from error
    await sweep(db, stamp.group)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a stage is for."""

    name: str
    """A second stage of that name ends the first."""
    stage: str
    """The uuid it gets."""


async def stage(db: Database, stamp: Stamp, load: Load, purpose: Purpose, told: Told = silent) -> None:
    """Store nodes that no version has yet, on a stage that holds them.

    Args:
        db: Where.
        stamp: Whose they are.
        load: The nodes.
        purpose: What for.
        told: Called after each batch.

    Raises:
        ConflictError: The stage was closed meanwhile; it is left to `sweep` or `give_up`.
        StoreError: See its kinds.
    """
    both = {"group": stamp.group, "stage": purpose.stage, "seconds": STAGE_S}
    await db.run("tree/stage_open", name=purpose.name, **both)
    done = 0
    for rows in load.batches(stamp):
        stored = await db.run("tree/stage_add", rows=rows, **both)
        if stored[0]["nodes"] != len(rows):
            message = (
                f"what was stored for {purpose.name!r} was given up: another import of it began, or it stood still"
            )
            raise ConflictError(message)
        done += len(rows)
        told("store", done, len(load.rows))


def publishing(group: str, staged: str, draft: Draft) -> Call:
    """Return what ends a stage, for the transaction that gives its nodes to a version; guarded."""
    return "tree/stage_publish", {"group": group, "stage": staged, "version": draft.uuid}


async def sweep(db: Database, group: str) -> int:
    """Delete what no version has and no living writer is about to give one; return how many nodes that were."""
    return sum([await _swept(db, group, row["uuid"]) for row in await db.run("tree/stage_stale", group=group)])


async def give_up(db: Database, group: str, staged: str) -> None:
    """Delete a stage with what it holds; it may be gone already."""
    await _swept(db, group, staged)


async def delete(db: Database, group: str, tree: str) -> int:
    """Delete a tree with all its versions and nodes.

    Returns:
        Nodes deleted.

    Raises:
        NotFoundError: There is no such tree.
        StoreError: See its kinds; nodes that are left are deleted by the next write to a tree of the group.
    """
    made = str(uuid.uuid4())
    if not await db.run("tree/delete_tree", group=group, tree=tree, stage=made):
        message = f"there is no tree named {tree!r} in this group"
        raise NotFoundError(message)
    return await _swept(db, group, made)


async def delete_version(db: Database, group: str, tree: str, number: int) -> None:
    """Delete one version and the nodes that no other has.

    Raises:
        NotFoundError: There is no such tree or version.
        ConflictError: It is the only version.
        StoreError: See its kinds; nodes that are left are deleted by the next write to a tree of the group.
    """
    made = str(uuid.uuid4())
    rows = await db.run("tree/delete_version", group=group, tree=tree, number=number, stage=made)
    if not rows:
        message = f"there is no version {number} of a tree named {tree!r} in this group"
        raise NotFoundError(message)
    if rows[0]["stage"] is None:
        message = f"version {number} is the only one of {tree!r}; delete the tree instead"
        raise ConflictError(message)
    await _swept(db, group, made)


async def _swept(db: Database, group: str, staged: str) -> int:
    deleted, left = 0, True
    while left:
        rows = await db.run("tree/stage_sweep", group=group, stage=staged, limit=_SWEEP)
        deleted += sum(row["deleted"] for row in rows)
        left = bool(rows) and rows[0]["left"]
    return deleted
