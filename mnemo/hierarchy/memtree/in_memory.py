"""A tree over episodes in memory, for many inserts in a row: children are loaded once, when a route first comes by.

It is true while the tree's revision is the one it was loaded at. A category that was made here, and
whose summary is not written yet, stands where the mean of its first two leaves' vectors is.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.memtree.insertion import Change
from mnemo.hierarchy.memtree.thresholds import TOLERANCE
from mnemo.models.embedding_text import episode_text
from mnemo.models.hierarchy import Category, DescentStep, Member

__all__ = ["Load", "Mirror"]

Vector: TypeAlias = NDArray[np.float32]
Load: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[Member]]]
"""Reads the children of some nodes, by parent and position."""

_PARENTS = 256
"""Nodes whose children one round trip reads."""


@dataclass(slots=True, kw_only=True)
class _Node:
    kind: Literal["root", "category", "leaf"]
    depth: int
    position: int
    leaves: int
    text: str
    parent: str
    brood: "_Brood | None" = None


class _Brood:
    """Children of one node in order of their positions, and their vectors as rows."""

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
        place = self.uuids.index(old)
        self.uuids[place] = new
        self._rows[place] = vector

    def vector(self, uuid: str) -> Vector:
        own: Vector = self._rows[self.uuids.index(uuid)].copy()
        return own

    def nearest(self, vector: Vector) -> tuple[str, float] | None:
        if not self.uuids:
            return None
        found = self._rows[: len(self.uuids)] @ vector
        place = int(np.argmax(found >= found.max() - TOLERANCE))
        return self.uuids[place], float(found[place])


class Mirror:
    """Routes and applies inserts in memory."""

    def __init__(self, root: str, revision: int, load: Load) -> None:
        """Start with the root alone.

        Args:
            root: Uuid of the hierarchy.
            revision: Its revision now.
            load: Reads children from the database.
        """
        self.root = root
        self.revision = revision
        self._load = load
        self._nodes = {root: _Node(kind="root", depth=0, position=0, leaves=0, text="", parent="")}

    async def prefetch(self, vectors: Sequence[Vector], least: Sequence[float]) -> None:
        """Read what the routes of many vectors will pass, a round trip a level rather than one a node.

        Args:
            vectors: At least one, as for `route`.
            least: As for `route`.

        Raises:
            StoreError: Children could not be read.
        """
        rows = np.stack(vectors)
        frontier: dict[str, list[int]] = {self.root: list(range(len(rows)))}
        while frontier:
            await self._read([uuid for uuid in frontier if self._nodes[uuid].brood is None])
            below: dict[str, list[int]] = {}
            for uuid, places in frontier.items():
                node = self._nodes[uuid]
                if node.brood is None or node.depth >= len(least):
                    continue
                for place in places:
                    nearest = node.brood.nearest(rows[place])
                    if nearest and nearest[1] >= least[node.depth] and self._nodes[nearest[0]].kind != "leaf":
                        below.setdefault(nearest[0], []).append(place)
            frontier = below

    async def route(self, vector: Vector, least: Sequence[float]) -> tuple[DescentStep, ...]:
        """Return the way of a vector of unit length from the root down.

        Args:
            vector: Of the new leaf.
            least: Least cosine to go down from depth 0, 1, …; past the end nothing goes down.

        Raises:
            StoreError: Children could not be read.
        """
        steps: list[DescentStep] = []
        uuid: str | None = self.root
        cosine: float | None = None
        while uuid is not None:
            node = self._nodes[uuid]
            brood = await self._brood(uuid, node)
            steps.append(_step(uuid, node, brood, cosine))
            nearest = brood.nearest(vector) if node.depth < len(least) else None
            uuid, cosine = nearest if nearest and nearest[1] >= least[node.depth] else (None, None)
        return tuple(steps)

    def apply(self, change: Change, vector: Vector) -> None:
        """Take an insert in that `route` gave and `growth.plan` planned."""
        for step in change.ancestors:
            self._nodes[step.uuid].leaves += 1
        if change.split is not None:
            self._split(change, vector)
        parent = self._nodes[change.place.parent]
        leaf = _Node(
            kind="leaf",
            depth=change.depth,
            position=change.place.position,
            leaves=1,
            text=change.text,
            parent=change.place.parent,
            brood=_Brood([], [], 0),
        )
        self._nodes[change.leaf] = leaf
        if parent.brood is not None:
            parent.brood.append(change.leaf, vector)

    def broods(self) -> dict[str, tuple[str, ...]]:
        """Return the children of each node that has been loaded and has some, in order; the root is `root`."""
        return {uuid: tuple(node.brood.uuids) for uuid, node in self._nodes.items() if node.brood and node.brood.uuids}

    def settle(self, contents: Mapping[str, str], vectors: Mapping[str, Vector], revision: int) -> None:
        """Take over what was written: contents and vectors of categories, and the new revision."""
        for uuid, content in contents.items():
            node = self._nodes[uuid]
            node.text = content
            brood = self._nodes[node.parent].brood
            if brood is not None and uuid in vectors:
                brood.replace(uuid, uuid, vectors[uuid])
        self.revision = revision

    def _split(self, change: Change, vector: Vector) -> None:
        """Put a category in the old leaf's place."""
        split = change.split
        if split is None:
            return
        siblings = self._nodes[split.place.parent].brood
        old = self._nodes[split.leaf]
        own = siblings.vector(split.leaf) if siblings is not None else vector
        mean = own + vector
        length = float(np.linalg.norm(mean))
        if siblings is not None:
            siblings.replace(split.leaf, split.category, (mean / length if length else mean).astype(np.float32))
        self._nodes[split.category] = _Node(
            kind="category",
            depth=split.depth,
            position=split.place.position,
            leaves=2,
            text=split.text,
            parent=split.place.parent,
            brood=_Brood([split.leaf], [own], 1),
        )
        old.depth, old.position, old.parent = split.depth + 1, 0, split.category

    async def _brood(self, uuid: str, node: _Node) -> _Brood:
        if node.brood is None:
            await self._read([uuid])
        if node.brood is None:
            message = f"wanted the children of a node to be loaded, got none for {uuid}"
            raise LookupError(message)
        return node.brood

    async def _read(self, parents: Sequence[str]) -> None:
        for start in range(0, len(parents), _PARENTS):
            some = parents[start : start + _PARENTS]
            broods: dict[str, list[Member]] = {parent: [] for parent in some}
            for member in await self._load(some):
                broods[member.parent].append(member)
            for parent, members in broods.items():
                self._hang(parent, members)

    def _hang(self, parent: str, members: Sequence[Member]) -> None:
        node = self._nodes[parent]
        for member in members:
            self._nodes[member.node.uuid] = _node(member, parent, node.depth + 1)
        vectors = [np.asarray(member.vector, np.float32) for member in members]
        last = max((member.position for member in members), default=-1)
        node.brood = _Brood([member.node.uuid for member in members], vectors, last + 1)


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
        brood=_Brood([], [], 0),
    )


def _step(uuid: str, node: _Node, brood: _Brood, cosine: float | None) -> DescentStep:
    return DescentStep(
        uuid=uuid,
        kind=node.kind,
        depth=node.depth,
        candidates=len(brood.uuids),
        next_position=brood.next_position,
        position=node.position,
        cosine=cosine,
        leaves=node.leaves,
        text=node.text,
    )
