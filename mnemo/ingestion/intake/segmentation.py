"""Chooses what becomes one episode: a message, a round of a dialogue, or a window of a document. Pure, streaming.

In the profile `documents` the parts of one text are joined, blank lines between them, and cut into
windows of `chunk_tokens` at sentence ends, without overlap; each window has the metadata of the part in
which it begins and the links of all parts it spans. In the profile `rounds` a turn and its reply are one
episode, with a line per message.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.chunks import rounds, windows
from mnemo.models.embedding_text import episode_text
from mnemo.models.graph import Message

__all__ = ["shaped"]

_LISTS = ("links", "media")
"""Metadata that readers give as JSON lists."""
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
        spanned = [part for part, start in zip(parts, starts, strict=True) if start < window.end][number:]
        if window.text.strip():
            metadata = _with_lists(parts[number].metadata, spanned)
            yield replace(parts[number], content=window.text.strip(), source_id=None, metadata=metadata)


def _with_lists(metadata: Mapping[str, str], parts: Sequence[Message]) -> Mapping[str, str]:
    """Return the metadata of the first part with what the others link to and attach."""
    joined = dict(metadata)
    for key in _LISTS:
        found = [item for part in parts for item in _list(part.metadata.get(key))]
        if found:
            joined[key] = json.dumps(found, ensure_ascii=False)
    return joined


def _list(text: str | None) -> list[object]:
    """Return a list that metadata hold as JSON; an empty one for anything else."""
    try:
        found = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _rounds(messages: Sequence[Message]) -> Iterator[Message]:
    for start, end in rounds(messages):
        turn = messages[start:end]
        speakers = {message.speaker for message in turn}
        metadata = _with_lists(turn[0].metadata, turn)
        if len(turn) == 1:
            yield turn[0]
        elif len(speakers) == 1:
            yield replace(turn[0], content="\n".join(message.content for message in turn), metadata=metadata)
        else:
            lines = (episode_text(message.content, message.speaker or message.role) for message in turn)
            yield replace(turn[0], content="\n".join(lines), speaker=None, metadata=metadata)
