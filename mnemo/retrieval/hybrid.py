"""The route `both`: merges System-1 and System-2 into one order per type.

By default the candidates of both routes are scored together by System-1's signals, with one more: how near
the chosen entities that lead to an item are to the question, so that what both routes bring ranks higher. The
first three episodes of System-1 stay first; facts that System-1 found keep its order, and those that System-2
adds follow. Reciprocal rank fusion and rerankers are settings.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Any, TypeVar

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.results import Found, Route, SearchResult
from mnemo.providers.base import Reranker
from mnemo.providers.cosine_floors import cosine_floor
from mnemo.retrieval.question.analysis import Question
from mnemo.retrieval.ranking.fusion import fuse
from mnemo.retrieval.ranking.ranked_items import RankedItems, cut, with_routes
from mnemo.retrieval.ranking.scoring import ScoredCandidates
from mnemo.retrieval.ranking.signals import standardised
from mnemo.retrieval.request import MAX_K, SearchRequest
from mnemo.retrieval.rerank import reranked
from mnemo.retrieval.search_results import search_result
from mnemo.retrieval.system2 import System2, Walk, with_walk
from mnemo.store.search import CandidateRows

__all__ = ["BOOST", "boosts", "merged", "search", "united"]

BOOST = 0.15
"""What the nearest chosen entities add to the total of an item, in the signals' unit; chosen among 0.1 to 0.3
on 760 questions of LoCoMo: the best for four of its five conversations when each is left out."""
_HEAD = 3
"""Episodes of System-1 that stay first."""
_COMMON = 0.5
"""How fast an entity loses weight with the number of episodes that it leads to."""
_DEEP = 50
"""Items of each type that each route brings to a fusion or a reranker, at least k."""
T = TypeVar("T", bound=Episode | Entity | Edge)


async def search(
    system2: System2, request: SearchRequest, reranker: Reranker | None = None, *, depth: int = 40
) -> SearchResult:
    """Answer by both routes; by System-1 alone if there are no categories or nothing was chosen, and the note says so.

    A selector that fails ends the walk: what was chosen before counts, and the note says why it ended.

    Args:
        system2: The walk, with its gatherer and settings.
        request: What is asked.
        reranker: Reorders the first `depth` of each type; None keeps the merged order.
        depth: Items of a type that are reranked.

    Raises:
        ProviderError: The embedder or the reranker failed.
        StoreError: See its kinds.
    """
    gatherer = system2.gatherer
    (question, one), (_, walk, two) = await asyncio.gather(gatherer.gather(request), system2.gather(request))
    deep = min(MAX_K, max(request.k, _DEEP))
    floor = cosine_floor(gatherer.embedder.model)
    if walk.empty:
        items = ScoredCandidates.of(question, request.group, one, floor).ranked(deep)
    elif system2.settings.fusion == "rrf":
        first, second = (ScoredCandidates.of(question, request.group, rows, floor).ranked(deep) for rows in (one, two))
        items = _fused(first, second, system2.settings.rrf_damping)
    else:
        items = merged(question, replace(request, k=deep), one, two, walk, floor=floor)
    if reranker is not None:
        items = await reranked(reranker, request.question, items, depth)
    moment = request.as_of or gatherer.clock.now()
    result = search_result(request, cut(items, request.depth), "system1" if walk.empty else "both", moment, floor)
    return with_walk(result, walk)


def merged(
    question: Question, request: SearchRequest, one: CandidateRows, two: CandidateRows, walk: Walk, *, floor: float = 0
) -> RankedItems:
    """Return the candidates of both routes in one order a type, cut to k episodes, 2k entities and 2k edges.

    Args:
        question: As it was read.
        request: Gives the group and k.
        one: Rows of System-1.
        two: Rows of System-2.
        walk: What System-2 chose.
        floor: Cosine of unrelated texts under the embedding model.
    """
    scored = ScoredCandidates.of(question, request.group, united(one, two), floor)
    added = boosts(walk, two)
    head = scored.episodes.places(among=scored.matching & _uuids(one.episodes))[:_HEAD]
    episodes = list(dict.fromkeys((*head, *scored.episodes.places(added, scored.matching))))
    of_first = scored.edges.places(among=_uuids(one.edges))[: 2 * request.k]
    edges = list(dict.fromkeys((*of_first, *scored.edges.places(added, _uuids(two.edges) - _uuids(one.edges)))))
    entities = scored.entities.places(added)
    size = 2 * request.k
    items = scored.made(episodes[: request.k], entities[:size], edges[:size], added)
    return with_routes(items, _routes(one, two))


def united(one: CandidateRows, two: CandidateRows) -> CandidateRows:
    """Return the rows of both, each item once: System-1's row if both have it, because it has the full-text score."""
    return CandidateRows(
        episodes=_once(one.episodes, two.episodes),
        entities=_once(one.entities, two.entities),
        edges=_once(one.edges, two.edges),
        people=one.people,
    )


