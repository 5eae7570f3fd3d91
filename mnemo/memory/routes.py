"""Runs a search by the route that the caller chose."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from mnemo.config import Settings
from mnemo.deprecation import warn_former_name
from mnemo.errors import ArgumentError
from mnemo.lazy_import import lazy_module
from mnemo.memory.connection import Connection
from mnemo.models.results import Route, SearchResult
from mnemo.retrieval.request import SearchRequest

if TYPE_CHECKING:
    from mnemo.hierarchy.memtree import thresholds
    from mnemo.retrieval import hybrid, memtree, system1, system2
else:
    thresholds = lazy_module("mnemo.hierarchy.memtree.thresholds")
    hybrid = lazy_module("mnemo.retrieval.hybrid")
    memtree = lazy_module("mnemo.retrieval.memtree")
    system1 = lazy_module("mnemo.retrieval.system1")
    system2 = lazy_module("mnemo.retrieval.system2")

__all__ = ["checked_route", "search_by_route"]

_ROUTES: Mapping[str, Route] = {route: route for route in get_args(Route)}


def checked_route(route: str) -> Route:
    """Return a route; the former name `tree` of `memtree` is accepted with a warning.

    Raises:
        ArgumentError: There is no such route.
    """
    if route == "tree":
        warn_former_name("the route 'tree'", "'memtree'")
        return "memtree"
    if route not in _ROUTES:
        message = f"route must be one of {', '.join(_ROUTES)}, got {route!r}"
        raise ArgumentError(message)
    return _ROUTES[route]


async def search_by_route(opened: Connection, request: SearchRequest, route: Route, settings: Settings) -> SearchResult:
    """Search by one route.

    Raises:
        ProviderError: A provider failed.
        StoreError: See its kinds.
    """
    if route == "system1":
        return await system1.search(opened.gatherer, request)
    if route == "memtree":
        return await _searched_memtree(opened, request, settings)
    if route == "system2":
        return await system2.search(opened.system2, request)
    return await hybrid.search(opened.system2, request, opened.reranker, depth=settings.rerank.depth)


async def _searched_memtree(opened: Connection, request: SearchRequest, settings: Settings) -> SearchResult:
    least = thresholds.min_search_cosine(settings.memtree, opened.embedder.model)
    options = memtree.MemtreeOptions(mode=settings.memtree.retrieval, least_cosine=least)
    return await memtree.search(opened.gatherer, request, options)
