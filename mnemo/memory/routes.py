"""Answers a question by the requested route."""

import warnings
from typing import get_args

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
    """Return a route by its name; `tree`, the former name of `memtree`, is accepted with a warning.

    Raises:
        ArgumentError: There is no such route.
    """
    if route == "tree":
        warnings.warn("route 'tree' is now called 'memtree'", DeprecationWarning, stacklevel=3)
        return "memtree"
    for known in _ROUTES:
        if route == known:
            return known
    message = f"route must be one of {', '.join(_ROUTES)}, got {route!r}"
    raise ArgumentError(message)


async def look(open_: Connection, request: SearchRequest, route: Route, settings: Settings) -> SearchResult:
    """Search by one route.

    Raises:
        ArgumentError: There is no such route.
        ProviderError: A provider failed.
        StoreError: See its kinds.
    """
    route = checked_route(route)
    if route == "memtree":
        options = memtree.MemtreeOptions(
            mode=settings.tree.retrieval, least_cosine=least_cosine(settings.tree, open_.embedder.model)
        )
        return await memtree.search(open_.gatherer, request, options)
    if route == "system2":
        return await system2.search(open_.system2, request)
    if route == "both":
        return await hybrid.search(open_.system2, request, open_.reranker, depth=settings.rerank.depth)
    return await system1.search(open_.gatherer, request)
