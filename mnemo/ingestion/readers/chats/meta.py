"""Messenger and Instagram, as Facebook's and Instagram's "Download your information" deliver them in JSON.

`message_1.json`, `message_2.json`, … hold a thread from the newest message to the oldest; they are yielded oldest
first. Texts are UTF-8 that was encoded twice, as Latin-1 (`cafÃ©`); this is repaired. End-to-end encrypted
threads (`senderName`, `text`, `timestamp`) are read too. Joins, calls and removed messages have the role `system`,
as have the app's own sentences about reactions.
"""

import re
from collections.abc import Iterator
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment, conversation, file_title, joined
from mnemo.models.graph import Message

__all__ = ["matches", "read", "repaired"]

_PEEKED = 50
_SENDERS = ("sender_name", "senderName")
_EVENTS = {"subscribe", "unsubscribe", "call", "placeholder", "pollvote"}
_REACTION = re.compile(
    r"(?:liked a message|reacted \S+ to (?:your|a|his|her|their) (?:message|story|photo|video)|"
    r"reacted to (?:your|a) message.*|.{1,60} (?:reacted|liked) .{0,20}(?:to )?(?:your|a) message\.?|"
    r"this message (?:is no longer available|was (?:unsent|deleted)).*)\s*",
    re.IGNORECASE,
)
_SENT = re.compile(
    r"(?:.{1,60} )?(?:sent|shared) (?:an?|\d+) (?P<kind>attachment|photo|video|link|story|reel|post|gif|sticker|"
    r"voice message|location|file)s?\.?",
    re.IGNORECASE,
)
_MEDIA = {
    "photos": "photo",
    "videos": "video",
    "audio_files": "voice message",
    "gifs": "GIF",
    "files": "file",
    "media": "media",
}


def matches(value: Any) -> bool:
    """Whether a JSON object is one thread."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    found = [item for item in value["messages"][:_PEEKED] if isinstance(item, dict)]
    if not found:
        return {"participants", "messages"} <= value.keys()
    return any(isinstance(item.get(key), str) for item in found for key in _SENDERS)


def repaired(text: str) -> str:
    """Return text whose UTF-8 bytes were written as Latin-1 characters; other text as it is."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the thread of each object in the file."""
    for where, value in json_file(source).items():
        root = Place(source, where, value)
        root.mapping()
        title = root.first("title", "threadName").any_text()
        talk = Talk(conversation_name(repaired(title)) if title else file_title(source), source, options)
        yield conversation(talk, lambda root=root: _oldest_first(root), _message)  # type: ignore[misc]  # bound now


def _oldest_first(root: Place) -> list[Place]:
    places = root.key("messages").objects()
    return sorted(places, key=lambda place: _stamp(place) or 0) if all(map(_stamp, places)) else places[::-1]


def _stamp(place: Place) -> float | None:
    value = place.first("timestamp_ms", "timestamp").value
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _message(talk: Talk, place: Place) -> Message | None:
    text = repaired(place.first("content", "text").any_text() or "")
    removed = place.first("is_unsent", "isUnsent").value is True
    event = removed or str(place.value.get("type", "")).lower() in _EVENTS or bool(_REACTION.fullmatch(text))
    media = _media(place)
    if match := _SENT.fullmatch(text):
        text, media = "", media or [attachment(match["kind"].lower())]
    sender = place.first(*_SENDERS).any_text()
    return talk.message(
        text if event else joined(text, _share(place, text)),
        speaker=repaired(sender) if sender else "unknown member",
        moment=place.first("timestamp_ms", "timestamp").known_time(talk.options.zone),
        role="system" if event else "user",
        media=() if event else media,
    )


def _media(place: Place) -> list[str]:
    found = [attachment(kind) for key, kind in _MEDIA.items() for _ in place.key(key).objects()]
    return [*found, attachment("sticker")] if isinstance(place.value.get("sticker"), dict) else found


def _share(place: Place, text: str) -> str:
    """Return the link of a shared page, unless the text has it."""
    link = repaired(place.key("share").key("link").any_text() or "")
    return "" if link in text else link
