"""Replaces the vectors of another model: online, in batches, to be taken up again after a stop."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemo.models.embedding_text import entity_text, episode_text
from mnemo.store import records
from mnemo.store.driver import Database, Row
from mnemo.store.migrations import begin_reembedding, finish_reembedding

__all__ = ["LABELS", "Embeds", "reembed", "remaining", "text_of"]

LABELS = ("Episode", "Entity", "Edge", "Category", "TreeNode", "Version")
"""Labels of nodes that have vectors, in the order in which they are embedded anew."""

_BATCH = 256


class Embeds(Protocol):
    """What is asked of an embedder here."""

    @property
    def model(self) -> str:
        """Name that tells vector spaces apart."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        ...

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts: float32, (len(texts), dimensions), rows of unit length, input order."""
        ...


async def reembed(db: Database, embedder: Embeds, progress: Callable[[int], None] = lambda _: None) -> int:
    """Embed by another model whatever is not; return how many vectors were replaced.

    Memory can be searched and added to by that model from the start on; what is not replaced yet is
    found by its words. Stopped at any point and called again, it goes on where it was.

    Args:
        db: Migrated; its recorded model becomes the embedder's.
        embedder: The model from now on.
        progress: Called after each batch with how many it had.

    Raises:
        ProviderError: The embedder failed; call again.
        StoreError: See its kinds.
    """
    embedding = (embedder.model, embedder.dimensions)
    await begin_reembedding(db, embedding)
    done = 0
    for label in LABELS:
        done += await _label(db, label, embedder, progress)
    await finish_reembedding(db, embedding)
    return done


async def remaining(db: Database, model: str) -> tuple[int, int]:
    """Return how many vectors there are in all groups, and how many another model made."""
    row = (await db.run("reembed/count", model=model))[0]
    return row["total"], row["stale"]


def text_of(label: str, row: Row) -> str:
    """Return the text that a node of a label is embedded by, from its properties."""
    if label == "Episode":
        return episode_text(records.text(row, "content"), records.optional(row, "speaker"))
    if label == "Entity":
        return entity_text(records.text(row, "name"), records.text(row, "summary"))
    return next((text for name in ("fact", "text", "content", "name") if (text := records.text(row, name))), "")


async def _label(db: Database, label: str, embedder: Embeds, progress: Callable[[int], None]) -> int:
    done, after = 0, ""
    while True:
        rows = await db.run("reembed/stale", label=label, model=embedder.model, after=after, limit=_BATCH)
        if not rows:
            return done
        vectors = await embedder.passages([text_of(label, row) for row in rows])
        written = [{"uuid": row["uuid"], "vector": vector} for row, vector in zip(rows, vectors, strict=True)]
        await db.run("reembed/write", label=label, model=embedder.model, rows=written)
        done, after = done + len(rows), rows[-1]["uuid"]
        progress(len(rows))