def boosts(walk: Walk, rows: CandidateRows) -> dict[str, float]:
    """Return the boost of each episode and fact that rests on chosen entities, by uuid: 0 to `BOOST`.

    The weightiest chosen entity that leads to an item counts. The weight of an entity is how far its similarity to
    the question is above the mean of the chosen ones, in standard deviations up to one (1 if an LLM chose it), divided
    by 1 + `_COMMON` times the logarithm of the number of episodes that it leads to.
    """
    chosen = [row for row in rows.entities if row["chosen"]]
    nearness = standardised([row["whole"] for row in chosen])
    by_llm = any(stage.by == "llm" for stage in walk.stages)
    episodes = Counter(uuid for row in rows.episodes for uuid in row["chosen"])
    weights = {
        row["uuid"]: (1.0 if by_llm else min(1.0, max(0.0, float(value))))
        / (1.0 + _COMMON * log(max(1, episodes[row["uuid"]])))
        for row, value in zip(chosen, nearness, strict=True)
    }
    led_to = (*rows.episodes, *rows.edges)
    return {row["uuid"]: BOOST * max((weights.get(uuid, 0.0) for uuid in row["chosen"]), default=0.0) for row in led_to}


def _uuids(rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(row["uuid"] for row in rows)


def _once(one: Sequence[Mapping[str, Any]], two: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    rows = {row["uuid"]: dict(row) for row in two}
    rows.update({row["uuid"]: dict(row) for row in one})
    return list(rows.values())


def _routes(one: CandidateRows, two: CandidateRows) -> dict[str, tuple[Route, ...]]:
    """Return which routes brought each item, by uuid."""
    sides: tuple[tuple[Route, CandidateRows], ...] = (("system1", one), ("system2", two))
    found: dict[str, tuple[Route, ...]] = {}
    for route, rows in sides:
        for row in (*rows.episodes, *rows.entities, *rows.edges):
            found[row["uuid"]] = (*found.get(row["uuid"], ()), route)
    return found


def _fused(one: RankedItems, two: RankedItems, damping: int) -> RankedItems:
    def both(first: Sequence[Found[T]], second: Sequence[Found[T]]) -> tuple[Found[T], ...]:
        known: dict[str, Found[T]] = {}
        sides: tuple[tuple[Route, Sequence[Found[T]]], ...] = (("system1", first), ("system2", second))
        for route, found in sides:
            for each in found:
                before = known.get(each.item.uuid)
                routes = (*before.routes, route) if before else (route,)
                known[each.item.uuid] = replace(before or each, routes=routes)
        uuids = [[found.item.uuid for found in first], [found.item.uuid for found in second]]
        return tuple(known[uuid] for uuid, _ in fuse(uuids, limit=max(1, len(known)), damping=damping))

    return RankedItems(
        episodes=both(one.episodes, two.episodes),
        entities=both(one.entities, two.entities),
        edges=both(one.edges, two.edges),
        sources={**two.sources, **one.sources},
        names={**two.names, **one.names},
    )
