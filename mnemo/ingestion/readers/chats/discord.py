"""Discord channels as DiscordChatExporter writes them in JSON.

The channel is the conversation, the writer's nickname the speaker. Raw mentions (`<@123>`) become names. Joins,
pins and calls have the role `system`; bots have the role `assistant`. The message's id is Discord's own.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.tables.columns import author_name
from mnemo.ingestion.readers.talk import Talk, attachment, conversation, file_title
from mnemo.models.graph import Message

__all__ = ["matches", "read"]

_SAID = {"default", "reply", "0", "19", "20", "21", "23", "chatinputcommand", "contextmenucommand"}
_PEEKED = 50
_MENTION = re.compile(r"<@!?(\d+)>")
_EMOJI = re.compile(r"<a?(:\w+:)\d+>")


def matches(value: Any) -> bool:
    """Whether a JSON object is one channel with its messages."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    found = [item for item in value["messages"][:_PEEKED] if isinstance(item, dict)]
    told = any(isinstance(item.get("author"), dict) and "content" in item for item in found)
    channel = isinstance(value.get("channel"), dict)
    return channel if not found else told and (channel or any("timestamp" in item for item in found))


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the channel of each object in the file."""
    for where, value in json_file(source).items():
        root = Place(source, where, value)
        root.mapping()
        guild, channel = root.key("guild").key("name").any_text(), root.key("channel").key("name").any_text()
        names = [name for name in (guild, channel) if name and name != "Direct Messages"]
        talk = Talk(conversation_name(" ".join(names)) if names else file_title(source), source, options)
        yield conversation(talk, root.key("messages").objects, _message)


def _message(talk: Talk, place: Place) -> Message | None:
    said = str(place.value.get("type", "Default")).lower() in _SAID
    author = place.key("author")
    bot = author.key("isBot").value is True or author.key("bot").value is True
    files = [attachment("file", file.first("fileName", "filename").any_text()) for file in _lists(place, "attachments")]
    stickers = [
        attachment(f"sticker {file.key('name').any_text() or ''}".strip()) for file in _lists(place, "stickers")
    ]
    identifier = place.key("id").any_identifier()
    return talk.message(
        _text(place),
        speaker=_name(author.value),
        moment=place.key("timestamp").known_time(talk.options.zone),
        source_id=f"discord:{identifier}" if identifier else None,
        role="assistant" if said and bot else "user" if said else "system",
        media=[*files, *stickers],
        metadata={"account": author.key("name").any_text(), "bot": True if bot else None},
    )


def _name(author: Any) -> str:
    if isinstance(author, Mapping):
        shown = author.get("nickname") or author.get("global_name")
        if isinstance(shown, str) and shown.strip():
            return shown.strip()
    return author_name(author) or "unknown member"


def _lists(place: Place, key: str) -> list[Place]:
    return place.key(key).objects()


def _text(place: Place) -> str:
    """Return the text with mentions as names."""
    names = {
        identifier: _name(mention.value)
        for mention in _lists(place, "mentions")
        if (identifier := mention.key("id").any_identifier())
    }
    text = place.key("content").any_text() or ""
    text = _MENTION.sub(lambda match: f"@{names[match[1]]}" if match[1] in names else match[0], text)
    return _EMOJI.sub(r"\1", text)
