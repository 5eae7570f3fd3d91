"""Edits of a tree: their targets are given by queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mnemo.errors import ArgumentError
from mnemo.models.tree import Spine, TreeNode, TreeSchema, Value
from mnemo.models.tree_text import as_text
from mnemo.semxpath.limits import misfit, misfit_attributes
from mnemo.semxpath.schema import infer, merge
from mnemo.semxpath.trees import edit_plan as planning

__all__ = [
    "Delete",
    "Insert",
    "Move",
    "Replace",
    "TreeEdit",
    "Update",
    "named",
    "paths_of",
    "refuse_content",
    "refuse_depth",
    "shape_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert:
    """Insert a new node under each parent that a query finds."""

    parent: str
    node: TreeNode
    position: int | None = None
    """Child number of the new node, from 1; negative counts from the end; None is the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Set attributes of the nodes that a query finds; None removes one."""

    query: str
    attributes: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """Replace each node that a query finds."""

    query: str
    node: TreeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """Delete the nodes that a query finds, with everything below them."""

    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Move the nodes that a query finds under one parent, in their order."""

    query: str
    parent: str
    position: int | None = None


TreeEdit: TypeAlias = Insert | Update | Replace | Delete | Move
"""One edit. A semantic query targets its best node only, or the nodes at its global position."""


def paths_of(places: Sequence[planning.NodePlace]) -> str:
    """Return up to three places as one text, for a version's summary."""
    shown = [place.path.partition("]")[2] or "the root" for place in places[:3]]
    return ", ".join(shown) + (f" and {len(places) - 3} more" if len(places) > 3 else "")  # noqa: PLR2004 - as shown


def named(node: TreeNode) -> str:
    """Return a node's type and its first attribute, for a version's summary."""
    name = next((as_text(value) for value in node.attributes.values() if as_text(value)), "")
    return f"{node.type} {name[:60]}".strip()


def refuse_content(edit: TreeEdit) -> None:
    """Check that an edit adds only what a tree may contain.

    Raises:
        ArgumentError: A name or value is invalid.
    """
    match edit:
        case Insert(node=node) | Replace(node=node):
            wrong = misfit(node)
        case Update(attributes=attributes):
            wrong = misfit_attributes(attributes)
        case _:
            wrong = None
    if wrong:
        raise ArgumentError(wrong)


def refuse_depth(edits: Sequence[planning.NodeEdit]) -> None:
    """Check that edits do not nest nodes deeper than a tree may; moves are not checked.

    Raises:
        ArgumentError: An added node would be too deep.
    """
    for edit in edits:
        match edit:
            case planning.PlacedInsert(place, node, _):
                wrong = misfit(node, len(place.uuids))
            case planning.PlacedReplace(place, node):
                wrong = misfit(node, len(place.uuids) - 1)
            case _:
                wrong = None
        if wrong:
            raise ArgumentError(wrong)


def shape_of(edits: Sequence[planning.NodeEdit], states: Mapping[str, Spine], root: str) -> TreeSchema:
    """Return the schema of the nodes that edits add, in their places."""
    shape = TreeSchema(root=root, types={})
    for edit in edits:
        match edit:
            case planning.PlacedInsert(place, node, _):
                above = tuple(states[uuid].type for uuid in place.uuids)
            case planning.PlacedReplace(place, node):
                above = tuple(states[uuid].type for uuid in place.uuids[:-1])
            case planning.PlacedUpdate(place, attributes):
                above = tuple(states[uuid].type for uuid in place.uuids[:-1])
                node = TreeNode(type=states[place.uuids[-1]].type, attributes=attributes)
            case _:
                continue
        if above:
            parent = TreeNode(type=above[-1], children=(replace(node, children=()),))
            shape = merge(shape, infer(parent, above[:-1]))
        shape = merge(shape, infer(node, above))
    return shape
