"""The route through the memtree (MemTree, arXiv 2410.14052): its nearest nodes, leaves and inner nodes alike.

`collapsed` searches all nodes at once; `traversal` takes the nearest of each level from the root down. An inner
node above another result is left out in favour of that one. With a filter only episodes are returned, because
a summary covers everything under it, also what the filter excludes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from mnemo.models.graph import Episode
from mnemo.models.hierarchy import Category, Hierarchy
from mnemo.models.results import Found, SearchResult
from mnemo.providers.base import Vectors
from mnemo.providers.cosine_floors import cosine_floor
from mnemo.retrieval.candidates import CandidateGatherer, filters
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.search_results import search_result
from mnemo.store.driver import Database
from mnemo.store.hierarchy import members as store
from mnemo.store.hierarchy import memtree_search
from mnemo.store.hierarchy.memtree_search import MemtreeHit
from mnemo.store.search import Filters

__all__ = ["MemtreeOptions", "find", "folded", "search"]

T = TypeVar("T")

_HITS = 50
_SOURCES = 3
_DEEPEST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class MemtreeOptions:
    """How to search the memtree."""

    mode: Literal["collapsed", "traversal"] = "collapsed"
    least_cosine: float = 0.0
    """Nodes below it are left out."""


async def search(
    gatherer: CandidateGatherer, request: SearchRequest, options: MemtreeOptions | None = None
) -> SearchResult:
    """Answer with up to k nodes of the memtree and a context within the budget; fewer if fewer are near enough.

    A score is the node's cosine to the question, 0 for negative ones.

    Args:
        gatherer: Of the database, the embedder and the clock.
        request: What is asked.
        options: None is collapsed, with any cosine from 0 on.

    Raises:
        ProviderError: The embedder failed.
        StoreError: See its kinds.
    """
    items = await find(gatherer, request, options or MemtreeOptions())
    moment = request.as_of or gatherer.clock.now()
    return search_result(request, items, "memtree", moment, cosine_floor(gatherer.embedder.model))


async def find(gatherer: CandidateGatherer, request: SearchRequest, options: MemtreeOptions) -> RankedItems:
    """Return the nodes without a context; see `search`. Empty if the group has no memtree."""
    database = gatherer.database
    root = await store.find_root(database, request.group, "memtree")
    if root is None:
        return RankedItems()
    vector = (await gatherer.embedder.questions([request.question]))[0]
    bounds = filters(request, gatherer.clock)
    nearest = _traversed if options.mode == "traversal" else _collapsed
    hits = await nearest(database, root, vector, bounds, request.k)
    if bounds.narrow:
        hits = [hit for hit in hits if isinstance(hit.node, Episode)]
    kept = folded([hit for hit in hits if hit.cosine >= options.least_cosine], request.k)
    return await _items(database, root, vector, kept)


def folded(hits: Sequence[MemtreeHit], limit: int) -> list[MemtreeHit]:
    """Return the nearest hits, none an ancestor of another, best first: pure.

    Args:
        hits: Best first, none twice.
        limit: Most hits returned; an ancestor that is left out makes room for the next.
    """
    kept: list[MemtreeHit] = []
    covered: set[str] = set()
    for hit in hits:
        if hit.node.uuid in covered:
            continue
        left = [other for other in kept if other.node.uuid not in hit.above]
        if len(left) == limit:
            break
        kept = [*left, hit]
        covered |= hit.above
    return kept


async def _collapsed(
    database: Database, root: Hierarchy, vector: Vectors, filters: Filters, k: int
) -> list[MemtreeHit]:
    return await memtree_search.nearest(database, root, vector, filters, max(_HITS, 2 * k))


async def _traversed(
    database: Database, root: Hierarchy, vector: Vectors, filters: Filters, k: int
) -> list[MemtreeHit]:
    parents, found = [root.uuid], list[MemtreeHit]()
    for _ in range(_DEEPEST):
        if not parents:
            break
        level = await memtree_search.best_children(database, root, parents, vector, filters, k)
        found.extend(level)
        parents = [hit.node.uuid for hit in level if isinstance(hit.node, Category)]
    return sorted(found, key=lambda hit: (-hit.cosine, hit.node.uuid))


async def _items(database: Database, root: Hierarchy, vector: Vectors, kept: Sequence[MemtreeHit]) -> RankedItems:
    uuids = [hit.node.uuid for hit in kept if isinstance(hit.node, Category)]
    under = await memtree_search.sources(database, root.group, uuids, vector, _SOURCES) if uuids else {}
    episodes = [_found(hit.node, hit.cosine, (hit.node.uuid,)) for hit in kept if isinstance(hit.node, Episode)]
    categories = [
        _found(hit.node, hit.cosine, tuple(episode.uuid for episode in under.get(hit.node.uuid, ())))
        for hit in kept
        if isinstance(hit.node, Category)
    ]
    shown = {found.item.uuid for found in episodes}
    sources = {one.uuid: one for several in under.values() for one in several if one.uuid not in shown}
    return RankedItems(episodes=tuple(episodes), categories=tuple(categories), sources=sources)


def _found(item: T, cosine: float, sources: tuple[str, ...]) -> Found[T]:
    score = min(1.0, max(0.0, cosine))
    return Found(item=item, score=score, routes=("memtree",), sources=sources, signals={"cosine": cosine})
