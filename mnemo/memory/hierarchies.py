"""The calls about hierarchies: view them, and build, refresh and check the categories."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mnemo.deprecation import warn_former_name
from mnemo.errors import ArgumentError
from mnemo.lazy_import import lazy_module
from mnemo.memory.base import MemoryBase
from mnemo.models.category_builds import BuildResult, DriftCheck
from mnemo.models.hierarchy import HierarchyKind, HierarchyView
from mnemo.models.progress import OnProgress, ignore_progress
from mnemo.store.hierarchy import members as store

if TYPE_CHECKING:
    from mnemo.hierarchy import view
    from mnemo.hierarchy.categories import drift
else:
    view = lazy_module("mnemo.hierarchy.view")
    drift = lazy_module("mnemo.hierarchy.categories.drift")

__all__ = ["MAX_NODES", "MemoryHierarchies", "checked_kind"]

MAX_NODES = 200_000
"""Most nodes of a view."""
_KINDS: Mapping[str, HierarchyKind] = {"memtree": "memtree", "categories": "categories"}
_FORMER_KINDS: Mapping[str, HierarchyKind] = {"episodes": "memtree", "entities": "categories"}


class MemoryHierarchies(MemoryBase):
    """Views and maintains the hierarchies of a group."""

    async def hierarchy(
        self, kind: HierarchyKind = "memtree", *, group: str | None = None, depth: int = 64
    ) -> HierarchyView | None:
        """Return a hierarchy with its shape and its nodes; None if the group has none of that kind.

        Args:
            kind: `memtree`, the online tree over episodes, or `categories`, the hierarchy over entities.
            group: Group to read; None is the memory's own.
            depth: Levels of nodes to return, from the root.

        Raises:
            ArgumentError: There is no such kind.
        """
        checked, name, database = checked_kind(kind), self._group_of(group), (await self._open()).database
        root = await store.find_root(database, name, checked)
        if root is None:
            return None
        members = await store.members(database, root, MAX_NODES)
        return HierarchyView(
            hierarchy=root,
            stats=view.stats(root, members),
            branches=view.branches(root, members, depth),
            complete=len(members) < MAX_NODES,
        )

    async def build_hierarchy(
        self, *, group: str | None = None, on_progress: OnProgress = ignore_progress
    ) -> BuildResult:
        """Rebuild the categories of a group and make them current in one step.

        A build that was stopped continues with the replies it has already paid for.

        Args:
            group: Group to build; None is the memory's own.
            on_progress: Called with the stages `read`, `layer 1` and so on, and `write`.

        Raises:
            ConflictError: Another process is building them.
            ProviderError: The LLM or the embedder failed; call it again.
        """
        return await (await self._open()).builder.build(self._group_of(group), on_progress)

    async def refresh_hierarchy(self, *, group: str | None = None) -> tuple[str, ...]:
        """Rebuild the top categories that have drifted past `MNEMO_HIERARCHY__DRIFT`; return their names.

        Raises:
            ConflictError: Another process is building them.
            ProviderError: The LLM or the embedder failed; call it again.
        """
        return await (await self._open()).builder.refresh(self._group_of(group), self._settings.hierarchy.drift)

    async def check_hierarchy(self, *, group: str | None = None) -> DriftCheck:
        """Compare the categories, which grow with every message, with a fresh build that is not kept.

        Raises:
            ProviderError: The LLM or the embedder failed.
        """
        return await drift.check_drift((await self._open()).builder, self._group_of(group))


def checked_kind(kind: str) -> HierarchyKind:
    """Return the kind of a hierarchy; a former name is accepted with a warning.

    Raises:
        ArgumentError: There is no such kind.
    """
    if kind in _FORMER_KINDS:
        warn_former_name(f"the hierarchy kind {kind!r}", repr(_FORMER_KINDS[kind]))
        return _FORMER_KINDS[kind]
    if kind not in _KINDS:
        message = f"the kind of a hierarchy must be {' or '.join(_KINDS)}, got {kind!r}"
        raise ArgumentError(message)
    return _KINDS[kind]
