"""JSON Lines chat, mnemo's own format: one message a line, or one array of such objects.

    {"content": "We moved last week!", "speaker": "Ines", "time": "2025-03-09T18:30:00", "zone": "Europe/Lisbon"}

| key | | meaning |
|---|---|---|
| `content` | required | what was said; not blank |
| `role` | `user` | `user`, `assistant`, `system`, `tool` or `document` |
| `speaker` | | who wrote it; without one, `user` or `assistant` by the role |
| `session` | the file's name | which conversation it belongs to |
| `time` | unknown | ISO 8601, with an offset or local to `zone`; or Unix seconds |
| `zone` | the zone of the call | IANA name, such as `Europe/Lisbon` |
| `id` | derived | its id where it came from: the same id again is the same message |
| `source` | the file's name | shown beside the message: a URL, a channel |
| `metadata` | | an object, kept as it is |

Blank lines are skipped. A key of another name is an error, so that a misspelt `time` does not become an
unknown one. The file is streamed; a wrong line is reported as `file:line`.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, read_each, role_of, speaker_of
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.tables.columns import columns_of
from mnemo.models.graph import Message

__all__ = ["KEYS", "is_own", "matches", "message", "read"]

KEYS = ("content", "role", "speaker", "session", "time", "zone", "id", "source", "metadata")
_OWN = {"speaker", "session", "zone", "source", "metadata"}


def matches(value: Any) -> bool:
    """Whether a JSON object is a message of this format: it has `content`, and at most one key that is misspelt."""
    if not isinstance(value, dict) or "content" not in value or isinstance(value["content"], (list, dict)):
        return False
    unknown = [key for key in value if key not in KEYS]
    return not unknown or (len(unknown) == 1 and not columns_of(unknown, {}))


def is_own(value: Any) -> bool:
    """Whether a message has a key that message arrays of APIs do not have."""
    return isinstance(value, dict) and not _OWN.isdisjoint(value)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the file as one conversation, its lines read when it is iterated."""

    def load() -> Iterator[Message]:
        places = (Place(source, where, value) for where, value in json_file(source).items())
        return read_each(places, partial(message, options=options))

    yield Conversation(source.name, source.label, load)


def message(place: Place, options: Options) -> Message:
    """Check one line.

    Raises:
        ReaderError: It is no object, has an unknown key, no content, or a value that does not fit.
    """
    fields = place.mapping()
    if unknown := sorted(set(fields) - set(KEYS)):
        shown = place.source.shown(unknown[0])
        raise place.error(f"has the unknown key {shown}; known are {', '.join(KEYS)} (put others into metadata)")
    content = place.key("content")
    if not content.text().strip():
        raise content.error("is blank")
    role = role_of(place.key("role"))
    time, zone = place.key("time").time(place.key("zone").zone(options.zone))
    metadata = place.key("metadata")
    return Message(
        content=content.text(),
        role=role,
        speaker=speaker_of(role, place.key("speaker").optional_text()),
        session=place.key("session").identifier() or place.source.name,
        occurred_at=time,
        zone=zone,
        source=place.key("source").optional_text() or place.source.label,
        source_id=place.key("id").identifier(),
        metadata={} if metadata.value is None else flat_metadata(metadata.mapping()),
    )
