"""Compares two versions of a tree by the keys of their nodes; pure."""

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.tree import Change, Value
from mnemo.semxpath.language.printer import show_name

__all__ = ["Side", "compare"]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A node that one side has reached."""

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
    """What was read of one version: nodes that the other may not have, top down."""

    seen: dict[str, _Seen] = field(default_factory=dict)
    """By uuid, in document order of their levels."""
    _fresh: list[str] = field(default_factory=list)

    def start(self, root: Mapping[str, Any]) -> None:
        """Take the root of the version."""
        self._add(root, "", "", ())

    def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Take children, siblings in order: parent, uuid, key, type, attributes, ordinal."""
        places: dict[str, int] = {}
        for row in rows:
            parent = self.seen[row["parent"]]
            places[row["parent"]] = places.get(row["parent"], 0) + 1
            path = f"{parent.path}/{show_name(row['type'])}[{row['ordinal']}]"
            self._add(row, parent.key, path, (*parent.order, places[row["parent"]]))

    def open(self, other: "Side") -> list[str]:
        """Return uuids of nodes reached since the last call that the other side has not: to be read further."""
        fresh, self._fresh = self._fresh, []
        return [uuid for uuid in fresh if uuid not in other.seen]

    def _add(self, row: Mapping[str, Any], parent: str, path: str, order: tuple[int, ...]) -> None:
        self.seen[row["uuid"]] = _Seen(row["uuid"], row["key"], row["type"], row["attributes"], parent, path, order)
        self._fresh.append(row["uuid"])


def compare(older: Side, newer: Side) -> tuple[Change, ...]:
    """Return what differs, in document order of the newer version, removals last in that of the older.

    Of a subtree that came or left only its top is named. Both sides were read until nothing was open.
    """
    shared = older.seen.keys() & newer.seen.keys()
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


def _changed(old: _Seen, node: _Seen, values: Mapping[str, tuple[Value, Value]]) -> Change:
    return Change(kind="changed", type=node.type, path=node.path or "/", before=old.path or "/", attributes=values)


def _unshared(side: Side, shared: set[str]) -> Iterator[_Seen]:
    """Yield nodes but those below a subtree that both versions share."""
    closed: set[str] = set()
    for node in side.seen.values():
        if node.parent in closed:
            closed.add(node.key)
            continue
        if node.uuid in shared:
            closed.add(node.key)
        yield node


def _reordered(before: Mapping[str, _Seen], after: Mapping[str, _Seen]) -> set[str]:
    """Return keys of nodes that changed places among siblings that stayed: as few as explain the new order."""
    siblings: dict[str, list[_Seen]] = {}
    for node in after.values():
        old = before.get(node.key)
        if old is not None and old.parent == node.parent:
            siblings.setdefault(node.parent, []).append(node)
    moved: set[str] = set()
    for nodes in siblings.values():
        ordered = sorted(nodes, key=lambda item: item.order)
        stay = _longest_rise([before[node.key].order for node in ordered])
        moved |= {node.key for index, node in enumerate(ordered) if index not in stay}
    return moved


def _longest_rise(values: Sequence[tuple[int, ...]]) -> set[int]:
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
