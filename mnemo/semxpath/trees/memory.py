"""A tree memory: import, ask, edit, look back. What SDK, CLI and server stand on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemo.clock import Clock, SystemClock
from mnemo.errors import ArgumentError, ConflictError, NotFoundError
from mnemo.models.group import checked_group
from mnemo.models.tree import Diff, TreeNode, TreeSchema, TreeSummary, Version, XPathResult
from mnemo.providers.base import Embedder
from mnemo.semxpath.compiler.core import Options
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.formats.convert import Format, dump, load
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.trees import edit_plan as planning
from mnemo.semxpath.trees.diff import Side, compare
from mnemo.semxpath.trees.dry_run import rehearsed
from mnemo.semxpath.trees.edits import (
    Delete,
    Insert,
    Move,
    Replace,
    TreeEdit,
    Update,
    named,
    paths_of,
    refuse_content,
    refuse_depth,
    shape_of,
)
from mnemo.semxpath.trees.executor import Address, Executor, Explained
from mnemo.semxpath.trees.writer import Note, Writer
from mnemo.store import tree as store
from mnemo.store import tree_bulk
from mnemo.store.driver import Database
from mnemo.store.tree_bulk import Told, silent

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
    """What an import or an edit did."""

    version: Version
    notes: tuple[str, ...] = ()
    """What could not be kept of an import, a line each."""


class Trees:
    """The tree memories of one group."""

    def __init__(
        self, db: Database, embedder: Embedder, group: str, *, scorer: Scorer | None = None, clock: Clock | None = None
    ) -> None:
        """Open the trees of a group.

        Args:
            db: Migrated for the embedder.
            embedder: Of the stored vectors and of queries.
            group: Whose.
            scorer: Scores semantic matches instead of stored vectors.
            clock: Dates versions; None is the machine's.

        Raises:
            GroupError: The group's name is refused.
        """
        self.db = db
        self.group = checked_group(group)
        self.executor = Executor(db, CosineScorer(embedder), scorer)
        self.writer = Writer(db, embedder, clock or SystemClock(), group)

    async def list(self) -> list[TreeSummary]:
        """Return the trees, by name."""
        return await store.listed(self.db, self.group)

    def tree(self, name: str) -> "TreeMemory":
        """Return the tree of a name, which need not exist yet.

        Raises:
            ArgumentError: The name is empty, over 200 characters or has control characters.
        """
        return TreeMemory(self, name)


class TreeMemory:
    """One tree memory."""

    def __init__(self, trees: Trees, name: str) -> None:
        """Take a tree by name; use `Trees.tree`."""
        if not name.strip() or len(name) > 200 or not name.isprintable():  # noqa: PLR2004 - as for groups
            message = "wanted a tree name of 1 to 200 printable characters"
            raise ArgumentError(message)
        self.name = name
        self._trees = trees
        self._db = trees.db
        self._group = trees.group
        self._executor = trees.executor

    async def import_(
        self,
        text: str,
        format_name: Format,
        *,
        root: str | None = None,
        rename: Mapping[str, str] | None = None,
        told: Told = silent,
    ) -> Applied:
        """Store a document as a new tree: seen whole or not at all.

        Args:
            text: The document.
            format_name: What it is written in.
            root: Type of the root, where JSON or YAML does not name it; None is `Root`.
            rename: New names for types.
            told: Called with embed or store, how much is done, and how much there is.

        Raises:
            ReaderError: It does not parse, or has the reserved type `Version`.
            ConflictError: There is a tree of that name.
            ProviderError, StoreError: See their kinds.
        """
        read = load(text, format_name, root=root or "Root", rename=rename)
        version = await self.create(read.root, summary=f"imported from {format_name.upper()}", told=told)
        return Applied(version=version, notes=read.notes)

    async def create(
        self, root: TreeNode, *, summary: str = "created", request: str = "", told: Told = silent
    ) -> Version:
        """Store a tree that is built already; `told` and errors as for `import_`."""
        version = await self._trees.writer.create(self.name, root, Note(summary=summary, request=request), told)
        self._executor.forget(self._group, self.name)
        return version

    async def export(self, format_name: Format, *, version: int | None = None) -> tuple[str, tuple[str, ...]]:
        """Return a version as a document, and what could not be kept, a line each.

        Raises:
            NotFoundError: There is no such tree or version.
            ArgumentError: A name cannot be written in that format.
            StoreError: See its kinds.
        """
        return dump(await self.show(version=version), format_name)

    async def show(self, *, version: int | None = None) -> TreeNode:
        """Return a whole version; None is the active one.

        Raises:
            NotFoundError: There is no such tree or version.
            StoreError: See its kinds.
        """
        number = version if version is not None else (await store.info(self._db, self._group, self.name)).active
        return await store.read(self._db, self._group, self.name, number)

    async def xpath(
        self, query: str, *, version: int | None = None, all_versions: bool = False, options: Options | None = None
    ) -> XPathResult:
        """Return the nodes that a query finds.

        Args:
            query: Semantic XPath.
            version: Number of the version addressed; None is the active one.
            all_versions: Whether the whole tree is addressed, versions included.
            options: How the result is cut.

        Raises:
            QueryError: It does not parse, or names what the tree does not have.
            NotFoundError: There is no such tree or version.
            ArgumentError: Both a version and all of them are asked for.
            ProviderError, StoreError: See their kinds.
        """
        address = self._address(version, all_versions=all_versions)
        return await self._executor.xpath(query, address, options or Options())

    async def explain(
        self, query: str, *, version: int | None = None, all_versions: bool = False, options: Options | None = None
    ) -> Explained:
        """Return the statement, how candidates are scored, and the database's plan; errors as for `xpath`."""
        address = self._address(version, all_versions=all_versions)
        return await self._executor.explain(query, address, options or Options())

    async def subtrees(self, result: XPathResult) -> XPathResult:
        """Return a result whose matches have all below them, with one more round trip.

        Raises:
            NotFoundError, StoreError: As for `show`.
        """
        inner = [found for found in result.matches if "number" not in found.attributes or found.type != "Version"]
        uuids = [found.uuid for found in inner]
        nodes = await store.subtrees_of(self._db, self._group, uuids)
        by_uuid = {node.uuid: node for node in nodes}
        for found in result.matches:
            if found.uuid not in by_uuid:
                by_uuid[found.uuid] = await self.show(version=int(found.attributes["number"]))
        matches = tuple(replace(found, subtree=by_uuid[found.uuid]) for found in result.matches)
        return replace(result, matches=matches, round_trips=result.round_trips + 1)

    async def schema(self) -> TreeSchema:
        """Return every type and attribute that some version has or had, with counts since the first."""
        return await self._executor.schema(self._group, self.name)

    async def edit(
        self, edits: Sequence[TreeEdit], *, base: int | None = None, summary: str | None = None, request: str = ""
    ) -> Version:
        """Make one new version by edits that are all meant against the same one.

        Args:
            edits: At least one.
            base: Number of the version that they were thought of for; None is the active one.
            summary: What changed; None is told by the edits.
            request: The words that asked for it.

        Raises:
            ConflictError: Another version is active; nothing is changed.
            NotFoundError: There is no such tree, or a query finds nothing; nothing is changed.
            ArgumentError: An edit does not fit; nothing is changed.
            QueryError, ProviderError, StoreError: See their kinds.
        """
        info = await self._based(base)
        placed, told = await self._placed(edits, info.active)
        states = await store.spines(self._db, self._group, planning.touched(placed))
        plan = planning.plan(placed, states)
        note = Note(summary=summary if summary is not None else "; ".join(told), request=request)
        shape = shape_of(placed, states, info.root)
        version = await self._trees.writer.apply(self.name, info, plan, note, shape)
        self._executor.forget(self._group, self.name)
        return version

    async def rehearse(self, edits: Sequence[TreeEdit]) -> tuple[int, Diff]:
        """Return the version that edits would be based on and what they would change, changing nothing.

        Raises:
            As for `edit`.
        """
        info = await self._based(None)
        placed, _ = await self._placed(edits, info.active)
        uuids = planning.touched(placed)
        states = await store.spines(self._db, self._group, uuids)
        plan = planning.plan(placed, states)
        children = await self._db.run("tree/children", group=self._group, uuids=uuids)
        changes = rehearsed(plan, uuids[0], states, children)
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
        note = Note(summary=f"went back to version {number}", request=request)
        version = await self._trees.writer.revert(self.name, info, number, note)
        self._executor.forget(self._group, self.name)
        return version

    async def checkout(self, number: int) -> int:
        """Make a version the active one; return the number of the one that was.

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
        """Delete the tree with all versions; return how many nodes that were.

        Raises:
            NotFoundError: There is no such tree.
            StoreError: See its kinds.
        """
        self._executor.forget(self._group, self.name)
        return await tree_bulk.delete(self._db, self._group, self.name)

    async def delete_version(self, number: int) -> None:
        """Delete one version; its number is not used again. If it was active, the newest other one becomes so.

        Raises:
            ConflictError: It is the only one.
            NotFoundError: There is no such tree or version.
            StoreError: See its kinds.
        """
        self._executor.forget(self._group, self.name)
        await tree_bulk.delete_version(self._db, self._group, self.name, number)

    async def _based(self, base: int | None) -> store.TreeInfo:
        info = await store.info(self._db, self._group, self.name)
        if base is not None and base != info.active:
            message = f"the edit was based on version {base}, but version {info.active} is active; nothing was changed"
            raise ConflictError(message)
        return info

    def _address(self, version: int | None, *, all_versions: bool) -> Address:
        if version is not None and all_versions:
            message = "wanted one version or all of them, got both"
            raise ArgumentError(message)
        return Address(group=self._group, tree=self.name, version=version, all_versions=all_versions)

    def _check_number(self, info: store.TreeInfo, number: int) -> None:
        if number not in info.numbers:
            newest = ", ".join(map(str, info.numbers[-5:]))
            message = f"there is no version {number} of {self.name!r}; its newest are {newest}"
            raise NotFoundError(message)

    async def _placed(self, edits: Sequence[TreeEdit], base: int) -> tuple[list[planning.NodeEdit], list[str]]:
        """Find the nodes that edits mean; return edits of places, and a line on each."""
        if not edits:
            message = "wanted at least one edit"
            raise ArgumentError(message)
        placed: list[planning.NodeEdit] = []
        told = []
        for edit in edits:
            refuse_content(edit)
            match edit:
                case Insert(parent=parent, node=node, position=position):
                    found = await self._find(parent, base)
                    placed += [planning.PlacedInsert(place, node, position) for place in found]
                    told.append(f"inserted {named(node)} under {paths_of(found)}")
                case Update(query=query, attributes=attributes):
                    found = await self._find(query, base)
                    placed += [planning.PlacedUpdate(place, attributes) for place in found]
                    told.append(f"set {', '.join(attributes)} of {paths_of(found)}")
                case Replace(query=query, node=node):
                    found = await self._find(query, base)
                    placed += [planning.PlacedReplace(place, node) for place in found]
                    told.append(f"replaced {paths_of(found)} by {named(node)}")
                case Delete(query=query):
                    found = await self._find(query, base)
                    placed += [planning.PlacedDelete(place) for place in found]
                    told.append(f"deleted {paths_of(found)}")
                case Move(query=query, parent=parent, position=position):
                    found = await self._find(query, base)
                    target = await self._find_one(parent, base)
                    placed += [planning.PlacedMove(place, target, position) for place in found]
                    told.append(f"moved {paths_of(found)} under {target.path}")
        refuse_depth(placed)
        return placed, told

    async def _find(self, query: str, base: int) -> list[planning.NodePlace]:
        _, found = await self._executor.places(query, self._address(base, all_versions=False))
        if not found:
            message = f"{query} finds nothing in version {base}; nothing was changed"
            raise NotFoundError(message)
        parsed = parse(query)
        return found[:1] if parsed.semantic and parsed.position is None else found

    async def _find_one(self, query: str, base: int) -> planning.NodePlace:
        found = await self._find(query, base)
        if len(found) != 1:
            message = f"wanted one parent, {query} finds {len(found)}; add a position"
            raise ArgumentError(message)
        return found[0]
