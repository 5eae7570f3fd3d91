"""The calls about structure: trees, and the whole memory as a tree."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mnemo.lazy_import import lazy_module
from mnemo.memory.base import MemoryBase
from mnemo.models.tree import QueryOptions, TreeSummary, XPathResult

if TYPE_CHECKING:
    from mnemo.memory import trees as sdk_trees
    from mnemo.semxpath import views
    from mnemo.semxpath.trees import memory as stored_trees
else:
    sdk_trees = lazy_module("mnemo.memory.trees")
    views = lazy_module("mnemo.semxpath.views")
    stored_trees = lazy_module("mnemo.semxpath.trees.memory")

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
        opened = await self._open()
        view = views.MemoryView(
            opened.database, opened.embedder, self._group_of(group), clock=self._clock, cosine=opened.cosine
        )
        return await view.xpath(query, as_of=as_of, options=options)

    async def tree(self, name: str, *, group: str | None = None) -> "sdk_trees.AsyncTree":
        """Return the tree of a name. It need not exist: its `import_` or `create` makes it.

        Raises:
            ArgumentError: The name is blank, too long or not printable.
        """
        opened = await self._open()
        return sdk_trees.AsyncTree(await self._trees(group), name, opened.llm)

    async def trees(self, *, group: str | None = None) -> Sequence[TreeSummary]:
        """Return the trees of a group, by name."""
        return await (await self._trees(group)).list()

    async def _trees(self, group: str | None) -> "stored_trees.Trees":
        opened = await self._open()
        return stored_trees.Trees(
            opened.database, opened.embedder, self._group_of(group), clock=self._clock, executor=opened.executor
        )
