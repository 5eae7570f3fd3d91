"""Turns messages into memory: stores them as pending episodes, then processes these window by window.

A stored message can be found by full text at once; its embedding, entities and facts are added when
its window is processed. The windows of a group are processed in order, by one process at a time;
groups run concurrently. Each window is written in one transaction, so a run that follows a crash
repeats only the window that was in progress.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from weakref import WeakValueDictionary

from mnemo.clock import Clock, SystemClock
from mnemo.config import IngestionSettings
from mnemo.ingestion.extraction import Extractor
from mnemo.ingestion.intake.chunks import split
from mnemo.ingestion.intake.episodes import Limits, prepare
from mnemo.ingestion.lease import hold
from mnemo.ingestion.progress import STAGES, RunProgress
from mnemo.ingestion.repository import IngestionRepository
from mnemo.ingestion.resolution.types import Judge
from mnemo.ingestion.vectors import VectorCache
from mnemo.ingestion.worker import PlaceEntities, Worker, WorkerParts
from mnemo.models.graph import Message
from mnemo.models.group import checked_group
from mnemo.models.progress import OnProgress, ignore_progress
from mnemo.models.results import Added, Counts, Processed, Usage
from mnemo.providers.base import Embedder
from mnemo.store.driver import Database

__all__ = ["Pipeline"]


class Pipeline:
    """Ingestion into one database. Use it from one event loop."""

    def __init__(  # noqa: PLR0913  # the parts of a pipeline, each by its name
        self,
        database: Database,
        embedder: Embedder,
        extractor: Extractor,
        *,
        judge: Judge | None = None,
        settings: IngestionSettings | None = None,
        clock: Clock | None = None,
        fallback: Extractor | None = None,
        place: PlaceEntities | None = None,
    ) -> None:
        """Store the parts; connect to nothing. The caller closes them.

        Args:
            database: Migrated for the embedder.
            embedder: Embeds episodes, facts and entities.
            extractor: Finds entities and facts.
            judge: Decides uncertain cases, at most one call per window; None treats them as different.
            settings: None for the defaults.
            clock: Gives the recording time; None for the system clock.
            fallback: Extracts windows with runaway replies of the extractor; None leaves them pending.
            place: Called with new entities once they are written.
        """
        self._settings = settings or IngestionSettings()
        self._clock = clock or SystemClock()
        self._repository = IngestionRepository(database, embedder.model)
        self._parts = WorkerParts(
            repository=self._repository,
            extractor=extractor,
            judge=judge,
            vectors=VectorCache(embedder),
            settings=self._settings,
            clock=self._clock,
            fallback=fallback,
            place_entities=place,
        )
        self._limits = Limits(
            max_chars=self._settings.max_chars, zone=self._settings.zone, split=_splitter(self._settings)
        )
        self._group_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._slots = asyncio.Semaphore(self._settings.groups_at_once)

    async def acknowledge(self, group: str, messages: Iterable[Message]) -> Added:
        """Store messages as pending episodes; once this returns, they are durable.

        All messages are checked before any is stored. Messages already stored (same source id) are
        left unchanged, so importing a file again, or with lines appended, adds only the new messages.
        Up to 500 are stored per transaction.

        Args:
            group: The group to store into.
            messages: In the order in which they were written; sessions may be mixed.

        Raises:
            GroupError: The group name is invalid.
            ArgumentError: A message is invalid; the error names its index, and nothing was stored.
            StoreError: See its subclasses. Retry with the same messages.
        """
        checked = checked_group(group)
        episodes = await asyncio.to_thread(prepare, checked, messages, self._limits, self._clock.now())
        new = await self._repository.acknowledge(checked, episodes)
        uuids = tuple(episode.uuid for episode in episodes)
        return Added(group=checked, uuids=uuids, new=len(new), known=len(uuids) - len(new))

    async def process(self, groups: str | Iterable[str], on_progress: OnProgress = ignore_progress) -> Processed:
        """Process all pending episodes; return the sum over the groups.

        If a provider is down, the remaining episodes stay pending and `stopped` says why. An episode that
        cannot be processed fails with its reason; the others of its window are processed.

        Args:
            groups: One or more; up to `groups_at_once` run concurrently.
            on_progress: Called after each stage of a window, with the episodes of all groups together.

        Raises:
            GroupError: A group name is invalid; nothing was processed.
            StoreError: See its subclasses; windows already written stay, the rest is still pending.
        """
        checked = [checked_group(group) for group in ([groups] if isinstance(groups, str) else groups)]
        progress = RunProgress(on_progress)
        tasks = [asyncio.create_task(self._process(group, progress)) for group in dict.fromkeys(checked)]
        try:
            return _sum(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def retry(self, group: str, on_progress: OnProgress = ignore_progress) -> Processed:
        """Make the failed episodes of a group pending again and process them; raises as `process` does."""
        await self._repository.retry(checked_group(group))
        return await self.process(group, on_progress)

    async def status(self, group: str) -> Counts:
        """Count the group's episodes by state; zeros for an unknown group.

        Raises:
            GroupError: The group name is invalid.
            StoreError: See its subclasses.
        """
        return await self._repository.counts(checked_group(group))

    async def outcome(self, group: str, uuids: Sequence[str]) -> Processed:
        """Return how many of some episodes are done, failed (with reasons) or pending; `stopped` is None.

        Raises:
            GroupError: The group name is invalid.
            StoreError: See its subclasses.
        """
        rows = await self._repository.outcomes(checked_group(group), list(dict.fromkeys(uuids)))
        states = [row["status"] for row in rows]
        return Processed(
            done=states.count("done"),
            failed=states.count("failed"),
            pending=states.count("pending"),
            reasons={row["uuid"]: row["reason"] for row in rows if row["status"] == "failed"},
        )

    async def _process(self, group: str, progress: RunProgress) -> Processed:
        lock = self._group_locks.setdefault(group, asyncio.Lock())
        async with lock, self._slots:
            if not (await self._repository.counts(group)).pending:
                return Processed()
            async with hold(self._repository, group) as owner:
                return await Worker(self._parts, group, owner, progress).run()


def _sum(results: Sequence[Processed]) -> Processed:
    """Add up the results of several groups."""
    if len(results) == 1:
        return results[0]
    reasons: dict[str, str] = {}
    dropped: Counter[str] = Counter()
    for result in results:
        reasons.update(result.reasons)
        dropped.update(result.dropped)
    entered_stages = [stage for stage in STAGES if any(stage in result.seconds for result in results)]
    return Processed(
        done=sum(result.done for result in results),
        failed=sum(result.failed for result in results),
        pending=sum(result.pending for result in results),
        stopped=next((result.stopped for result in results if result.stopped), None),
        entities=sum(result.entities for result in results),
        edges=sum(result.edges for result in results),
        usage=sum((result.usage for result in results), Usage()),
        reasons=reasons,
        fallback=sum(result.fallback for result in results),
        dropped=dict(sorted(dropped.items())),
        unjudged=sum(result.unjudged for result in results),
        seconds={stage: sum(result.seconds.get(stage, 0.0) for result in results) for stage in entered_stages},
    )


def _splitter(settings: IngestionSettings) -> Callable[[str], Sequence[str]]:
    """Return a function that splits long content into overlapping chunks and returns short content unchanged."""
    limit, overlap = settings.chunk_tokens, min(settings.chunk_overlap_tokens, settings.chunk_tokens // 2)

    def split_content(content: str) -> Sequence[str]:
        texts = [chunk.text for chunk in split(content, limit=limit, overlap=overlap)]
        return [text for text in texts if text.strip()] if len(texts) > 1 else [content]

    return split_content
