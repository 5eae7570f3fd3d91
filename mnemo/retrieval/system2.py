"""System-2: a walk down the categories to entities, and the evidence of the entities that it chose.

One round trip for each layer, one for the entities and one for their evidence.
"""

import asyncio
from dataclasses import dataclass, field, replace

from mnemo.config import HierarchySettings
from mnemo.errors import ProviderError
from mnemo.models.hierarchy import Category
from mnemo.models.results import Found, SearchResult, Usage, WalkLayer
from mnemo.providers.cosine_floors import cosine_floor
from mnemo.retrieval import system1
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.question.analysis import Question
from mnemo.retrieval.ranking.ranked_items import with_routes
from mnemo.retrieval.ranking.scoring import ScoredCandidates
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.search_results import search_result
from mnemo.retrieval.selector import Choice, EmbeddingSelector, Selection, Selector
from mnemo.store import system2 as store
from mnemo.store.search import CandidateRows, SearchQuery
from mnemo.store.system2 import EvidenceRows, Option

__all__ = ["NOTHING_CHOSEN", "NO_CATEGORIES", "System2", "Walk", "search", "with_walk"]

EVIDENCE = 200
"""Most episodes, and most facts, that a walk brings."""
NO_CATEGORIES = "System-1 answered, because the group has no categories; `mnemo hierarchy build` makes them"
NOTHING_CHOSEN = "System-1 answered, because System-2 chose nothing in the categories"
_OPTIONS = 64
"""Options of a layer that the embedding selector needs: it takes the nearest few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a walk down the categories chose."""

    stages: tuple[WalkLayer, ...] = ()
    entities: tuple[Option, ...] = ()
    whole: tuple[Option, ...] = ()
    """Categories that were chosen with everything under them."""
    usage: Usage = field(default_factory=Usage)
    truncated: bool = False
    """Whether a limit of calls, nodes or seconds ended it."""
    note: str | None = None
    """Why it ended early; None if it did not."""

    @property
    def empty(self) -> bool:
        """Whether nothing was chosen: there are no categories, or none of them fits."""
        return not self.entities and not self.whole

    @property
    def fallback(self) -> str:
        """Why System-1 answers instead, if nothing was chosen."""
        if self.note is not None:
            return f"{self.note}; System-1 answered"
        return NOTHING_CHOSEN if self.stages else NO_CATEGORIES


@dataclass(slots=True)
class _WalkState:
    """A walk in progress."""

    deadline: float
    hierarchy: str = ""
    stages: list[WalkLayer] = field(default_factory=list)
    entities: dict[str, Option] = field(default_factory=dict)
    whole: dict[str, Option] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    truncated: bool = False
    note: str | None = None

    @property
    def left_s(self) -> float:
        return self.deadline - asyncio.get_running_loop().time()


