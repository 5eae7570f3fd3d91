"""Trees: import, query, edit, history. The SDK, the CLI and the server use them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemo.clock import Clock, SystemClock
from mnemo.errors import ArgumentError, ConflictError, NotFoundError
from mnemo.models.group import checked_group
from mnemo.models.progress import OnProgress, ignore_progress
from mnemo.models.tree import Diff, QueryOptions, TreeNode, TreeSchema, TreeSummary, Version, XPathResult
from mnemo.providers.base import Embedder
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.formats.convert import TreeFormat, dump, load
from mnemo.semxpath.trees import edit_plan as planning
from mnemo.semxpath.trees.diff import Side, compare
from mnemo.semxpath.trees.dry_run import planned_changes
from mnemo.semxpath.trees.edits import (
    Delete,
    Insert,
    Move,
    Replace,
    TreeEdit,
    Update,
    added_schema,
)
from mnemo.semxpath.trees.executor import Address, Executor, Explained
from mnemo.semxpath.trees.targets import Targets
from mnemo.semxpath.trees.writer import Note, Writer
from mnemo.store.driver import Database
from mnemo.store.trees import bulk
from mnemo.store.trees import nodes as store

__all__ = [
    "Applied",
    "Delete",
    "Insert",
    "Move",
    "Replace",
    "TreeEdit",
    "TreeMemory",
    "Trees",
    "Update",
]

_DIFF_BATCH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Result of an import."""

    version: Version
    notes: tuple[str, ...] = ()
    """What the import dropped, such as comments; one line each."""


class Trees:
    """The trees of one group."""

    def __init__(
        self,
        db: Database,
        embedder: Embedder,
        group: str,
        *,
        scorer: Scorer | None = None,
        clock: Clock | None = None,
        executor: Executor | None = None,
    ) -> None:
        """Open the trees of a group.

        Args:
            db: Database, migrated for the embedder.
            embedder: Embedder of the stored vectors and of queries.
            group: Group of the trees.
            scorer: Scores semantic matches instead of the stored vectors; ignored if an executor is given.
            clock: Clock for the dates of versions; None is the system clock.
            executor: Runs the queries and keeps the schemas of trees; None makes one for these trees alone.

        Raises:
            GroupError: The group name is invalid.
        """
        self.db = db
        self.group = checked_group(group)
        self.executor = executor or Executor(db, CosineScorer(embedder), scorer)
        self.writer = Writer(db, embedder, clock or SystemClock(), group)

    async def list(self) -> list[TreeSummary]:
        """Return the trees, by name."""
        return await store.list_trees(self.db, self.group)

    def tree(self, name: str) -> "TreeMemory":
        """Return the tree of a name; it need not exist yet.

        Raises:
            ArgumentError: The name is empty, over 200 characters or has control characters.
        """
        return TreeMemory(self, name)


