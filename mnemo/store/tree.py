"""Tree memories in the database: what the queries of `cypher/tree` take and give."""

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
    "Draft",
    "Head",
    "NodeRow",
    "Stamp",
    "TreeInfo",
    "flatten",
    "info",
    "listed",
    "read",
    "root",
    "rows_of",
    "spines",
    "subtrees_of",
    "version_properties",
    "versions",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeInfo:
    """What is known of a tree without reading its nodes."""

    uuid: str
    root: str
    revision: int
    next: int
    """The number of the next version."""
    schema: str
    active: int
    nodes: int
    counts: Mapping[str, int]
    """Nodes of the active version by type."""
    numbers: tuple[int, ...]
    """Of the versions, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    """One node to be created."""

    uuid: str
    key: str
    parent: str | None
    position: int
    ordinal: int
    node: TreeNode

    @property
    def text(self) -> str:
        """What its embedding is of."""
        return node_text(self.node.type, self.node.attributes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Whose tree rows belong to, and who embeds them."""

    group: str
    tree: str
    """The tree's uuid."""
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a tree is, apart from its nodes."""

    name: str
    root: str
    """The root's type."""
    schema: str
    """As JSON."""
    vector: NDArray[np.float32]
    """Of the first version's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A version about to be written."""

    uuid: str
    number: int
    summary: str
    request: str
    created_at: datetime
    counts: Mapping[str, int]

    @property
    def text(self) -> str:
        """What its embedding is of."""
        return version_text(self.number, self.summary, self.request)


async def info(db: Database, group: str, tree: str) -> TreeInfo:
    """Return what is known of a tree.

    Raises:
        NotFoundError: There is no tree of that name in the group.
        StoreError: See its kinds.
    """
    rows = await db.run("tree/info", group=group, tree=tree)
    if not rows:
        message = f"there is no tree named {tree!r} in this group; import one, or list those there are"
        raise NotFoundError(message)
    row = rows[0]
    return TreeInfo(**{**row, "counts": json.loads(row["counts"]), "numbers": tuple(row["numbers"])})


async def listed(db: Database, group: str) -> list[TreeSummary]:
    """Return the trees of a group, by name."""
    return [TreeSummary(group=group, **row) for row in await db.run("tree/list", group=group)]


async def versions(db: Database, group: str, tree: str) -> list[Version]:
    """Return the versions of a tree, oldest first; none if there is no such tree."""
    return [Version(**row) for row in await db.run("tree/versions", group=group, tree=tree)]


async def read(db: Database, group: str, tree: str, number: int) -> TreeNode:
    """Return a whole version.

    Raises:
        NotFoundError: There is no such tree or version.
        StoreError: See its kinds.
    """
    return (await _subtrees(db, group, [await root(db, group, tree, number)]))[0]


async def root(db: Database, group: str, tree: str, number: int) -> Row:
    """Return the root of a version: uuid, key, type, attributes and layout as JSON; errors as for `read`."""
    found = await db.run("tree/root", group=group, tree=tree, number=number)
    if not found:
        message = f"there is no version {number} of a tree named {tree!r} in this group"
        raise NotFoundError(message)
    return found[0]


async def spines(db: Database, group: str, uuids: Sequence[str]) -> dict[str, Spine]:
    """Return what an edit needs to know of nodes, by uuid; those that are not there are left out."""
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


async def subtrees_of(db: Database, group: str, uuids: Sequence[str]) -> list[TreeNode]:
    """Return nodes with all below them; those that are not there are left out."""
    return await _subtrees(db, group, await db.run("tree/spine", group=group, uuids=list(uuids)))


async def _subtrees(db: Database, group: str, tops: Sequence[Row]) -> list[TreeNode]:
    rows = await db.run("tree/subtrees", group=group, uuids=[top["uuid"] for top in tops])
    below: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        below[row["parent"]].append(row)
    return [_assemble(top, below) for top in tops]


def _assemble(root: Row, below: Mapping[str, list[Row]]) -> TreeNode:
    """Build a tree bottom-up, without recursion: trees may be deep."""
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
    """Return rows that create a node and all below it, parents first, with new uuids; keys are kept or new.

    Args:
        root: The node.
        parent: Uuid of what it goes under; None leaves it loose.
        position: Its place among all siblings, from 1.
        ordinal: Its place among siblings of its type, from 1.
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


def rows_of(rows: Sequence[NodeRow], vectors: NDArray[np.float32], stamp: Stamp) -> list[Row]:
    """Return parameters that create nodes, in order; `vectors` has one row each."""
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


def version_properties(draft: Draft, model: str) -> Row:
    """Return what is stored of a version."""
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
