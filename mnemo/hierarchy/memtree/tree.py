"""Grows and prunes the memtree (MemTree, arXiv 2410.14052), safe against crashes and concurrent writers.

A few episodes are inserted one by one: one round trip finds the route, the contents above are written concurrently,
and one transaction stores everything. Many episodes are inserted through a copy in memory, one transaction per batch.
A write applies only if the memtree has not changed since it was read, so that concurrent writers in any number of
processes are equivalent to some serial order, and readers see an insert completely or not at all.
"""

import asyncio
import random
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from weakref import WeakValueDictionary

from cachetools import LRUCache

from mnemo.clock import Clock, SystemClock
from mnemo.config import MemtreeSettings
from mnemo.errors import ConflictError, ProviderError
from mnemo.hierarchy.memtree.aggregate import (
    AggregateRequest,
    Aggregator,
    ExtractAggregator,
    aggregate_all,
    run_concurrently,
)
from mnemo.hierarchy.memtree.descent import find_route
from mnemo.hierarchy.memtree.in_memory import InMemoryTree
from mnemo.hierarchy.memtree.insertion import InsertBatch, InsertPlan, plan_insert
from mnemo.hierarchy.memtree.pruning import Pruning
from mnemo.hierarchy.memtree.thresholds import descent_rule, min_cosines
from mnemo.models.group import checked_group
from mnemo.models.hierarchy import Hierarchy, Member
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Vectors
from mnemo.store.driver import Call, Database
from mnemo.store.hierarchy import memtree as store
from mnemo.store.hierarchy.members import find_root

__all__ = ["FEW", "Memtree", "MemtreeRun"]

FEW = 8
"""Up to this many pending episodes are inserted one by one, along routes that the database finds."""
_CONFLICTS = 64
_PAUSE_S = (0.005, 0.2)
_COPIES = 4
"""Copies kept in memory, one per group."""
_CHILDREN = 200


@dataclass(slots=True, kw_only=True)
class MemtreeRun:
    """The result of a run."""

    leaves: int = 0
    """Episodes inserted."""
    left: int = 0
    """Episodes that failed and wait for the next run."""
    stopped: str | None = None
    """Why the run ended early, such as an unavailable LLM; None if it did not."""
    usage: Usage = field(default_factory=Usage)
    candidates: int = 0
    """Number of nodes compared."""
    conflicts: int = 0
    """Number of retries because of concurrent writers."""
    seconds: float = 0.0
    """Wall time including waits, summed over groups."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Reason by uuid of each episode that failed."""

    def add(self, other: "MemtreeRun") -> None:
        """Add the result of another run."""
        self.leaves += other.leaves
        self.left += other.left
        self.stopped = self.stopped or other.stopped
        self.usage += other.usage
        self.candidates += other.candidates
        self.conflicts += other.conflicts
        self.seconds += other.seconds
        self.reasons.update(other.reasons)


