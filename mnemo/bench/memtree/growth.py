"""Builds a memtree in memory, without a database, with the same insertion rule and planning."""

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

__all__ = ["ROOT", "GrownMemtree", "grow"]

ROOT = "root"


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownMemtree:
    """A memtree and the cost of building it."""

    tree: ChildLists
    """Children by node; leaves are named by their number in the order of the texts."""
    contents: dict[str, str]
    vectors: dict[str, Vectors]
    """Vectors of inner nodes."""
    candidates: tuple[int, ...]
    """Nodes compared by each insert."""
    aggregations: int
    """Contents written, each one call with an LLM aggregator."""
    path: float
    """Mean number of inner nodes above a new leaf, which is the number of calls of a single insert."""
    seconds: float


async def grow(
    texts: Sequence[str],
    vectors: Vectors,
    *,
    rule: DescentRule,
    aggregator: Aggregator,
    embedder: Embedder,
    batch: int = 1,
) -> GrownMemtree:
    """Insert texts in order, `batch` at a time, and write the contents above them after each batch.

    Raises:
        ProviderError: A content could not be written or embedded.
    """
    copy, thresholds = InMemoryTree(ROOT, 0, _no_members), min_cosines(rule)
    contents: dict[str, str] = {}
    inner: dict[str, Vectors] = {}
    candidates, above, written = [], 0, 0
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
        updated, embedded = await _contents(inserts, aggregator, embedder)
        copy.update(updated, embedded, 0)
        contents |= updated
        inner |= embedded
        written += len(updated)
    return GrownMemtree(
        tree=copy.children(),
        contents=contents,
        vectors=inner,
        candidates=tuple(candidates),
        aggregations=written,
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
    written = await aggregate_all(aggregator, requests)
    updated = {one.uuid: each.content for one, each in zip(growing, written, strict=True)}
    rows = await embedder.passages(list(updated.values())) if updated else np.zeros((0, 1), np.float32)
    return updated, dict(zip(updated, rows, strict=True))


async def _no_members(_: Sequence[str]) -> Sequence[Member]:
    return ()
