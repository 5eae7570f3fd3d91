"""System-2: a walk down the hierarchy over entities, and what rests on the entities that it chose.

A round trip for each layer, one for the entities and one for what rests on them.
"""

import asyncio
from dataclasses import dataclass, field, replace

from mnemo.clock import Clock, SystemClock
from mnemo.config import HierarchySettings
from mnemo.errors import ProviderError
from mnemo.models.hierarchy import Category
from mnemo.models.results import Found, SearchResult, Usage, WalkLayer
from mnemo.providers.base import Embedder
from mnemo.retrieval import system1
from mnemo.retrieval.candidates import Finds
from mnemo.retrieval.outcome import outcome
from mnemo.retrieval.question import Question
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.selector import Choice, EmbeddingSelector, Selection, Selector
from mnemo.store import system2 as store
from mnemo.store.driver import Database
from mnemo.store.search import Gathered, Wanted
from mnemo.store.system2 import Evidence, Option

__all__ = ["System2", "Walk", "search", "walked"]

EVIDENCE = 200
"""Most episodes, and most facts, that a walk brings."""
_OPTIONS = 64
"""Candidates that the embedding selector needs to see of a layer: it takes the nearest few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Where a walk came to."""

    stages: tuple[WalkLayer, ...] = ()
    entities: tuple[Option, ...] = ()
    whole: tuple[Option, ...] = ()
    """Categories of which everything was taken."""
    usage: Usage = field(default_factory=Usage)
    truncated: bool = False
    """Whether a limit of calls, nodes or seconds ended it."""
    note: str | None = None
    """Why it ended before it was done; None where it did not."""

    @property
    def empty(self) -> bool:
        """Whether nothing was chosen: there is no hierarchy, or nothing in it fits."""
        return not self.entities and not self.whole


@dataclass(slots=True)
class _Way:
    """A walk under way."""

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
    """Walks and gathers, with one selector and one set of limits."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        selector: Selector | None = None,
        settings: HierarchySettings | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Keep the parts; no selector is the embeddings, no settings are the defaults."""
        self.database = database
        self.embedder = embedder
        self.clock = clock or SystemClock()
        self.settings = settings or HierarchySettings()
        self._selector = selector or EmbeddingSelector()

    async def look(self, request: SearchRequest) -> tuple[Question, Walk, Gathered]:
        """Walk, and return what rests on what was chosen, not ranked; empty without a hierarchy.

        Raises:
            ProviderError: The embedder failed.
            StoreError: See its kinds.
        """
        question = system1.guess(self.database, request)
        wanted = await system1.wanted(self.embedder, request, question, self.clock)
        walk = await self.walk(request, wanted)
        if walk.empty:
            return question, walk, Gathered()
        evidence = await self._evidence(wanted, walk)
        truth = system1.learn(self.database, request, evidence.gathered.people)
        if truth.bare != question.bare:
            evidence = await self._evidence(await system1.wanted(self.embedder, request, truth, self.clock), walk)
        return truth, walk, evidence.gathered

    async def walk(self, request: SearchRequest, wanted: Wanted) -> Walk:
        """Go down layer by layer from the top.

        Where a limit is reached or the selector fails, what was found by then is what it comes to.
        """
        way = _Way(asyncio.get_running_loop().time() + self.settings.max_seconds)
        options = await self._options(way, wanted, ())
        while options:
            selection = await self._selected(way, request.question, options)
            if selection is None:
                break
            below = self._take(way, options, selection)
            options = await self._options(way, wanted, below) if below else []
        return Walk(
            stages=tuple(way.stages),
            entities=tuple(way.entities.values()),
            whole=tuple(way.whole.values()),
            usage=way.usage,
            truncated=way.truncated,
            note=way.note,
        )

    async def _options(self, way: _Way, wanted: Wanted, parents: tuple[str, ...]) -> list[Option]:
        limit = self.settings.max_nodes
        most = min(limit, _OPTIONS) if isinstance(self._selector, EmbeddingSelector) else limit
        way.hierarchy, options = await store.layer(
            self.database,
            wanted,
            hierarchy=way.hierarchy,
            parents=parents,
            limit=most + 1,
        )
        if len(options) > most:
            way.truncated = way.truncated or most == limit
            options = options[:most]
        return options

    async def _selected(self, way: _Way, question: str, options: list[Option]) -> Selection | None:
        """Return what was chosen; None when the time or the calls are over, or the LLM has failed."""
        calls = self.settings.max_calls - way.usage.calls
        if way.left_s <= 0 or calls < 1:
            way.truncated, way.note = True, "System-2 ended: its calls or its seconds were used up"
            return None
        try:
            async with asyncio.timeout(way.left_s):
                return await self._selector.select(question, options, calls)
        except ProviderError as error:
            way.note = f"System-2 ended, because the selector failed: {error}"
        except TimeoutError:
            way.truncated = True
            way.note = f"System-2 ended: it was not done within {self.settings.max_seconds:g} seconds"
        return None

    def _take(self, way: _Way, options: list[Option], selection: Selection) -> tuple[str, ...]:
        """Record a stage; return the categories to go into."""
        way.usage += selection.usage
        way.truncated = way.truncated or selection.truncated
        way.stages.append(_stage(options, selection))
        below = []
        for choice in selection.choices:
            if choice.option.layer == 0:
                self._add(way, choice)
            elif choice.whole:
                way.whole[choice.option.uuid] = choice.option
            else:
                below.append(choice.option.uuid)
        return tuple(below)

    def _add(self, way: _Way, choice: Choice) -> None:
        if len(way.entities) >= self.settings.max_nodes:
            way.truncated = True
        else:
            way.entities[choice.option.uuid] = choice.option

    async def _evidence(self, wanted: Wanted, walk: Walk) -> Evidence:
        return await store.gather(
            self.database,
            wanted,
            [option.uuid for option in walk.entities],
            [option.uuid for option in walk.whole],
            nodes=self.settings.max_nodes,
            limit=EVIDENCE,
        )


async def search(system2: System2, request: SearchRequest) -> SearchResult:
    """Answer by the hierarchy; by System-1 alone where there is none, or nothing in it was chosen.

    A selector that fails ends the walk: what was chosen before counts, and the result's note says why.

    Raises:
        ProviderError: The embedder failed.
        StoreError: See its kinds.
    """
    question, walk, gathered = await system2.look(request)
    if walk.empty:
        return walked(await system1.search(system2.database, system2.embedder, request, system2.clock), walk)
    return walked(outcome(request, marked(system1.rank(question, request, gathered)), "system2"), walk)


def walked(result: SearchResult, walk: Walk) -> SearchResult:
    """Return a result with what its walk down the hierarchy came by, and what it cost."""
    return replace(
        result,
        categories=_categories(result.group, walk),
        usage=result.usage + walk.usage,
        truncated=walk.truncated,
        walk=walk.stages,
        note=walk.note,
    )


def marked(finds: Finds) -> Finds:
    """Return finds that say that System-2 brought them."""
    return replace(
        finds,
        episodes=tuple(replace(found, routes=("system2",)) for found in finds.episodes),
        entities=tuple(replace(found, routes=("system2",)) for found in finds.entities),
        edges=tuple(replace(found, routes=("system2",)) for found in finds.edges),
    )


def _categories(group: str, walk: Walk) -> tuple[Found[Category], ...]:
    """Return the categories of which everything was taken."""
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
            score=option.cosine or 0.0,
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
