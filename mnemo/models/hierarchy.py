"""Hierarchies: categories over entities, and the memtree over episodes.

    (Hierarchy)-[:CONTAINS {position}]->(Category)-[:CONTAINS {position}]->(Category | Entity | Episode)

Categories are built bottom-up in layers, and a node may have several parents. The memtree grows online from the
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
    """The root of a hierarchy: has no text and no embedding."""

    uuid: str
    group: str
    kind: HierarchyKind
    generation: int
    """Number of the build, from 1; a query sees one generation."""
    revision: int
    """Number of changes within the generation; a writer names the one that it read."""
    created_at: datetime
    calls: int = 0
    """Requests to the LLM that it has cost so far."""
    inserts: int = 0
    """Episodes inserted so far, including those removed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """An inner node."""

    uuid: str
    group: str
    name: str
    """Short; empty in the memtree."""
    content: str
    """What its members have in common, as text; its embedding is of this text."""
    tags: tuple[str, ...] = ()
    layer: int = 0
    """Categories: from the bottom, where layer 1 holds entities. Memtree: depth below the root, which is 0."""
    leaves: int = 0
    """Entities or episodes below it."""
    position: int = 0
    """Position among its siblings under its first parent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """An entity or an episode in a hierarchy."""

    uuid: str
    text: str
    """The name of the entity, or the content of the episode."""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A node with everything below it, for display."""

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
    """Categories: their layers. Memtree: the depth of the deepest leaf."""
    branching_mean: float
    """Mean number of children of an inner node."""
    branching_max: int
    root_children: int
    depth_mean: float
    """Mean depth of the leaves; 1 is directly under the root."""
    calls: int
    """Requests to the LLM that it has cost so far."""
    inserts: int
    """Entities or episodes inserted so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyView:
    """A hierarchy with its shape and nodes, for display."""

    hierarchy: Hierarchy
    stats: HierarchyStats
    branches: tuple[Branch, ...]
    """Nodes under the root with everything below them."""
    complete: bool
    """Whether all nodes were read; their number is limited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A node under one of its parents."""

    parent: str
    """Uuid of the hierarchy or category above."""
    node: Category | Leaf
    position: int
    speaker: str | None = None
    """Author of an episode."""
    vector: tuple[float, ...] = ()
    """Of unit length; empty if it was not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescentStep:
    """A node on the path of a vector from the root of the memtree down."""

    uuid: str
    kind: Literal["root", "category", "leaf"]
    depth: int
    """0 for the root."""
    candidates: int
    """Children compared at this node."""
    next_position: int
    """Position of the next child."""
    position: int = 0
    """Position among its siblings."""
    cosine: float | None = None
    """Cosine to the vector; None for the root."""
    leaves: int = 0
    text: str = ""
    """Content of a category, or embedded text of an episode; empty for the root."""
