"""Computes what a plan of edits would change, without writing anything; pure."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.models.tree import Change, Spine
from mnemo.semxpath.trees.diff import Side, compare
from mnemo.semxpath.trees.edit_plan import EditPlan

__all__ = ["planned_changes"]

_Row = Mapping[str, Any]


def planned_changes(
    plan: EditPlan, root: str, states: Mapping[str, Spine], children: Sequence[_Row]
) -> tuple[Change, ...]:
    """Return what a plan would change.

    Args:
        plan: Plan of the next version.
        root: Uuid of the current root.
        states: States of the nodes that the edits touch, by uuid.
        children: Children of those nodes, siblings in order; columns: parent, uuid, key, type, attributes, ordinal.
    """
    below: dict[str, list[_Row]] = {}
    for row in children:
        below.setdefault(row["parent"], []).append(row)
    older, newer = Side(), Side()
    older.start(_row(root, states[root]))
    _add_descendants(older, root, below)
    known = {**_new_rows(plan, states), **{row["uuid"]: row for row in children}}
    after = {kept["parent"]: _children_after(kept, plan, below, known) for kept in plan.kept}
    newer.start(known[plan.root])
    _add_descendants(newer, plan.root, after)
    return compare(older, newer)


def _add_descendants(side: Side, root: str, below: Mapping[str, Sequence[_Row]]) -> None:
    """Add known descendants to a side, level by level."""
    queue = [root]
    for uuid in queue:
        rows = below.get(uuid, ())
        side.add(rows)
        queue += [row["uuid"] for row in rows]


def _new_rows(plan: EditPlan, states: Mapping[str, Spine]) -> dict[str, _Row]:
    rows: dict[str, _Row] = {uuid: _row(uuid, states[source]) for uuid, source in plan.copies}
    for uuid, node in (*plan.changed, *plan.added):
        attributes = json.dumps(dict(node.attributes), ensure_ascii=False)
        rows[uuid] = {"uuid": uuid, "key": node.key or uuid, "type": node.type, "attributes": attributes}
    return rows


def _children_after(
    kept: _Row, plan: EditPlan, below: Mapping[str, list[_Row]], known: Mapping[str, _Row]
) -> Sequence[_Row]:
    removed = {item["position"] for item in kept["removed"]}
    stay = [row for at, row in enumerate(below.get(kept["source"], ()), start=1) if at not in removed]
    links = sorted((link for link in plan.links if link["parent"] == kept["parent"]), key=lambda link: link["position"])
    for link in links:
        stay.insert(link["position"] - 1, known[link["child"]])
    counts: Counter[str] = Counter()
    rows = []
    for row in stay:
        counts[row["type"]] += 1
        rows.append({**row, "parent": kept["parent"], "ordinal": counts[row["type"]]})
    return rows


def _row(uuid: str, state: Spine) -> _Row:
    attributes = json.dumps(dict(state.attributes), ensure_ascii=False)
    return {"uuid": uuid, "key": state.key, "type": state.type, "attributes": attributes}
