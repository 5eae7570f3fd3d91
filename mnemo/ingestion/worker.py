"""One run through the pending episodes of one group, window by window, reading one ahead while it writes."""

import asyncio
import json
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mnemo.clock import Clock
from mnemo.config import IngestionSettings
from mnemo.errors import MalformedReplyError, ProviderError
from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Mention, Window
from mnemo.ingestion.isolation import Isolated, isolate, total
from mnemo.ingestion.lease import LEASE_S
from mnemo.ingestion.progress import Progress, Report, Stage, Stopwatch
from mnemo.ingestion.repository import Known, Ledger, Outcome
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.resolver import settle
from mnemo.ingestion.resolution.types import Judge, Settled
from mnemo.ingestion.vectors import VectorCache
from mnemo.ingestion.windows import plan
from mnemo.models.embedding_text import entity_text, episode_text
from mnemo.models.results import Processed, Usage
from mnemo.providers.base import Vectors

__all__ = ["Parts", "Place", "Worker"]

Place: TypeAlias = Callable[[str, Sequence[str]], Awaitable[object]]
"""Takes a group and the uuids of its new entities."""
WINDOWS_AHEAD = 10
"""Windows' worth of pending episodes that one round trip reads."""
_NAMESPACE = uuid.UUID("5f6d6e65-6d6f-4a70-8e61-677261706873")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a run works with."""

    ledger: Ledger
    extractor: Extractor
    judge: Judge | None
    vectors: VectorCache
    settings: IngestionSettings
    clock: Clock
    place: Place | None = None
    """Told of new entities once they are written; None is nobody."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A window, what it gave, and the vectors of its texts."""

    window: Window
    isolated: Isolated
    vectors: Mapping[str, Vectors]


