"""Tree memories as the SDK hands them out: `await memory.tree("trip")`, `memory.tree("trip")`."""

from collections.abc import Mapping, Sequence

from mnemo.memory.thread import LoopThread
from mnemo.models.tree import Diff, TreeNode, TreeSchema, Version, XPathResult
from mnemo.providers.base import Llm
from mnemo.semxpath.compiler.core import Options
from mnemo.semxpath.formats.convert import Format
from mnemo.semxpath.natural_language.translate import Outcome, Translator
from mnemo.semxpath.trees.edits import TreeEdit
from mnemo.semxpath.trees.executor import Explained
from mnemo.semxpath.trees.memory import Applied, TreeMemory, Trees
from mnemo.store.tree_bulk import Told, silent

__all__ = ["AsyncTree", "Tree"]


class AsyncTree(TreeMemory):
    """One tree memory, with plain words: by the LLM, or by rules where none is configured."""

    def __init__(self, trees: Trees, name: str, llm: Llm | None) -> None:
        """Take a tree by name; use `AsyncMemory.tree`."""
        super().__init__(trees, name)
        self._translator = Translator(llm)

    async def ask(self, words: str, *, options: Options | None = None) -> Outcome:
        """Answer a request that reads, such as "restaurants on day 2".

        Raises:
            ArgumentError: The request would change the tree, or there is no LLM and no rule fits.
            QueryError: The LLM's query does not fit the schema, twice.
        """
        return await self._translator.ask(self, words, options)

    async def act(self, words: str, *, options: Options | None = None) -> Outcome:
        """Carry out a request of any kind, such as "move the museum to day 2"; the version keeps the words.

        Raises:
            ArgumentError, QueryError: As for `ask`.
            ConflictError: Another version came first; nothing is changed.
        """
        return await self._translator.act(self, words, options)

    async def preview(self, words: str, *, options: Options | None = None) -> Outcome:
        """Return the plan of a request and what it would change, changing nothing; errors as for `act`."""
        return await self._translator.preview(self, words, options)


class Tree:
    """One tree memory, synchronous: each method does what that of `AsyncTree` does, and waits for it."""

    def __init__(self, tree: AsyncTree, thread: LoopThread) -> None:
        """Take the tree and the thread that it runs on; use `Memory.tree`."""
        self.name = tree.name
        self._tree = tree
        self._thread = thread

    def import_(
        self,
        text: str,
        format_name: Format,
        *,
        root: str | None = None,
        rename: Mapping[str, str] | None = None,
        told: Told = silent,
    ) -> Applied:
        """Store a document as a new tree; see `TreeMemory.import_`. `told` is called in the memory's own thread."""
        return self._thread.wait(self._tree.import_(text, format_name, root=root, rename=rename, told=told))

    def export(self, format_name: Format, *, version: int | None = None) -> tuple[str, tuple[str, ...]]:
        """Return a version as a document, and what could not be kept; see `TreeMemory.export`."""
        return self._thread.wait(self._tree.export(format_name, version=version))

    def show(self, *, version: int | None = None) -> TreeNode:
        """Return a whole version; see `TreeMemory.show`."""
        return self._thread.wait(self._tree.show(version=version))

    def xpath(
        self, query: str, *, version: int | None = None, all_versions: bool = False, options: Options | None = None
    ) -> XPathResult:
        """Return the nodes that a query finds; see `TreeMemory.xpath`."""
        return self._thread.wait(self._tree.xpath(query, version=version, all_versions=all_versions, options=options))

    def explain(
        self, query: str, *, version: int | None = None, all_versions: bool = False, options: Options | None = None
    ) -> Explained:
        """Return the statement, how candidates are scored, and the plan; see `TreeMemory.explain`."""
        return self._thread.wait(self._tree.explain(query, version=version, all_versions=all_versions, options=options))

    def subtrees(self, result: XPathResult) -> XPathResult:
        """Return a result whose matches have all below them; see `TreeMemory.subtrees`."""
        return self._thread.wait(self._tree.subtrees(result))

    def schema(self) -> TreeSchema:
        """Return every type and attribute; see `TreeMemory.schema`."""
        return self._thread.wait(self._tree.schema())

    def edit(
        self, edits: Sequence[TreeEdit], *, base: int | None = None, summary: str | None = None, request: str = ""
    ) -> Version:
        """Make one new version by edits; see `TreeMemory.edit`."""
        return self._thread.wait(self._tree.edit(edits, base=base, summary=summary, request=request))

    def log(self) -> list[Version]:
        """Return the versions, oldest first; see `TreeMemory.log`."""
        return self._thread.wait(self._tree.log())

    def diff(self, older: int, newer: int) -> Diff:
        """Return what differs between two versions; see `TreeMemory.diff`."""
        return self._thread.wait(self._tree.diff(older, newer))

    def revert(self, number: int, *, base: int | None = None, request: str = "") -> Version:
        """Make a new version equal to an older one; see `TreeMemory.revert`."""
        return self._thread.wait(self._tree.revert(number, base=base, request=request))

    def checkout(self, number: int) -> int:
        """Make a version the active one; see `TreeMemory.checkout`."""
        return self._thread.wait(self._tree.checkout(number))

    def delete(self) -> int:
        """Delete the tree with all versions; see `TreeMemory.delete`."""
        return self._thread.wait(self._tree.delete())

    def ask(self, words: str, *, options: Options | None = None) -> Outcome:
        """Answer a request that reads; see `AsyncTree.ask`."""
        return self._thread.wait(self._tree.ask(words, options=options))

    def act(self, words: str, *, options: Options | None = None) -> Outcome:
        """Carry out a request of any kind; see `AsyncTree.act`."""
        return self._thread.wait(self._tree.act(words, options=options))

    def preview(self, words: str, *, options: Options | None = None) -> Outcome:
        """Return the plan of a request and what it would change; see `AsyncTree.preview`."""
        return self._thread.wait(self._tree.preview(words, options=options))
