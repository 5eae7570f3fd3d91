"""Grows a memtree in memory for inspection, without a database, by the same rule and planning."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mnemo.bench.memtree.objective import ChildLists
from mnemo.hierarchy.memtree.aggregate import AggregateRequest, Aggregator, aggregate_all
from mnemo.hierarchy.memtree.in_memory import InMemoryTree
from mnemo.hierarchy.memtree.insertion import InsertBatch, plan_insert
from mnemo.hierarchy.memtree.thresholds import DescentRule, min_cosines
from mnemo.models.hierarchy import Member
from mnemo.providers.base import Embedder, Vectors

__all__ = ["ROOT", "Grown", "grow"]

ROOT = "root"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """A tree, and what it took."""

    tree: ChildLists
    """Leaves by their number as text, in the order of the texts."""
    contents: dict[str, str]
    vectors: dict[str, Vectors]
    """Of inner nodes."""
    candidates: tuple[int, ...]
    """Nodes that each insert compared."""
    aggregations: int
    """Contents made: calls, where an LLM makes them."""
    path: float
    """Mean inner nodes above a new leaf: calls of one insert on its own."""
    seconds: float


async def grow(
    texts: Sequence[str],
    vectors: Vectors,
    *,
    rule: DescentRule,
    aggregator: Aggregator,
    embedder: Embedder,
    batch: int = 1,
) -> Grown:
    """Insert texts in order, `batch` at a time, and make the contents above them at each batch's end.

    Raises:
        ProviderError: A content could not be made or embedded.
    """
    copy, thresholds = InMemoryTree(ROOT, 0, _nothing), min_cosines(rule)
    contents: dict[str, str] = {}
    inner: dict[str, Vectors] = {}
    candidates, above, made = [], 0, 0
    start = time.perf_counter()
    for first in range(0, len(texts), batch):
        inserts = InsertBatch(ROOT)
        for number in range(first, min(first + batch, len(texts))):
            route = await copy.route(vectors[number], thresholds)
            insert = plan_insert(route, str(number), texts[number], f"inner:{number}")
            copy.apply(insert, vectors[number])
            inserts.add(insert)
            candidates.append(insert.candidates)
            above += insert.depth - 1
        fresh, embedded = await _contents(inserts, aggregator, embedder)
        copy.update(fresh, embedded, 0)
        contents |= fresh
        inner |= embedded
        made += len(fresh)
    return Grown(
        tree=copy.children(),
        contents=contents,
        vectors=inner,
        candidates=tuple(candidates),
        aggregations=made,
        path=above / max(1, len(texts)),
        seconds=time.perf_counter() - start,
    )


async def _contents(
    inserts: InsertBatch, aggregator: Aggregator, embedder: Embedder
) -> tuple[dict[str, str], dict[str, Vectors]]:
    growing = list(inserts.growing.values())
    requests = [
        AggregateRequest(content=one.content, texts=tuple(one.texts), before=one.before, leaves=one.leaves)
        for one in growing
    ]
    made = await aggregate_all(aggregator, requests)
    fresh = {one.uuid: each.content for one, each in zip(growing, made, strict=True)}
    rows = await embedder.passages(list(fresh.values())) if fresh else np.zeros((0, 1), np.float32)
    return fresh, dict(zip(fresh, rows, strict=True))


async def _nothing(_: Sequence[str]) -> Sequence[Member]:
    return ()
