"""What an insert changes in the tree over episodes: pure.

A route ends at a node whose children are all too far, and the leaf is hung under it; or at a leaf,
and a new category takes that leaf's place, at its position, with the old leaf first and the new one second.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.hierarchy import DescentStep

__all__ = ["Change", "Draft", "Growing", "Place", "Split", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a node hangs."""

    parent: str
    """Uuid of the root or a category."""
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A leaf that becomes a category of two."""

    category: str
    """Uuid of the new category."""
    place: Place
    """Of the category: the old leaf's."""
    depth: int
    """Of the category."""
    leaf: str
    """Uuid of the old leaf."""
    text: str
    """Of the old leaf."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One insert."""

    leaf: str
    text: str
    place: Place
    """Of the new leaf."""
    depth: int
    """Of the new leaf."""
    ancestors: tuple[DescentStep, ...]
    """Categories that were there already and are above it now, nearest the root first."""
    split: Split | None = None
    candidates: int = 0
    """Nodes that its route compared."""


def plan(route: Sequence[DescentStep], leaf: str, text: str, category: str) -> Change:
    """Return what inserting a leaf changes.

    Args:
        route: From the root to where it ends.
        leaf: Uuid of the new leaf.
        text: What it is embedded by.
        category: Uuid of the category that is made if the route ends at a leaf.
    """
    end = route[-1]
    candidates = sum(step.candidates for step in route)
    ancestors = tuple(step for step in route if step.kind == "category")
    if end.kind != "leaf":
        place = Place(parent=end.uuid, position=end.next_position)
        return Change(
            leaf=leaf, text=text, place=place, depth=end.depth + 1, ancestors=ancestors, candidates=candidates
        )
    split = Split(
        category=category,
        place=Place(parent=route[-2].uuid, position=end.position),
        depth=end.depth,
        leaf=end.uuid,
        text=end.text,
    )
    return Change(
        leaf=leaf,
        text=text,
        place=Place(parent=category, position=1),
        depth=end.depth + 1,
        ancestors=ancestors,
        split=split,
        candidates=candidates,
    )


@dataclass(slots=True, kw_only=True)
class Growing:
    """A category that inserts of one transaction touch."""

    uuid: str
    layer: int
    leaves: int
    """Now, the new ones included."""
    content: str
    """Before; of a new category the old leaf's text."""
    before: int
    """Leaves that `content` speaks of."""
    texts: list[str] = field(default_factory=list)
    """Of the new leaves, in order."""


class Draft:
    """The inserts of one transaction, added up."""

    def __init__(self, root: str) -> None:
        """Start with none; `root` is the hierarchy's uuid."""
        self._root = root
        self._nested: dict[str, Place] = {}
        self._leaves: dict[str, Place] = {}
        self.growing: dict[str, Growing] = {}
        self.inserts = 0

    def add(self, change: Change) -> None:
        """Add one insert; its route must have seen those before it."""
        self.inserts += 1
        for step in change.ancestors:
            self._grow(step.uuid, step.depth, step.leaves, step.text)
        if change.split is not None:
            split = change.split
            self._nested[split.category] = split.place
            self._leaves[split.leaf] = Place(parent=split.category, position=0)
            self._grow(split.category, split.depth, 1, split.text)
        for uuid in self._above(change):
            self.growing[uuid].leaves += 1
            self.growing[uuid].texts.append(change.text)
        self._leaves[change.leaf] = change.place

    def rows(self, contents: Mapping[str, str], by: str) -> dict[str, Any]:
        """Return the rows of a write.

        Args:
            contents: The new content of each category in `growing`.
            by: Who made them: `llm` or `extract`.
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
            "nested": [self._row(uuid, place) for uuid, place in self._nested.items()],
            "leaves": [self._row(uuid, place) for uuid, place in self._leaves.items()],
            "inserts": self.inserts,
        }

    def _grow(self, uuid: str, layer: int, leaves: int, content: str) -> None:
        if uuid not in self.growing:
            self.growing[uuid] = Growing(uuid=uuid, layer=layer, leaves=leaves, content=content, before=leaves)

    @staticmethod
    def _above(change: Change) -> list[str]:
        own = [] if change.split is None else [change.split.category]
        return [*(step.uuid for step in change.ancestors), *own]

    def _row(self, child: str, place: Place) -> dict[str, Any]:
        parent = None if place.parent == self._root else place.parent
        return {"child": child, "parent": parent, "position": place.position}
