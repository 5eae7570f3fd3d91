"""One question, by the route that is asked for."""

from typing import get_args

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.errors import ArgumentError
from mnemo.hierarchy.memtree.thresholds import least_cosine
from mnemo.memory.connection import Connection
from mnemo.models.results import Route, SearchResult
from mnemo.retrieval import hybrid, memtree, system1, system2
from mnemo.retrieval.request import SearchRequest

__all__ = ["checked_route", "look"]

_ROUTES: tuple[Route, ...] = get_args(Route)


def checked_route(route: str) -> Route:
    """Return a route, or refuse one that is none.

    Raises:
        ArgumentError: Names those that are.
    """
    for known in _ROUTES:
        if route == known:
            return known
    message = f"wanted a route of {', '.join(_ROUTES)}, got {route!r}"
    raise ArgumentError(message)


async def look(
    open_: Connection, request: SearchRequest, route: Route, settings: Settings, clock: Clock
) -> SearchResult:
    """Search by one route.

    Raises:
        ArgumentError: The route is none.
        ProviderError: A provider failed.
        StoreError: See its kinds.
    """
    if checked_route(route) == "tree":
        how = memtree.TreeRoute(
            mode=settings.tree.retrieval, least_cosine=least_cosine(settings.tree, open_.embedder.model)
        )
        return await memtree.search(open_.database, open_.embedder, request, how, clock)
    if route == "system2":
        return await system2.search(open_.system2, request)
    if route == "both":
        return await hybrid.search(open_.system2, request, open_.reranker, depth=settings.rerank.depth)
    return await system1.search(open_.database, open_.embedder, request, clock)
