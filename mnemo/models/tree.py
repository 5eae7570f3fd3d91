"""Tree memories: ordered trees whose versions share what did not change.

(Tree)-[:HAS_VERSION]->(Version)-[:ROOT]->(TreeNode)-[:CHILD {position, ordinal}]->(TreeNode)
(Tree)-[:ACTIVE]->(Version)-[:PARENT]->(Version)
(TreeStage)-[:HOLDS]->(TreeNode): nodes that no version has yet, or none has any more
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "AttributeSchema",
    "Change",
    "ChangeKind",
    "Diff",
    "Match",
    "Scalar",
    "Spine",
    "TreeNode",
    "TreeSchema",
    "TreeSummary",
    "TypeSchema",
    "Value",
    "ValueKind",
    "Vector",
    "Version",
    "XPathResult",
]

Scalar: TypeAlias = str | int | float | bool | None
Value: TypeAlias = Any
"""A scalar, or a list or object as JSON has them."""
Vector: TypeAlias = NDArray[np.float32]
"""One vector of unit length, or one a row."""
ValueKind: TypeAlias = Literal["text", "integer", "number", "boolean", "date", "list", "object", "empty"]
ChangeKind: TypeAlias = Literal["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """A node and all below it."""

    type: str
    attributes: Mapping[str, Value] = field(default_factory=dict)
    """In the order of the source."""
    children: tuple["TreeNode", ...] = ()
    layout: str | None = None
    """How the source wrote its members, as JSON; None is by the format's usual way."""
    key: str | None = None
    """Stays the same over versions, unlike the uuid of a copy; None is not stored yet."""
    uuid: str | None = None
    """Of the stored node that holds this state; None is not stored yet."""

    def walk(self) -> Iterator["TreeNode"]:
        """Yield the node and all below it in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spine:
    """The stored state of a node that edits touch."""

    type: str
    key: str
    attributes: Mapping[str, Value]
    layout: str | None
    children: tuple[str, ...]
    """Types, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One state of a tree."""

    uuid: str
    number: int
    """From 1; never used twice within a tree."""
    parent: int | None
    """The number of the version it was made from; None for the first, or where that was deleted."""
    summary: str
    """What changed."""
    request: str
    """The words that asked for it; empty when none did."""
    created_at: datetime
    active: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeSchema:
    """What is known of one attribute of one type."""

    count: int
    """Nodes that have it."""
    kinds: tuple[ValueKind, ...]
    """In order of first appearance."""
    examples: tuple[str, ...]
    """Up to twelve different values as text, in order of first appearance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSchema:
    """What is known of one type."""

    count: int
    attributes: Mapping[str, AttributeSchema]
    children: tuple[str, ...]
    """Types found directly below, in order of first appearance."""
    paths: tuple[str, ...]
    """Where it is found, as types from the root, such as Itinerary/Day/POI."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSchema:
    """The shape of a tree, inferred from its nodes."""

    root: str
    types: Mapping[str, TypeSchema]

    def count(self, type_name: str | None) -> int:
        """Return how many nodes have a type, the root included; None counts all."""
        if type_name is None:
            return sum(found.count for found in self.types.values())
        return self.types[type_name].count if type_name in self.types else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSummary:
    """A tree as it is listed."""

    uuid: str
    group: str
    name: str
    root: str
    """The root's type."""
    active: int
    versions: int
    nodes: int
    """Of the active version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One node that a query returned."""

    uuid: str
    """Of the stored node; of the Version for a version; empty for a node that a view makes up."""
    type: str
    attributes: Mapping[str, Value]
    score: float
    """The relevance; 1 where nothing scored it."""
    path: str
    """Such as /Version[1]/Day[2]/POI[3]: a query that finds it again; `/` is the root."""
    subtree: TreeNode | None = None
    """The node with all below it, when asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class XPathResult:
    """What a query returned."""

    query: str
    version: int | None
    """The version addressed; None when the whole tree or a view was."""
    semantic: bool
    """Sorted by score, best first, ties in document order; else in document order."""
    matches: tuple[Match, ...]
    round_trips: int = 1
    """To the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between two versions."""

    kind: ChangeKind
    type: str
    path: str
    """In the newer version; in the older one for `removed`."""
    before: str | None = None
    """The path in the older version, for `moved` and `changed`."""
    attributes: Mapping[str, tuple[Value, Value]] = field(default_factory=dict)
    """For `changed`: old and new value by name; None is absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What differs between two versions, in document order of the newer one, removals last."""

    older: int
    newer: int
    changes: tuple[Change, ...]
