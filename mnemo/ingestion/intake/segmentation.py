"""Decides what becomes one episode: a message, a round of a dialogue, or a window of a document. Pure, streaming.

In the profile `documents`, the parts of a document are joined with blank lines and split at sentence ends into windows
of `chunk_tokens`, without overlap. A window has the metadata of the part in which it starts and the links of all parts
it spans. In the profile `rounds`, a turn and its reply are one episode, one line per message.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.chunks import rounds, windows
from mnemo.models.embedding_text import episode_text
from mnemo.models.graph import Message

__all__ = ["segment"]

_LIST_KEYS = ("links", "media")
"""Metadata keys whose values are JSON lists."""
_PART_SEPARATOR = "\n\n"


def segment(messages: Iterator[Message], settings: IngestionSettings) -> Iterator[Message]:
    """Yield the messages of a conversation or file, segmented according to the profile, in order.

    Args:
        messages: In order; at most one document or session is held in memory.
        settings: Give the profile and the tokens per window.
    """
    if settings.profile not in ("documents", "rounds"):
        yield from messages
        return
    for _, run in groupby(messages, key=lambda message: (message.role == "document", message.session)):
        run_messages = list(run)
        if settings.profile == "rounds" and run_messages[0].role != "document":
            yield from _rounds(run_messages)
        elif settings.profile == "documents" and run_messages[0].role == "document":
            yield from _windows(run_messages, settings.chunk_tokens)
        else:
            yield from run_messages


def _windows(parts: Sequence[Message], tokens: int) -> Iterator[Message]:
    starts, position = [], 0
    for part in parts:
        starts.append(position)
        position += len(part.content) + len(_PART_SEPARATOR)
    number = 0
    for window in windows(_PART_SEPARATOR.join(part.content for part in parts), tokens=tokens):
        while number + 1 < len(parts) and starts[number + 1] <= window.start:
            number += 1
        spanned = [part for part, start in zip(parts, starts, strict=True) if start < window.end][number:]
        if window.text.strip():
            metadata = _merge_lists(parts[number].metadata, spanned)
            yield replace(parts[number], content=window.text.strip(), source_id=None, metadata=metadata)


def _merge_lists(metadata: Mapping[str, str], parts: Sequence[Message]) -> Mapping[str, str]:
    """Return the metadata of the first part with the links and media of all parts."""
    merged = dict(metadata)
    for key in _LIST_KEYS:
        found = [item for part in parts for item in _list(part.metadata.get(key))]
        if found:
            merged[key] = json.dumps(found, ensure_ascii=False)
    return merged


def _list(text: str | None) -> list[object]:
    """Return a JSON list from the metadata; an empty list for anything else."""
    try:
        found = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _rounds(messages: Sequence[Message]) -> Iterator[Message]:
    for start, end in rounds(messages):
        turn = messages[start:end]
        speakers = {message.speaker for message in turn}
        metadata = _merge_lists(turn[0].metadata, turn)
        if len(turn) == 1:
            yield turn[0]
        elif len(speakers) == 1:
            yield replace(turn[0], content="\n".join(message.content for message in turn), metadata=metadata)
        else:
            lines = (episode_text(message.content, message.speaker or message.role) for message in turn)
            yield replace(turn[0], content="\n".join(lines), speaker=None, metadata=metadata)
