"""Both routes at once: merged type by type, put into one order, cut to k episodes, 2k entities and 2k edges.

By default everything is compared by System-1's signals, with one more: how near the chosen entities that lead
to it are to the question, so that what both routes bring stands higher. The first three episodes of System-1 stay the
first three; facts that it finds keep its order, and those that System-2 adds follow. Reciprocal rank fusion and
rerankers are settings.
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
from mnemo.retrieval import system1
from mnemo.retrieval.candidates import Finds
from mnemo.retrieval.outcome import outcome
from mnemo.retrieval.question import Question
from mnemo.retrieval.ranking import fuse
from mnemo.retrieval.request import MAX_K, SearchRequest
from mnemo.retrieval.rerank import reranked
from mnemo.retrieval.signals import standardised
from mnemo.retrieval.system2 import System2, Walk, marked, walked
from mnemo.store.search import Gathered

__all__ = ["BOOST", "boosts", "merged", "search", "united"]

BOOST = 0.15
"""What being led to by the nearest chosen entities adds to a score, in the signals' unit; chosen among
0.1 to 0.3 on 760 questions of LoCoMo: the best for four of its five conversations when each is left out."""
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
    """Answer by both routes; by System-1 alone where there is no hierarchy, or nothing in it was chosen.

    A selector that fails ends the walk: what was chosen before counts, and the result's note says why.

    Args:
        system2: The walk, with its database, embedder and settings.
        request: What is asked.
        reranker: Puts the first `depth` of each type into another order; None keeps the merged one.
        depth: Items of a type that are reranked.

    Raises:
        ProviderError: The embedder or the reranker failed.
        StoreError: See its kinds.
    """
    (question, one), (_, walk, two) = await asyncio.gather(
        system1.look(system2.database, system2.embedder, request, system2.clock), system2.look(request)
    )
    deep = replace(request, k=min(MAX_K, max(request.k, _DEEP)))
    if walk.empty:
        finds = system1.rank(question, deep, one)
    elif system2.settings.fusion == "rrf":
        first, second = system1.rank(question, deep, one), marked(system1.rank(question, deep, two))
        finds = _fused(first, second, system2.settings.rrf_damping)
    else:
        finds = _routed(merged(question, deep, one, two, walk), one, two)
    if reranker is not None:
        finds = await reranked(reranker, request.question, finds, depth)
    found = outcome(request, _cut(finds, request.k), "system1" if walk.empty else "both")
    return walked(found, walk)


def merged(question: Question, request: SearchRequest, one: Gathered, two: Gathered, walk: Walk) -> Finds:
    """Return what both routes brought, in one order a type, cut to k episodes, 2k entities and 2k edges."""
    first = system1.rank(question, request, one)
    finds = system1.rank(question, request, united(one, two), boosts(walk, two))
    by_uuid = {found.item.uuid: found for found in (*first.episodes[:_HEAD], *finds.episodes)}
    order = dict.fromkeys(found.item.uuid for found in (*first.episodes[:_HEAD], *finds.episodes))
    episodes = tuple(by_uuid[uuid] for uuid in order)[: request.k]
    known = {found.item.uuid for found in first.edges}
    added = [found for found in finds.edges if found.item.uuid not in known]
    return replace(finds, episodes=episodes, edges=(*first.edges, *added)[: 2 * request.k])


def united(one: Gathered, two: Gathered) -> Gathered:
    """Return the rows of both, each thing once; System-1's row where both have it, for it knows of words."""
    return Gathered(
        episodes=_once(one.episodes, two.episodes),
        entities=_once(one.entities, two.entities),
        edges=_once(one.edges, two.edges),
        people=one.people,
    )


def boosts(walk: Walk, gathered: Gathered) -> dict[str, float]:
    """Return what each episode and fact that rests on chosen entities gains, by uuid: 0 to `BOOST`.

    The weightiest chosen entity that leads to it counts. An entity weighs by how far its nearness to the question
    stands above the mean of the chosen, in standard deviations up to one (one chosen by an LLM weighs one), divided
    by 1 + `_COMMON` times the logarithm of the number of episodes that it leads to.
    """
    rows = [row for row in gathered.entities if row["chosen"]]
    nearness = standardised([row["whole"] for row in rows])
    by_llm = any(stage.by == "llm" for stage in walk.stages)
    episodes = Counter(uuid for row in gathered.episodes for uuid in row["chosen"])
    worth = {
        row["uuid"]: (1.0 if by_llm else min(1.0, max(0.0, float(value))))
        / (1.0 + _COMMON * log(max(1, episodes[row["uuid"]])))
        for row, value in zip(rows, nearness, strict=True)
    }
    led_to = (*gathered.episodes, *gathered.edges)
    return {row["uuid"]: BOOST * max((worth.get(uuid, 0.0) for uuid in row["chosen"]), default=0.0) for row in led_to}


def _once(one: Sequence[Mapping[str, Any]], two: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    rows = {row["uuid"]: dict(row) for row in two}
    rows.update({row["uuid"]: dict(row) for row in one})
    return list(rows.values())


def _routed(finds: Finds, one: Gathered, two: Gathered) -> Finds:
    """Say of each find which route brought it."""
    first = {row["uuid"] for rows in (one.episodes, one.entities, one.edges) for row in rows}
    second = {row["uuid"] for rows in (two.episodes, two.entities, two.edges) for row in rows}

    def told(found: Sequence[Found[T]]) -> tuple[Found[T], ...]:
        return tuple(replace(each, routes=_routes(each.item.uuid, first, second)) for each in found)

    return replace(finds, episodes=told(finds.episodes), entities=told(finds.entities), edges=told(finds.edges))


def _routes(uuid: str, first: set[str], second: set[str]) -> tuple[Route, ...]:
    found: list[Route] = []
    if uuid in first:
        found.append("system1")
    if uuid in second:
        found.append("system2")
    return tuple(found)


def _fused(one: Finds, two: Finds, damping: int) -> Finds:
    def both(first: Sequence[Found[T]], second: Sequence[Found[T]]) -> tuple[Found[T], ...]:
        known = {found.item.uuid: found for found in (*second, *first)}
        names = [[found.item.uuid for found in first], [found.item.uuid for found in second]]
        pairs = fuse(names, limit=max(1, len(known)), damping=damping)
        return tuple(
            replace(known[uuid], score=score, routes=_routes(uuid, set(names[0]), set(names[1])))
            for uuid, score in pairs
        )

    return Finds(
        episodes=both(one.episodes, two.episodes),
        entities=both(one.entities, two.entities),
        edges=both(one.edges, two.edges),
        backing={**two.backing, **one.backing},
    )


def _cut(finds: Finds, k: int) -> Finds:
    best = finds.episodes[:k]
    shown = {found.item.uuid for found in best}
    rest = {found.item.uuid: found.item for found in finds.episodes[k:]}
    backing = {uuid: episode for uuid, episode in {**finds.backing, **rest}.items() if uuid not in shown}
    return replace(finds, episodes=best, entities=finds.entities[: 2 * k], edges=finds.edges[: 2 * k], backing=backing)
