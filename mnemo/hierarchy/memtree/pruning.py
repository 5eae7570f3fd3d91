"""What taking leaves out changes in the tree over episodes: pure.

A category left with one child gives its place to that child, one left with none goes too, and all
that stay above a leaf that went get a content made anew, from below upwards.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.models.embedding_text import episode_text
from mnemo.models.hierarchy import Category, Member

__all__ = ["Shrinking"]


class Shrinking:
    """Takes leaves out of a part of the tree."""

    def __init__(self, root: str, members: Sequence[Member]) -> None:
        """Keep the part.

        Args:
            root: Uuid of the hierarchy.
            members: Children of the root and of every category above one of the leaves.
        """
        self._root = root
        self._members = {member.node.uuid: member for member in members}
        self._parents = {member.node.uuid: member.parent for member in members}
        self._positions = {member.node.uuid: member.position for member in members}
        self._broods: dict[str, list[str]] = {root: []}
        for member in sorted(members, key=lambda each: each.position):
            self._broods.setdefault(member.parent, []).append(member.node.uuid)
        self._less: dict[str, int] = {}
        self._moved: set[str] = set()
        self.gone: list[str] = []
        self.detached: list[str] = []

    def remove(self, leaf: str) -> None:
        """Take one leaf out; one that is not there is passed over."""
        if leaf not in self._parents or leaf in self.detached:
            return
        self.detached.append(leaf)
        self._moved.discard(leaf)
        for above in self._above(leaf):
            self._less[above] = self._less.get(above, 0) + 1
        self._unhang(leaf)

    def stale(self) -> list[str]:
        """Return the categories that stay and whose content must be made anew, deepest first."""
        left = [uuid for uuid in self._less if uuid not in self.gone]
        return sorted(left, key=lambda uuid: (-self.depth(uuid), uuid))

    def depth(self, uuid: str) -> int:
        """Return how far below the root a node hangs now."""
        return len(self._above(uuid)) + 1

    def leaves(self, uuid: str) -> int:
        """Return how many leaves a category has now."""
        node = self._members[uuid].node
        return (node.leaves if isinstance(node, Category) else 1) - self._less.get(uuid, 0)

    def texts(self, uuid: str, contents: Mapping[str, str]) -> tuple[str, ...]:
        """Return the texts of a category's children in order, with contents made anew where they were."""
        return tuple(contents.get(child, self._text(child)) for child in self._broods[uuid])

    def rows(self, contents: Mapping[str, str], by: Mapping[str, str]) -> dict[str, Any]:
        """Return the rows of a write.

        Args:
            contents: The new content of each of `stale`.
            by: Who made each: `llm` or `extract`.
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

    def _unhang(self, uuid: str) -> None:
        parent = self._parents.pop(uuid)
        brood = self._broods[parent]
        brood.remove(uuid)
        if parent == self._root:
            return
        if not brood:
            self.gone.append(parent)
            self._moved.discard(parent)
            self._unhang(parent)
        elif len(brood) == 1:
            self._collapse(parent, brood[0])

    def _collapse(self, category: str, child: str) -> None:
        above = self._parents.pop(category)
        place = self._broods[above].index(category)
        self._broods[above][place] = child
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
