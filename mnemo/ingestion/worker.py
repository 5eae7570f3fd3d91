"""Processes the pending episodes of one group, window by window; extracts the next window while it writes one."""

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
from mnemo.ingestion.lease import LEASE_S
from mnemo.ingestion.progress import IngestionStage, RunProgress, Stopwatch
from mnemo.ingestion.repository import GraphExcerpt, IngestionRepository, WindowOutcome
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.resolver import settle
from mnemo.ingestion.resolution.types import Judge, Settled
from mnemo.ingestion.vectors import VectorCache
from mnemo.ingestion.windows import plan
from mnemo.models.embedding_text import entity_text, episode_text
from mnemo.models.progress import Progress
from mnemo.models.results import Processed, Usage
from mnemo.providers.base import Vectors

__all__ = ["PlaceEntities", "Worker", "WorkerParts"]

PlaceEntities: TypeAlias = Callable[[str, Sequence[str]], Awaitable[object]]
"""Takes a group and the uuids of its new entities."""
WINDOWS_AHEAD = 10
"""Windows' worth of pending episodes that one round trip reads."""
RUNAWAY_STREAK = 3
"""Windows in a row on which the LLM's reply ran away, after which the rest of the run does not ask it."""
_NAMESPACE = uuid.UUID("5f6d6e65-6d6f-4a70-8e61-677261706873")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerParts:
    """What a run works with."""

    repository: IngestionRepository
    extractor: Extractor
    judge: Judge | None
    vectors: VectorCache
    settings: IngestionSettings
    clock: Clock
    fallback: Extractor | None = None
    """Reads what the extractor's reply runs away on; None leaves it pending."""
    place: PlaceEntities | None = None
    """Called with new entities once they are written."""


@dataclass(frozen=True, slots=True)
class _ReadWindow:
    """A window, what was extracted from it, and the vectors of its texts."""

    window: Window
    isolated: Isolated
    vectors: Mapping[str, Vectors]


