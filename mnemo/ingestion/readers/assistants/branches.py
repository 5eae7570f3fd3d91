"""Picks the branch shown last from a tree of messages, as edited conversations have it."""

from collections.abc import Callable, Mapping

from mnemo.ingestion.readers.fields import Place

__all__ = ["branch"]


def branch(nodes: Mapping[str, Place], leaf: str, parent: Callable[[Place], str | None], tree: Place) -> list[Place]:
    """Return the messages from the root to a leaf, oldest first.

    Args:
        nodes: All messages by id.
        leaf: Id of the last message shown.
        parent: Returns the id of a message's parent, None for a root.
        tree: Location of the messages, for errors.

    Raises:
        ReaderError: A parent is missing, or the parents form a cycle.
    """
    found: list[Place] = []
    seen: set[str] = set()
    current: str | None = leaf
    while current is not None:
        if current in seen:
            raise tree.error(f"is no tree: {tree.source.shown(current)} is its own ancestor")
        seen.add(current)
        if current not in nodes:
            raise tree.error(f"has no message {tree.source.shown(current)}, which another one names as its parent")
        found.append(nodes[current])
        current = parent(nodes[current])
    return found[::-1]
