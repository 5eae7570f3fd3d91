"""The two hierarchies, the categories over entities and the memtree over episodes, in one data model.

    (Hierarchy)-[:CONTAINS {position}]->(Category)-[:CONTAINS {position}]->(Category | Entity | Episode)

The categories are built bottom-up in layers, and a node may have several parents. The memtree grows online from the
root down, and each node has one parent.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

__all__ = [
    "Branch",
    "Category",
    "DescentStep",
    "Hierarchy",
    "HierarchyKind",
    "HierarchyStats",
    "HierarchyView",
    "Leaf",
    "Member",
]

HierarchyKind: TypeAlias = Literal["categories", "memtree"]
"""`categories`: Mnemis's hierarchy over entities. `memtree`: the online tree over episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """The root of a hierarchy; it has no text and no embedding."""

    uuid: str
    group: str
    kind: HierarchyKind
    generation: int
    """Number of the build, from 1; a query sees one generation."""
    revision: int
    """Number of changes within the generation; a write applies only to the revision it read."""
    created_at: datetime
    calls: int = 0
    """LLM requests spent on building it."""
    inserts: int = 0
    """Episodes or entities inserted so far, including those removed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """An inner node."""

    uuid: str
    group: str
    name: str
    """Short; empty in the memtree."""
    content: str
    """What its members have in common; the text it is embedded by."""
    tags: tuple[str, ...] = ()
    layer: int = 0
    """Categories: counted from the bottom, layer 1 holds entities. Memtree: depth, with the root at 0."""
    leaves: int = 0
    """Number of entities or episodes under it."""
    position: int = 0
    """Position among its siblings under its first parent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """An entity or an episode as a leaf of a hierarchy."""

    uuid: str
    text: str
    """The entity's name, or the episode's content."""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A node with its subtree, for display."""

    node: Category | Leaf
    children: tuple["Branch", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyStats:
    """The shape of a hierarchy."""

    kind: HierarchyKind
    generation: int
    categories: int
    leaves: int
    layers: int
    """Categories: number of layers. Memtree: depth of the deepest leaf."""
    branching_mean: float
    """Mean number of children of a category."""
    branching_max: int
    root_children: int
    depth_mean: float
    """Mean depth of leaves; 1 for a child of the root."""
    calls: int
    """LLM requests spent on it so far."""
    inserts: int
    """Entities or episodes inserted so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyView:
    """A hierarchy for display."""

    hierarchy: Hierarchy
    stats: HierarchyStats
    branches: tuple[Branch, ...]
    """The root's children with their subtrees; empty if only the statistics were requested."""
    complete: bool
    """Whether all nodes were read, or the limit was reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A node under one of its parents."""

    parent: str
    """Uuid of a hierarchy or a category."""
    node: Category | Leaf
    position: int
    speaker: str | None = None
    """Speaker of an episode."""
    vector: tuple[float, ...] = ()
    """Unit length; empty if it was not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescentStep:
    """A node on the route of a vector from the root of the memtree down."""

    uuid: str
    kind: Literal["root", "category", "leaf"]
    depth: int
    """0 for the root."""
    candidates: int
    """Children compared at this node."""
    next_position: int
    """Position after its last child."""
    position: int = 0
    """Position among its siblings."""
    cosine: float | None = None
    """Similarity to the vector; None for the root."""
    leaves: int = 0
    text: str = ""
    """Content of a category, or the text an episode is embedded by; empty for the root."""
