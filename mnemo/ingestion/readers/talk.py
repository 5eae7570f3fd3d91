"""Turns a chat into a conversation: its name, its sessions by day, and placeholders for media."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, read_each, speaker_of
from mnemo.ingestion.readers.files.source import Source
from mnemo.models.graph import Message, Role

__all__ = ["Talk", "attachment", "conversation", "file_title", "joined", "marks"]

_COPY = re.compile(r"\s*\(\d{1,3}\)$")
"""What a browser adds to the name of a file that is there already."""
_GENERIC = {"result", "messages", "conversations", "_chat", "chat", "export", "chats", "data"}


@dataclass(frozen=True, slots=True)
class Talk:
    """A chat: what its messages have in common."""

    name: str
    source: Source
    options: Options
    by_day: bool = True
    """Whether each day is a separate session, as in chats that go on for years."""

    def message(  # noqa: PLR0913  # the fields of a message, each by its name
        self,
        content: str,
        *,
        speaker: str | None,
        moment: tuple[datetime | None, str | None],
        source_id: str | None = None,
        role: Role = "user",
        media: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
    ) -> Message | None:
        """Make a message; None if it is empty. System and tool messages have no speaker.

        `media` holds the placeholders of attached files: one per line below the content, unless it has them already.
        The metadata `media` names these marks, so that nobody is taken to have said them.
        """
        content = joined(content, *dict.fromkeys(mark for mark in media if mark not in content))
        if not content:
            return None
        time, zone = moment
        day = f" {time:%Y-%m-%d}" if self.by_day and time is not None else ""
        return Message(
            content=content,
            role=role,
            speaker=None if role in {"system", "tool"} else speaker_of(role, speaker),
            session=f"{self.name}{day}",
            occurred_at=time,
            zone=zone,
            source=self.source.label,
            source_id=source_id,
            metadata=flat_metadata({**(metadata or {}), "media": marks(media)}),
        )


def conversation(
    talk: Talk, places: Callable[[], Iterable[Place]], read: Callable[[Talk, Place], Message | None]
) -> Conversation:
    """Make the conversation of a chat whose messages are read one by one; what cannot be read is left out."""

    def load() -> Iterator[Message]:
        return read_each(places(), partial(read, talk))

    return Conversation(talk.name, talk.source.label, load)


def file_title(source: Source) -> str:
    """Return the conversation's name: the file's, or its folder's if the file name is generic."""
    stem = source.name.rsplit("/", 1)[-1]
    stem = _COPY.sub("", stem)
    generic = stem.lower() in _GENERIC or stem.lower().removeprefix("message_").isdigit()
    if generic and source.folders:
        return conversation_name(_COPY.sub("", source.folders[-1]))
    return conversation_name(_COPY.sub("", source.name))


def attachment(kind: str, name: str | None = None) -> str:
    """Return the placeholder of a file in a message: `[image]`, or `[attached report.pdf]` if it has a name."""
    return f"[attached {name.rsplit('/', 1)[-1]}]" if name else f"[{kind}]"


def marks(media: Sequence[str]) -> str | None:
    """Return marks of media as they are kept in the metadata."""
    return json.dumps(list(dict.fromkeys(media)), ensure_ascii=False) if media else None


def joined(*texts: str | None) -> str:
    """Join the parts of a message that say something, a line each."""
    return "\n".join(text.strip() for text in texts if text and text.strip())
