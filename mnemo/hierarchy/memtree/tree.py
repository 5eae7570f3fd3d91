"""The tree over episodes, grown as they come (MemTree, arXiv 2410.14052), with thresholds and crash safety of our own.

A few episodes are inserted one by one: one round trip finds the path, the contents above are made side by
side, one transaction writes all of it. Many are inserted by a mirror in memory, a batch a transaction. Either
way a write holds only if nobody has changed the tree since it was read, so that writers in any number of
processes give the tree of some serial order, and an insert is seen whole or not at all.
"""

import asyncio
import random
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from weakref import WeakValueDictionary

from mnemo.clock import Clock, SystemClock
from mnemo.config import MemtreeSettings
from mnemo.errors import ConflictError, ProviderError
from mnemo.hierarchy.memtree.aggregate import Aggregation, Aggregator, ExtractAggregator, aggregate_all, side_by_side
from mnemo.hierarchy.memtree.descent import find_route
from mnemo.hierarchy.memtree.in_memory import Mirror
from mnemo.hierarchy.memtree.insertion import Change, Draft, plan
from mnemo.hierarchy.memtree.pruning import Shrinking
from mnemo.hierarchy.memtree.thresholds import cosines, rule_of
from mnemo.models.group import checked_group
from mnemo.models.hierarchy import Hierarchy, Member
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Vectors
from mnemo.store import hierarchy as store
from mnemo.store.driver import Call, Database

__all__ = ["FEW", "OnlineTree", "Planted"]

FEW = 8
"""Up to this many pending episodes are inserted one by one, along paths that the database finds."""
_CONFLICTS = 64
_PAUSE_S = (0.005, 0.2)
_MIRRORS = 4
_CHILDREN = 200


@dataclass(slots=True, kw_only=True)
class Planted:
    """What a run did."""

    leaves: int = 0
    """Episodes taken in."""
    left: int = 0
    """Episodes that failed on their own and wait for the next run."""
    stopped: str | None = None
    """Why it ended early, such as an LLM that is down; None if it did not."""
    usage: Usage = field(default_factory=Usage)
    candidates: int = 0
    """Nodes that the routes compared."""
    conflicts: int = 0
    """Times that somebody else wrote first."""
    seconds: float = 0.0
    """Wall time, waiting for others included; added up over groups."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Uuid of each episode that is left to why."""

    def add(self, other: "Planted") -> None:
        """Add what another run did."""
        self.leaves += other.leaves
        self.left += other.left
        self.stopped = self.stopped or other.stopped
        self.usage += other.usage
        self.candidates += other.candidates
        self.conflicts += other.conflicts
        self.seconds += other.seconds
        self.reasons.update(other.reasons)


