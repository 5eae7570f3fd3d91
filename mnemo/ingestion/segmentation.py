"""Chooses what becomes one episode: a message, a round of a dialogue, or a window of a document. Pure, streaming.

In the profile `documents` the parts of one text are joined, blank lines between them, and cut into
windows of `chunk_tokens` at sentence ends, without overlap; each window has the metadata of the part in
which it begins. In the profile `rounds` a turn and its reply are one episode, with a line per message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from mnemo.config import IngestionSettings
from mnemo.ingestion.chunks import rounds, windows
from mnemo.models.embedding_text import episode_text
from mnemo.models.graph import Message

__all__ = ["shaped"]

_GAP = "\n\n"


def shaped(messages: Iterator[Message], settings: IngestionSettings) -> Iterator[Message]:
    """Yield the messages of one conversation or file as the profile segments them, in order.

    Args:
        messages: In order; those of one document or session are in memory at a time.
        settings: Profile and tokens per window.
    """
    if settings.profile not in ("documents", "rounds"):
        yield from messages
        return
    for _, run in groupby(messages, key=lambda message: (message.role == "document", message.session)):
        together = list(run)
        if settings.profile == "rounds" and together[0].role != "document":
            yield from _rounds(together)
        elif settings.profile == "documents" and together[0].role == "document":
            yield from _windows(together, settings.chunk_tokens)
        else:
            yield from together


def _windows(parts: Sequence[Message], tokens: int) -> Iterator[Message]:
    starts, position = [], 0
    for part in parts:
        starts.append(position)
        position += len(part.content) + len(_GAP)
    number = 0
    for window in windows(_GAP.join(part.content for part in parts), tokens=tokens):
        while number + 1 < len(parts) and starts[number + 1] <= window.start:
            number += 1
        if window.text.strip():
            yield replace(parts[number], content=window.text.strip(), source_id=None)


def _rounds(messages: Sequence[Message]) -> Iterator[Message]:
    for start, end in rounds(messages):
        turn = messages[start:end]
        speakers = {message.speaker for message in turn}
        if len(turn) == 1:
            yield turn[0]
        elif len(speakers) == 1:
            yield replace(turn[0], content="\n".join(message.content for message in turn))
        else:
            lines = (episode_text(message.content, message.speaker or message.role) for message in turn)
            yield replace(turn[0], content="\n".join(lines), speaker=None)
