"""Writes trees and their versions: embeds new texts and publishes each version in one transaction."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemo.clock import Clock
from mnemo.errors import ArgumentError, ConflictError
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.models.tree import TreeNode, TreeSchema, Vector, Version
from mnemo.providers.base import Embedder
from mnemo.semxpath.limits import tree_violation
from mnemo.semxpath.schema import infer, merge, schema_from_json, schema_to_json
from mnemo.semxpath.trees.edit_plan import EditPlan
from mnemo.store.driver import Call, Database
from mnemo.store.trees import bulk
from mnemo.store.trees import nodes as store
from mnemo.store.trees.bulk import NodeLoad, StagePurpose
from mnemo.store.trees.nodes import NodeRow, TreeHead, TreeInfo, TreeStamp, VersionDraft

__all__ = ["Note", "Writer"]

_EMBED_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Description of a version."""

    summary: str
    request: str = ""


class Writer:
    """Writes the trees of one group."""

    def __init__(self, db: Database, embedder: Embedder, clock: Clock, group: str) -> None:
        """Write to a database; its vectors must be from the same embedder."""
        self._db = db
        self._embedder = embedder
        self._clock = clock
        self._group = group

    async def create(self, name: str, root: TreeNode, note: Note, on_progress: OnProgress = ignore_progress) -> Version:
        """Store a new tree with its first version.

        Args:
            name: Name of the tree.
            root: All nodes of the tree.
            note: Description of the version.
            on_progress: Called with the stages `embed` (texts) and `store` (nodes).

        Raises:
            ArgumentError: A name, a value or the depth is invalid for a tree.
            ConflictError: The tree already exists, or another import of it has started; nothing is stored.
            ProviderError: The embedder fails; nothing is stored.
            StoreError: See its kinds; nodes already stored are deleted by the next write to a tree of the group.
        """
        violation = tree_violation(root)
        if violation:
            raise ArgumentError(violation)
        await self._refuse_taken(name)
        stamp = self._stamp(str(uuid.uuid4()))
        rows = store.flatten(root)
        draft = self._draft(1, note, Counter(row.node.type for row in rows))
        vectors = await self._vectors([draft.text, *(row.text for row in rows)], on_progress)
        head = TreeHead(name=name, root=root.type, schema=schema_to_json(infer(root)), vector=vectors[0])
        await bulk.create(self._db, stamp, NodeLoad(rows=rows, vectors=vectors[1:]), head, draft, on_progress)
        return _version(draft, parent=None)

    async def _refuse_taken(self, name: str) -> None:
        """Raise a ConflictError if the tree exists, before anything is embedded."""
        if await self._db.run("tree/info", group=self._group, tree=name):
            message = f"a tree named {name!r} already exists in this group; choose another name or delete that tree"
            raise ConflictError(message)

    async def apply(self, name: str, info: TreeInfo, plan: EditPlan, note: Note, added: TreeSchema) -> Version:
        """Store the next version, planned from the active one.

        Args:
            name: Name of the tree.
            info: Tree that the plan was made from; its active version is the base.
            plan: Plan of the next version.
            note: Description of the version.
            added: Schema of the added and changed nodes, in their places.

        Raises:
            ConflictError: Another version has become active; nothing is written.
            ProviderError: The embedder fails; nothing is stored.
            StoreError: See its kinds.
        """
        stamp = self._stamp(info.uuid)
        added_rows = [row for uuid_, node in plan.added for row in _with_root_uuid(store.flatten(node), uuid_)]
        changed = [_row(uuid_, node) for uuid_, node in plan.changed]
        draft = self._draft(info.next, note, await self._counts(info, plan, added_rows))
        vectors = await self._vectors([draft.text, *(row.text for row in (*changed, *added_rows))])
        known = schema_from_json(info.schema)
        merged = merge(known, added)
        opening = self._open(name, (info.active, info.active), draft, vectors[0])
        opening[1]["schema"] = None if _names(merged) == _names(known) else schema_to_json(merged)
        load = NodeLoad(rows=[*changed, *added_rows], vectors=vectors[1:])
        if len(load.rows) <= bulk.BATCH:
            calls = self._calls(draft, plan, store.node_params(load.rows, load.vectors, stamp))
            return await self._write(opening, calls, draft, (info.active, info.active))
        staged = str(uuid.uuid4())
        calls = [*self._calls(draft, plan, []), bulk.publish_call(self._group, staged, draft)]
        try:
            await bulk.stage(self._db, stamp, load, StagePurpose(draft.uuid, staged))
            return await self._write(opening, calls, draft, (info.active, info.active))
        except ConflictError:
            await bulk.discard_stage(self._db, self._group, staged)
            raise

    async def revert(self, name: str, info: TreeInfo, number: int, note: Note) -> Version:
        """Store a next version that shares all nodes of an older one; errors as for `apply`."""
        draft = self._draft(info.next, note, {})
        vector = (await self._vectors([draft.text]))[0]
        opening = self._open(name, (info.active, number), draft, vector)
        root: Call = ("tree/copy_root", {"group": self._group, "version": draft.uuid, "number": number})
        return await self._write(opening, [root], draft, (info.active, number))

    async def _write(self, opening: Call, calls: Sequence[Call], draft: VersionDraft, base: tuple[int, int]) -> Version:
        result = (await self._db.run_guarded([opening, *calls]))[0][0]
        if result["number"] is None:
            message = (
                f"the edit refers to version {base[0]}, but version {result['active']} is active now; "
                "nothing was changed; read that version and retry"
            )
            raise ConflictError(message)
        await bulk.sweep(self._db, self._group)
        return _version(draft, parent=base[1], number=result["number"])

    def _open(self, name: str, base: tuple[int, int], draft: VersionDraft, vector: Vector) -> Call:
        return (
            "tree/open_version",
            {
                "group": self._group,
                "tree": name,
                "base": base[0],
                "parent": base[1],
                "version": store.version_properties(draft, self._embedder.model),
                "vector": vector,
                "schema": None,
            },
        )

    def _calls(self, draft: VersionDraft, plan: EditPlan, rows: list[dict[str, object]]) -> list[Call]:
        both = {"group": self._group, "version": draft.uuid}
        copies = [{"uuid": uuid_, "source": source} for uuid_, source in plan.copies]
        batches = {
            "tree/copy_nodes": copies,
            "tree/add_version_nodes": rows,
            "tree/keep_children": plan.kept,
            "tree/link_children": plan.links,
        }
        calls: list[Call] = [(name, {**both, "rows": batch}) for name, batch in batches.items() if batch]
        return [*calls, ("tree/set_root", {**both, "root": plan.root})]

    async def _counts(self, info: TreeInfo, plan: EditPlan, added_rows: Sequence[NodeRow]) -> dict[str, int]:
        counts = Counter(info.counts)
        counts.update(row.node.type for row in added_rows)
        for uuids, sign in ((plan.removed, -1), (plan.moved_out, 1)):
            if uuids:
                for row in await self._db.run("tree/counts", group=self._group, uuids=uuids):
                    counts[row["type"]] += sign * row["nodes"]
        return {name: count for name, count in counts.items() if count > 0}

    async def _vectors(self, texts: Sequence[str], on_progress: OnProgress = ignore_progress) -> Vector:
        """Embed distinct texts once; return float32, one row per text."""
        distinct = list(dict.fromkeys(texts))
        parts = []
        for start in range(0, len(distinct), _EMBED_BATCH):
            parts.append(await self._embedder.passages(distinct[start : start + _EMBED_BATCH]))
            done = min(start + _EMBED_BATCH, len(distinct))
            on_progress(Progress(stage="embed", done=done, total=len(distinct)))
        matrix = np.concatenate(parts)
        rows = {text: index for index, text in enumerate(distinct)}
        return matrix[[rows[text] for text in texts]]

    def _stamp(self, tree: str) -> TreeStamp:
        return TreeStamp(group=self._group, tree=tree, model=self._embedder.model)

    def _draft(self, number: int, note: Note, counts: Mapping[str, int]) -> VersionDraft:
        return VersionDraft(
            uuid=str(uuid.uuid4()),
            number=number,
            summary=note.summary,
            request=note.request,
            created_at=self._clock.now(),
            counts=counts,
        )


