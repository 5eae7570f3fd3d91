"""Plans inserts into the memtree.

If a route ends at a node whose children are all too far, the new leaf becomes its child. If it ends at a leaf, a new
category takes the leaf's place and position, with the old leaf as first child and the new one as second.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.hierarchy import DescentStep

__all__ = ["GrowingCategory", "InsertBatch", "InsertPlan", "LeafSplit", "TreeSlot", "plan_insert"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSlot:
    """A node's parent and its position under it."""

    parent: str
    """Uuid of the root or a category."""
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafSplit:
    """The replacement of a leaf by a category of two leaves."""

    category: str
    """Uuid of the new category."""
    slot: TreeSlot
    """Slot of the category, which was the old leaf's."""
    depth: int
    """Depth of the category."""
    leaf: str
    """Uuid of the old leaf."""
    text: str
    """Text of the old leaf."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertPlan:
    """The changes of one insert."""

    leaf: str
    """Uuid of the new leaf."""
    text: str
    slot: TreeSlot
    """Slot of the new leaf."""
    depth: int
    """Depth of the new leaf."""
    ancestors: tuple[DescentStep, ...]
    """Existing categories above the new leaf, nearest to the root first."""
    split: LeafSplit | None = None
    candidates: int = 0
    """Number of nodes its route compared."""


def plan_insert(route: Sequence[DescentStep], leaf: str, text: str, category: str) -> InsertPlan:
    """Plan the insert of a leaf.

    Args:
        route: The steps of the route, root first.
        leaf: Uuid of the new leaf.
        text: The text it is embedded by.
        category: Uuid for the new category if the route ends at a leaf.
    """
    end = route[-1]
    candidates = sum(step.candidates for step in route)
    ancestors = tuple(step for step in route if step.kind == "category")
    if end.kind != "leaf":
        slot = TreeSlot(parent=end.uuid, position=end.next_position)
        return InsertPlan(
            leaf=leaf, text=text, slot=slot, depth=end.depth + 1, ancestors=ancestors, candidates=candidates
        )
    split = LeafSplit(
        category=category,
        slot=TreeSlot(parent=route[-2].uuid, position=end.position),
        depth=end.depth,
        leaf=end.uuid,
        text=end.text,
    )
    return InsertPlan(
        leaf=leaf,
        text=text,
        slot=TreeSlot(parent=category, position=1),
        depth=end.depth + 1,
        ancestors=ancestors,
        split=split,
        candidates=candidates,
    )


@dataclass(slots=True, kw_only=True)
class GrowingCategory:
    """A category that gets new leaves in one transaction."""

    uuid: str
    layer: int
    leaves: int
    """Number of leaves, including the new ones."""
    content: str
    """The old content; for a new category, the old leaf's text."""
    before: int
    """Number of leaves that `content` covers."""
    texts: list[str] = field(default_factory=list)
    """Texts of the new leaves, in order."""


class InsertBatch:
    """The combined changes of the inserts of one transaction."""

    def __init__(self, root: str) -> None:
        """Start without inserts; `root` is the uuid of the root."""
        self._root = root
        self._nested: dict[str, TreeSlot] = {}
        self._leaves: dict[str, TreeSlot] = {}
        self.growing: dict[str, GrowingCategory] = {}
        self.inserts = 0

    def add(self, insert: InsertPlan) -> None:
        """Add an insert whose route was found after the earlier inserts were applied."""
        self.inserts += 1
        for step in insert.ancestors:
            self._track(step.uuid, step.depth, step.leaves, step.text)
        if insert.split is not None:
            split = insert.split
            self._nested[split.category] = split.slot
            self._leaves[split.leaf] = TreeSlot(parent=split.category, position=0)
            self._track(split.category, split.depth, 1, split.text)
        for uuid in self._above(insert):
            self.growing[uuid].leaves += 1
            self.growing[uuid].texts.append(insert.text)
        self._leaves[insert.leaf] = insert.slot

    def rows(self, contents: Mapping[str, str], by: str) -> dict[str, Any]:
        """Return the rows for `MemtreeWrite`.

        Args:
            contents: The new content of each category in `growing`.
            by: How they were written: `llm` or `extract`.
        """
        return {
            "categories": [
                {
                    "uuid": one.uuid,
                    "properties": {
                        "name": "",
                        "tags": [],
                        "content": contents[one.uuid],
                        "content_by": by,
                        "layer": one.layer,
                        "leaves": one.leaves,
                    },
                }
                for one in self.growing.values()
            ],
            "nested": [self._row(uuid, slot) for uuid, slot in self._nested.items()],
            "leaves": [self._row(uuid, slot) for uuid, slot in self._leaves.items()],
            "inserts": self.inserts,
        }

    def _track(self, uuid: str, layer: int, leaves: int, content: str) -> None:
        if uuid not in self.growing:
            self.growing[uuid] = GrowingCategory(uuid=uuid, layer=layer, leaves=leaves, content=content, before=leaves)

    @staticmethod
    def _above(insert: InsertPlan) -> list[str]:
        own = [] if insert.split is None else [insert.split.category]
        return [*(step.uuid for step in insert.ancestors), *own]

    def _row(self, child: str, slot: TreeSlot) -> dict[str, Any]:
        parent = None if slot.parent == self._root else slot.parent
        return {"child": child, "parent": parent, "position": slot.position}
