"""Hierarchies over entities and over episodes: one model, two builders.

    (Hierarchy)-[:CONTAINS {position}]->(Category)-[:CONTAINS {position}]->(Category | Entity | Episode)

The hierarchy of kind `entities` is built bottom-up in layers and a node may have several parents; the
one of kind `episodes` grows online from the root down and each node has one parent.
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

HierarchyKind: TypeAlias = Literal["entities", "episodes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """The root of a hierarchy: structural, without text or embedding."""

    uuid: str
    group: str
    kind: HierarchyKind
    generation: int
    """Counts builds from 1; a query sees one generation."""
    revision: int
    """Counts changes within the generation; a writer names the one that it read."""
    created_at: datetime
    calls: int = 0
    """Requests to an LLM that building it has cost."""
    inserts: int = 0
    """Episodes taken in so far, those that have left it since included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """An inner node."""

    uuid: str
    group: str
    name: str
    """Short; empty in the hierarchy over episodes."""
    content: str
    """What its members have in common, as text; what its embedding is of."""
    tags: tuple[str, ...] = ()
    layer: int = 0
    """Over entities: from the bottom, 1 holds entities. Over episodes: depth from the root, which is 0."""
    leaves: int = 0
    """Entities or episodes under it."""
    position: int = 0
    """Order among its siblings under its first parent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """An entity or an episode as a hierarchy holds it."""

    uuid: str
    text: str
    """The entity's name, or the episode's content word for word."""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A node with what is under it, for drawings."""

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
    """Layers of categories over entities; over episodes, the depth of the deepest leaf."""
    branching_mean: float
    """Children of a category."""
    branching_max: int
    root_children: int
    depth_mean: float
    """Over leaves; 1 for one that hangs from the root."""
    calls: int
    """Requests to an LLM that it has cost so far."""
    inserts: int
    """Entities or episodes taken in so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyView:
    """A hierarchy to be looked at."""

    hierarchy: Hierarchy
    stats: HierarchyStats
    branches: tuple[Branch, ...]
    """What hangs from the root, with what is below; empty where only numbers were asked for."""
    complete: bool
    """Whether all nodes were read: there is a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A node under one of its parents, as the store reads it."""

    parent: str
    """Uuid of a hierarchy or a category."""
    node: Category | Leaf
    position: int
    speaker: str | None = None
    """Who wrote an episode."""
    vector: tuple[float, ...] = ()
    """Of unit length; empty where it was not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescentStep:
    """A node on the way of a vector from the root of a tree over episodes down."""

    uuid: str
    kind: Literal["root", "category", "leaf"]
    depth: int
    """0 for the root."""
    candidates: int
    """Children compared at this node."""
    next_position: int
    """Behind all its children."""
    position: int = 0
    """Among its siblings."""
    cosine: float | None = None
    """To the vector; None for the root."""
    leaves: int = 0
    text: str = ""
    """The content of a category, or the text that an episode is embedded by; empty for the root."""