def _version(draft: VersionDraft, *, parent: int | None, number: int | None = None) -> Version:
    return Version(
        uuid=draft.uuid,
        number=number or draft.number,
        parent=parent,
        summary=draft.summary,
        request=draft.request,
        created_at=draft.created_at,
        active=True,
    )


def _with_root_uuid(rows: list[NodeRow], new_uuid: str) -> list[NodeRow]:
    """Replace the uuid of the first row by the one in the plan."""
    first = rows[0]
    top = NodeRow(uuid=new_uuid, key=new_uuid, parent=None, position=1, ordinal=1, node=first.node)
    return [top, *(_with_parent(row, first.uuid, new_uuid) for row in rows[1:])]


def _with_parent(row: NodeRow, old: str, new: str) -> NodeRow:
    if row.parent != old:
        return row
    return NodeRow(uuid=row.uuid, key=row.key, parent=new, position=row.position, ordinal=row.ordinal, node=row.node)


def _row(new_uuid: str, node: TreeNode) -> NodeRow:
    return NodeRow(uuid=new_uuid, key=node.key or new_uuid, parent=None, position=1, ordinal=1, node=node)


def _names(schema: TreeSchema) -> set[tuple[str, ...]]:
    """Return the names in a schema that queries and prompts use: types, attributes, children."""
    return {
        (name, kind, item)
        for name, found in schema.types.items()
        for kind, items in (("", [""]), ("@", found.attributes), ("/", found.children))
        for item in items
    }
