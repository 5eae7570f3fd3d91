"""Trees: ordered documents whose versions share what did not change.

(Tree)-[:HAS_VERSION]->(Version)-[:ROOT]->(TreeNode)-[:CHILD {position, ordinal}]->(TreeNode)
(Tree)-[:ACTIVE]->(Version)-[:PARENT]->(Version)
(TreeStage)-[:HOLDS]->(TreeNode): nodes that no version has yet, or that no version has any more
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import ArgumentError

__all__ = [
    "AttributeSchema",
    "Change",
    "ChangeKind",
    "Diff",
    "Match",
    "QueryOptions",
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
"""A scalar, or a list or object of JSON."""
Vector: TypeAlias = NDArray[np.float32]
"""One vector of unit length, or one per row."""
ValueKind: TypeAlias = Literal["text", "integer", "number", "boolean", "date", "list", "object", "empty"]
ChangeKind: TypeAlias = Literal["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """A node with everything below it."""

    type: str
    attributes: Mapping[str, Value] = field(default_factory=dict)
    """In the order of the source."""
    children: tuple["TreeNode", ...] = ()
    layout: str | None = None
    """How the source wrote its members, as JSON; None is the usual way of the format."""
    key: str | None = None
    """Identifies the node over versions, unlike `uuid`; None if it is not stored yet."""
    uuid: str | None = None
    """Uuid of the stored node with this state; None if it is not stored yet."""

    def walk(self) -> Iterator["TreeNode"]:
        """Yield the node and everything below it in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spine:
    """The stored state of a node that an edit touches."""

    type: str
    key: str
    attributes: Mapping[str, Value]
    layout: str | None
    children: tuple[str, ...]
    """Types of the children, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One state of a tree."""

    uuid: str
    number: int
    """From 1; a number is never reused within a tree."""
    parent: int | None
    """Number of the version it was made from; None for the first, or if that was deleted."""
    summary: str
    """What changed."""
    request: str
    """The request in words; empty if there was none."""
    created_at: datetime
    active: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeSchema:
    """An attribute of a type, as found in the nodes."""

    count: int
    """Nodes that have it."""
    kinds: tuple[ValueKind, ...]
    """In order of first appearance."""
    examples: tuple[str, ...]
    """Up to twelve distinct values as text, in order of first appearance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSchema:
    """A node type, as found in the nodes."""

    count: int
    attributes: Mapping[str, AttributeSchema]
    children: tuple[str, ...]
    """Types of its children, in order of first appearance."""
    paths: tuple[str, ...]
    """Paths to it, as types from the root, such as Itinerary/Day/POI."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSchema:
    """The shape of a tree, inferred from its nodes."""

    root: str
    types: Mapping[str, TypeSchema]

    def count(self, type_name: str | None) -> int:
        """Return the number of nodes of a type, including the root; None counts all."""
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
    """Type of the root."""
    active: int
    """Number of the active version."""
    versions: int
    nodes: int
    """Nodes of the active version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One result of a query."""

    uuid: str
    """Uuid of the stored node or version; empty for a node that exists only in a view."""
    type: str
    attributes: Mapping[str, Value]
    score: float
    """Relevance; 1 if the query has no semantic match."""
    path: str
    """A query that finds it again, such as /Version[1]/Day[2]/POI[3]; `/` is the root."""
    subtree: TreeNode | None = None
    """The node with everything below it, if requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class XPathResult:
    """Results of a query."""

    query: str
    version: int | None
    """Version queried; None for the whole tree or a view."""
    semantic: bool
    """Whether the results are sorted by score, best first, ties in document order; else they are in document order."""
    matches: tuple[Match, ...]
    round_trips: int = 1
    """Round trips to the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between two versions."""

    kind: ChangeKind
    type: str
    path: str
    """Path in the newer version; for `removed` in the older one."""
    before: str | None = None
    """Path in the older version, for `moved` and `changed`."""
    attributes: Mapping[str, tuple[Value, Value]] = field(default_factory=dict)
    """For `changed`: old and new value by name; None means absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """Differences between two versions, in document order of the newer one, removals last."""

    older: int
    newer: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryOptions:
    """Limits of a result; None means no limit."""

    threshold: float | None = None
    """Minimum score of semantic matches."""
    top_k: int | None = None
    """Maximum number of rows of a semantic result."""
    limit: int | None = None
    """Maximum number of rows of any result."""

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            ArgumentError: `top_k` or `limit` is below 0, or `threshold` is not finite.
        """
        for name, value in (("top_k", self.top_k), ("limit", self.limit)):
            if value is not None and value < 0:
                message = f"{name} must be at least 0, got {value}"
                raise ArgumentError(message)
        if self.threshold is not None and not math.isfinite(self.threshold):
            message = f"threshold must be a finite number, got {self.threshold}"
            raise ArgumentError(message)
