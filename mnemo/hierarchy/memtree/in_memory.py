"""A copy of the memtree in memory for many inserts in a row; the children of a node are loaded when first needed.

The copy is valid as long as the memtree's revision does not change. A new category whose content is not written yet is
represented by the mean of its first two leaves' vectors.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from mnemo.hierarchy.memtree.insertion import InsertPlan
from mnemo.hierarchy.memtree.thresholds import TOLERANCE
from mnemo.models.embedding_text import episode_text
from mnemo.models.hierarchy import Category, DescentStep, Member
from mnemo.models.tree import Vector

__all__ = ["ChildLoader", "InMemoryTree"]

ChildLoader: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[Member]]]
"""Reads the children of some nodes, ordered by parent and position."""

_PARENTS = 256
"""Nodes whose children are read in one round trip."""


@dataclass(slots=True, kw_only=True)
class _Node:
    kind: Literal["root", "category", "leaf"]
    depth: int
    position: int
    leaves: int
    text: str
    parent: str
    children: "_Siblings | None" = None


class _Siblings:
    """The children of one node, ordered by position, with their vectors as rows."""

    def __init__(self, uuids: Sequence[str], vectors: Sequence[Vector], next_position: int) -> None:
        self.uuids = list(uuids)
        self.next_position = next_position
        self._rows: Vector = np.stack(vectors) if vectors else np.zeros((0, 0), np.float32)

    def append(self, uuid: str, vector: Vector) -> None:
        count = len(self.uuids)
        if count >= len(self._rows):
            grown = np.zeros((max(8, 2 * count), len(vector)), np.float32)
            grown[:count] = self._rows[:count] if count else grown[:0]
            self._rows = grown
        self._rows[count] = vector
        self.uuids.append(uuid)
        self.next_position += 1

    def replace(self, old: str, new: str, vector: Vector) -> None:
        index = self.uuids.index(old)
        self.uuids[index] = new
        self._rows[index] = vector

    def vector(self, uuid: str) -> Vector:
        own: Vector = self._rows[self.uuids.index(uuid)].copy()
        return own

    def nearest(self, vector: Vector) -> tuple[str, float] | None:
        if not self.uuids:
            return None
        cosines = self._rows[: len(self.uuids)] @ vector
        index = int(np.argmax(cosines >= cosines.max() - TOLERANCE))
        return self.uuids[index], float(cosines[index])


class InMemoryTree:
    """Finds routes and applies inserts in memory."""

    def __init__(self, root: str, revision: int, load: ChildLoader) -> None:
        """Start with only the root.

        Args:
            root: Uuid of the root.
            revision: The memtree's current revision.
            load: Reads children from the database.
        """
        self.root = root
        self.revision = revision
        self._load = load
        self._nodes = {root: _Node(kind="root", depth=0, position=0, leaves=0, text="", parent="")}

    async def prefetch(self, vectors: Sequence[Vector], thresholds: Sequence[float]) -> None:
        """Load the nodes on the routes of many vectors, in one round trip per level rather than per node.

        Args:
            vectors: At least one vector; see `route`.
            thresholds: See `route`.

        Raises:
            StoreError: Children could not be read.
        """
        rows = np.stack(vectors)
        frontier: dict[str, list[int]] = {self.root: list(range(len(rows)))}
        while frontier:
            await self._read([uuid for uuid in frontier if self._nodes[uuid].children is None])
            below: dict[str, list[int]] = {}
            for uuid, indexes in frontier.items():
                node = self._nodes[uuid]
                if node.children is None or node.depth >= len(thresholds):
                    continue
                for index in indexes:
                    nearest = node.children.nearest(rows[index])
                    if nearest and nearest[1] >= thresholds[node.depth] and self._nodes[nearest[0]].kind != "leaf":
                        below.setdefault(nearest[0], []).append(index)
            frontier = below

    async def route(self, vector: Vector, thresholds: Sequence[float]) -> tuple[DescentStep, ...]:
        """Return the route of a vector from the root down.

        Args:
            vector: Embedding of the new leaf, unit length.
            thresholds: Minimum cosine to descend from depth 0, 1, …; nothing descends past the end.

        Raises:
            StoreError: Children could not be read.
        """
        steps: list[DescentStep] = []
        uuid: str | None = self.root
        cosine: float | None = None
        while uuid is not None:
            node = self._nodes[uuid]
            children = await self._children_of(uuid, node)
            steps.append(_step(uuid, node, children, cosine))
            nearest = children.nearest(vector) if node.depth < len(thresholds) else None
            uuid, cosine = nearest if nearest and nearest[1] >= thresholds[node.depth] else (None, None)
        return tuple(steps)

    def apply(self, insert: InsertPlan, vector: Vector) -> None:
        """Apply an insert that `plan_insert` planned for a route from `route`."""
        for step in insert.ancestors:
            self._nodes[step.uuid].leaves += 1
        if insert.split is not None:
            self._split(insert, vector)
        parent = self._nodes[insert.slot.parent]
        leaf = _Node(
            kind="leaf",
            depth=insert.depth,
            position=insert.slot.position,
            leaves=1,
            text=insert.text,
            parent=insert.slot.parent,
            children=_Siblings([], [], 0),
        )
        self._nodes[insert.leaf] = leaf
        if parent.children is not None:
            parent.children.append(insert.leaf, vector)

    def children(self) -> dict[str, tuple[str, ...]]:
        """Return the children of all loaded inner nodes, in order."""
        return {
            uuid: tuple(node.children.uuids)
            for uuid, node in self._nodes.items()
            if node.children and node.children.uuids
        }

    def update(self, contents: Mapping[str, str], vectors: Mapping[str, Vector], revision: int) -> None:
        """Take over the contents and vectors of categories that were written, and the new revision."""
        for uuid, content in contents.items():
            node = self._nodes[uuid]
            node.text = content
            siblings = self._nodes[node.parent].children
            if siblings is not None and uuid in vectors:
                siblings.replace(uuid, uuid, vectors[uuid])
        self.revision = revision

    def _split(self, insert: InsertPlan, vector: Vector) -> None:
        """Replace the old leaf by the new category."""
        split = insert.split
        if split is None:
            return
        siblings = self._nodes[split.slot.parent].children
        old = self._nodes[split.leaf]
        own = siblings.vector(split.leaf) if siblings is not None else vector
        mean = own + vector
        length = float(np.linalg.norm(mean))
        if siblings is not None:
            siblings.replace(split.leaf, split.category, (mean / length if length else mean).astype(np.float32))
        self._nodes[split.category] = _Node(
            kind="category",
            depth=split.depth,
            position=split.slot.position,
            leaves=2,
            text=split.text,
            parent=split.slot.parent,
            children=_Siblings([split.leaf], [own], 1),
        )
        old.depth, old.position, old.parent = split.depth + 1, 0, split.category

    async def _children_of(self, uuid: str, node: _Node) -> _Siblings:
        if node.children is None:
            await self._read([uuid])
        if node.children is None:
            message = f"the children of node {uuid} could not be loaded"
            raise LookupError(message)
        return node.children

    async def _read(self, parents: Sequence[str]) -> None:
        for start in range(0, len(parents), _PARENTS):
            some = parents[start : start + _PARENTS]
            children: dict[str, list[Member]] = {parent: [] for parent in some}
            for member in await self._load(some):
                children[member.parent].append(member)
            for parent, members in children.items():
                self._attach(parent, members)

    def _attach(self, parent: str, members: Sequence[Member]) -> None:
        node = self._nodes[parent]
        for member in members:
            self._nodes[member.node.uuid] = _node(member, parent, node.depth + 1)
        vectors = [np.asarray(member.vector, np.float32) for member in members]
        last = max((member.position for member in members), default=-1)
        node.children = _Siblings([member.node.uuid for member in members], vectors, last + 1)


def _node(member: Member, parent: str, depth: int) -> _Node:
    if isinstance(member.node, Category):
        return _Node(
            kind="category",
            depth=depth,
            position=member.position,
            leaves=member.node.leaves,
            text=member.node.content,
            parent=parent,
        )
    return _Node(
        kind="leaf",
        depth=depth,
        position=member.position,
        leaves=1,
        text=episode_text(member.node.text, member.speaker),
        parent=parent,
        children=_Siblings([], [], 0),
    )


def _step(uuid: str, node: _Node, children: _Siblings, cosine: float | None) -> DescentStep:
    return DescentStep(
        uuid=uuid,
        kind=node.kind,
        depth=node.depth,
        candidates=len(children.uuids),
        next_position=children.next_position,
        position=node.position,
        cosine=cosine,
        leaves=node.leaves,
        text=node.text,
    )
