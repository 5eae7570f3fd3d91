"""Measures where the vector index begins to be faster than scoring every candidate, and what it misses."""

import statistics
import time
from dataclasses import dataclass

from mnemo.providers.base import Embedder
from mnemo.semxpath.compiler.core import QueryOptions
from mnemo.semxpath.compiler.scorers import CosineScorer
from mnemo.semxpath.trees.executor import Address, Executor
from mnemo.store.driver import Database

__all__ = ["IndexTimes", "measure_index"]

_WANTED = 10
_TEXTS = ("music by the river", "winter sailing", "bread in the garden", "a chess school", "tax on a museum")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexTimes:
    """The same searches in both ways, on one number of candidates."""

    candidates: int
    exact_ms: float
    """Median."""
    index_ms: float
    """Median."""
    recall: float
    """Share of the exact best ten, by score, that the index brought as well, 0 to 1."""


async def measure_index(db: Database, embedder: Embedder, address: Address, repeats: int) -> IndexTimes:
    """Search the best ten items of a tree in both ways, each text `repeats` times after one that is not counted."""
    cosine = CosineScorer(embedder)
    ways = (Executor(db, cosine, index_from=10**9), Executor(db, cosine, index_from=1))
    times: tuple[list[float], list[float]] = ([], [])
    shares = []
    for text in _TEXTS:
        found: list[list[float]] = []
        for way, spent in zip(ways, times, strict=True):
            for turn in range(repeats + 1):
                start = time.perf_counter()
                result = await way.xpath(f"//Item[node ~= '{text}']", address, QueryOptions(top_k=_WANTED))
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
