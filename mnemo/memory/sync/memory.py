"""The memory, synchronous: `AsyncMemory` on an event loop in its own thread."""

from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.lazy_import import lazy_module
from mnemo.memory.core import AsyncMemory
from mnemo.memory.reading import AsOf, ListKind, MemoryReading
from mnemo.memory.sync.thread import LoopThread
from mnemo.memory.sync.waiting import Waiting, waiting
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus
from mnemo.models.results import Page
from mnemo.providers.base import Embedder, Llm

if TYPE_CHECKING:
    from mnemo.memory import trees as sdk_trees
else:
    sdk_trees = lazy_module("mnemo.memory.trees")

__all__ = ["Memory"]


class Memory(Waiting[AsyncMemory]):
    """Long-term memory in Neo4j; use it as a context manager, from any thread, also within a running event loop.

    Each method does what the method of that name of `AsyncMemory` does, and waits for it.
    """

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
        inner = AsyncMemory(settings, group=group, llm=llm, embedder=embedder, clock=clock)
        super().__init__(inner, LoopThread("mnemo-memory"))

    def __enter__(self) -> Self:
        """Return the memory; it connects at the first call."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def close(self) -> None:
        """Close all connections and end the thread, once the calls of other threads have ended or 30 s have passed.

        Closing twice is fine, and a later call starts both again.
        """
        if self._thread.running:
            self._thread.settle()
            self._thread.wait(self._inner.close())
            self._thread.stop()

    add = waiting(AsyncMemory.add)
    add_file = waiting(AsyncMemory.add_file)
    process = waiting(AsyncMemory.process)
    retry = waiting(AsyncMemory.retry)
    forget = waiting(AsyncMemory.forget)
    search = waiting(AsyncMemory.search)
    ask = waiting(AsyncMemory.ask)
    get = waiting(AsyncMemory.get)
    sources = waiting(AsyncMemory.sources)
    status = waiting(AsyncMemory.status)
    groups = waiting(AsyncMemory.groups)
    hierarchy = waiting(AsyncMemory.hierarchy)
    build_hierarchy = waiting(AsyncMemory.build_hierarchy)
    refresh_hierarchy = waiting(AsyncMemory.refresh_hierarchy)
    check_hierarchy = waiting(AsyncMemory.check_hierarchy)
    xpath = waiting(AsyncMemory.xpath)
    trees = waiting(AsyncMemory.trees)
    warm = waiting(AsyncMemory.warm)
    reembed = waiting(AsyncMemory.reembed)

    def tree(self, name: str, *, group: str | None = None) -> "sdk_trees.Tree":
        """Return the tree of a name; see `AsyncMemory.tree`."""
        return sdk_trees.Tree(self._thread.wait(self._inner.tree(name, group=group)), self._thread)

    @overload
    def list(
        self,
        kind: Literal["episodes"] = "episodes",
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
    ) -> Page[Episode]: ...

    @overload
    def list(
        self, kind: Literal["entities"], *, group: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page[Entity]: ...

    @overload
    def list(
        self,
        kind: Literal["edges"],
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        entity: str | None = None,
        as_of: AsOf = None,
    ) -> Page[Edge]: ...

    @overload
    def list(
        self,
        kind: ListKind,
        *,
        group: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        session: str | None = None,
        status: EpisodeStatus | None = None,
        entity: str | None = None,
        as_of: AsOf = None,
    ) -> Page[Episode] | Page[Entity] | Page[Edge]: ...

    @wraps(MemoryReading.list)
    def list(self, kind: ListKind = "episodes", **filters: Any) -> Page[Episode] | Page[Entity] | Page[Edge]:
        """Return one page in a stable order; see `AsyncMemory.list`."""
        return self._thread.wait(self._inner.list(kind, **filters))
