"""Processes the pending episodes of a group window by window; extracts the next window while it writes the last."""

import asyncio
import json
import uuid
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mnemo.clock import Clock
from mnemo.config import IngestionSettings
from mnemo.errors import MalformedReplyError, ProviderError, StoreError
from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Mention, Window
from mnemo.ingestion.isolation import Isolated, fall_back, isolate
from mnemo.ingestion.progress import IngestionStage, RunProgress, Stopwatch
from mnemo.ingestion.repository import GraphExcerpt, IngestionRepository, WindowOutcome
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.resolver import resolve_window
from mnemo.ingestion.resolution.types import Judge, WindowWrites
from mnemo.ingestion.vectors import VectorCache
from mnemo.ingestion.windows import plan_windows
from mnemo.models.embedding_text import entity_text, episode_text
from mnemo.models.progress import Progress
from mnemo.models.results import Processed, Usage
from mnemo.providers.base import Vectors
from mnemo.store.owners import LEASE_S

__all__ = ["PlaceEntities", "Worker", "WorkerParts"]

PlaceEntities: TypeAlias = Callable[[str, Sequence[str]], Awaitable[object]]
"""Takes a group and the uuids of its new entities."""
WINDOWS_AHEAD = 10
"""How many windows of pending episodes one round trip reads."""
RUNAWAY_STREAK = 3
"""Windows in a row with runaway replies after which the rest of the run does not ask the LLM."""
_NAMESPACE = uuid.UUID("5f6d6e65-6d6f-4a70-8e61-677261706873")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerParts:
    """The collaborators of a worker."""

    repository: IngestionRepository
    extractor: Extractor
    judge: Judge | None
    vectors: VectorCache
    settings: IngestionSettings
    clock: Clock
    fallback: Extractor | None = None
    """Extracts windows with runaway replies of the extractor; None leaves them pending."""
    place_entities: PlaceEntities | None = None
    """Called with new entities once they are written."""


@dataclass(frozen=True, slots=True)
class _ExtractedWindow:
    """A window, its extraction, and the vectors of its texts."""

    window: Window
    isolated: Isolated
    vectors: Mapping[str, Vectors]


