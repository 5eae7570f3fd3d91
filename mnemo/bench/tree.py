"""Measures tree memories by size: queries of each kind, and edits, beside each other."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random

from mnemo.models.tree import TreeNode
from mnemo.semxpath.compiler import Options
from mnemo.semxpath.tree_edits import DeleteNodes, InsertNode, MoveNodes, TreeEdit, UpdateNodes
from mnemo.semxpath.trees import TreeMemory, Trees

__all__ = ["QUERIES", "EditTimes", "QueryTimes", "built", "measure_edits", "measure_queries"]

_TOPICS = ("museum", "garden", "river", "music", "bread", "chess", "sailing", "winter", "tax", "school")

QUERIES: tuple[tuple[str, str, Options], ...] = (
    ("positional", "/Part[2]/Chapter[3]/Section[-1]/Item[1:3]", Options()),
    ("exact filter", "/Part[2]/Chapter[@topic = 'river']", Options()),
    ("semantic, few", "/Part[1]/Chapter[2]//Item[node ~= 'music by the river']", Options(top_k=10)),
    ("semantic, all", "//Item[node ~= 'music by the river']", Options(top_k=10)),
    ("aggregate", "/Part[1]/Chapter[avg(/Section[max(/Item[node ~= 'winter sailing'])])]", Options(top_k=5)),
    ("descendant", "/Part[2]//Item[1]", Options()),
    ("first of all", "//Item[1]", Options()),
)
"""What is measured: a name, a query, how it is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTimes:
    """One kind of query on one size."""

    nodes: int
    kind: str
    median_ms: float
    round_trips: int
    rows: int
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditTimes:
    """One kind of edit on one size."""

    nodes: int
    kind: str
    median_ms: float
    written: int
    """Nodes that one edit writes, the version included."""
    depth: int
    """Levels below the root of the node edited."""


def built(nodes: int, seed: int = 7) -> TreeNode:
    """Return a tree of about so many nodes: parts, chapters, sections and items, each level as wide as the others."""
    random = Random(seed)  # noqa: S311 - a benchmark's data, the same each time
    width = max(2, round(nodes**0.25))

    def grown(levels: Sequence[str], name: str) -> TreeNode:
        children = tuple(grown(levels[1:], f"{name}.{index}") for index in range(1, width + 1)) if levels[1:] else ()
        return TreeNode(type=levels[0], attributes={"name": name, "topic": random.choice(_TOPICS)}, children=children)

    return grown(("Book", "Part", "Chapter", "Section", "Item"), "b")


async def measure_queries(tree: TreeMemory, nodes: int, repeats: int) -> list[QueryTimes]:
    """Time each query, after one run that the database plans it in."""
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


async def measure_edits(trees: Trees, tree: TreeMemory, nodes: int, repeats: int) -> list[EditTimes]:
    """Time each kind of edit of a leaf, each making a version."""
    found = []
    leaf = "/Part[2]/Chapter[1]/Section[2]/Item[1]"
    kinds: tuple[tuple[str, Callable[[int], TreeEdit]], ...] = (
        ("update", lambda turn: UpdateNodes(query=leaf, attributes={"name": f"u{turn}"})),
        (
            "insert",
            lambda turn: InsertNode(
                parent="/Part[2]/Chapter[1]/Section[2]",
                node=TreeNode(type="Item", attributes={"name": f"i{turn}", "topic": "tax"}),
                position=1,
            ),
        ),
        ("delete", lambda _: DeleteNodes(query=leaf)),
        ("move", _there_and_back),
    )
    for kind, make in kinds:
        await tree.edit([make(-1)])
        before = await _count(trees)
        await tree.edit([make(-2)])
        written = await _count(trees) - before
        times = []
        for turn in range(repeats):
            start = time.perf_counter()
            await tree.edit([make(turn)])
            times.append((time.perf_counter() - start) * 1000)
        found.append(EditTimes(nodes=nodes, kind=kind, median_ms=statistics.median(times), written=written, depth=4))
    return found


def _there_and_back(turn: int) -> TreeEdit:
    one, other = "/Part[2]/Chapter[1]/Section[2]", "/Part[2]/Chapter[2]/Section[1]"
    source, target = (one, other) if turn % 2 else (other, one)
    return MoveNodes(query=f"{source}/Item[1]", parent=target, position=1)


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
