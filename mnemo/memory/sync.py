"""The memory's verbs, synchronous: `AsyncMemory` on an event loop in a thread of its own."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, Self, Unpack

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.hierarchy.categories.builder import Built
from mnemo.hierarchy.categories.drift import Check
from mnemo.hierarchy.categories.layers import Told, untold
from mnemo.ingestion.progress import Report, silent
from mnemo.memory.core import AsyncMemory, Kind, Messages
from mnemo.memory.structured import Structured
from mnemo.memory.thread import LoopThread
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus
from mnemo.models.hierarchy import HierarchyKind, HierarchyView
from mnemo.models.results import Added, Answer, Counts, Forgotten, Page, Processed, SearchResult
from mnemo.providers.base import Embedder, Llm
from mnemo.retrieval.request import Looking

__all__ = ["Memory"]


class Memory(Structured):
    """Long-term memory in Neo4j; use as a context manager, from any thread, also within a running event loop.

    Each verb does what the verb of that name of `AsyncMemory` does, and waits for it.
    """

    _memory: AsyncMemory

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        group: str | None = None,
        llm: Llm | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Keep how to connect; see `AsyncMemory`."""
        self._memory = AsyncMemory(settings, group=group, llm=llm, embedder=embedder, clock=clock)
        self._thread = LoopThread("mnemo-memory")

    def __enter__(self) -> Self:
        """Return itself; connects at the first verb."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the connections and end the thread; may be called twice, and a later verb starts both anew."""
        if self._thread.running:
            self._thread.wait(self._memory.close())
            self._thread.stop()

    def add(
        self,
        messages: Messages,
        *,
        group: str | None = None,
        when: Literal["now", "later"] = "now",
        report: Report = silent,
    ) -> Added:
        """Store messages, and make entities and facts of them; see `AsyncMemory.add`."""
        return self._thread.wait(self._memory.add(messages, group=group, when=when, report=report))

    def process(self, groups: str | Iterable[str] | None = None, *, report: Report = silent) -> Processed:
        """Process all that is pending in one or more groups; see `AsyncMemory.process`."""
        return self._thread.wait(self._memory.process(groups, report=report))

    def retry(self, *, group: str | None = None, report: Report = silent) -> Processed:
        """Process what failed, and what is pending, once more; see `AsyncMemory.retry`."""
        return self._thread.wait(self._memory.retry(group=group, report=report))

    def status(self, *, group: str | None = None) -> Counts:
        """Count a group's episodes by state; see `AsyncMemory.status`."""
        return self._thread.wait(self._memory.status(group=group))

    def search(self, question: str, **wanted: Unpack[Looking]) -> SearchResult:
        """Find what answers a question, by the named arguments of `mnemo.Looking`; see `AsyncMemory.search`."""
        return self._thread.wait(self._memory.search(question, **wanted))

    def ask(self, question: str, **wanted: Unpack[Looking]) -> Answer:
        """Answer a question with its sources, by the named arguments of `mnemo.Looking`; see `AsyncMemory.ask`."""
        return self._thread.wait(self._memory.ask(question, **wanted))

    def list(  # noqa: PLR0913  # the filters of one verb, each by its name
        self,
        kind: Kind = "episodes",
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
        entity: str | None = None,
        as_of: datetime | Literal["ever"] | None = None,
    ) -> Page[Episode] | Page[Entity] | Page[Edge]:
        """Return one page in a stable order, with the total; see `AsyncMemory.list`."""
        return self._thread.wait(
            self._memory.list(
                kind,
                group=group,
                cursor=cursor,
                limit=limit,
                session=session,
                status=status,
                entity=entity,
                as_of=as_of,
            )
        )

    def get(self, uuid: str, *, group: str | None = None) -> Episode | Entity | Edge:
        """Return one thing by its uuid; see `AsyncMemory.get`."""
        return self._thread.wait(self._memory.get(uuid, group=group))

    def forget(
        self, uuid: str | Sequence[str] | None = None, *, session: str | None = None, group: str | None = None
    ) -> Forgotten:
        """Delete episodes, a session or a whole group; see `AsyncMemory.forget`."""
        return self._thread.wait(self._memory.forget(uuid, session=session, group=group))

    def hierarchy(
        self, kind: HierarchyKind = "episodes", *, group: str | None = None, depth: int = 64
    ) -> HierarchyView | None:
        """Return a hierarchy to be looked at; see `AsyncMemory.hierarchy`."""
        return self._thread.wait(self._memory.hierarchy(kind, group=group, depth=depth))

    def build_hierarchy(self, *, group: str | None = None, told: Told = untold) -> Built:
        """Build the hierarchy over entities anew; see `AsyncMemory.build_hierarchy`."""
        return self._thread.wait(self._memory.build_hierarchy(group=group, told=told))

    def refresh_hierarchy(self, *, group: str | None = None) -> tuple[str, ...]:
        """Build anew the subtrees that have drifted; see `AsyncMemory.refresh_hierarchy`."""
        return self._thread.wait(self._memory.refresh_hierarchy(group=group))

    def check_hierarchy(self, *, group: str | None = None) -> Check:
        """Compare the hierarchy over entities with a fresh build; see `AsyncMemory.check_hierarchy`."""
        return self._thread.wait(self._memory.check_hierarchy(group=group))

    def reembed(self) -> int:
        """Embed the memory of all groups by the configured model; see `AsyncMemory.reembed`."""
        return self._thread.wait(self._memory.reembed())
