"""Replaces the vectors of another embedding model online, in batches; can be interrupted and resumed."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemo.models.embedding_text import entity_text, episode_text
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.store import records
from mnemo.store.driver import Database, Row
from mnemo.store.migrations import begin_reembedding, finish_reembedding

__all__ = ["LABELS", "PassageEmbedder", "reembed", "remaining", "text_of"]

LABELS = ("Episode", "Entity", "Edge", "Category", "TreeNode", "Version")
"""Labels of nodes with vectors, in the order in which they are re-embedded."""

_BATCH = 256


class PassageEmbedder(Protocol):
    """The part of an embedder that is used here."""

    @property
    def model(self) -> str:
        """Name of the vector space."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts: float32, (len(texts), dimensions), rows of unit length, input order."""
        ...


async def reembed(db: Database, embedder: PassageEmbedder, on_progress: OnProgress = ignore_progress) -> int:
    """Replace all vectors of other models; return how many were replaced.

    Memory can be searched and extended during the run; nodes with old vectors are found by full text only. An
    interrupted run resumes when called again.

    Args:
        db: A migrated database; its recorded model becomes the embedder's.
        embedder: The new model.
        on_progress: Called with the stage `reembed` after each batch.

    Raises:
        ProviderError: The embedder failed; call again to resume.
        StoreError: See its kinds.
    """
    embedding = (embedder.model, embedder.dimensions)
    await begin_reembedding(db, embedding)
    _, stale = await remaining(db, embedder.model)
    done = 0
    for label in LABELS:
        after = ""
        while rows := await db.run("reembed/stale", label=label, model=embedder.model, after=after, limit=_BATCH):
            await _replace(db, label, rows, embedder)
            done, after = done + len(rows), rows[-1]["uuid"]
            on_progress(Progress(stage="reembed", done=done, total=max(done, stale)))
    await finish_reembedding(db, embedding)
    return done


async def remaining(db: Database, model: str) -> tuple[int, int]:
    """Return the number of vectors in all groups, and how many are from another model."""
    row = (await db.run("reembed/count", model=model))[0]
    return row["total"], row["stale"]


def text_of(label: str, row: Row) -> str:
    """Return the text a node is embedded by, from its label and properties."""
    if label == "Episode":
        return episode_text(records.text(row, "content"), records.optional(row, "speaker"))
    if label == "Entity":
        return entity_text(records.text(row, "name"), records.text(row, "summary"))
    return next((text for name in ("fact", "text", "content", "name") if (text := records.text(row, name))), "")


async def _replace(db: Database, label: str, rows: Sequence[Row], embedder: PassageEmbedder) -> None:
    vectors = await embedder.passages([text_of(label, row) for row in rows])
    written = [{"uuid": row["uuid"], "vector": vector} for row, vector in zip(rows, vectors, strict=True)]
    await db.run("reembed/write", label=label, model=embedder.model, rows=written)