class System2:
    """Walks and gathers evidence, with one selector and one set of limits."""

    def __init__(
        self,
        gatherer: CandidateGatherer,
        selector: Selector | None = None,
        settings: HierarchySettings | None = None,
    ) -> None:
        """Keep the parts; the default selector uses embeddings."""
        self.gatherer = gatherer
        self.settings = settings or HierarchySettings()
        self._selector = selector or EmbeddingSelector()

    async def gather(self, request: SearchRequest) -> tuple[Question, Walk, CandidateRows]:
        """Walk, and return the evidence of what was chosen, not ranked; empty without categories.

        Raises:
            ProviderError: The embedder failed.
            StoreError: See its kinds.
        """
        question = self.gatherer.read(request)
        query = await self.gatherer.query(request, question)
        walk = await self.walk(request, query)
        if walk.empty:
            return question, walk, CandidateRows()
        evidence = await self._evidence(query, walk)
        checked = self.gatherer.learn(request, evidence.rows.people)
        if checked.bare != question.bare:
            evidence = await self._evidence(await self.gatherer.query(request, checked), walk)
        return checked, walk, evidence.rows

    async def walk(self, request: SearchRequest, query: SearchQuery) -> Walk:
        """Go down layer by layer from the top.

        If a limit is reached or the selector fails, the walk keeps what was chosen by then.
        """
        state = _WalkState(asyncio.get_running_loop().time() + self.settings.max_seconds)
        options = await self._options(state, query, ())
        while options:
            selection = await self._selected(state, request.question, options)
            if selection is None:
                break
            below = self._take(state, options, selection)
            options = await self._options(state, query, below) if below else []
        return Walk(
            stages=tuple(state.stages),
            entities=tuple(state.entities.values()),
            whole=tuple(state.whole.values()),
            usage=state.usage,
            truncated=state.truncated,
            note=state.note,
        )

    async def _options(self, state: _WalkState, query: SearchQuery, parents: tuple[str, ...]) -> list[Option]:
        limit = self.settings.max_nodes
        most = min(limit, _OPTIONS) if isinstance(self._selector, EmbeddingSelector) else limit
        state.hierarchy, options = await store.layer(
            self.gatherer.database,
            query,
            hierarchy=state.hierarchy,
            parents=parents,
            limit=most + 1,
        )
        if len(options) > most:
            state.truncated = state.truncated or most == limit
            options = options[:most]
        return options

    async def _selected(self, state: _WalkState, question: str, options: list[Option]) -> Selection | None:
        """Return the selection; None if a limit was reached or the LLM failed."""
        calls = self.settings.max_calls - state.usage.calls
        if state.left_s <= 0 or calls < 1:
            state.truncated, state.note = True, "System-2 ended early: its limit of calls or seconds was reached"
            return None
        try:
            async with asyncio.timeout(state.left_s):
                return await self._selector.select(question, options, calls)
        except ProviderError as error:
            state.note = f"System-2 ended early: the selector failed: {error}"
        except TimeoutError:
            state.truncated = True
            state.note = f"System-2 ended early: it took more than {self.settings.max_seconds:g} seconds"
        return None

    def _take(self, state: _WalkState, options: list[Option], selection: Selection) -> tuple[str, ...]:
        """Record a stage and return the categories to descend into."""
        state.usage += selection.usage
        state.truncated = state.truncated or selection.truncated
        state.stages.append(_stage(options, selection))
        below = []
        for choice in selection.choices:
            if choice.option.layer == 0:
                self._add(state, choice)
            elif choice.whole:
                state.whole[choice.option.uuid] = choice.option
            else:
                below.append(choice.option.uuid)
        return tuple(below)

    def _add(self, state: _WalkState, choice: Choice) -> None:
        if len(state.entities) >= self.settings.max_nodes:
            state.truncated = True
        else:
            state.entities[choice.option.uuid] = choice.option

    async def _evidence(self, query: SearchQuery, walk: Walk) -> EvidenceRows:
        return await store.gather(
            self.gatherer.database,
            query,
            [option.uuid for option in walk.entities],
            [option.uuid for option in walk.whole],
            nodes=self.settings.max_nodes,
            limit=EVIDENCE,
        )


async def search(system2: System2, request: SearchRequest) -> SearchResult:
    """Answer by the categories; by System-1 alone if there are none or nothing was chosen, and the note says so.

    A selector that fails ends the walk: what was chosen before counts, and the note says why it ended.

    Raises:
        ProviderError: The embedder failed.
        StoreError: See its kinds.
    """
    gatherer = system2.gatherer
    question, walk, rows = await system2.gather(request)
    if walk.empty:
        return with_walk(await system1.search(gatherer, request), walk)
    floor = cosine_floor(gatherer.embedder.model)
    ranked = with_routes(ScoredCandidates.of(question, request.group, rows, floor).ranked(request.depth), ("system2",))
    moment = request.as_of or gatherer.clock.now()
    return with_walk(search_result(request, ranked, "system2", moment, floor), walk)


def with_walk(result: SearchResult, walk: Walk) -> SearchResult:
    """Add the chosen categories, the stages, the cost and the note of a walk to a result."""
    return replace(
        result,
        categories=_categories(result.group, walk),
        usage=result.usage + walk.usage,
        truncated=walk.truncated,
        walk=walk.stages,
        note=walk.fallback if walk.empty else walk.note,
    )


def _categories(group: str, walk: Walk) -> tuple[Found[Category], ...]:
    """Return the categories that were chosen with everything under them."""
    return tuple(
        Found(
            item=Category(
                uuid=option.uuid,
                group=group,
                name=option.name,
                content="",
                tags=option.tags,
                layer=option.layer,
                leaves=option.leaves,
            ),
            score=max(0.0, option.cosine or 0.0),
            routes=("system2",),
        )
        for option in walk.whole
    )


def _stage(options: list[Option], selection: Selection) -> WalkLayer:
    return WalkLayer(
        layer=max(option.layer for option in options),
        offered=len(options),
        chosen=tuple(choice.option.name for choice in selection.choices),
        whole=tuple(choice.option.name for choice in selection.choices if choice.whole),
        by=selection.by,
        calls=selection.usage.calls,
        skipped=selection.skipped,
        fallbacks=selection.fallbacks,
    )
