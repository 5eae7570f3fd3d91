"""The route through the tree over episodes (MemTree): whatever of it is near, leaves and inner nodes alike.

Collapsed looks at all nodes at once; traversal takes the nearest of each level from the root down. An inner
node above another result is reported once, with that one. With a filter only episodes are reported: a
summary speaks of all that is under it, and a filter must not let the rest through.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from mnemo.clock import Clock, SystemClock
from mnemo.models.graph import Episode
from mnemo.models.hierarchy import Category, Hierarchy
from mnemo.models.results import Found, SearchResult
from mnemo.providers.base import Embedder, Vectors
from mnemo.retrieval.candidates import Finds
from mnemo.retrieval.outcome import outcome
from mnemo.retrieval.request import SearchRequest
from mnemo.store import hierarchy as store
from mnemo.store import memtree_search
from mnemo.store.driver import Database
from mnemo.store.memtree_search import Hit
from mnemo.store.search import Filters

__all__ = ["TreeRoute", "find", "folded", "search"]

T = TypeVar("T")

_HITS = 50
_SOURCES = 3
_DEEPEST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRoute:
    """How to look."""

    mode: Literal["collapsed", "traversal"] = "collapsed"
    least_cosine: float = 0.0
    """What a node must have to count."""


async def search(
    database: Database,
    embedder: Embedder,
    request: SearchRequest,
    route: TreeRoute | None = None,
    clock: Clock | None = None,
) -> SearchResult:
    """Answer with up to k nodes of the tree, and a context within the budget; fewer when fewer are near enough.

    Args:
        database: Migrated for the embedder.
        embedder: The one that the memory was embedded by.
        request: What is asked.
        route: How to look; None is collapsed and any cosine from 0 on.
        clock: Tells what now is; None is the machine's.

    Raises:
        ProviderError: The embedder failed.
        StoreError: See its kinds.
    """
    finds = await find(database, embedder, request, route or TreeRoute(), clock or SystemClock())
    return outcome(request, finds, "tree")


async def find(database: Database, embedder: Embedder, request: SearchRequest, route: TreeRoute, clock: Clock) -> Finds:
    """Return the nodes without a context; see `search`. Nothing where the group has no tree."""
    root = await store.find_root(database, request.group, "episodes")
    if root is None:
        return Finds()
    vector = (await embedder.questions([request.question]))[0]
    filters = _filters(request, clock)
    look = _traversed if route.mode == "traversal" else _collapsed
    hits = await look(database, root, vector, filters, request.k)
    if _filtered(request):
        hits = [hit for hit in hits if isinstance(hit.node, Episode)]
    kept = folded([hit for hit in hits if hit.cosine >= route.least_cosine], request.k)
    return await _finds(database, root, vector, kept)


def folded(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return the nearest hits of which none is above another, best first: pure.

    Args:
        hits: Best first, none twice.
        limit: Most that are returned; one that is folded away makes room for the next.
    """
    kept: list[Hit] = []
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


async def _collapsed(database: Database, root: Hierarchy, vector: Vectors, filters: Filters, k: int) -> list[Hit]:
    return await memtree_search.nearest(database, root, vector, filters, max(_HITS, 2 * k))


async def _traversed(database: Database, root: Hierarchy, vector: Vectors, filters: Filters, k: int) -> list[Hit]:
    parents, found = [root.uuid], list[Hit]()
    for _ in range(_DEEPEST):
        if not parents:
            break
        level = await memtree_search.best_children(database, root, parents, vector, filters, k)
        found.extend(level)
        parents = [hit.node.uuid for hit in level if isinstance(hit.node, Category)]
    return sorted(found, key=lambda hit: (-hit.cosine, hit.node.uuid))


async def _finds(database: Database, root: Hierarchy, vector: Vectors, kept: Sequence[Hit]) -> Finds:
    uuids = [hit.node.uuid for hit in kept if isinstance(hit.node, Category)]
    under = await memtree_search.sources(database, root.group, uuids, vector, _SOURCES) if uuids else {}
    episodes = [_found(hit.node, hit.cosine, (hit.node.uuid,)) for hit in kept if isinstance(hit.node, Episode)]
    categories = [
        _found(hit.node, hit.cosine, tuple(episode.uuid for episode in under.get(hit.node.uuid, ())))
        for hit in kept
        if isinstance(hit.node, Category)
    ]
    shown = {found.item.uuid for found in episodes}
    backing = {one.uuid: one for several in under.values() for one in several if one.uuid not in shown}
    return Finds(episodes=tuple(episodes), categories=tuple(categories), backing=backing)


def _found(item: T, cosine: float, sources: tuple[str, ...]) -> Found[T]:
    return Found(item=item, score=cosine, routes=("tree",), sources=sources, signals={"cosine": cosine})


def _filtered(request: SearchRequest) -> bool:
    bounds = (request.as_of, request.session, request.speaker, request.since, request.until)
    return any(bound is not None for bound in bounds)


def _filters(request: SearchRequest, clock: Clock) -> Filters:
    return Filters(
        as_of=request.as_of or clock.now(),
        visible_until=request.as_of,
        session=request.session,
        speaker=request.speaker,
        since=request.since,
        until=request.until,
    )
