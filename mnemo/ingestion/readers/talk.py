"""One chat on its way to messages: its name, its sessions by day, and what stands for media."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, read_each, speaker_of
from mnemo.ingestion.readers.files.source import Source
from mnemo.models.graph import Message, Role

__all__ = ["Talk", "attachment", "conversation", "file_title", "joined"]

_GENERIC = {"result", "messages", "conversations", "_chat", "chat", "export", "chats", "data"}


@dataclass(frozen=True, slots=True)
class Talk:
    """A chat: what its messages have in common."""

    name: str
    source: Source
    options: Options
    by_day: bool = True
    """Whether each day is a session of its own, as in chats that go on for years."""

    def message(
        self,
        content: str,
        *,
        speaker: str | None,
        moment: tuple[datetime | None, str | None],
        source_id: str | None = None,
        role: Role = "user",
        metadata: Mapping[str, Any] | None = None,
    ) -> Message | None:
        """Make a message; None where it says nothing. System and tool messages have no speaker."""
        if not content.strip():
            return None
        time, zone = moment
        day = f" {time:%Y-%m-%d}" if self.by_day and time is not None else ""
        return Message(
            content=content.strip(),
            role=role,
            speaker=None if role in {"system", "tool"} else speaker_of(role, speaker),
            session=f"{self.name}{day}",
            occurred_at=time,
            zone=zone,
            source=self.source.label,
            source_id=source_id,
            metadata=flat_metadata(metadata or {}),
        )


def conversation(
    talk: Talk, places: Callable[[], Iterable[Place]], read: Callable[[Talk, Place], Message | None]
) -> Conversation:
    """Make the conversation of a chat whose messages are read one by one; what cannot be read is left out."""

    def load() -> Iterator[Message]:
        return read_each(places(), partial(read, talk))

    return Conversation(talk.name, talk.source.label, load)


def file_title(source: Source) -> str:
    """Return what to call the conversation of a file: its name, or its folder's where the name says nothing."""
    stem = source.name.rsplit("/", 1)[-1]
    generic = stem.lower() in _GENERIC or stem.lower().removeprefix("message_").isdigit()
    return conversation_name(source.folders[-1] if generic and source.folders else source.name)


def attachment(kind: str, name: str | None = None) -> str:
    """Return what stands for a file in a message: `[image]`, or `[attached report.pdf]` where it has a name."""
    return f"[attached {name.rsplit('/', 1)[-1]}]" if name else f"[{kind}]"


def joined(*texts: str | None) -> str:
    """Join the parts of a message that say something, a line each."""
    return "\n".join(text.strip() for text in texts if text and text.strip())
