"""Trees as the SDK returns them: `await memory.tree("trip")`, `memory.tree("trip")`."""

from mnemo.memory.sync.thread import LoopThread
from mnemo.memory.sync.waiting import Waiting, waiting
from mnemo.models.tree import QueryOptions
from mnemo.providers.base import Llm
from mnemo.semxpath.natural_language.translate import Translator, TreeOutcome
from mnemo.semxpath.trees.memory import TreeMemory, Trees

__all__ = ["AsyncTree", "Tree"]


class AsyncTree(TreeMemory):
    """One tree, also in plain language: requests are translated by the LLM, or by rules without one."""

    def __init__(self, trees: Trees, name: str, llm: Llm | None) -> None:
        """Take a tree by its name; use `AsyncMemory.tree`."""
        super().__init__(trees, name)
        self._translator = Translator(llm)

    async def ask(self, words: str, *, options: QueryOptions | None = None) -> TreeOutcome:
        """Answer a request that reads, such as "restaurants on day 2".

        Raises:
            ArgumentError: The request would change the tree, or there is no LLM and no rule matches.
            QueryError: The query of the LLM does not match the schema, twice.
        """
        return await self._translator.ask(self, words, options)

    async def act(self, words: str, *, options: QueryOptions | None = None) -> TreeOutcome:
        """Carry out any request, such as "move the museum to day 2"; the new version keeps its words.

        Raises:
            ArgumentError, QueryError: As for `ask`.
            ConflictError: Another version was written first; nothing was changed.
        """
        return await self._translator.act(self, words, options)

    async def preview(self, words: str, *, options: QueryOptions | None = None) -> TreeOutcome:
        """Return the plan of a request and what it would change, without changing anything; errors as for `act`."""
        return await self._translator.preview(self, words, options)


class Tree(Waiting[AsyncTree]):
    """One tree, synchronous: each method does what that of `AsyncTree` does, and waits for it.

    Progress callbacks are called in the memory's own thread.
    """

    def __init__(self, tree: AsyncTree, thread: LoopThread) -> None:
        """Take the tree and the thread that it runs on; use `Memory.tree`."""
        super().__init__(tree, thread)
        self.name = tree.name

    import_ = waiting(AsyncTree.import_)
    create = waiting(AsyncTree.create)
    export = waiting(AsyncTree.export)
    show = waiting(AsyncTree.show)
    xpath = waiting(AsyncTree.xpath)
    explain = waiting(AsyncTree.explain)
    subtrees = waiting(AsyncTree.subtrees)
    schema = waiting(AsyncTree.schema)
    edit = waiting(AsyncTree.edit)
    rehearse = waiting(AsyncTree.rehearse)
    log = waiting(AsyncTree.log)
    diff = waiting(AsyncTree.diff)
    revert = waiting(AsyncTree.revert)
    checkout = waiting(AsyncTree.checkout)
    delete = waiting(AsyncTree.delete)
    delete_version = waiting(AsyncTree.delete_version)
    ask = waiting(AsyncTree.ask)
    act = waiting(AsyncTree.act)
    preview = waiting(AsyncTree.preview)