class OnlineTree:
    """Grows and prunes the trees of one database; use within one event loop."""

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
        """Keep the parts; nothing is connected or closed here.

        Args:
            database: Migrated for the embedder.
            embedder: Embeds contents.
            aggregator: Makes contents.
            settings: None is the defaults.
            clock: Tells when a tree was made; None is the machine's.
            new_uuid: Names new nodes.
        """
        self._database = database
        self._embedder = embedder
        self._aggregator = aggregator
        self._settings = settings or MemtreeSettings()
        self._clock = clock or SystemClock()
        self._new_uuid = new_uuid
        self._least = cosines(rule_of(self._settings, embedder.model))
        self._busy: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._mirrors: OrderedDict[str, Mirror] = OrderedDict()

    async def process(self, group: str, report: Callable[[int], None] = lambda _: None) -> Planted:
        """Take in every processed episode of a group that the tree lacks, in the order of their arrival.

        A provider that is down ends the run; one that refuses a text leaves that episode for the next run.

        Args:
            group: Whose memory.
            report: Called after each transaction with the episodes taken in so far.

        Raises:
            GroupError: The group is refused.
            StoreError: See its kinds; what was written stays.
        """
        checked = checked_group(group)
        lock = self._busy.setdefault(checked, asyncio.Lock())
        done, start = Planted(), perf_counter()
        async with lock:
            await self._process(checked, done, report)
        done.seconds = perf_counter() - start
        return done

    async def process_all(self, groups: Iterable[str], *, at_once: int = 4) -> Planted:
        """Process several groups side by side, up to `at_once`; the sum.

        Raises:
            GroupError: A group is refused.
            StoreError: See its kinds.
        """
        slots = asyncio.Semaphore(at_once)

        async def one(group: str) -> Planted:
            async with slots:
                return await self.process(group)

        total = Planted()
        for each in await side_by_side(one(group) for group in dict.fromkeys(groups)):
            total.add(each)
        return total

    async def removal(self, group: str, uuids: Sequence[str]) -> list[Call]:
        """Return the calls that take episodes out, to be run before their deletion in the same transaction.

        Contents above them are made anew from what is left, by sentences where the LLM fails: what was to be
        forgotten must not stay because of it. The call gives no row when the tree has changed since: ask again.

        Raises:
            StoreError: See its kinds.
            ProviderError: The embedder failed.
        """
        root = await store.find_root(self._database, group, "episodes")
        if root is None:
            return []
        found = await store.chains(self._database, root, uuids)
        above = sorted({category for chain in found.values() for category in chain})
        members = await store.children(self._database, group, [root.uuid, *above]) if found else []
        shrinking = Shrinking(root.uuid, members)
        for leaf in uuids:
            shrinking.remove(leaf)
        contents, by, usage = await self._rebuilt(shrinking)
        rows = shrinking.rows(contents, by)
        change = store.TreeWrite(**rows, calls=usage.calls, vectors=await self._vectors(contents))
        return [store.write_call(root, root.revision, self._embedder.model, change)]

    async def _process(self, group: str, done: Planted, report: Callable[[int], None]) -> None:
        most, conflicts = self._settings.batch, 0
        while True:
            # The revision is read before what is pending: an episode that somebody takes in meanwhile changes it.
            root = await store.find_root(self._database, group, "episodes")
            items = await store.pending(self._database, group, skipped=list(done.reasons), limit=most)
            if not items:
                return
            try:
                await self._insert(root or await self._made(group), items, done)
            except ConflictError:
                self._mirrors.pop(group, None)
                conflicts, done.conflicts = conflicts + 1, done.conflicts + 1
                if conflicts >= _CONFLICTS:
                    done.stopped = f"others changed the tree first, {conflicts} times in a row; process again"
                    return
                await asyncio.sleep(random.uniform(*_PAUSE_S) * min(conflicts, 10))  # noqa: S311  # spreads writers
            except ProviderError as error:
                self._mirrors.pop(group, None)
                if error.retryable:
                    done.stopped = f"{type(error).__name__}: {error}"
                    return
                if most == 1:
                    done.reasons[items[0].uuid] = f"{type(error).__name__}: {error}"
                    done.left += 1
                most = self._settings.batch if most == 1 else 1
            else:
                conflicts = 0
                report(done.leaves)
                if len(items) < most:
                    return

    async def _made(self, group: str) -> Hierarchy:
        """Make the root; one that somebody else has made and changed meanwhile is a conflict."""
        root = await store.open_root(self._database, group, self._new_uuid(), self._clock.now())
        if root.revision:
            message = "somebody else has begun the tree; read it again"
            raise ConflictError(message)
        return root

    async def _insert(self, root: Hierarchy, items: Sequence[store.Pending], done: Planted) -> None:
        kept = self._mirrors.get(root.group)
        if len(items) <= FEW and (kept is None or kept.revision != root.revision or kept.root != root.uuid):
            revision = root.revision
            for item in items:
                revision = await self._insert_one(root, revision, item, done)
            return
        mirror = self._mirror(root)
        size = 1 if self._settings.aggregate == "insert" else len(items)
        for start in range(0, len(items), size):
            await self._insert_batch(root, mirror, items[start : start + size], done)

    async def _insert_one(self, root: Hierarchy, revision: int, item: store.Pending, done: Planted) -> int:
        """Insert along a path that the database finds in the tree of that revision; return the next one."""
        steps, found = await find_route(self._database, root, item.vector, self._least)
        if found != revision:
            message = "the tree has changed since its pending episodes were read"
            raise ConflictError(message)
        change = plan(steps, item.uuid, item.text, self._new_uuid())
        draft = Draft(root.uuid)
        draft.add(change)
        _, _, written = await self._write(root, revision, draft, done)
        _count(done, [change])
        return written

    async def _insert_batch(
        self, root: Hierarchy, mirror: Mirror, items: Sequence[store.Pending], done: Planted
    ) -> None:
        """Insert along paths through the mirror, all in one transaction."""
        draft = Draft(root.uuid)
        changes = []
        await mirror.prefetch([item.vector for item in items], self._least)
        for item in items:
            change = plan(await mirror.route(item.vector, self._least), item.uuid, item.text, self._new_uuid())
            mirror.apply(change, item.vector)
            draft.add(change)
            changes.append(change)
        try:
            contents, vectors, revision = await self._write(root, mirror.revision, draft, done)
        except BaseException:
            self._mirrors.pop(root.group, None)
            raise
        mirror.settle(contents, vectors, revision)
        _count(done, changes)

    async def _write(
        self, root: Hierarchy, revision: int, draft: Draft, done: Planted
    ) -> tuple[dict[str, str], dict[str, Vectors], int]:
        """Make the contents above, and write it all if the tree is still at that revision."""
        growing = list(draft.growing.values())
        made = await aggregate_all(
            self._aggregator,
            [
                Aggregation(content=one.content, texts=tuple(one.texts), before=one.before, leaves=one.leaves)
                for one in growing
            ],
        )
        contents = {one.uuid: each.content for one, each in zip(growing, made, strict=True)}
        usage = sum((each.usage for each in made), Usage())
        done.usage += usage
        vectors = await self._vectors(contents)
        rows = draft.rows(contents, self._aggregator.name)
        change = store.TreeWrite(**rows, calls=usage.calls, vectors=vectors)
        call = store.write_call(root, revision, self._embedder.model, change)
        (written,) = await self._database.run_guarded([call])
        return contents, vectors, int(written[0]["revision"])

    async def _rebuilt(self, shrinking: Shrinking) -> tuple[dict[str, str], dict[str, str], Usage]:
        """Make the contents of all that stay above what went, deepest first."""
        contents: dict[str, str] = {}
        by: dict[str, str] = {}
        usage = Usage()
        for category in shrinking.stale():
            texts = shrinking.texts(category, contents)[:_CHILDREN]
            wanted = Aggregation(content="", texts=texts, before=0, leaves=shrinking.leaves(category))
            try:
                made = await self._aggregator.aggregate(wanted)
                by[category] = self._aggregator.name
            except ProviderError:
                made = await ExtractAggregator(self._settings.summary_tokens).aggregate(wanted)
                by[category] = "extract"
            contents[category] = made.content
            usage += made.usage
        return contents, by, usage

    async def _vectors(self, contents: dict[str, str]) -> dict[str, Vectors]:
        if not contents:
            return {}
        vectors = await self._embedder.passages(list(contents.values()))
        return dict(zip(contents, vectors, strict=True))

    def _mirror(self, root: Hierarchy) -> Mirror:
        """Return the kept mirror while it is true, else an empty one."""
        kept = self._mirrors.pop(root.group, None)
        if kept is None or kept.root != root.uuid or kept.revision != root.revision:

            async def load(parents: Sequence[str]) -> Sequence[Member]:
                return await store.children(self._database, root.group, parents)

            kept = Mirror(root.uuid, root.revision, load)
        self._mirrors[root.group] = kept
        while len(self._mirrors) > _MIRRORS:
            self._mirrors.popitem(last=False)
        return kept


def _count(done: Planted, changes: Sequence[Change]) -> None:
    done.leaves += len(changes)
    done.candidates += sum(change.candidates for change in changes)