class Worker:
    """Processes one group; the caller holds the lease."""

    def __init__(self, parts: WorkerParts, group: str, owner: str, progress: RunProgress) -> None:
        """Store the parts, the group, the owner of the lease and the progress to update."""
        self._parts = parts
        self._group = group
        self._owner = owner
        self._progress = progress
        self._watch = Stopwatch()
        self._windows: deque[Window] = deque()
        self._in_progress: dict[str, None] = {}
        self._total = 0
        self._failed: dict[str, str] = {}
        self._pending: dict[str, str] = {}
        self._unfit_context: set[str] = set()
        self._done = self._entities = self._edges = self._unjudged = self._fallback = self._runaway = 0
        self._dropped: Counter[str] = Counter()
        self._usage = Usage()

    async def run(self) -> Processed:
        """Process until nothing is pending or a provider is down.

        Raises:
            StoreError: See its subclasses; the window in progress stays pending.
            ConflictError: The lease was lost.
        """
        counts = await self._parts.repository.counts(self._group)
        self._total = counts.pending
        stopped: str | None = None
        try:
            await self._run()
        except ProviderError as error:
            stopped = _reason(error)
        stopped = stopped or next(iter(self._pending.values()), None)
        left = (await self._parts.repository.counts(self._group)).pending if stopped else 0
        return Processed(
            done=self._done,
            failed=len(self._failed),
            pending=left,
            stopped=stopped,
            entities=self._entities,
            edges=self._edges,
            usage=self._usage,
            reasons=self._failed,
            fallback=self._fallback,
            dropped=dict(sorted(self._dropped.items())),
            unjudged=self._unjudged,
            seconds=self._watch.seconds,
        )

    async def _run(self) -> None:
        upcoming = asyncio.create_task(self._extract_next())
        try:
            while (extracted := await upcoming) is not None:
                upcoming = asyncio.create_task(self._extract_next())
                await self._finish(extracted)
        finally:
            upcoming.cancel()
            await asyncio.gather(upcoming, return_exceptions=True)

    async def _extract_next(self) -> _ExtractedWindow | None:
        """Extract the next window; None if nothing is pending."""
        window = await self._next_window()
        if window is None:
            return None
        embedding = _EmbeddingExtractor(self._parts.extractor, self._parts.vectors, self._watch)
        with self._watch.measure("extract"):
            isolated = await self._isolate(embedding, window)
        self._unfit_context.update(isolated.failed)
        self._pending.update(isolated.pending)
        self._fallback += len(isolated.fallback)
        self._report("extract")
        kept = tuple(episode for episode in window.episodes if episode.uuid not in isolated.pending)
        return _ExtractedWindow(replace(window, episodes=kept), isolated, embedding.vectors)

    async def _isolate(self, embedding: "_EmbeddingExtractor", window: Window) -> Isolated:
        """Extract a window; without the LLM if its last replies were runaway ones."""
        fallback = embedding.with_extractor(self._parts.fallback)
        if self._runaway >= RUNAWAY_STREAK:
            reason = f"the LLM's replies ran away on {RUNAWAY_STREAK} windows in a row; this run does not ask it again"
            return await fall_back(Isolated(extraction=Extraction()), [(window, reason)], fallback)
        isolated = await isolate(embedding, window, fallback)
        self._runaway = self._runaway + 1 if isolated.fallback or isolated.pending else 0
        return isolated

    async def _next_window(self) -> Window | None:
        if not self._windows:
            await self._fetch()
        if not self._windows:
            return None
        window = self._windows.popleft()
        usable = (item for item in window.context if item.status != "failed" and item.uuid not in self._unfit_context)
        window = replace(window, context=tuple(usable))
        self._in_progress.update((episode.uuid, None) for episode in window.episodes)
        return window

    async def _fetch(self) -> None:
        settings = self._parts.settings
        limit = settings.window * WINDOWS_AHEAD
        with self._watch.measure("fetch"):
            upcoming = await self._parts.repository.upcoming(
                self._group, taken=list(self._in_progress), context=settings.context, limit=limit
            )
        windows = plan_windows(
            upcoming.pending, upcoming.others, upcoming.lengths, size=settings.window, context=settings.context
        )
        if len(upcoming.pending) == limit:
            windows = _complete_windows(windows)
        self._windows.extend(windows)
        self._report("fetch")

    async def _finish(self, extracted: _ExtractedWindow) -> None:
        """Resolve one window against the graph and write it."""
        uuids = [episode.uuid for episode in extracted.window.episodes]
        self._usage += extracted.isolated.extraction.usage
        self._dropped.update(extracted.isolated.extraction.dropped)
        await self._write(extracted)
        for episode_uuid in uuids:
            self._in_progress.pop(episode_uuid)
        self._report("write")

    async def _write(self, extracted: _ExtractedWindow) -> None:
        """Write a window; retry if something was forgotten meanwhile, write in parts if the database rejects it."""
        uuids = [episode.uuid for episode in extracted.window.episodes]
        while extracted.window.episodes:
            try:
                outcome = await self._resolve(extracted)
                with self._watch.measure("write"):
                    written = await self._parts.repository.write(self._group, self._owner, LEASE_S, outcome)
            except (StoreError, UnicodeError) as error:
                if not _is_refusal(error):
                    raise
                await self._write_parts(extracted, error)
                return
            if written:
                await self._place_new_entities(outcome.writes)
                self._count(extracted, outcome.writes, len(outcome.done))
                return
            extracted = _restrict(
                extracted, await self._parts.repository.remaining(self._group, self._owner, LEASE_S, uuids)
            )

    async def _write_parts(self, extracted: _ExtractedWindow, error: Exception) -> None:
        """Write each episode of a rejected window by itself; mark those that are rejected alone as failed."""
        episodes = extracted.window.episodes
        if len(episodes) > 1:
            for episode in episodes:
                await self._write(_restrict(extracted, [episode.uuid]))
        elif episodes[0].uuid in extracted.isolated.failed:
            raise error
        else:
            failed = Isolated(extraction=Extraction(), failed={episodes[0].uuid: _reason(error)})
            await self._write(replace(extracted, isolated=failed))

    async def _place_new_entities(self, writes: WindowWrites) -> None:
        """Place new entities in the hierarchy, so that every route finds them."""
        new = [entity.uuid for entity in writes.entities if entity.new]
        if self._parts.place_entities is not None and new:
            with self._watch.measure("write"):
                await self._parts.place_entities(self._group, new)

    async def _resolve(self, extracted: _ExtractedWindow) -> WindowOutcome:
        """Resolve a window against the current graph and embed everything it writes."""
        extraction = extracted.isolated.extraction
        excerpt = await self._candidates(extraction, extracted.vectors)
        with self._watch.measure("settle"):
            writes = await self._resolve_extraction(extraction, excerpt)
        self._report("settle")
        done = [episode for episode in extracted.window.episodes if episode.uuid not in extracted.isolated.failed]
        texts = (entity_text(item.name, item.summary) for item in writes.entities if item.new or item.summary)
        vectors = {**extracted.vectors, **await self._vectors(text for text in texts if text not in extracted.vectors)}
        return WindowOutcome(
            writes=writes,
            vectors=vectors,
            done=done,
            failed=extracted.isolated.failed,
            fallback=extracted.isolated.fallback,
            recorded_at=self._parts.clock.now(),
            forgets=excerpt.forgets,
        )

    async def _candidates(self, extraction: Extraction, vectors: Mapping[str, Vectors]) -> GraphExcerpt:
        if not extraction.mentions:
            return GraphExcerpt()
        near = vectors if self._parts.judge is not None else {}
        with self._watch.measure("candidates"):
            excerpt = await self._parts.repository.candidates(self._group, extraction, near)
        self._report("candidates")
        return excerpt

    async def _resolve_extraction(self, extraction: Extraction, excerpt: GraphExcerpt) -> WindowWrites:
        """Resolve an extraction; without the judge if its reply is malformed."""

        def new_uuid(item: Mention | Fact) -> str:
            return _uuid(self._group, item)

        try:
            return await resolve_window(extraction, excerpt.found, excerpt.stored, self._parts.judge, new_uuid)
        except MalformedReplyError as error:
            self._unjudged += 1
            usage = getattr(error, "usage", None)
            self._usage += usage if isinstance(usage, Usage) else Usage()
            return await resolve_window(extraction, excerpt.found, excerpt.stored, None, new_uuid)

    async def _vectors(self, texts: Iterable[str]) -> dict[str, Vectors]:
        with self._watch.measure("embed"):
            return await self._parts.vectors.embed(texts)

    def _count(self, extracted: _ExtractedWindow, writes: WindowWrites, done: int) -> None:
        self._done += done
        self._failed.update(extracted.isolated.failed)
        self._entities += sum(item.new for item in writes.entities)
        self._edges += len(writes.edges)
        self._usage += writes.usage

    def _report(self, stage: IngestionStage) -> None:
        done = self._done + len(self._failed)
        counts = {
            "entities": self._entities,
            "facts": self._edges,
            "calls": self._usage.calls,
            "dropped": self._dropped.total(),
            "fallback": self._fallback,
        }
        counted = {name: count for name, count in counts.items() if count}
        progress = Progress(stage=stage, done=done, total=max(self._total, done), counts=counted)
        self._progress.update(self._group, progress)


