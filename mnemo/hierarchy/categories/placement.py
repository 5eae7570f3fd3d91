"""New entities in a hierarchy that stands: placed at once, and what they touch said anew."""

from collections.abc import Iterable, Sequence

from mnemo.providers.base import Embedder
from mnemo.store import categories
from mnemo.store.driver import Database

__all__ = ["CANDIDATES", "content_of", "freshen", "place"]

CANDIDATES = 24
"""Categories that the index is asked for: it finds the nearest more surely where it looks at more."""
_NAMES = 12
"""Names of members that a category's content lists."""
_BATCH = 200


def content_of(name: str, tags: Sequence[str], members: Sequence[str]) -> str:
    """Return what a category is about, as text: what it is embedded by."""
    about = f" ({', '.join(tags)})" if tags else ""
    listed = ", ".join(member for member in members[:_NAMES] if member != name)
    return f"{name}{about}: {listed}" if listed else f"{name}{about}"


async def place(database: Database, embedder: Embedder, group: str, uuids: Sequence[str]) -> dict[str, str]:
    """Place entities in the group's current hierarchy, by similarity, in one round trip a batch.

    Returns:
        Uuid of each that was placed to its category's; empty where there is no hierarchy.

    Raises:
        ProviderError: The embedder failed; entities are placed, contents are as they were.
        StoreError: See its kinds.
    """
    placed: dict[str, str] = {}
    for start in range(0, len(uuids), _BATCH):
        placed |= await categories.place(database, group, uuids[start : start + _BATCH], candidates=CANDIDATES)
    await freshen(database, embedder, group, placed.values())
    return placed


async def freshen(database: Database, embedder: Embedder, group: str, uuids: Iterable[str]) -> None:
    """Say anew what some categories are about, after members came or went.

    Raises:
        ProviderError: The embedder failed; nothing was changed.
        StoreError: See its kinds.
    """
    wanted = list(dict.fromkeys(uuids))
    for start in range(0, len(wanted), _BATCH):
        found = await categories.abouts(database, group, wanted[start : start + _BATCH], _NAMES)
        contents = {each.uuid: content_of(each.name, each.tags, each.members) for each in found}
        if contents:
            vectors = await embedder.passages(list(contents.values()))
            await categories.refresh(database, group, contents, vectors, embedder.model)
