"""Finds the nodes that edits mean, in the version that they are based on."""

from collections.abc import Sequence

from mnemo.errors import ArgumentError, NotFoundError
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.trees import edit_plan as planning
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
)
from mnemo.semxpath.trees.executor import Address, Executor

__all__ = ["Targets"]


class Targets:
    """Finds the nodes of one tree that edits mean."""

    def __init__(self, executor: Executor, group: str, tree: str) -> None:
        """Keep which tree; nothing is read yet."""
        self._executor = executor
        self._group = group
        self._tree = tree

    async def placed(self, edits: Sequence[TreeEdit], base: int) -> tuple[list[planning.NodeEdit], list[str]]:
        """Return edits with their targets, and a line that describes each.

        Raises:
            ArgumentError: An edit is invalid, or there is none.
            NotFoundError: A query finds nothing.
            QueryError, ProviderError, StoreError: See their kinds.
        """
        if not edits:
            message = "give at least one edit"
            raise ArgumentError(message)
        placed: list[planning.NodeEdit] = []
        lines = []
        for edit in edits:
            refuse_content(edit)
            match edit:
                case Insert(parent=parent, node=node, position=position):
                    found = await self._find(parent, base)
                    placed += [planning.PlacedInsert(place, node, position) for place in found]
                    lines.append(f"inserted {named(node)} under {paths_of(found)}")
                case Update(query=query, attributes=attributes):
                    found = await self._find(query, base)
                    placed += [planning.PlacedUpdate(place, attributes) for place in found]
                    lines.append(f"set {', '.join(attributes)} of {paths_of(found)}")
                case Replace(query=query, node=node):
                    found = await self._find(query, base)
                    placed += [planning.PlacedReplace(place, node) for place in found]
                    lines.append(f"replaced {paths_of(found)} by {named(node)}")
                case Delete(query=query):
                    found = await self._find(query, base)
                    placed += [planning.PlacedDelete(place) for place in found]
                    lines.append(f"deleted {paths_of(found)}")
                case Move(query=query, parent=parent, position=position):
                    found = await self._find(query, base)
                    target = await self._find_one(parent, base)
                    placed += [planning.PlacedMove(place, target, position) for place in found]
                    lines.append(f"moved {paths_of(found)} under {target.path}")
        refuse_depth(placed)
        return placed, lines

    async def _find(self, query: str, base: int) -> list[planning.NodePlace]:
        _, found = await self._executor.places(query, Address(group=self._group, tree=self._tree, version=base))
        if not found:
            message = f"{query} finds nothing in version {base}; nothing was changed"
            raise NotFoundError(message)
        parsed = parse(query)
        return found[:1] if parsed.semantic and parsed.position is None else found

    async def _find_one(self, query: str, base: int) -> planning.NodePlace:
        found = await self._find(query, base)
        if len(found) != 1:
            message = f"a move needs one parent, but {query} finds {len(found)}; add a position"
            raise ArgumentError(message)
        return found[0]
