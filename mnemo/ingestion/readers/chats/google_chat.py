"""Google Chat, as Takeout delivers it: one `messages.json` for each space or direct message.

The writer is `creator`, by name or e-mail address. Times such as `Saturday, March 9, 2024 at 6:21:10 PM UTC` are
instants. The name of the space comes from `group_info.json` beside the file, else from the other members.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.tables.columns import author_name
from mnemo.ingestion.readers.talk import Talk, attachment, conversation, file_title
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.written import parse_date
from mnemo.models.graph import Message

__all__ = ["matches", "read"]

_PEEKED = 50
_SHOWN_NAMES = 4


def matches(value: Any) -> bool:
    """Whether a JSON object is one space with its messages."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    found = [item for item in value["messages"][:_PEEKED] if isinstance(item, dict)]
    return any("creator" in item and {"text", "created_date", "message_id", "topic_id"} & item.keys() for item in found)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the space of each object in the file."""
    for where, value in json_file(source).items():
        root = Place(source, where, value)
        root.mapping()
        talk = Talk(conversation_name(_space(root)), source, options)
        yield conversation(talk, root.key("messages").objects, _message)


def _space(root: Place) -> str:
    """Return the space's name."""
    beside = root.source.neighbour("group_info.json")
    try:
        info = next(json_file(beside).items())[1] if beside else None
    except (ReaderError, StopIteration):
        info = None
    if isinstance(info, dict) and isinstance(info.get("name"), str) and info["name"].strip():
        return str(info["name"])
    members = info.get("members") if isinstance(info, dict) else None
    names = [name for each in members if (name := author_name(each))] if isinstance(members, list) else []
    return ", ".join(names[:_SHOWN_NAMES]) or file_title(root.source)


def _message(talk: Talk, place: Place) -> Message | None:
    creator = place.key("creator")
    kind = creator.key("user_type").any_text() or ""
    files = [
        attachment("file", file.first("original_name", "export_name").any_text())
        for file in place.key("attached_files").objects()
    ]
    identifier = place.key("message_id").any_identifier()
    return talk.message(
        place.key("text").any_text() or "",
        speaker=author_name(creator.value) or "unknown member",
        moment=_moment(place, talk.options),
        source_id=f"google-chat:{identifier}" if identifier else None,
        role="assistant" if kind.lower() == "bot" else "user",
        media=files,
        metadata={"email": creator.key("email").any_text()},
    )


def _moment(place: Place, options: Options) -> tuple[datetime | None, str | None]:
    written = place.first("created_date", "createTime", "created_at", "date")
    text = written.any_text()
    found = parse_date(text, options.dates) if text else None
    return localise(found, options.zone) if found is not None else written.known_time(options.zone)
