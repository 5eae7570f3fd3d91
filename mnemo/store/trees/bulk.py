"""Writes and deletes more tree nodes than fit one transaction; readers see all of them or none.

Nodes that are in no version, because it is not complete yet or was deleted, are linked to a stage. The last
transaction moves them to their version. The next write to any tree of the group deletes what a dead process left.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import ConflictError, NotFoundError
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.store.driver import Call, Database
from mnemo.store.trees.nodes import NodeRow, TreeHead, TreeStamp, VersionDraft, node_params, version_properties

__all__ = [
    "BATCH",
    "STAGE_S",
    "NodeLoad",
    "create",
    "delete",
    "delete_version",
    "discard_stage",
    "publish_call",
    "stage",
    "sweep",
]

BATCH = 500
"""Nodes per transaction; of 250, 500, 1,000 and 2,000 the fastest with a vector index."""

STAGE_S = 60
"""How long a stage stays valid after its last batch; a batch takes less than a second."""

_SWEEP = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLoad:
    """Nodes to store with their vectors, parents before their children."""

    rows: Sequence[NodeRow]
    vectors: NDArray[np.float32]

    def batches(self, stamp: TreeStamp) -> Iterator[list[dict[str, object]]]:
        """Yield the parameters of each transaction."""
        for start in range(0, len(self.rows), BATCH):
            end = start + BATCH
            yield node_params(self.rows[start:end], self.vectors[start:end], stamp)


async def create(
    db: Database,
    stamp: TreeStamp,
    load: NodeLoad,
    head: TreeHead,
    draft: VersionDraft,
    on_progress: OnProgress = ignore_progress,
) -> None:
    """Store a tree with its first version; readers see all of it or none.

    Args:
        db: Database to write.
        stamp: Group, tree uuid and embedding model.
        load: The nodes, root first.
        head: Name, schema and version embedding.
        draft: The first version.
        on_progress: Called with the stage `store` after each batch, if there are several.

    Raises:
        ConflictError: The tree exists already, or another import of it has started; nothing of this one is kept.
        StoreError: See its kinds; stored nodes are deleted by the next write to any tree of the group.
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
            await stage(db, stamp, load, StagePurpose(head.name, staged), on_progress)
            await db.run_guarded([last, publish_call(stamp.group, staged, draft)])
    except ConflictError as error:
        await discard_stage(db, stamp.group, staged)
        message = (
            f"there is already a tree named {head.name!r} in this group, or another import of it has started; "
            "choose another name, or delete that tree"
        )
        raise ConflictError(message) from error
    await sweep(db, stamp.group)


@dataclass(frozen=True, slots=True)
class StagePurpose:
    """Name and uuid of a stage."""

    name: str
    """Opening a second stage of this name closes the first."""
    stage: str
    """Uuid of the stage."""


async def stage(
    db: Database, stamp: TreeStamp, load: NodeLoad, purpose: StagePurpose, on_progress: OnProgress = ignore_progress
) -> None:
    """Store nodes that are in no version yet on a stage.

    Args:
        db: Database to write.
        stamp: Group, tree uuid and embedding model.
        load: The nodes.
        purpose: Name and uuid of the stage.
        on_progress: Called with the stage `store` after each batch.

    Raises:
        ConflictError: The stage was closed by another process; `sweep` or `discard_stage` deletes it.
        StoreError: See its kinds.
    """
    both = {"group": stamp.group, "stage": purpose.stage, "seconds": STAGE_S}
    await db.run("tree/stage_open", name=purpose.name, **both)
    done = 0
    for rows in load.batches(stamp):
        stored = await db.run("tree/stage_add", rows=rows, **both)
        if stored[0]["nodes"] != len(rows):
            message = (
                f"the import of {purpose.name!r} was cancelled: another import of it started, or this one timed out"
            )
            raise ConflictError(message)
        done += len(rows)
        on_progress(Progress(stage="store", done=done, total=len(load.rows)))


def publish_call(group: str, staged: str, draft: VersionDraft) -> Call:
    """Return the call that ends a stage, for the guarded transaction that moves its nodes to a version."""
    return "tree/stage_publish", {"group": group, "stage": staged, "version": draft.uuid}


async def sweep(db: Database, group: str) -> int:
    """Delete the nodes of abandoned stages; return how many."""
    return sum([await _sweep_stage(db, group, row["uuid"]) for row in await db.run("tree/stage_stale", group=group)])


async def discard_stage(db: Database, group: str, staged: str) -> None:
    """Delete a stage with its nodes; no effect if it is gone already."""
    await _sweep_stage(db, group, staged)


async def delete(db: Database, group: str, tree: str) -> int:
    """Delete a tree with all its versions and nodes.

    Returns:
        Nodes deleted.

    Raises:
        NotFoundError: There is no such tree.
        StoreError: See its kinds; remaining nodes are deleted by the next write to any tree of the group.
    """
    made = str(uuid.uuid4())
    if not await db.run("tree/delete_tree", group=group, tree=tree, stage=made):
        message = f"there is no tree named {tree!r} in this group"
        raise NotFoundError(message)
    return await _sweep_stage(db, group, made)


async def delete_version(db: Database, group: str, tree: str, number: int) -> None:
    """Delete one version and the nodes that are in no other version.

    Raises:
        NotFoundError: There is no such tree or version.
        ConflictError: It is the only version.
        StoreError: See its kinds; remaining nodes are deleted by the next write to any tree of the group.
    """
    made = str(uuid.uuid4())
    rows = await db.run("tree/delete_version", group=group, tree=tree, number=number, stage=made)
    if not rows:
        message = f"there is no version {number} of a tree named {tree!r} in this group"
        raise NotFoundError(message)
    if rows[0]["stage"] is None:
        message = f"version {number} is the only one of {tree!r}; delete the tree instead"
        raise ConflictError(message)
    await _sweep_stage(db, group, made)


async def _sweep_stage(db: Database, group: str, staged: str) -> int:
    deleted, left = 0, True
    while left:
        rows = await db.run("tree/stage_sweep", group=group, stage=staged, limit=_SWEEP)
        deleted += sum(row["deleted"] for row in rows)
        left = bool(rows) and rows[0]["left"]
    return deleted
