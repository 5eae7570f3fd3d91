"""From ranked items to the result of a search: pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from mnemo.models.results import Found, Route, SearchResult
from mnemo.retrieval import context
from mnemo.retrieval.answering.selection import select_passages
from mnemo.retrieval.ranking.ranked_items import RankedItems, cut
from mnemo.retrieval.ranking.relevance import descending
from mnemo.retrieval.request import SearchRequest

__all__ = ["scored", "search_result"]

T = TypeVar("T")


def search_result(
    request: SearchRequest, items: RankedItems, route: Route, moment: datetime, floor: float = 0.0
) -> SearchResult:
    """Return the items with a context within the request's budget, and the episodes that only the context cites.

    Args:
        request: What was asked; its `min_score` cuts every type.
        items: In ranked order; what is more than the request's k only serves to choose passages.
        route: Which route answered.
        moment: For which facts were read: `as_of`, else now.
        floor: Cosine of unrelated texts under the embedding model.
    """
    items = scored(items, request.min_score)
    passages = select_passages(request.question, items, moment, floor) if request.passages else ()
    items = cut(items, request.k)
    shown = context.build(request.question, items, budget=request.budget, now=moment, first=passages)
    return SearchResult(
        question=request.question,
        group=request.group,
        route=route,
        episodes=items.episodes,
        entities=items.entities,
        edges=items.edges,
        categories=items.categories,
        context=shown,
        cited=tuple(items.sources[uuid] for uuid in shown.sources if uuid in items.sources),
        passages=passages,
        moment=moment,
    )


def scored(items: RankedItems, least: float | None = None) -> RankedItems:
    """Make the scores of each type agree with its order, and cut what scores below `least`.

    Args:
        items: In ranked order, with scores from 0 to 1.
        least: 0 to 1; None cuts nothing.
    """

    def each(found: Sequence[Found[T]]) -> tuple[Found[T], ...]:
        scores = descending([one.score for one in found])
        known = (replace(one, score=score) for one, score in zip(found, scores, strict=True))
        return tuple(one for one in known if least is None or one.score >= least)

    return replace(
        items,
        episodes=each(items.episodes),
        entities=each(items.entities),
        edges=each(items.edges),
        categories=each(items.categories),
    )