class Worker:
    """Processes one group under a lease that its caller holds."""

    def __init__(self, parts: WorkerParts, group: str, owner: str, progress: RunProgress) -> None:
        """Keep the parts, the group, the owner of the lease and the progress to update."""
        self._parts = parts
        self._group = group
        self._owner = owner
        self._progress = progress
        self._watch = Stopwatch()
        self._windows: deque[Window] = deque()
        self._taken: dict[str, None] = {}
        self._total = 0
        self._failed: dict[str, str] = {}
        self._left: dict[str, str] = {}
        self._unfit_context: set[str] = set()
        self._done = self._entities = self._edges = self._unjudged = self._fallback = self._runaway = 0
        self._dropped: Counter[str] = Counter()
        self._usage = Usage()

    async def run(self) -> Processed:
        """Process until nothing is pending, or until a provider that is down stops it.

        Raises:
            StoreError: See its kinds; the window in flight stays pending.
            ConflictError: The lease was lost.
        """
        counts = await self._parts.repository.counts(self._group)
        self._total = counts.pending
        stopped: str | None = None
        try:
            await self._run()
        except ProviderError as error:
            stopped = _reason(error)
        stopped = stopped or next(iter(self._left.values()), None)
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
        upcoming = asyncio.create_task(self._read())
        try:
            while (read := await upcoming) is not None:
                upcoming = asyncio.create_task(self._read())
                await self._finish(read)
        finally:
            upcoming.cancel()
            await asyncio.gather(upcoming, return_exceptions=True)

    async def _read(self) -> _ReadWindow | None:
        """Return the next window with what was extracted from it; None if nothing is pending."""
        window = await self._next_window()
        if window is None:
            return None
        embedding = _Embedding(self._parts.extractor, self._parts.vectors, self._watch)
        with self._watch.measure("extract"):
            isolated = await self._isolated(embedding, window)
        self._unfit_context.update(isolated.failed)
        self._left.update(isolated.pending)
        self._fallback += len(isolated.fallback)
        self._report("extract")
        kept = tuple(episode for episode in window.episodes if episode.uuid not in isolated.pending)
        return _ReadWindow(replace(window, episodes=kept), isolated, embedding.vectors)

    async def _isolated(self, embedding: "_Embedding", window: Window) -> Isolated:
        """Extract a window, without the LLM if its replies ran away on the last ones."""
        fallback = embedding.by(self._parts.fallback)
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
        fit = (item for item in window.context if item.status != "failed" and item.uuid not in self._unfit_context)
        window = replace(window, context=tuple(fit))
        self._taken.update((episode.uuid, None) for episode in window.episodes)
        return window

    async def _fetch(self) -> None:
        settings = self._parts.settings
        limit = settings.window * WINDOWS_AHEAD
        with self._watch.measure("fetch"):
            upcoming = await self._parts.repository.upcoming(
                self._group, taken=list(self._taken), context=settings.context, limit=limit
            )
        windows = plan(
            upcoming.pending, upcoming.others, upcoming.lengths, size=settings.window, context=settings.context
        )
        if len(upcoming.pending) == limit:
            windows = _complete(windows)
        self._windows.extend(windows)
        self._report("fetch")

    async def _finish(self, read: _ReadWindow) -> None:
        """Resolve one window against the graph and write it."""
        uuids = [episode.uuid for episode in read.window.episodes]
        self._usage += read.isolated.extraction.usage
        self._dropped.update(read.isolated.extraction.dropped)
        await self._write(read)
        for uuid_taken in uuids:
            self._taken.pop(uuid_taken)
        self._report("write")

    async def _write(self, read: _ReadWindow) -> None:
        """Write a window; again if something was forgotten meanwhile, in parts if the database refuses it."""
        uuids = [episode.uuid for episode in read.window.episodes]
        while read.window.episodes:
            try:
                outcome = await self._outcome(read)
                with self._watch.measure("write"):
                    written = await self._parts.repository.write(self._group, self._owner, LEASE_S, outcome)
            except (StoreError, UnicodeError) as error:
                if not _is_refusal(error):
                    raise
                await self._write_parts(read, error)
                return
            if written:
                await self._place(outcome.settled)
                self._count(read, outcome.settled, len(outcome.done))
                return
            read = _restricted(read, await self._parts.repository.left(self._group, self._owner, LEASE_S, uuids))

    async def _write_parts(self, read: _ReadWindow, error: Exception) -> None:
        """Write each episode of a refused window by itself, and fail those that are refused alone."""
        episodes = read.window.episodes
        if len(episodes) > 1:
            for episode in episodes:
                await self._write(_restricted(read, [episode.uuid]))
        elif episodes[0].uuid in read.isolated.failed:
            raise error
        else:
            failed = Isolated(extraction=Extraction(), failed={episodes[0].uuid: _reason(error)})
            await self._write(replace(read, isolated=failed))

    async def _place(self, settled: Settled) -> None:
        """Place new entities in the hierarchy, so that every route finds them from now on."""
        new = [entity.uuid for entity in settled.entities if entity.new]
        if self._parts.place is not None and new:
            with self._watch.measure("write"):
                await self._parts.place(self._group, new)

    async def _outcome(self, read: _ReadWindow) -> WindowOutcome:
        """Resolve a window against the current graph, and embed everything that it writes."""
        extraction = read.isolated.extraction
        known = await self._candidates(extraction, read.vectors)
        with self._watch.measure("settle"):
            settled = await self._settle(extraction, known)
        self._report("settle")
        done = [episode for episode in read.window.episodes if episode.uuid not in read.isolated.failed]
        texts = (entity_text(item.name, item.summary) for item in settled.entities if item.new or item.summary)
        vectors = {**read.vectors, **await self._vectors(text for text in texts if text not in read.vectors)}
        return WindowOutcome(
            settled=settled,
            vectors=vectors,
            done=done,
            failed=read.isolated.failed,
            fallback=read.isolated.fallback,
            recorded_at=self._parts.clock.now(),
            forgets=known.forgets,
        )

    async def _candidates(self, extraction: Extraction, vectors: Mapping[str, Vectors]) -> GraphExcerpt:
        if not extraction.mentions:
            return GraphExcerpt()
        near = vectors if self._parts.judge is not None else {}
        with self._watch.measure("candidates"):
            known = await self._parts.repository.candidates(self._group, extraction, near)
        self._report("candidates")
        return known

    async def _settle(self, extraction: Extraction, known: GraphExcerpt) -> Settled:
        """Decide the window; uncertain cases stay apart if the judge's reply cannot be read."""

        def new_uuid(item: Mention | Fact) -> str:
            return _uuid(self._group, item)

        try:
            return await settle(extraction, known.found, known.stored, self._parts.judge, new_uuid)
        except MalformedReplyError as error:
            self._unjudged += 1
            usage = getattr(error, "usage", None)
            self._usage += usage if isinstance(usage, Usage) else Usage()
            return await settle(extraction, known.found, known.stored, None, new_uuid)

    async def _vectors(self, texts: Iterable[str]) -> dict[str, Vectors]:
        with self._watch.measure("embed"):
            return await self._parts.vectors.of(texts)

    def _count(self, read: _ReadWindow, settled: Settled, done: int) -> None:
        self._done += done
        self._failed.update(read.isolated.failed)
        self._entities += sum(item.new for item in settled.entities)
        self._edges += len(settled.edges)
        self._usage += settled.usage

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


