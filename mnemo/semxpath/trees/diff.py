"""Compares two versions of a tree; nodes correspond by key; pure."""

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.tree import Change, Value
from mnemo.semxpath.language.printer import show_name

__all__ = ["Side", "compare"]


@dataclass(frozen=True, slots=True)
class _SideNode:
    """A node of one version."""

    uuid: str
    key: str
    type: str
    attributes: str
    parent: str
    """Key of the parent; empty for the root."""
    path: str
    order: tuple[int, ...]


@dataclass(slots=True)
class Side:
    """The nodes read from one version so far, top down."""

    nodes: dict[str, _SideNode] = field(default_factory=dict)
    """Nodes by uuid, level by level in document order."""
    _added: list[str] = field(default_factory=list)

    def start(self, root: Mapping[str, Any]) -> None:
        """Add the root of the version."""
        self._add(root, "", "", ())

    def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add children, siblings in order; columns: parent, uuid, key, type, attributes, ordinal."""
        places: dict[str, int] = {}
        for row in rows:
            parent = self.nodes[row["parent"]]
            places[row["parent"]] = places.get(row["parent"], 0) + 1
            path = f"{parent.path}/{show_name(row['type'])}[{row['ordinal']}]"
            self._add(row, parent.key, path, (*parent.order, places[row["parent"]]))

    def open(self, other: "Side") -> list[str]:
        """Return uuids of nodes added since the last call that are not on the other side; read their children next."""
        added, self._added = self._added, []
        return [uuid for uuid in added if uuid not in other.nodes]

    def _add(self, row: Mapping[str, Any], parent: str, path: str, order: tuple[int, ...]) -> None:
        self.nodes[row["uuid"]] = _SideNode(
            row["uuid"], row["key"], row["type"], row["attributes"], parent, path, order
        )
        self._added.append(row["uuid"])


def compare(older: Side, newer: Side) -> tuple[Change, ...]:
    """Return the changes in document order of the newer version, then removals in that of the older.

    An added or removed subtree is one change, of its top node. `Side.open` must be empty on both sides.
    """
    shared = older.nodes.keys() & newer.nodes.keys()
    before = {node.key: node for node in _unshared(older, shared)}
    after = {node.key: node for node in _unshared(newer, shared)}
    moved = _reordered(before, after)
    changes = []
    for node in sorted(after.values(), key=lambda item: item.order):
        old = before.get(node.key)
        if old is None:
            if node.parent in before or not node.parent:
                changes.append(Change(kind="added", type=node.type, path=node.path or "/"))
            continue
        if node.parent != old.parent or node.key in moved:
            changes.append(Change(kind="moved", type=node.type, path=node.path, before=old.path))
        if node.attributes != old.attributes:
            values = _values(old.attributes, node.attributes)
            if values:
                changes.append(_changed(old, node, values))
    changes += [
        Change(kind="removed", type=node.type, path=node.path or "/")
        for node in sorted(before.values(), key=lambda item: item.order)
        if node.key not in after and (node.parent in after or not node.parent)
    ]
    return tuple(changes)


def _changed(old: _SideNode, node: _SideNode, values: Mapping[str, tuple[Value, Value]]) -> Change:
    return Change(kind="changed", type=node.type, path=node.path or "/", before=old.path or "/", attributes=values)


def _unshared(side: Side, shared: set[str]) -> Iterator[_SideNode]:
    """Yield the nodes of a side, without those below a subtree that both versions share."""
    closed: set[str] = set()
    for node in side.nodes.values():
        if node.parent in closed:
            closed.add(node.key)
            continue
        if node.uuid in shared:
            closed.add(node.key)
        yield node


def _reordered(before: Mapping[str, _SideNode], after: Mapping[str, _SideNode]) -> set[str]:
    """Return the smallest set of keys of nodes whose moves explain the new order of remaining siblings."""
    siblings: dict[str, list[_SideNode]] = {}
    for node in after.values():
        old = before.get(node.key)
        if old is not None and old.parent == node.parent:
            siblings.setdefault(node.parent, []).append(node)
    moved: set[str] = set()
    for nodes in siblings.values():
        ordered = sorted(nodes, key=lambda item: item.order)
        stay = _longest_increasing([before[node.key].order for node in ordered])
        moved |= {node.key for index, node in enumerate(ordered) if index not in stay}
    return moved


def _longest_increasing(values: Sequence[tuple[int, ...]]) -> set[int]:
    """Return indexes of one longest increasing subsequence (patience sorting)."""
    tops: list[tuple[int, ...]] = []
    ends: list[int] = []
    back: list[int | None] = []
    for index, value in enumerate(values):
        pile = bisect_left(tops, value)
        tops[pile : pile + 1] = [value]
        ends[pile : pile + 1] = [index]
        back.append(ends[pile - 1] if pile else None)
    chain: set[int] = set()
    at = ends[-1] if ends else None
    while at is not None:
        chain.add(at)
        at = back[at]
    return chain


def _values(old: str, new: str) -> dict[str, tuple[Value, Value]]:
    before, after = json.loads(old), json.loads(new)
    names = dict.fromkeys((*before, *after))
    return {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}
