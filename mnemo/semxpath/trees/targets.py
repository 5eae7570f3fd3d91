"""Finds the target nodes of edits in the version they are based on."""

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
    check_content,
    check_depth,
    describe_node,
    describe_places,
)
from mnemo.semxpath.trees.executor import Address, Executor

__all__ = ["Targets"]


class Targets:
    """Finds the target nodes of edits in one tree."""

    def __init__(self, executor: Executor, group: str, tree: str) -> None:
        """Bind to a tree; nothing is read yet."""
        self._executor = executor
        self._group = group
        self._tree = tree

    async def placed(self, edits: Sequence[TreeEdit], base: int) -> tuple[list[planning.NodeEdit], list[str]]:
        """Return the edits with their targets, and a line describing each.

        Raises:
            ArgumentError: An edit is invalid, or `edits` is empty.
            NotFoundError: A query finds nothing.
            QueryError, ProviderError, StoreError: See their kinds.
        """
        if not edits:
            message = "edits must not be empty"
            raise ArgumentError(message)
        placed: list[planning.NodeEdit] = []
        lines = []
        for edit in edits:
            check_content(edit)
            match edit:
                case Insert(parent=parent, node=node, position=position):
                    found = await self._find(parent, base)
                    placed += [planning.PlacedInsert(place, node, position) for place in found]
                    lines.append(f"inserted {describe_node(node)} under {describe_places(found)}")
                case Update(query=query, attributes=attributes):
                    found = await self._find(query, base)
                    placed += [planning.PlacedUpdate(place, attributes) for place in found]
                    lines.append(f"set {', '.join(attributes)} of {describe_places(found)}")
                case Replace(query=query, node=node):
                    found = await self._find(query, base)
                    placed += [planning.PlacedReplace(place, node) for place in found]
                    lines.append(f"replaced {describe_places(found)} by {describe_node(node)}")
                case Delete(query=query):
                    found = await self._find(query, base)
                    placed += [planning.PlacedDelete(place) for place in found]
                    lines.append(f"deleted {describe_places(found)}")
                case Move(query=query, parent=parent, position=position):
                    found = await self._find(query, base)
                    target = await self._find_one(parent, base)
                    placed += [planning.PlacedMove(place, target, position) for place in found]
                    lines.append(f"moved {describe_places(found)} under {target.path}")
        check_depth(placed)
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
            message = f"a move needs exactly one parent, but {query} finds {len(found)}; add a position such as [1]"
            raise ArgumentError(message)
        return found[0]