class Memtree:
    """The memtrees of one database; use within one event loop."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        aggregator: Aggregator,
        *,
        settings: MemtreeSettings | None = None,
        clock: Clock | None = None,
        new_uuid: Callable[[], str] = lambda: str(uuid.uuid4()),
    ) -> None:
        """Keep the parts; they are neither opened nor closed here.

        Args:
            database: Migrated for the embedder.
            embedder: Embeds contents.
            aggregator: Writes contents.
            settings: None for the defaults.
            clock: Gives the creation time of new memtrees; None for the system clock.
            new_uuid: Gives the uuids of new nodes.
        """
        self._database = database
        self._embedder = embedder
        self._aggregator = aggregator
        self._settings = settings or MemtreeSettings()
        self._clock = clock or SystemClock()
        self._new_uuid = new_uuid
        self._thresholds = min_cosines(descent_rule(self._settings, embedder.model))
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._copies: LRUCache[str, InMemoryTree] = LRUCache(_COPIES)

    async def process(self, group: str) -> MemtreeRun:
        """Insert all processed episodes of a group that are not in the memtree yet, in the order of their arrival.

        An unavailable provider ends the run; an episode whose text a provider refuses is left for the next run.

        Raises:
            GroupError: The group name is invalid.
            StoreError: See its kinds; what was written stays.
        """
        checked = checked_group(group)
        lock = self._locks.setdefault(checked, asyncio.Lock())
        run, start = MemtreeRun(), perf_counter()
        async with lock:
            await self._process(checked, run)
        run.seconds = perf_counter() - start
        return run

    async def process_all(self, groups: Iterable[str], *, at_once: int = 4) -> MemtreeRun:
        """Process groups, up to `at_once` concurrently; return the sum of the results.

        Raises:
            GroupError: A group name is invalid.
            StoreError: See its kinds.
        """
        slots = asyncio.Semaphore(at_once)

        async def process(group: str) -> MemtreeRun:
            async with slots:
                return await self.process(group)

        total = MemtreeRun()
        for run in await run_concurrently(process(group) for group in dict.fromkeys(groups)):
            total.add(run)
        return total

    async def removal_calls(self, group: str, uuids: Sequence[str]) -> list[Call]:
        """Return the calls that remove episodes, to be run before their deletion in the same transaction.

        Rewrites the contents above them. If the LLM fails, an extract replaces its summary, so that nothing of the
        forgotten episodes remains. The call returns no row if the memtree has changed; then ask again.

        Raises:
            StoreError: See its kinds.
            ProviderError: The embedder failed.
        """
        root = await find_root(self._database, group, "memtree")
        if root is None:
            return []
        chains = await store.chains(self._database, root, uuids)
        above = sorted({category for chain in chains.values() for category in chain})
        members = await store.children(self._database, group, [root.uuid, *above]) if chains else []
        pruning = Pruning(root.uuid, members)
        for leaf in uuids:
            pruning.remove(leaf)
        contents, by, usage = await self._rewrite(pruning)
        rows = pruning.rows(contents, by)
        change = store.MemtreeWrite(**rows, calls=usage.calls, vectors=await self._embed(contents))
        return [store.write_call(root, root.revision, self._embedder.model, change)]

    async def _process(self, group: str, run: MemtreeRun) -> None:
        most, conflicts = self._settings.batch, 0
        while True:
            # Read the revision before the pending episodes: an insert of one by another process changes it.
            root = await find_root(self._database, group, "memtree")
            items = await store.pending(self._database, group, skipped=list(run.reasons), limit=most)
            if not items:
                return
            try:
                await self._insert(root or await self._create(group), items, run)
            except ConflictError:
                self._copies.pop(group, None)
                conflicts, run.conflicts = conflicts + 1, run.conflicts + 1
                if conflicts >= _CONFLICTS:
                    run.stopped = f"{conflicts} conflicts with concurrent writers in a row; process again"
                    return
                await asyncio.sleep(random.uniform(*_PAUSE_S) * min(conflicts, 10))  # noqa: S311  # jitter, not a secret
            except ProviderError as error:
                self._copies.pop(group, None)
                if error.retryable:
                    run.stopped = f"{type(error).__name__}: {error}"
                    return
                if most == 1:
                    run.reasons[items[0].uuid] = f"{type(error).__name__}: {error}"
                    run.left += 1
                most = self._settings.batch if most == 1 else 1
            else:
                conflicts = 0
                if len(items) < most:
                    return

    async def _create(self, group: str) -> Hierarchy:
        """Create the root; if another process has created and changed it, raise a conflict."""
        root = await store.open_root(self._database, group, self._new_uuid(), self._clock.now())
        if root.revision:
            message = "another process has created the memtree; read it again and retry"
            raise ConflictError(message)
        return root

    async def _insert(self, root: Hierarchy, items: Sequence[store.PendingEpisode], run: MemtreeRun) -> None:
        kept = self._copies.get(root.group)
        if len(items) <= FEW and (kept is None or kept.revision != root.revision or kept.root != root.uuid):
            revision = root.revision
            for item in items:
                revision = await self._insert_one(root, revision, item, run)
            return
        copy = self._copy(root)
        size = 1 if self._settings.aggregate == "insert" else len(items)
        for start in range(0, len(items), size):
            await self._insert_batch(root, copy, items[start : start + size], run)

    async def _insert_one(self, root: Hierarchy, revision: int, item: store.PendingEpisode, run: MemtreeRun) -> int:
        """Insert along a route that the database finds at this revision; return the next revision."""
        steps, found = await find_route(self._database, root, item.vector, self._thresholds)
        if found != revision:
            message = "the memtree has changed since its pending episodes were read; read it again and retry"
            raise ConflictError(message)
        insert = plan_insert(steps, item.uuid, item.text, self._new_uuid())
        batch = InsertBatch(root.uuid)
        batch.add(insert)
        _, _, written = await self._write(root, revision, batch, run)
        _count(run, [insert])
        return written

    async def _insert_batch(
        self, root: Hierarchy, copy: InMemoryTree, items: Sequence[store.PendingEpisode], run: MemtreeRun
    ) -> None:
        """Insert along routes in the copy, in one transaction."""
        batch = InsertBatch(root.uuid)
        inserts = []
        await copy.prefetch([item.vector for item in items], self._thresholds)
        for item in items:
            steps = await copy.route(item.vector, self._thresholds)
            insert = plan_insert(steps, item.uuid, item.text, self._new_uuid())
            copy.apply(insert, item.vector)
            batch.add(insert)
            inserts.append(insert)
        try:
            contents, vectors, revision = await self._write(root, copy.revision, batch, run)
        except BaseException:
            self._copies.pop(root.group, None)
            raise
        copy.update(contents, vectors, revision)
        _count(run, inserts)

    async def _write(
        self, root: Hierarchy, revision: int, batch: InsertBatch, run: MemtreeRun
    ) -> tuple[dict[str, str], dict[str, Vectors], int]:
        """Write the contents above the new leaves, and store everything if the memtree is still at `revision`."""
        growing = list(batch.growing.values())
        results = await aggregate_all(
            self._aggregator,
            [
                AggregateRequest(content=one.content, texts=tuple(one.texts), before=one.before, leaves=one.leaves)
                for one in growing
            ],
        )
        contents = {one.uuid: result.content for one, result in zip(growing, results, strict=True)}
        usage = sum((result.usage for result in results), Usage())
        run.usage += usage
        vectors = await self._embed(contents)
        rows = batch.rows(contents, self._aggregator.name)
        change = store.MemtreeWrite(**rows, calls=usage.calls, vectors=vectors)
        call = store.write_call(root, revision, self._embedder.model, change)
        (written,) = await self._database.run_guarded([call])
        return contents, vectors, int(written[0]["revision"])

    async def _rewrite(self, pruning: Pruning) -> tuple[dict[str, str], dict[str, str], Usage]:
        """Rewrite the contents of the categories above removed leaves, deepest first."""
        contents: dict[str, str] = {}
        by: dict[str, str] = {}
        usage = Usage()
        for category in pruning.stale():
            texts = pruning.texts(category, contents)[:_CHILDREN]
            request = AggregateRequest(content="", texts=texts, before=0, leaves=pruning.leaves(category))
            try:
                result = await self._aggregator.aggregate(request)
                by[category] = self._aggregator.name
            except ProviderError:
                result = await ExtractAggregator(self._settings.summary_tokens).aggregate(request)
                by[category] = "extract"
            contents[category] = result.content
            usage += result.usage
        return contents, by, usage

    async def _embed(self, contents: dict[str, str]) -> dict[str, Vectors]:
        if not contents:
            return {}
        vectors = await self._embedder.passages(list(contents.values()))
        return dict(zip(contents, vectors, strict=True))

    def _copy(self, root: Hierarchy) -> InMemoryTree:
        """Return the group's copy in memory if it is still valid, else an empty one."""
        kept = self._copies.get(root.group)
        if kept is None or kept.root != root.uuid or kept.revision != root.revision:

            async def load(parents: Sequence[str]) -> Sequence[Member]:
                return await store.children(self._database, root.group, parents)

            kept = InMemoryTree(root.uuid, root.revision, load)
        self._copies[root.group] = kept
        return kept


def _count(run: MemtreeRun, inserts: Sequence[InsertPlan]) -> None:
    run.leaves += len(inserts)
    run.candidates += sum(insert.candidates for insert in inserts)