class _Embedding:
    """An extractor that also embeds the texts of a window, so that both failures are isolated together."""

    def __init__(self, extractor: Extractor, cache: VectorCache, watch: Stopwatch) -> None:
        self._extractor = extractor
        self._cache = cache
        self._watch = watch
        self.vectors: dict[str, Vectors] = {}

    def by(self, extractor: Extractor | None) -> "_Embedding | None":
        """Return the same with another extractor and the same vectors; None without one."""
        if extractor is None:
            return None
        other = _Embedding(extractor, self._cache, self._watch)
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
            self.vectors.update(await self._cache.of(texts))
        return extraction


def _restricted(read: _ReadWindow, left: Collection[str]) -> _ReadWindow:
    """Return the extraction of some of a window's episodes, without items that only the others name."""
    extraction = read.isolated.extraction
    facts = tuple(fact for fact in extraction.facts if fact.episode in left)
    named = {name_key(name) for fact in facts for name in (fact.subject, fact.object) if name}
    shown = (
        replace(each, episodes=tuple(uuid for uuid in each.episodes if uuid in left)) for each in extraction.mentions
    )
    kept = tuple(each for each in shown if each.episodes or name_key(each.name) in named)
    isolated = replace(
        read.isolated,
        extraction=replace(extraction, mentions=kept, facts=facts),
        failed={uuid: reason for uuid, reason in read.isolated.failed.items() if uuid in left},
    )
    window = replace(read.window, episodes=tuple(each for each in read.window.episodes if each.uuid in left))
    return replace(read, window=window, isolated=isolated)


def _complete(windows: list[Window]) -> list[Window]:
    """Leave out each session's last window, which may continue beyond what was read; keep at least one window."""
    last = {window.episodes[0].session: place for place, window in enumerate(windows)}
    whole = [window for place, window in enumerate(windows) if place != last[window.episodes[0].session]]
    return whole or windows[:1]


def _is_refusal(error: Exception) -> bool:
    """Return whether the database rejects this write, rather than failing for every window."""
    return type(error) is StoreError or isinstance(error, UnicodeError)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _uuid(group: str, item: Mention | Fact) -> str:
    """Return a uuid derived from an entity or fact, so that processing a window again gives the same uuids."""
    if isinstance(item, Mention):
        key = ["entity", name_key(item.name)]
    else:
        subject, thing = name_key(item.subject), name_key(item.object or "")
        key = ["edge", item.episode, str(item.start), str(item.end), subject, item.relation, thing, item.fact]
    return str(uuid.uuid5(_NAMESPACE, json.dumps([group, *key])))
