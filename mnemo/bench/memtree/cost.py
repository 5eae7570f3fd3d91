"""What an insert into the tree over episodes costs as it grows: candidates, round trips, milliseconds.

Texts are numbers and vectors are drawn in nested clusters, so that any size can be made without an
embedder; an inner node's content names up to eight of its leaves and stands at their mean.
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
from mnemo.store import memtree as store
from mnemo.store.driver import Database
from mnemo.store.hierarchy import find_root

__all__ = ["InsertCost", "NamingAggregator", "NumberEmbedder", "clustered", "fill", "measure"]

_ROWS = 1_000
_NAMES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertCost:
    """Medians over some inserts into a tree of one size."""

    leaves: int
    log2_leaves: float
    candidates: float
    """Nodes compared on the way."""
    depth: float
    """Of the new leaf."""
    route_ms: float
    """To find the path in one round trip; None where there is no plugin."""
    levels_ms: float
    """To find the same path in one round trip a level."""
    levels: float
    """How many round trips that took."""
    insert_ms: float
    """A whole insert: path, contents (no LLM, no embedder), write."""
    round_trips: int
    """Of a whole insert into a tree that is there: its root, what is pending, the path, the write."""


class NamingAggregator:
    """Names up to eight leaves."""

    name: Literal["llm", "extract"] = "extract"

    async def aggregate(self, wanted: AggregateRequest) -> AggregateResult:
        """Return leaves' names joined by blanks: those before, thinned out, and the new ones."""
        names = [*wanted.content.split(), *(text for text in wanted.texts)]
        step = -(-len(names) // _NAMES)
        return AggregateResult(content=" ".join(names[::step]))


class NumberEmbedder:
    """Places a content at the mean of the leaves that it names."""

    model = "bench"

    def __init__(self, vectors: Vectors) -> None:
        """Keep the vectors, by number."""
        self._vectors = vectors
        self.dimensions = int(vectors.shape[1])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return means of unit length."""
        rows = [self._vectors[[int(name) for name in text.split()]].mean(axis=0) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float32)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Return the same."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Do nothing."""


def clustered(count: int, dimensions: int, seed: int = 0) -> Vectors:
    """Return unit vectors of three nested kinds of clusters: 40 topics, 12 themes in each, 10 matters in each."""
    drawn = np.random.default_rng(seed)
    topics = drawn.standard_normal((40, dimensions))
    themes = drawn.standard_normal((40 * 12, dimensions))
    matters = drawn.standard_normal((40 * 12 * 10, dimensions))
    own = drawn.integers(0, len(matters), count)
    rows = topics[own // 120] + 0.8 * themes[own // 10] + 0.7 * matters[own]
    rows += 0.6 * drawn.standard_normal((count, dimensions))
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


async def fill(database: Database, group: str, vectors: Vectors, first: int, last: int) -> None:
    """Store episodes with those numbers, processed and without a leaf."""
    for start in range(first, last, _ROWS):
        rows = [
            {"uuid": str(uuid.uuid4()), "content": str(number), "sequence": number, "vector": vectors[number]}
            for number in range(start, min(start + _ROWS, last))
        ]
        await database.run("bench/leaves", group=group, rows=rows)


async def measure(
    database: Database, group: str, vectors: Vectors, first: int, probes: int, settings: MemtreeSettings
) -> InsertCost:
    """Insert `probes` more episodes one by one into a tree of `first` leaves, and return what each took.

    Args:
        database: With the plugin.
        group: Whose tree.
        vectors: By number; `first` to `first + probes` are inserted.
        first: Leaves that are there.
        probes: At least 1.
        settings: Those that the tree grew by.
    """
    embedder = NumberEmbedder(vectors)
    least = min_cosines(descent_rule(settings, embedder.model))
    root = await find_root(database, group, "memtree")
    if root is None:
        message = "wanted a tree to measure, got none"
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
    """Walk down by one plain statement a level; return how many there were."""
    here = DescentStep(uuid=root.uuid, kind="root", depth=0, candidates=0, next_position=0)
    for trips in range(1, len(least) + 2):
        level = await store.step(database, root.group, here, vector, 0.0)
        below = level.nearest if level else None
        if below is None or below.kind == "leaf" or (below.cosine or 0.0) < least[here.depth]:
            return trips
        here = below
    return len(least) + 1
