"""Measures queries and edits of tree memories by size."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from mnemo.models.tree import QueryOptions, TreeNode
from mnemo.semxpath.trees.edits import Delete, Insert, Move, TreeEdit, Update
from mnemo.semxpath.trees.memory import TreeMemory, Trees

__all__ = [
    "QUERIES",
    "EditTimes",
    "QueryTimes",
    "build_tree",
    "build_wide_tree",
    "measure_edits",
    "measure_queries",
    "measure_wide",
]

_TOPICS = ("museum", "garden", "river", "music", "bread", "chess", "sailing", "winter", "tax", "school")

_Kind: TypeAlias = tuple[str, int, Callable[[int], TreeEdit]]
"""Name, number of nodes that must be written, and the edit of each turn."""

QUERIES: tuple[tuple[str, str, QueryOptions], ...] = (
    ("positional", "/Part[2]/Chapter[3]/Section[-1]/Item[1:3]", QueryOptions()),
    ("exact filter", "/Part[2]/Chapter[@topic = 'river']", QueryOptions()),
    ("semantic, few", "/Part[1]/Chapter[2]//Item[node ~= 'music by the river']", QueryOptions(top_k=10)),
    ("semantic, all", "//Item[node ~= 'music by the river']", QueryOptions(top_k=10)),
    ("aggregate", "/Part[1]/Chapter[avg(/Section[max(/Item[node ~= 'winter sailing'])])]", QueryOptions(top_k=5)),
    ("descendant", "/Part[2]//Item[1]", QueryOptions()),
    ("first of all", "//Item[1]", QueryOptions()),
)
"""Measured queries: name, query, options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTimes:
    """Results of one kind of query at one size."""

    nodes: int
    kind: str
    median_ms: float
    round_trips: int
    rows: int
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditTimes:
    """Results of one kind of edit at one size."""

    nodes: int
    kind: str
    median_ms: float
    written: int
    """Nodes that one edit writes, including the version."""
    bound: int
    """Nodes that copy-on-write must write: distinct nodes on the edited paths, and the version."""


def build_tree(nodes: int, seed: int = 7) -> TreeNode:
    """Return a tree of about `nodes` nodes: parts, chapters, sections and items, with equal branching."""
    random = Random(seed)  # noqa: S311 - reproducible benchmark data
    width = max(2, round(nodes**0.25))

    def subtree(levels: Sequence[str], name: str) -> TreeNode:
        children = tuple(subtree(levels[1:], f"{name}.{index}") for index in range(1, width + 1)) if levels[1:] else ()
        return TreeNode(type=levels[0], attributes={"name": name, "topic": random.choice(_TOPICS)}, children=children)

    return subtree(("Book", "Part", "Chapter", "Section", "Item"), "b")


async def measure_queries(tree: TreeMemory, nodes: int, repeats: int) -> list[QueryTimes]:
    """Time each query after a first run in which the database plans it."""
    found = []
    for kind, query, options in QUERIES:
        result = await tree.xpath(query, options=options)
        times = await _timed(lambda query=query, options=options: tree.xpath(query, options=options), repeats)  # type: ignore[misc]  # defaults bind the loop's values
        explained = await tree.explain(query, options=options)
        found.append(
            QueryTimes(
                nodes=nodes,
                kind=kind,
                median_ms=statistics.median(times),
                round_trips=result.round_trips,
                rows=len(result.matches),
                choice=explained.choice,
            )
        )
    return found


def build_wide_tree(children: int) -> TreeNode:
    """Return a tree with one list that has `children` items."""
    items = tuple(
        TreeNode(type="Item", attributes={"name": f"i{index}", "topic": _TOPICS[index % len(_TOPICS)]})
        for index in range(1, children + 1)
    )
    return TreeNode(type="Book", children=(TreeNode(type="Part", attributes={"name": "all"}, children=items),))


async def measure_edits(trees: Trees, tree: TreeMemory, nodes: int, repeats: int) -> list[EditTimes]:
    """Time each kind of edit of a leaf at depth 4; every edit creates a version."""
    parent = "/Part[2]/Chapter[1]/Section[2]"
    kinds = (*_edits(f"{parent}/Item[1]", parent, 4), ("move", 7, _there_and_back))
    return [await _edit_times(trees, tree, nodes, kind, repeats) for kind in kinds]


async def measure_wide(trees: Trees, tree: TreeMemory, children: int, repeats: int) -> list[EditTimes]:
    """Time each kind of edit of a leaf amid many siblings; every edit creates a version."""
    leaf = f"/Part[1]/Item[{children // 2}]"
    move = Move(query=leaf, parent="/Part[1]", position=1)
    kinds = (*_edits(leaf, "/Part[1]", 2), ("move", 3, lambda _: move))
    return [await _edit_times(trees, tree, children + 2, kind, repeats) for kind in kinds]


def _edits(leaf: str, parent: str, depth: int) -> tuple[_Kind, ...]:
    fresh = TreeNode(type="Item", attributes={"name": "new", "topic": "tax"})
    return (
        ("update", depth + 2, lambda turn: Update(query=leaf, attributes={"name": f"u{turn}"})),
        ("insert", depth + 2, lambda _: Insert(parent=parent, node=fresh, position=1)),
        ("delete", depth + 1, lambda _: Delete(query=leaf)),
    )


async def _edit_times(trees: Trees, tree: TreeMemory, nodes: int, kind: _Kind, repeats: int) -> EditTimes:
    name, bound, make = kind
    await tree.edit([make(-1)])
    before = await _count(trees)
    await tree.edit([make(-2)])
    written = await _count(trees) - before
    times = []
    for turn in range(repeats):
        start = time.perf_counter()
        await tree.edit([make(turn)])
        times.append((time.perf_counter() - start) * 1000)
    return EditTimes(nodes=nodes, kind=name, median_ms=statistics.median(times), written=written, bound=bound)


def _there_and_back(turn: int) -> TreeEdit:
    one, other = "/Part[2]/Chapter[1]/Section[2]", "/Part[2]/Chapter[2]/Section[1]"
    source, target = (one, other) if turn % 2 else (other, one)
    return Move(query=f"{source}/Item[1]", parent=target, position=1)


async def _timed(call: Callable[[], Awaitable[object]], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        await asyncio.sleep(0)
        start = time.perf_counter()
        await call()
        times.append((time.perf_counter() - start) * 1000)
    return times


async def _count(trees: Trees) -> int:
    rows = await trees.db.run("tree/stored", group=trees.group)
    return int(rows[0]["nodes"])
