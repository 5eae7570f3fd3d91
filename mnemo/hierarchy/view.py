"""The shape of a hierarchy, and its nodes as nested branches for display."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from mnemo.models.hierarchy import Branch, Category, Hierarchy, HierarchyStats, Member

__all__ = ["branches", "stats"]


def stats(hierarchy: Hierarchy, members: Sequence[Member]) -> HierarchyStats:
    """Return the shape of a hierarchy.

    Args:
        hierarchy: The root.
        members: All nodes, once per parent.
    """
    children = _by_parent(members)
    depths = _depths(hierarchy.uuid, children)
    nodes = {member.node.uuid: member.node for member in members}
    categories = {uuid: node for uuid, node in nodes.items() if isinstance(node, Category)}
    leaf_depths = [depth for uuid, depth in depths.items() if uuid in nodes and uuid not in categories]
    sizes = [len(siblings) for parent, siblings in children.items() if parent in categories] or [0]
    layers = max((node.layer for node in categories.values()), default=0)
    return HierarchyStats(
        kind=hierarchy.kind,
        generation=hierarchy.generation,
        categories=len(categories),
        leaves=len(nodes) - len(categories),
        layers=max(leaf_depths, default=0) if hierarchy.kind == "memtree" else layers,
        branching_mean=fmean(sizes),
        branching_max=max(sizes),
        root_children=len(children.get(hierarchy.uuid, ())),
        depth_mean=fmean(leaf_depths or [0]),
        calls=hierarchy.calls,
        inserts=hierarchy.inserts,
    )


def branches(hierarchy: Hierarchy, members: Sequence[Member], depth: int) -> tuple[Branch, ...]:
    """Return the branches of the root down to a depth.

    Args:
        hierarchy: The root.
        members: The nodes, once per parent, in any order.
        depth: Number of levels, at least 1; nodes of the last level have no children.

    Returns:
        Ordered by position, ties by uuid. A node with several parents is in each of their branches.
    """
    return _below(hierarchy.uuid, _by_parent(members), depth)


def _below(parent: str, children: Mapping[str, Sequence[Member]], depth: int) -> tuple[Branch, ...]:
    if depth < 1:
        return ()
    return tuple(
        Branch(node=member.node, children=_below(member.node.uuid, children, depth - 1))
        for member in children.get(parent, ())
    )


def _by_parent(members: Sequence[Member]) -> dict[str, list[Member]]:
    found: dict[str, list[Member]] = {}
    for member in sorted(members, key=lambda each: (each.position, each.node.uuid)):
        found.setdefault(member.parent, []).append(member)
    return found


def _depths(root: str, children: Mapping[str, Sequence[Member]]) -> dict[str, int]:
    """Return the depth of each node by its shortest path from the root."""
    depths, waiting = {root: 0}, [root]
    for parent in waiting:
        for member in children.get(parent, ()):
            if member.node.uuid not in depths:
                depths[member.node.uuid] = depths[parent] + 1
                waiting.append(member.node.uuid)
    return depths
