"""Plans the removal of leaves from the memtree.

A category with one child left is replaced by that child, an empty one is deleted, and the contents of the remaining
categories above a removed leaf are rewritten, deepest first.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.models.embedding_text import episode_text
from mnemo.models.hierarchy import Category, Member

__all__ = ["Pruning"]


class Pruning:
    """Removes leaves from a part of the memtree."""

    def __init__(self, root: str, members: Sequence[Member]) -> None:
        """Keep the affected part of the memtree.

        Args:
            root: Uuid of the root.
            members: Children of the root and of every category above a leaf to remove.
        """
        self._root = root
        self._members = {member.node.uuid: member for member in members}
        self._parents = {member.node.uuid: member.parent for member in members}
        self._positions = {member.node.uuid: member.position for member in members}
        self._children: dict[str, list[str]] = {root: []}
        for member in sorted(members, key=lambda each: each.position):
            self._children.setdefault(member.parent, []).append(member.node.uuid)
        self._removed: dict[str, int] = {}
        self._moved: set[str] = set()
        self.gone: list[str] = []
        self.detached: list[str] = []

    def remove(self, leaf: str) -> None:
        """Remove one leaf; unknown leaves are ignored."""
        if leaf not in self._parents or leaf in self.detached:
            return
        self.detached.append(leaf)
        self._moved.discard(leaf)
        for above in self._above(leaf):
            self._removed[above] = self._removed.get(above, 0) + 1
        self._detach(leaf)

    def stale(self) -> list[str]:
        """Return the remaining categories whose content must be rewritten, deepest first."""
        stale = [uuid for uuid in self._removed if uuid not in self.gone]
        return sorted(stale, key=lambda uuid: (-self.depth(uuid), uuid))

    def depth(self, uuid: str) -> int:
        """Return the current depth of a node; 1 for a child of the root."""
        return len(self._above(uuid)) + 1

    def leaves(self, uuid: str) -> int:
        """Return the current number of leaves under a node."""
        node = self._members[uuid].node
        return (node.leaves if isinstance(node, Category) else 1) - self._removed.get(uuid, 0)

    def texts(self, uuid: str, contents: Mapping[str, str]) -> tuple[str, ...]:
        """Return the texts of a category's children in order, using the rewritten contents."""
        return tuple(contents.get(child, self._text(child)) for child in self._children[uuid])

    def rows(self, contents: Mapping[str, str], by: Mapping[str, str]) -> dict[str, Any]:
        """Return the rows for `MemtreeWrite`.

        Args:
            contents: The new content of each category in `stale()`.
            by: How each was written: `llm` or `extract`.
        """
        moved = sorted(uuid for uuid in self._moved if uuid not in self.gone)
        categories = [uuid for uuid in moved if self._is_category(uuid)]
        changed = sorted({*contents, *categories})
        return {
            "categories": [{"uuid": uuid, "properties": self._properties(uuid, contents, by)} for uuid in changed],
            "nested": [self._row(uuid) for uuid in categories],
            "leaves": [self._row(uuid) for uuid in moved if not self._is_category(uuid)],
            "gone": self.gone,
            "detached": self.detached,
            "lifted": [{"uuid": uuid, "layer": self.depth(uuid)} for uuid in categories],
        }

    def _detach(self, uuid: str) -> None:
        parent = self._parents.pop(uuid)
        siblings = self._children[parent]
        siblings.remove(uuid)
        if parent == self._root:
            return
        if not siblings:
            self.gone.append(parent)
            self._moved.discard(parent)
            self._detach(parent)
        elif len(siblings) == 1:
            self._replace(parent, siblings[0])

    def _replace(self, category: str, child: str) -> None:
        above = self._parents.pop(category)
        index = self._children[above].index(category)
        self._children[above][index] = child
        self._parents[child], self._positions[child] = above, self._positions[category]
        self._moved.add(child)
        self._moved.discard(category)
        self.gone.append(category)

    def _above(self, uuid: str) -> list[str]:
        found = []
        while (uuid := self._parents[uuid]) != self._root:
            found.append(uuid)
        return found

    def _is_category(self, uuid: str) -> bool:
        return isinstance(self._members[uuid].node, Category)

    def _text(self, uuid: str) -> str:
        member = self._members[uuid]
        return (
            member.node.content if isinstance(member.node, Category) else episode_text(member.node.text, member.speaker)
        )

    def _properties(self, uuid: str, contents: Mapping[str, str], by: Mapping[str, str]) -> dict[str, Any]:
        own: dict[str, Any] = {"layer": self.depth(uuid), "leaves": self.leaves(uuid)}
        return own | ({"content": contents[uuid], "content_by": by[uuid]} if uuid in contents else {})

    def _row(self, child: str) -> dict[str, Any]:
        parent = self._parents[child]
        return {
            "child": child,
            "parent": None if parent == self._root else parent,
            "position": self._positions[child],
        }
