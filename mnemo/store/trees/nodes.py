"""Trees in the database: reads, and the rows that the queries in `cypher/tree` take."""

import json
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import NotFoundError
from mnemo.models.tree import Spine, TreeNode, TreeSummary, Version
from mnemo.models.tree_text import label_of, node_text, properties, version_text
from mnemo.store.driver import Database, Row

__all__ = [
    "NodeRow",
    "TreeHead",
    "TreeInfo",
    "TreeStamp",
    "VersionDraft",
    "flatten",
    "info",
    "list_trees",
    "node_params",
    "read",
    "root",
    "spines",
    "subtrees",
    "version_properties",
    "versions",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeInfo:
    """A tree's schema and versions, without its nodes."""

    uuid: str
    root: str
    revision: int
    next: int
    """Number of the next version."""
    schema: str
    active: int
    nodes: int
    counts: Mapping[str, int]
    """Nodes of the active version by type."""
    numbers: tuple[int, ...]
    """Version numbers, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    """A node to create."""

    uuid: str
    key: str
    parent: str | None
    position: int
    ordinal: int
    node: TreeNode

    @property
    def text(self) -> str:
        """The text it is embedded by."""
        return node_text(self.node.type, self.node.attributes)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeStamp:
    """The tree that new rows belong to, and the model that embeds them."""

    group: str
    tree: str
    """The tree's uuid."""
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeHead:
    """A tree's name and schema, and its first version's embedding."""

    name: str
    root: str
    """Type of the root."""
    schema: str
    """The schema as JSON."""
    vector: NDArray[np.float32]
    """Embedding of the first version's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionDraft:
    """A version to write."""

    uuid: str
    number: int
    summary: str
    request: str
    created_at: datetime
    counts: Mapping[str, int]

    @property
    def text(self) -> str:
        """The text it is embedded by."""
        return version_text(self.number, self.summary, self.request)


async def info(db: Database, group: str, tree: str) -> TreeInfo:
    """Return a tree's schema and versions.

    Raises:
        NotFoundError: There is no tree of that name in the group.
        StoreError: See its kinds.
    """
    rows = await db.run("tree/info", group=group, tree=tree)
    if not rows:
        message = f"there is no tree named {tree!r} in this group; import it, or list the trees of the group"
        raise NotFoundError(message)
    row = rows[0]
    return TreeInfo(**{**row, "counts": json.loads(row["counts"]), "numbers": tuple(row["numbers"])})


async def list_trees(db: Database, group: str) -> list[TreeSummary]:
    """Return the trees of a group, ordered by name."""
    return [TreeSummary(group=group, **row) for row in await db.run("tree/list", group=group)]


async def versions(db: Database, group: str, tree: str) -> list[Version]:
    """Return the versions of a tree, oldest first; empty if there is no such tree."""
    return [Version(**row) for row in await db.run("tree/versions", group=group, tree=tree)]


async def read(db: Database, group: str, tree: str, number: int) -> TreeNode:
    """Return a whole version.

    Raises:
        NotFoundError: There is no such tree or version.
        StoreError: See its kinds.
    """
    return (await _subtrees(db, group, [await root(db, group, tree, number)]))[0]


async def root(db: Database, group: str, tree: str, number: int) -> Row:
    """Return the root of a version: uuid, key, type, and JSON attributes and layout; errors as for `read`."""
    found = await db.run("tree/root", group=group, tree=tree, number=number)
    if not found:
        message = f"there is no version {number} of a tree named {tree!r} in this group"
        raise NotFoundError(message)
    return found[0]


async def spines(db: Database, group: str, uuids: Sequence[str]) -> dict[str, Spine]:
    """Return the state of nodes that an edit needs, by uuid; missing nodes are left out."""
    rows = await db.run("tree/spine", group=group, uuids=list(uuids))
    return {
        row["uuid"]: Spine(
            type=row["type"],
            key=row["key"],
            attributes=json.loads(row["attributes"]),
            layout=row["layout"],
            children=tuple(row["children"]),
        )
        for row in rows
    }


async def subtrees(db: Database, group: str, uuids: Sequence[str]) -> list[TreeNode]:
    """Return nodes with their whole subtrees; missing nodes are left out."""
    return await _subtrees(db, group, await db.run("tree/spine", group=group, uuids=list(uuids)))


async def _subtrees(db: Database, group: str, tops: Sequence[Row]) -> list[TreeNode]:
    rows = await db.run("tree/subtrees", group=group, uuids=[top["uuid"] for top in tops])
    below: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        below[row["parent"]].append(row)
    return [_assemble(top, below) for top in tops]


def _assemble(root: Row, below: Mapping[str, list[Row]]) -> TreeNode:
    """Build a tree bottom-up, without recursion, because trees may be deep."""
    order = [root]
    for row in order:
        order.extend(below.get(row["uuid"], ()))
    built: dict[str, TreeNode] = {}
    for row in reversed(order):
        built[row["uuid"]] = TreeNode(
            type=row["type"],
            attributes=json.loads(row["attributes"]),
            children=tuple(built[child["uuid"]] for child in below.get(row["uuid"], ())),
            layout=row["layout"],
            key=row["key"],
            uuid=row["uuid"],
        )
    return built[root["uuid"]]


def flatten(root: TreeNode, parent: str | None = None, position: int = 1, ordinal: int = 1) -> list[NodeRow]:
    """Return rows that create a node and its subtree, parents first, with new uuids; nodes without a key get a new one.

    Args:
        root: Node to create.
        parent: Uuid of its parent; None creates it without a parent.
        position: Position among all siblings, from 1.
        ordinal: Position among siblings of the same type, from 1.
    """
    made: list[NodeRow] = []
    stack = [(root, parent, position, ordinal)]
    while stack:
        node, above, place, count = stack.pop()
        own = str(uuid.uuid4())
        made.append(NodeRow(uuid=own, key=node.key or own, parent=above, position=place, ordinal=count, node=node))
        counts: dict[str, int] = defaultdict(int)
        below = []
        for index, child in enumerate(node.children, start=1):
            counts[child.type] += 1
            below.append((child, own, index, counts[child.type]))
        stack.extend(reversed(below))
    return made


def node_params(rows: Sequence[NodeRow], vectors: NDArray[np.float32], stamp: TreeStamp) -> list[Row]:
    """Return the parameters that create nodes, in order; `vectors` has one row per node."""
    return [
        {
            "parent": row.parent,
            "position": row.position,
            "ordinal": row.ordinal,
            "label": label_of(row.node.type),
            "vector": vector,
            "properties": {
                **properties(row.node.type, row.node.attributes),
                "uuid": row.uuid,
                "key": row.key,
                "tree": stamp.tree,
                "layout": row.node.layout,
                "embedding_model": stamp.model,
            },
        }
        for row, vector in zip(rows, vectors, strict=True)
    ]


def version_properties(draft: VersionDraft, model: str) -> Row:
    """Return the stored properties of a version."""
    return {
        "uuid": draft.uuid,
        "summary": draft.summary,
        "request": draft.request,
        "created_at": draft.created_at,
        "text": draft.text,
        "nodes": sum(draft.counts.values()),
        "counts": json.dumps(draft.counts, ensure_ascii=False),
        "embedding_model": model,
    }
