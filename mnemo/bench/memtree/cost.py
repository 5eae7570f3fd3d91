"""Measures the cost of an insert into a memtree by size: candidates, round trips, milliseconds.

Texts are numbers and vectors are random with nested clusters, so any size can be generated without an
embedder. The content of an inner node names up to eight of its leaves; its vector is their mean.
"""

import statistics
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal

import numpy as np

from mnemo.config import MemtreeSettings
from mnemo.hierarchy.memtree.aggregate import AggregateRequest, AggregateResult
from mnemo.hierarchy.memtree.descent import find_route
from mnemo.hierarchy.memtree.thresholds import descent_rule, min_cosines
from mnemo.hierarchy.memtree.tree import Memtree
from mnemo.models.hierarchy import DescentStep, Hierarchy
from mnemo.providers.base import Vectors
from mnemo.store.driver import Database
from mnemo.store.hierarchy import memtree as store
from mnemo.store.hierarchy.members import find_root

__all__ = ["InsertCost", "NamingAggregator", "NumberEmbedder", "clustered", "fill", "measure"]

_ROWS = 1_000
_NAMES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertCost:
    """Medians over several inserts into a tree of one size."""

    leaves: int
    log2_leaves: float
    candidates: float
    """Nodes compared during the descent."""
    depth: float
    """Depth of the new leaf."""
    route_ms: float
    """Milliseconds to find the path in one round trip."""
    levels_ms: float
    """Milliseconds to find the same path with one round trip per level."""
    levels: float
    """Round trips with one per level."""
    insert_ms: float
    """Milliseconds of a complete insert: path, contents (no LLM, no embedder), write."""
    round_trips: int
    """Round trips of an insert into an existing tree: root, pending episodes, path, write."""


class NamingAggregator:
    """Writes contents that name up to eight leaves."""

    name: Literal["llm", "extract"] = "extract"

    async def aggregate(self, request: AggregateRequest) -> AggregateResult:
        """Return names of leaves joined by blanks: a sample of the previous and new ones."""
        names = [*request.content.split(), *(text for text in request.texts)]
        step = -(-len(names) // _NAMES)
        return AggregateResult(content=" ".join(names[::step]))


class NumberEmbedder:
    """Embeds a content as the mean of the leaves that it names."""

    model = "bench"

    def __init__(self, vectors: Vectors) -> None:
        """Keep the vectors; a text is the number of its row."""
        self._vectors = vectors
        self.dimensions = int(vectors.shape[1])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the means, scaled to unit length."""
        rows = [self._vectors[[int(name) for name in text.split()]].mean(axis=0) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float32)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Return the same as `passages`."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Do nothing."""


def clustered(count: int, dimensions: int, seed: int = 0) -> Vectors:
    """Return unit vectors in three levels of clusters: 40 topics, 12 themes in each, 10 subthemes in each."""
    rng = np.random.default_rng(seed)
    topics = rng.standard_normal((40, dimensions))
    themes = rng.standard_normal((40 * 12, dimensions))
    subthemes = rng.standard_normal((40 * 12 * 10, dimensions))
    own = rng.integers(0, len(subthemes), count)
    rows = topics[own // 120] + 0.8 * themes[own // 10] + 0.7 * subthemes[own]
    rows += 0.6 * rng.standard_normal((count, dimensions))
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


async def fill(database: Database, group: str, vectors: Vectors, first: int, last: int) -> None:
    """Store processed episodes without leaves, numbered from `first` to `last` (exclusive)."""
    for start in range(first, last, _ROWS):
        rows = [
            {"uuid": str(uuid.uuid4()), "content": str(number), "sequence": number, "vector": vectors[number]}
            for number in range(start, min(start + _ROWS, last))
        ]
        await database.run("bench/leaves", group=group, rows=rows)


async def measure(
    database: Database, group: str, vectors: Vectors, first: int, probes: int, settings: MemtreeSettings
) -> InsertCost:
    """Insert `probes` more episodes one by one into a tree of `first` leaves and return the cost.

    Args:
        database: Database with the plugin.
        group: Group of the tree.
        vectors: One per episode; those from `first` to `first + probes` are inserted.
        first: Number of leaves in the tree.
        probes: Number of inserts, at least 1.
        settings: Settings with which the tree was built.
    """
    embedder = NumberEmbedder(vectors)
    least = min_cosines(descent_rule(settings, embedder.model))
    root = await find_root(database, group, "memtree")
    if root is None:
        message = f"group {group} must have a memtree to measure"
        raise LookupError(message)
    routes, levels, trips, candidates, depths, inserts = [], [], [], [], [], []
    for number in range(first, first + probes):
        start = time.perf_counter()
        steps, _ = await find_route(database, root, vectors[number], least)
        routes.append(time.perf_counter() - start)
        start = time.perf_counter()
        trips.append(await _by_levels(database, root, vectors[number], least))
        levels.append(time.perf_counter() - start)
        candidates.append(sum(step.candidates for step in steps))
        depths.append(steps[-1].depth + 1)
        await fill(database, group, vectors, number, number + 1)
        tree = Memtree(database, embedder, NamingAggregator(), settings=settings)
        start = time.perf_counter()
        await tree.process(group)
        inserts.append(time.perf_counter() - start)
    return InsertCost(
        leaves=first,
        log2_leaves=log2(first),
        candidates=statistics.median(candidates),
        depth=statistics.median(depths),
        route_ms=1000 * statistics.median(routes),
        levels_ms=1000 * statistics.median(levels),
        levels=statistics.median(trips),
        insert_ms=1000 * statistics.median(inserts),
        round_trips=4,
    )


async def _by_levels(database: Database, root: Hierarchy, vector: Vectors, least: Sequence[float]) -> int:
    """Descend with one statement per level and return their number."""
    node = DescentStep(uuid=root.uuid, kind="root", depth=0, candidates=0, next_position=0)
    for trips in range(1, len(least) + 2):
        level = await store.step(database, root.group, node, vector, 0.0)
        below = level.nearest if level else None
        if below is None or below.kind == "leaf" or (below.cosine or 0.0) < least[node.depth]:
            return trips
        node = below
    return len(least) + 1
