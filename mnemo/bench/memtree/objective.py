"""How good a tree over texts is: the objective of Moseley and Wang (2017), and trees to compare with. Pure.

A tree is the children of each inner node, by name; a name without children is a leaf.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from mnemo.providers.base import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ChildLists", "TreeShape", "average_linkage", "moseley_wang", "random_tree", "resolved", "shape"]

ChildLists: TypeAlias = Mapping[str, Sequence[str]]
TreeShape: TypeAlias = dict[str, float]


def moseley_wang(tree: ChildLists, root: str, vectors: Mapping[str, Vectors], floor: float = 0.0) -> float:
    """Return the sum over pairs of leaves of similarity times the leaves outside their lowest common ancestor.

    Higher is better. It is divided by the sum of similarities times (n - 2), so that 1 would need every pair
    to be a pair of siblings alone: no tree reaches it. Time and memory grow with leaves times dimensions.

    Args:
        tree: Children by inner node.
        root: Its top.
        vectors: Of unit length, by leaf.
        floor: Cosine that counts as 0; similarity is (cosine - floor) / (1 - floor), below 0 as it is.
    """
    count = sum(1 for name in _below(tree, root) if not tree.get(name))
    if count < 3:  # noqa: PLR2004  # with two leaves nothing is outside
        return 0.0
    sums: dict[str, NDArray[np.float64]] = {}
    sizes: dict[str, int] = {}
    gained = total = 0.0
    for name in _below(tree, root):
        children = tree.get(name) or ()
        if not children:
            sums[name], sizes[name] = vectors[name].astype(np.float64), 1
            continue
        sums[name] = np.sum([sums[child] for child in children], axis=0)
        sizes[name] = sum(sizes[child] for child in children)
        pairs = (sizes[name] ** 2 - sum(sizes[child] ** 2 for child in children)) / 2
        dots = float(sums[name] @ sums[name] - sum(sums[child] @ sums[child] for child in children)) / 2
        split = (dots - floor * pairs) / (1 - floor)
        gained += split * (count - sizes[name])
        total += split
        for child in children:
            del sums[child]
    return gained / (total * (count - 2))


def average_linkage(names: Sequence[str], vectors: Vectors) -> tuple[dict[str, list[str]], str]:
    """Return the binary tree of average linkage on cosine distance, and its root; time grows with the square."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415  # comes with the extra `bench`

    merges = linkage(vectors, method="average", metric="cosine")
    tree: dict[str, list[str]] = {}
    labels = list(names)
    for number, (left, right, *_) in enumerate(merges):
        label = f"merge:{number}"
        tree[label] = [labels[int(left)], labels[int(right)]]
        labels.append(label)
    return tree, labels[-1]


def resolved(tree: ChildLists, root: str, vectors: Mapping[str, Vectors]) -> dict[str, list[str]]:
    """Return a binary tree: nodes of more than two children are split by average linkage of the children's means.

    What a wide node leaves undecided earns nothing in the objective; this shows what the rest is worth.
    """
    means: dict[str, NDArray[np.float64]] = {}
    binary: dict[str, list[str]] = {}
    for name in _below(tree, root):
        children = list(tree.get(name) or ())
        if not children:
            means[name] = vectors[name].astype(np.float64)
            continue
        means[name] = np.sum([means[child] for child in children], axis=0)
        if len(children) <= 2:  # noqa: PLR2004  # binary already
            binary[name] = children
            continue
        labels = [f"{name}/{child}" for child in children]
        parts, top = average_linkage(labels, np.stack([means[child] for child in children]).astype(np.float32))
        back = dict(zip(labels, children, strict=True)) | {top: name}
        own = {part: part if part == top else f"{name}/{part}" for part in parts} | back
        for part, pair in parts.items():
            binary[own[part]] = [own[each] for each in pair]
    return binary


def random_tree(names: Sequence[str], seed: int = 0) -> tuple[dict[str, list[str]], str]:
    """Return a binary tree that joins at random, and its root."""
    drawn = np.random.default_rng(seed)
    left, tree = list(names), dict[str, list[str]]()
    while len(left) > 1:
        pair = [left.pop(int(drawn.integers(len(left)))) for _ in range(2)]
        label = f"merge:{len(tree)}"
        tree[label] = pair
        left.append(label)
    return tree, left[0]


def shape(tree: ChildLists, root: str) -> TreeShape:
    """Return leaves, inner nodes, depth (deepest and mean over leaves) and branching (mean, largest, the root's)."""
    depths = {root: 0}
    for name in reversed(_below(tree, root)):
        for child in tree.get(name) or ():
            depths[child] = depths[name] + 1
    leaves = [depth for name, depth in depths.items() if not tree.get(name)]
    broods = [len(tree[name]) for name in depths if tree.get(name) and name != root] or [0]
    return {
        "leaves": len(leaves),
        "inner": len(depths) - len(leaves) - 1,
        "depth_max": max(leaves),
        "depth_mean": float(np.mean(leaves)),
        "branching_mean": float(np.mean(broods)),
        "branching_max": max(broods),
        "root_children": len(tree.get(root) or ()),
    }


def _below(tree: ChildLists, root: str) -> list[str]:
    """Return all names, each after those under it."""
    order, waiting = [], [root]
    while waiting:
        name = waiting.pop()
        order.append(name)
        waiting.extend(tree.get(name) or ())
    return order[::-1]
