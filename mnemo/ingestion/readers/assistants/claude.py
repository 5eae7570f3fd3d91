"""Claude.ai's data export: `conversations.json`, an array of conversations with `chat_messages`.

`human` is the user. Text blocks are the message; thinking, tool calls and their results are left out. Attached
files become `[attached NAME]`. If messages name their parents, the branch shown last is read.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mnemo.ingestion.readers.assistants.branches import branch
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, read_each, role_of
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment
from mnemo.models.graph import Message

__all__ = ["matches", "read"]

_ID_CHARS = 8
_NO_PARENT = "00000000-0000-4000-8000-000000000000"


def matches(value: Any) -> bool:
    """Whether a JSON object is one conversation of the export."""
    return isinstance(value, dict) and "chat_messages" in value


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each conversation of the export, streamed."""
    places = (Place(source, where, value) for where, value in json_file(source).items())
    yield from read_each(places, partial(_conversation, options))


def _conversation(options: Options, place: Place) -> Conversation:
    place.mapping()
    if not isinstance(place.key("chat_messages").value, list):
        title = place.key("name").any_text()
        name = f" ({place.source.shown(title)})" if title else ""
        raise place.error(f"is no Claude.ai conversation{name}: it has no `chat_messages`")
    title = place.key("name").any_text() or place.source.name
    identifier = place.key("uuid").any_identifier() or str(place.where)
    talk = Talk(conversation_name(f"{title[:80]} ({identifier[:_ID_CHARS]})"), place.source, options, by_day=False)
    return Conversation(talk.name, place.source.label, lambda: _messages(talk, place))


def _messages(talk: Talk, place: Place) -> Iterator[Message]:
    return read_each(_branch(place), partial(_message, talk, place.key("name").any_text()))


def _branch(place: Place) -> list[Place]:
    """Return the messages shown last; all in order where they do not name their parents."""
    listed = place.key("chat_messages").items()
    nodes = {uuid: item for item in listed if (uuid := item.key("uuid").any_identifier())}
    leaf = place.key("current_leaf_message_uuid").any_text()
    if leaf is None or leaf not in nodes:
        return listed

    def parent(node: Place) -> str | None:
        found = node.key("parent_message_uuid").any_text()
        return None if found == _NO_PARENT else found

    return branch(nodes, leaf, parent, place.key("chat_messages"))


def _message(talk: Talk, title: str | None, place: Place) -> Message | None:
    place.mapping()
    role = role_of(place.key("sender"))
    files = [
        attachment("file", file.key("file_name").any_text())
        for key in ("attachments", "files")
        for file in place.key(key).objects()
    ]
    return talk.message(
        _text(place),
        speaker=None,
        moment=place.key("created_at").known_time(talk.options.zone),
        source_id=place.key("uuid").any_identifier(),
        role=role,
        media=list(dict.fromkeys(files)),
        metadata={"title": title},
    )


def _text(place: Place) -> str:
    blocks = place.key("content").objects()
    texts = [block.key("text").any_text() for block in blocks if block.value.get("type", "text") == "text"]
    spoken = "\n\n".join(text for text in texts if text)
    if spoken or blocks:
        return spoken
    return place.first("text", "content").any_text() or ""