class Worker:
    """Processes one group under a lease that its caller holds."""

    def __init__(self, parts: Parts, group: str, owner: str, report: Report) -> None:
        """Keep the parts, the group, the lease's owner and whom to tell."""
        self._parts = parts
        self._group = group
        self._owner = owner
        self._report = report
        self._watch = Stopwatch()
        self._windows: deque[Window] = deque()
        self._in_hand: dict[str, None] = {}
        self._total = 0
        self._failed: dict[str, str] = {}
        self._apples: set[str] = set()
        self._done = self._entities = self._edges = self._unjudged = 0
        self._usage = Usage()

    async def run(self) -> Processed:
        """Process until nothing is pending, or until a provider that is down stops it.

        Raises:
            StoreError: See its kinds; the window in flight stays pending.
            ConflictError: The lease was lost.
        """
        counts = await self._parts.ledger.counts(self._group)
        self._total = counts.pending
        stopped: str | None = None
        try:
            await self._run()
        except ProviderError as error:
            stopped = f"{type(error).__name__}: {error}"
        left = (await self._parts.ledger.counts(self._group)).pending if stopped else 0
        return Processed(
            done=self._done,
            failed=len(self._failed),
            pending=left,
            stopped=stopped,
            entities=self._entities,
            edges=self._edges,
            usage=self._usage,
            reasons=self._failed,
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

    async def _read(self) -> _Read | None:
        """Return the next window with what it gives; None when nothing is pending."""
        window = await self._next_window()
        if window is None:
            return None
        embedding = _Embedding(self._parts, self._watch)
        with self._watch.measure("extract"):
            isolated = await isolate(embedding, window)
        self._apples.update(isolated.failed)
        self._tell("extract")
        return _Read(window, isolated, embedding.vectors)

    async def _next_window(self) -> Window | None:
        if not self._windows:
            await self._fetch()
        if not self._windows:
            return None
        window = self._windows.popleft()
        sound = (item for item in window.context if item.status != "failed" and item.uuid not in self._apples)
        window = replace(window, context=tuple(sound))
        self._in_hand.update((episode.uuid, None) for episode in window.episodes)
        return window

    async def _fetch(self) -> None:
        settings = self._parts.settings
        limit = settings.window * WINDOWS_AHEAD
        with self._watch.measure("fetch"):
            upcoming = await self._parts.ledger.upcoming(
                self._group, taken=list(self._in_hand), context=settings.context, limit=limit
            )
        windows = plan(
            upcoming.pending, upcoming.others, upcoming.lengths, size=settings.window, context=settings.context
        )
        if len(upcoming.pending) == limit:
            windows = _whole(windows)
        self._windows.extend(windows)
        self._tell("fetch")

    async def _finish(self, read: _Read) -> None:
        """Resolve one window against the graph and write it; again, when something was forgotten meanwhile."""
        uuids = [episode.uuid for episode in read.window.episodes]
        while read.window.episodes:
            outcome = await self._outcome(read)
            with self._watch.measure("write"):
                written = await self._parts.ledger.write(self._group, self._owner, LEASE_S, outcome)
            if written:
                await self._place(outcome.settled)
                self._count(read, outcome.settled, len(outcome.done))
                break
            read = _without(read, await self._parts.ledger.left(self._group, self._owner, LEASE_S, uuids))
        for uuid_in_hand in uuids:
            self._in_hand.pop(uuid_in_hand)
        self._tell("write")

    async def _place(self, settled: Settled) -> None:
        """Let the hierarchy take in what is new, so that every route finds it from here on."""
        new = [entity.uuid for entity in settled.entities if entity.new]
        if self._parts.place is not None and new:
            with self._watch.measure("write"):
                await self._parts.place(self._group, new)

    async def _outcome(self, read: _Read) -> Outcome:
        """Settle a window against what the graph holds now, with the vectors of all that it writes."""
        extraction = read.isolated.extraction
        known = await self._candidates(extraction, read.vectors)
        with self._watch.measure("settle"):
            settled = await self._settle(extraction, known)
        self._tell("settle")
        done = [episode for episode in read.window.episodes if episode.uuid not in read.isolated.failed]
        texts = (entity_text(item.name, item.summary) for item in settled.entities if item.new or item.summary)
        vectors = {**read.vectors, **await self._vectors(text for text in texts if text not in read.vectors)}
        return Outcome(
            settled=settled,
            vectors=vectors,
            done=done,
            failed=read.isolated.failed,
            recorded_at=self._parts.clock.now(),
            forgets=known.forgets,
        )

    async def _candidates(self, extraction: Extraction, vectors: Mapping[str, Vectors]) -> Known:
        if not extraction.mentions:
            return Known()
        near = vectors if self._parts.judge is not None else {}
        with self._watch.measure("candidates"):
            known = await self._parts.ledger.candidates(self._group, extraction, near)
        self._tell("candidates")
        return known

    async def _settle(self, extraction: Extraction, known: Known) -> Settled:
        """Decide the window; keep apart what is uncertain where the judge's reply cannot be read."""

        def new_uuid(item: Mention | Fact) -> str:
            return _uuid(self._group, item)

        try:
            return await settle(extraction, known.found, known.stored, self._parts.judge, new_uuid)
        except MalformedReplyError as error:
            self._unjudged += 1
            usage = getattr(error, "usage", None)
            self._usage = total((self._usage, usage)) if isinstance(usage, Usage) else self._usage
            return await settle(extraction, known.found, known.stored, None, new_uuid)

    async def _vectors(self, texts: Iterable[str]) -> dict[str, Vectors]:
        with self._watch.measure("embed"):
            return await self._parts.vectors.of(texts)

    def _count(self, read: _Read, settled: Settled, done: int) -> None:
        self._done += done
        self._failed.update(read.isolated.failed)
        self._entities += sum(item.new for item in settled.entities)
        self._edges += len(settled.edges)
        self._usage = total((self._usage, read.isolated.extraction.usage, settled.usage))

    def _tell(self, stage: Stage) -> None:
        done = self._done + len(self._failed)
        self._report(Progress(group=self._group, stage=stage, done=done, total=max(self._total, done)))


class _Embedding:
    """An extractor that embeds what a window holds and gives, so that both fail and are set apart together."""

    def __init__(self, parts: Parts, watch: Stopwatch) -> None:
        self._parts = parts
        self._watch = watch
        self.vectors: dict[str, Vectors] = {}

    async def extract(self, window: Window) -> Extraction:
        extraction = await self._parts.extractor.extract(window)
        texts = [
            *(episode_text(episode.content, episode.speaker) for episode in window.episodes),
            *(fact.fact for fact in extraction.facts),
            *(entity_text(mention.name, mention.summary) for mention in extraction.mentions),
        ]
        with self._watch.measure("embed"):
            self.vectors.update(await self._parts.vectors.of(texts))
        return extraction


def _without(read: _Read, left: Collection[str]) -> _Read:
    """Return what was read without the episodes that were forgotten meanwhile, and what they alone name."""
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


def _whole(windows: list[Window]) -> list[Window]:
    """Leave out each session's last window, which may go on beyond what was read; keep one window at least."""
    last = {window.episodes[0].session: place for place, window in enumerate(windows)}
    whole = [window for place, window in enumerate(windows) if place != last[window.episodes[0].session]]
    return whole or windows[:1]


def _uuid(group: str, item: Mention | Fact) -> str:
    """Return the uuid that follows from what an entity or a fact is, so that doing a window again makes the same."""
    if isinstance(item, Mention):
        key = ["entity", name_key(item.name)]
    else:
        subject, thing = name_key(item.subject), name_key(item.object or "")
        key = ["edge", item.episode, str(item.start), str(item.end), subject, item.relation, thing, item.fact]
    return str(uuid.uuid5(_NAMESPACE, json.dumps([group, *key])))
