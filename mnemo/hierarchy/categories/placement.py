"""Keeps the current hierarchy's category texts up to date."""

from collections.abc import Iterable, Sequence

from mnemo.providers.base import Embedder
from mnemo.store.driver import Database
from mnemo.store.hierarchy import categories

__all__ = ["CANDIDATES", "category_text", "refresh_categories"]

CANDIDATES = 24
"""Categories requested from the vector index when placing an entity; asking for more makes the nearest more certain."""
_NAMES = 12
"""Member names listed in a category's text."""
_BATCH = 200


def category_text(name: str, tags: Sequence[str], members: Sequence[str]) -> str:
    """Return the text a category is embedded by: its name, tags and first members."""
    about = f" ({', '.join(tags)})" if tags else ""
    listed = ", ".join(member for member in members[:_NAMES] if member != name)
    return f"{name}{about}: {listed}" if listed else f"{name}{about}"


async def refresh_categories(database: Database, embedder: Embedder, group: str, uuids: Iterable[str]) -> None:
    """Rewrite the text, embedding and leaf count of categories whose members changed.

    Raises:
        ProviderError: The embedder failed; the batch was not changed.
        StoreError: See its kinds.
    """
    distinct = list(dict.fromkeys(uuids))
    for start in range(0, len(distinct), _BATCH):
        found = await categories.summaries(database, group, distinct[start : start + _BATCH], _NAMES)
        contents = {each.uuid: category_text(each.name, each.tags, each.members) for each in found}
        if contents:
            vectors = await embedder.passages(list(contents.values()))
            await categories.refresh(database, group, contents, vectors, embedder.model)
