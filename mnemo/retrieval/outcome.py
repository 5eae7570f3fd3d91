"""What a route found, as its caller is given it: pure."""

from mnemo.models.results import Route, SearchResult
from mnemo.retrieval import context
from mnemo.retrieval.candidates import Finds
from mnemo.retrieval.request import SearchRequest

__all__ = ["outcome"]


def outcome(request: SearchRequest, finds: Finds, route: Route) -> SearchResult:
    """Return the finds with a context within the request's budget, and the episodes that only the context cites."""
    shown = context.build(request.question, finds, budget=request.budget)
    return SearchResult(
        question=request.question,
        group=request.group,
        route=route,
        episodes=finds.episodes,
        entities=finds.entities,
        edges=finds.edges,
        categories=finds.categories,
        context=shown,
        cited=tuple(finds.backing[uuid] for uuid in shown.sources if uuid in finds.backing),
    )