class TreeMemory:
    """One tree."""

    def __init__(self, trees: Trees, name: str) -> None:
        """Bind to a tree by its name; use `Trees.tree`."""
        if not name.strip() or len(name) > 200 or not name.isprintable():  # noqa: PLR2004 - as for groups
            message = "the name of a tree must have 1 to 200 printable characters"
            raise ArgumentError(message)
        self.name = name
        self._trees = trees
        self._db = trees.db
        self._group = trees.group
        self._executor = trees.executor
        self._targets = Targets(trees.executor, trees.group, name)

    async def import_(
        self,
        text: str,
        format_name: TreeFormat,
        *,
        root: str | None = None,
        rename: Mapping[str, str] | None = None,
        on_progress: OnProgress = ignore_progress,
    ) -> Applied:
        """Store a document as a new tree; other clients see it only when it is complete.

        Args:
            text: The document.
            format_name: Format of the document.
            root: Type of the root if JSON or YAML does not name it; None is `Root`.
            rename: New type names by old ones.
            on_progress: Called with the stages `embed` (texts) and `store` (nodes).

        Raises:
            ReaderError: The document does not parse, or has the reserved type `Version`.
            ConflictError: There is already a tree of that name.
            ProviderError, StoreError: See their kinds.
        """
        read = load(text, format_name, root=root or "Root", rename=rename)
        summary = f"imported from {format_name.upper()}"
        version = await self.create(read.root, summary=summary, on_progress=on_progress)
        return Applied(version=version, notes=read.notes)

    async def create(
        self, root: TreeNode, *, summary: str = "created", request: str = "", on_progress: OnProgress = ignore_progress
    ) -> Version:
        """Store a tree given as nodes; progress and errors as for `import_`."""
        note = Note(summary=summary, request=request)
        version = await self._trees.writer.create(self.name, root, note, on_progress)
        self._executor.forget(self._group, self.name)
        return version

    async def export(self, format_name: TreeFormat, *, version: int | None = None) -> tuple[str, tuple[str, ...]]:
        """Return a version as a document, and what the format dropped, one line each.

        Raises:
            NotFoundError: There is no such tree or version.
            ArgumentError: A name cannot be written in that format.
            StoreError: See its kinds.
        """
        return dump(await self.show(version=version), format_name)

    async def show(self, *, version: int | None = None) -> TreeNode:
        """Return all nodes of a version; None is the active one.

        Raises:
            NotFoundError: There is no such tree or version.
            StoreError: See its kinds.
        """
        number = version if version is not None else (await store.info(self._db, self._group, self.name)).active
        return await store.read(self._db, self._group, self.name, number)

    async def xpath(
        self, query: str, *, version: int | None = None, all_versions: bool = False, options: QueryOptions | None = None
    ) -> XPathResult:
        """Return the nodes that a query finds.

        Args:
            query: Semantic XPath.
            version: Number of the version to query; None is the active one.
            all_versions: Query all versions of the tree instead of one.
            options: Limits of the result.

        Raises:
            QueryError: The query does not parse, or names something that the tree does not have.
            NotFoundError: There is no such tree or version.
            ArgumentError: Both a version and all versions are given.
            ProviderError, StoreError: See their kinds.
        """
        address = self._address(version, all_versions=all_versions)
        return await self._executor.xpath(query, address, options or QueryOptions())

    async def explain(
        self, query: str, *, version: int | None = None, all_versions: bool = False, options: QueryOptions | None = None
    ) -> Explained:
        """Return the statement, how candidates are scored, and the database's plan; errors as for `xpath`."""
        address = self._address(version, all_versions=all_versions)
        return await self._executor.explain(query, address, options or QueryOptions())

    async def subtrees(self, result: XPathResult) -> XPathResult:
        """Return a result whose matches contain their subtrees; takes one more round trip.

        Raises:
            NotFoundError, StoreError: As for `show`.
        """
        nodes_found = [found for found in result.matches if "number" not in found.attributes or found.type != "Version"]
        uuids = [found.uuid for found in nodes_found]
        nodes = await store.subtrees(self._db, self._group, uuids)
        by_uuid = {node.uuid: node for node in nodes}
        for found in result.matches:
            if found.uuid not in by_uuid:
                by_uuid[found.uuid] = await self.show(version=int(found.attributes["number"]))
        matches = tuple(replace(found, subtree=by_uuid[found.uuid]) for found in result.matches)
        return replace(result, matches=matches, round_trips=result.round_trips + 1)

    async def schema(self) -> TreeSchema:
        """Return every type and attribute that some version has or had, with counts over all versions."""
        return await self._executor.schema(self._group, self.name)

    async def edit(
        self, edits: Sequence[TreeEdit], *, base: int | None = None, summary: str | None = None, request: str = ""
    ) -> Version:
        """Make one new version by edits that all refer to the same version.

        Args:
            edits: At least one.
            base: Number of the version that the edits refer to; None is the active one.
            summary: What changed; None describes the edits.
            request: The request in words.

        Raises:
            ConflictError: Another version is active; nothing was changed.
            NotFoundError: There is no such tree, or a query finds nothing; nothing was changed.
            ArgumentError: An edit is invalid; nothing was changed.
            QueryError, ProviderError, StoreError: See their kinds.
        """
        info = await self._based(base)
        placed, descriptions = await self._targets.placed(edits, info.active)
        states = await store.spines(self._db, self._group, planning.touched(placed))
        plan = planning.plan(placed, states)
        note = Note(summary=summary if summary is not None else "; ".join(descriptions), request=request)
        added = added_schema(placed, states, info.root)
        version = await self._trees.writer.apply(self.name, info, plan, note, added)
        self._executor.forget(self._group, self.name)
        return version

    async def rehearse(self, edits: Sequence[TreeEdit]) -> tuple[int, Diff]:
        """Return the version that edits would refer to and what they would change, without changing anything.

        Raises:
            As for `edit`.
        """
        info = await self._based(None)
        placed, _ = await self._targets.placed(edits, info.active)
        uuids = planning.touched(placed)
        states = await store.spines(self._db, self._group, uuids)
        plan = planning.plan(placed, states)
        children = await self._db.run("tree/children", group=self._group, uuids=uuids)
        changes = planned_changes(plan, uuids[0], states, children)
        return info.active, Diff(older=info.active, newer=info.next, changes=changes)

    async def log(self) -> list[Version]:
        """Return the versions, oldest first.

        Raises:
            NotFoundError: There is no such tree.
            StoreError: See its kinds.
        """
        found = await store.versions(self._db, self._group, self.name)
        if not found:
            message = f"there is no tree named {self.name!r} in this group"
            raise NotFoundError(message)
        return found

    async def diff(self, older: int, newer: int) -> Diff:
        """Return what differs between two versions; reads only what they do not share.

        Raises:
            NotFoundError: There is no such tree or version.
            StoreError: See its kinds.
        """
        sides = (Side(), Side())
        for side, number in zip(sides, (older, newer), strict=True):
            side.start(await store.root(self._db, self._group, self.name, number))
        while True:
            pending = [one.open(other) for one, other in (sides, sides[::-1])]
            if not any(pending):
                break
            for side, uuids in zip(sides, pending, strict=True):
                for start in range(0, len(uuids), _DIFF_BATCH):
                    batch = uuids[start : start + _DIFF_BATCH]
                    side.add(await self._db.run("tree/children", group=self._group, uuids=batch))
        return Diff(older=older, newer=newer, changes=compare(*sides))

    async def revert(self, number: int, *, base: int | None = None, request: str = "") -> Version:
        """Make a new version equal to an older one; errors as for `edit`."""
        info = await self._based(base)
        self._check_number(info, number)
        note = Note(summary=f"reverted to version {number}", request=request)
        version = await self._trees.writer.revert(self.name, info, number, note)
        self._executor.forget(self._group, self.name)
        return version

    async def checkout(self, number: int) -> int:
        """Make a version the active one; return the number of the previously active one.

        Raises:
            NotFoundError: There is no such tree or version.
            StoreError: See its kinds.
        """
        info = await store.info(self._db, self._group, self.name)
        self._check_number(info, number)
        rows = await self._db.run("tree/checkout", group=self._group, tree=self.name, number=number)
        self._executor.forget(self._group, self.name)
        return int(rows[0]["before"])

    async def delete(self) -> int:
        """Delete the tree with all versions; return the number of deleted nodes.

        Raises:
            NotFoundError: There is no such tree.
            StoreError: See its kinds.
        """
        self._executor.forget(self._group, self.name)
        return await bulk.delete(self._db, self._group, self.name)

    async def delete_version(self, number: int) -> None:
        """Delete one version; its number is not reused. If it was active, the newest other one becomes active.

        Raises:
            ConflictError: It is the only version.
            NotFoundError: There is no such tree or version.
            StoreError: See its kinds.
        """
        self._executor.forget(self._group, self.name)
        await bulk.delete_version(self._db, self._group, self.name, number)

    async def _based(self, base: int | None) -> store.TreeInfo:
        info = await store.info(self._db, self._group, self.name)
        if base is not None and base != info.active:
            message = f"the edit refers to version {base}, but version {info.active} is active; nothing was changed"
            raise ConflictError(message)
        return info

    def _address(self, version: int | None, *, all_versions: bool) -> Address:
        if version is not None and all_versions:
            message = "version and all_versions cannot be combined"
            raise ArgumentError(message)
        return Address(group=self._group, tree=self.name, version=version, all_versions=all_versions)

    def _check_number(self, info: store.TreeInfo, number: int) -> None:
        if number not in info.numbers:
            newest = ", ".join(map(str, info.numbers[-5:]))
            message = f"there is no version {number} of {self.name!r}; the newest versions are {newest}"
            raise NotFoundError(message)
