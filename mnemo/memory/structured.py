"""The calls about structure: trees, and the whole memory as a tree."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mnemo.memory.base import MemoryBase
from mnemo.models.tree import QueryOptions, TreeSummary, XPathResult

if TYPE_CHECKING:  # imported at first use
    from mnemo.memory.trees import AsyncTree
    from mnemo.semxpath.trees.memory import Trees

__all__ = ["MemoryStructure"]


class MemoryStructure(MemoryBase):
    """Semantic XPath over the memory of a group, and its trees."""

    async def xpath(
        self,
        query: str,
        *,
        group: str | None = None,
        as_of: datetime | None = None,
        options: QueryOptions | None = None,
    ) -> XPathResult:
        """Return the nodes that a Semantic XPath query finds in the whole memory of a group.

        Args:
            query: Such as `//Entity[node ~= "hobbies"]/Edge` or `/Session[-1]/Episode`.
            group: Group to query; None is the memory's own.
            as_of: The memory as of this moment, aware; None is now.
            options: Limits of the result.

        Raises:
            QueryError: The query does not parse, or names something that a memory does not have.
        """
        from mnemo.semxpath.views import MemoryView  # noqa: PLC0415  # imported at first use

        opened = await self._open()
        view = MemoryView(
            opened.database, opened.embedder, self._group_of(group), clock=self._clock, cosine=opened.cosine
        )
        return await view.xpath(query, as_of=as_of, options=options)

    async def tree(self, name: str, *, group: str | None = None) -> "AsyncTree":
        """Return the tree of a name. It need not exist: its `import_` or `create` makes it.

        Raises:
            ArgumentError: The name is blank, too long or not printable.
        """
        from mnemo.memory.trees import AsyncTree  # noqa: PLC0415  # imported at first use

        opened = await self._open()
        return AsyncTree(await self._trees(group), name, opened.llm)

    async def trees(self, *, group: str | None = None) -> Sequence[TreeSummary]:
        """Return the trees of a group, by name."""
        return await (await self._trees(group)).list()

    async def _trees(self, group: str | None) -> "Trees":
        from mnemo.semxpath.trees.memory import Trees  # noqa: PLC0415  # imported at first use

        opened = await self._open()
        return Trees(
            opened.database, opened.embedder, self._group_of(group), clock=self._clock, executor=opened.executor
        )
