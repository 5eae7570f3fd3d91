"""A hierarchy as a whole: its numbers, and its nodes one under the other. Pure."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from mnemo.models.hierarchy import Branch, Category, Hierarchy, HierarchyStats, Member

__all__ = ["branches", "stats"]


def stats(hierarchy: Hierarchy, members: Sequence[Member]) -> HierarchyStats:
    """Return the shape of a hierarchy.

    Args:
        hierarchy: Its root.
        members: All of its nodes, one for each parent.
    """
    broods = _broods(members)
    depths = _depths(hierarchy.uuid, broods)
    nodes = {member.node.uuid: member.node for member in members}
    categories = {uuid: node for uuid, node in nodes.items() if isinstance(node, Category)}
    leaf_depths = [depth for uuid, depth in depths.items() if uuid in nodes and uuid not in categories]
    sizes = [len(brood) for parent, brood in broods.items() if parent in categories] or [0]
    layers = max((node.layer for node in categories.values()), default=0)
    return HierarchyStats(
        kind=hierarchy.kind,
        generation=hierarchy.generation,
        categories=len(categories),
        leaves=len(nodes) - len(categories),
        layers=max(leaf_depths, default=0) if hierarchy.kind == "episodes" else layers,
        branching_mean=fmean(sizes),
        branching_max=max(sizes),
        root_children=len(broods.get(hierarchy.uuid, ())),
        depth_mean=fmean(leaf_depths or [0]),
        calls=hierarchy.calls,
        inserts=hierarchy.inserts,
    )


def branches(hierarchy: Hierarchy, members: Sequence[Member], depth: int) -> tuple[Branch, ...]:
    """Return what hangs from the root with all below it, to a depth.

    Args:
        hierarchy: Its root.
        members: Its nodes, one for each parent, in any order.
        depth: Levels, at least 1; nodes at the last have their children left out.

    Returns:
        In the order of positions, ties by uuid. A node of several parents is under each.
    """
    return _below(hierarchy.uuid, _broods(members), depth)


def _below(parent: str, broods: Mapping[str, Sequence[Member]], depth: int) -> tuple[Branch, ...]:
    if depth < 1:
        return ()
    return tuple(
        Branch(node=member.node, children=_below(member.node.uuid, broods, depth - 1))
        for member in broods.get(parent, ())
    )


def _broods(members: Sequence[Member]) -> dict[str, list[Member]]:
    found: dict[str, list[Member]] = {}
    for member in sorted(members, key=lambda each: (each.position, each.node.uuid)):
        found.setdefault(member.parent, []).append(member)
    return found


def _depths(root: str, broods: Mapping[str, Sequence[Member]]) -> dict[str, int]:
    """Return how far below the root each node is, by the shortest way."""
    depths, waiting = {root: 0}, [root]
    for parent in waiting:
        for member in broods.get(parent, ()):
            if member.node.uuid not in depths:
                depths[member.node.uuid] = depths[parent] + 1
                waiting.append(member.node.uuid)
    return depths