class _EmbeddingExtractor:
    """An extractor that also embeds the window's texts, so that `isolate` handles both kinds of failure."""

    def __init__(self, extractor: Extractor, cache: VectorCache, watch: Stopwatch) -> None:
        self._extractor = extractor
        self._cache = cache
        self._watch = watch
        self.vectors: dict[str, Vectors] = {}

    def with_extractor(self, extractor: Extractor | None) -> "_EmbeddingExtractor | None":
        """Return a copy with another extractor that shares the vectors; None if `extractor` is None."""
        if extractor is None:
            return None
        other = _EmbeddingExtractor(extractor, self._cache, self._watch)
        other.vectors = self.vectors
        return other

    async def extract(self, window: Window) -> Extraction:
        extraction = await self._extractor.extract(window)
        texts = [
            *(episode_text(episode.content, episode.speaker) for episode in window.episodes),
            *(fact.fact for fact in extraction.facts),
            *(entity_text(mention.name, mention.summary) for mention in extraction.mentions),
        ]
        with self._watch.measure("embed"):
            self.vectors.update(await self._cache.embed(texts))
        return extraction


def _restrict(extracted: _ExtractedWindow, left: Collection[str]) -> _ExtractedWindow:
    """Return the window restricted to some of its episodes, without items that only the others mention."""
    extraction = extracted.isolated.extraction
    facts = tuple(fact for fact in extraction.facts if fact.episode in left)
    named = {name_key(name) for fact in facts for name in (fact.subject, fact.object) if name}
    mentions = (
        replace(each, episodes=tuple(uuid for uuid in each.episodes if uuid in left)) for each in extraction.mentions
    )
    kept = tuple(each for each in mentions if each.episodes or name_key(each.name) in named)
    isolated = replace(
        extracted.isolated,
        extraction=replace(extraction, mentions=kept, facts=facts),
        failed={uuid: reason for uuid, reason in extracted.isolated.failed.items() if uuid in left},
    )
    window = replace(extracted.window, episodes=tuple(each for each in extracted.window.episodes if each.uuid in left))
    return replace(extracted, window=window, isolated=isolated)


def _complete_windows(windows: list[Window]) -> list[Window]:
    """Drop each session's last window, which may have unread episodes; keep at least one window."""
    last = {window.episodes[0].session: place_entities for place_entities, window in enumerate(windows)}
    whole = [
        window for place_entities, window in enumerate(windows) if place_entities != last[window.episodes[0].session]
    ]
    return whole or windows[:1]


def _is_refusal(error: Exception) -> bool:
    """Return whether the database rejected this write, as opposed to being unavailable."""
    return type(error) is StoreError or isinstance(error, UnicodeError)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _uuid(group: str, item: Mention | Fact) -> str:
    """Return a uuid derived from an entity or fact, so that processing a window again gives the same one."""
    if isinstance(item, Mention):
        key = ["entity", name_key(item.name)]
    else:
        subject, target = name_key(item.subject), name_key(item.object or "")
        key = ["edge", item.episode, str(item.start), str(item.end), subject, item.relation, target, item.fact]
    return str(uuid.uuid5(_NAMESPACE, json.dumps([group, *key])))
