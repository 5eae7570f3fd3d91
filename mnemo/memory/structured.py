"""The verbs about structure: tree memories, and the whole memory as a tree."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime

from mnemo.clock import Clock
from mnemo.memory.connection import Connection
from mnemo.memory.thread import LoopThread
from mnemo.memory.trees import AsyncTree, Tree
from mnemo.models.tree import TreeSummary, XPathResult
from mnemo.semxpath.compiler.core import Options
from mnemo.semxpath.trees.memory import Trees
from mnemo.semxpath.views import MemoryView

__all__ = ["AsyncStructured", "Structured"]


class AsyncStructured:
    """Semantic XPath over a memory that can be opened."""

    _clock: Clock

    @abstractmethod
    async def _open(self) -> Connection: ...

    @abstractmethod
    def _of(self, group: str | None) -> str: ...

    async def xpath(
        self,
        query: str,
        *,
        group: str | None = None,
        as_of: datetime | None = None,
        options: Options | None = None,
    ) -> XPathResult:
        """Return the nodes that a Semantic XPath query finds in the whole memory of a group.

        Args:
            query: Such as `//Entity[node ~= "hobbies"]/Edge` or `/Session[-1]/Episode`.
            group: Whose memory.
            as_of: The world as it was then, aware; None is now.
            options: How the result is cut.

        Raises:
            QueryError: It does not parse, or names what a memory does not have.
        """
        open_ = await self._open()
        view = MemoryView(open_.database, open_.embedder, self._of(group), clock=self._clock)
        return await view.xpath(query, as_of=as_of, options=options)

    async def tree(self, name: str, *, group: str | None = None) -> AsyncTree:
        """Return the tree memory of a name, which need not exist yet: its `import_` makes it.

        Raises:
            ArgumentError: The name is blank, too long or not printable.
        """
        open_ = await self._open()
        trees = Trees(open_.database, open_.embedder, self._of(group), clock=self._clock)
        return AsyncTree(trees, name, open_.llm)

    async def trees(self, *, group: str | None = None) -> Sequence[TreeSummary]:
        """Return the tree memories of a group, by name."""
        open_ = await self._open()
        return await Trees(open_.database, open_.embedder, self._of(group)).list()


class Structured:
    """The same, synchronous."""

    _memory: AsyncStructured
    _thread: LoopThread

    def xpath(
        self,
        query: str,
        *,
        group: str | None = None,
        as_of: datetime | None = None,
        options: Options | None = None,
    ) -> XPathResult:
        """Return the nodes that a Semantic XPath query finds in the whole memory; see `AsyncMemory.xpath`."""
        return self._thread.wait(self._memory.xpath(query, group=group, as_of=as_of, options=options))

    def tree(self, name: str, *, group: str | None = None) -> Tree:
        """Return the tree memory of a name; see `AsyncMemory.tree`."""
        return Tree(self._thread.wait(self._memory.tree(name, group=group)), self._thread)

    def trees(self, *, group: str | None = None) -> Sequence[TreeSummary]:
        """Return the tree memories of a group, by name; see `AsyncMemory.trees`."""
        return self._thread.wait(self._memory.trees(group=group))
