"""Compares the vector index with exact scoring of every candidate: latency and recall by size."""

import statistics
import time
from dataclasses import dataclass

from mnemo.models.tree import QueryOptions
from mnemo.providers.base import Embedder
from mnemo.semxpath.compiler.scorers import CosineScorer
from mnemo.semxpath.trees.executor import Address, Executor
from mnemo.store.driver import Database

__all__ = ["IndexTimes", "measure_index"]

_TOP_K = 10
_TEXTS = ("music by the river", "winter sailing", "bread in the garden", "a chess school", "tax on a museum")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexTimes:
    """Results of both methods for one number of candidates."""

    candidates: int
    exact_ms: float
    """Median milliseconds."""
    index_ms: float
    """Median milliseconds."""
    recall: float
    """Share of the exact ten best, by score, that the index also returned, 0 to 1."""


async def measure_index(db: Database, embedder: Embedder, address: Address, repeats: int) -> IndexTimes:
    """Search the ten best items of a tree with both methods, `repeats` times per text after a warm-up."""
    cosine = CosineScorer(embedder)
    ways = (Executor(db, cosine, index_from=10**9), Executor(db, cosine, index_from=1))
    times: tuple[list[float], list[float]] = ([], [])
    shares = []
    for text in _TEXTS:
        found: list[list[float]] = []
        for way, spent in zip(ways, times, strict=True):
            for turn in range(repeats + 1):
                start = time.perf_counter()
                result = await way.xpath(f"//Item[node ~= '{text}']", address, QueryOptions(top_k=_TOP_K))
                if turn:
                    spent.append((time.perf_counter() - start) * 1000)
            found.append([match.score for match in result.matches])
        least = found[0][-1] - 1e-6
        shares.append(sum(score >= least for score in found[1]) / len(found[0]))
    info = await ways[0].schema(address.group, address.tree)
    return IndexTimes(
        candidates=info.count("Item"),
        exact_ms=statistics.median(times[0]),
        index_ms=statistics.median(times[1]),
        recall=statistics.mean(shares),
    )
