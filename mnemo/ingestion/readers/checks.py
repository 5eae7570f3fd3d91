"""Repairs messages that cannot be stored as they are, so that one bad message never blocks the others."""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mnemo.characters import whole
from mnemo.ingestion.readers.report import Findings
from mnemo.models.graph import Message

__all__ = ["MAX_PART_CHARS", "sound"]

MAX_PART_CHARS = 100_000
"""Longer contents come as several messages."""
_MAX_NAME_CHARS = 500
_MAX_ID_CHARS = 400


def sound(messages: Iterable[Message], findings: Findings) -> Iterator[Message]:
    """Yield messages with storable texts and names, and ids that are used once.

    Messages with nothing to see are dropped, halves of characters become U+FFFD, names are one line of at most 500
    characters, a content over 100,000 characters becomes several messages. The same id with another content gets
    a number, and a note.
    """
    seen: dict[str, dict[bytes, str]] = {}
    for message in messages:
        if not _is_visible(message.content):
            continue
        for part in _parts(_clean(message)):
            yield _with_unique_id(part, seen, findings)


def _clean(message: Message) -> Message:
    source_id = message.source_id
    if source_id is not None and len(source_id) > _MAX_ID_CHARS:
        source_id = f"hash:{hashlib.sha256(whole(source_id).encode()).hexdigest()}"
    return replace(
        message,
        content=whole(message.content),
        speaker=_line(message.speaker) or None,
        session=_line(message.session) or "",
        source=_line(message.source) or None,
        source_id=None if source_id is None else whole(source_id),
    )


def _parts(message: Message) -> Iterator[Message]:
    if len(message.content) <= MAX_PART_CHARS:
        yield message
        return
    for number, start in enumerate(range(0, len(message.content), MAX_PART_CHARS)):
        content = message.content[start : start + MAX_PART_CHARS]
        if _is_visible(content):
            source_id = f"{message.source_id}#part{number}" if message.source_id and number else message.source_id
            yield replace(message, content=content, source_id=source_id)


def _with_unique_id(message: Message, seen: dict[str, dict[bytes, str]], findings: Findings) -> Message:
    if message.source_id is None:
        return message
    digest = hashlib.blake2b(message.content.encode(), digest_size=8).digest()
    contents = seen.setdefault(message.source_id, {})
    if digest not in contents:
        number = len(contents) + 1
        contents[digest] = message.source_id if number == 1 else f"{message.source_id}~{number}"
        if number > 1:
            findings.note("an id is used for several different messages; each is kept")
    return replace(message, source_id=contents[digest])


def _is_visible(text: str) -> bool:
    return any(unicodedata.category(character)[0] not in "ZC" for character in text)


def _line(text: str | None) -> str:
    """Return text as one line without control characters."""
    if text is None:
        return ""
    clean = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in whole(text))
    return " ".join(clean.split())[:_MAX_NAME_CHARS].strip()
