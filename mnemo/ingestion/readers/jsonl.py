"""JSON Lines chat, mnemo's own format: one message a line.

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

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, role_of, speaker_of
from mnemo.ingestion.readers.source import Source
from mnemo.models.graph import Message

__all__ = ["KEYS", "message", "read"]

KEYS = ("content", "role", "speaker", "session", "time", "zone", "id", "source", "metadata")


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the file as one conversation, its lines read when it is iterated."""

    def load() -> Iterator[Message]:
        for number, line in source.lines():
            if line.strip():
                yield message(Place(source, number, source.json_line(number, line)), options)

    yield Conversation(source.name, source.label, load)


def message(place: Place, options: Options) -> Message:
    """Check one line.

    Raises:
        ReaderError: It is no object, has an unknown key, no content, or a value that does not fit.
    """
    fields = place.mapping()
    if unknown := sorted(set(fields) - set(KEYS)):
        raise place.misfit(f"the keys {', '.join(KEYS)}", f"{place.source.shown(unknown[0])} (put it into metadata)")
    content = place.key("content")
    if not content.text().strip():
        raise content.misfit("a text", "a blank one")
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
