"""Telegram Desktop's JSON export, `result.json`: one chat, or all chats of an account under `chats.list`.

Each chat is a conversation. The writer is `from`; a forwarded message is said by whom it was forwarded from.
Texts are strings or lists of strings and objects. `date_unixtime` is the instant, `date` the clock of the computer
that exported; a message's id is unique within its chat. Service messages (joins, pins, calls) say nothing and are
left out. Media become `[photo]`, `[voice message]` or `[attached NAME]` below their caption.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment, conversation, file_title, joined
from mnemo.ingestion.readers.times import from_epoch, from_iso, localise
from mnemo.models.graph import Message

__all__ = ["matches", "read"]

_PEEKED = 50
_LISTS = ("chats", "left_chats")
_MEDIA = {
    "voice_message": "voice message",
    "video_message": "video message",
    "video_file": "video",
    "audio_file": "audio",
    "animation": "GIF",
    "sticker": "sticker",
}
_LONGEST_OFFSET = timedelta(hours=15)


def matches(value: Any) -> bool:
    """Whether a JSON object is an export of one chat or of all chats."""
    if not isinstance(value, dict):
        return False
    if any(isinstance(value.get(key), dict) and isinstance(value[key].get("list"), list) for key in _LISTS):
        return True
    messages = value.get("messages")
    if not isinstance(messages, list):
        return False
    found = [item for item in messages[:_PEEKED] if isinstance(item, dict)]
    told = [item for item in found if item.get("type") in {"message", "service"} and "date" in item]
    return bool(told) or (not found and {"type", "id", "name"} <= value.keys())


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each chat of the export."""
    for where, value in json_file(source).items():
        root = Place(source, where, value)
        root.mapping()
        lists = [root.key(key).key("list") for key in _LISTS]
        chats = [chat for each in lists for chat in each.objects()]
        for chat in chats or [root]:
            yield _conversation(chat, options)


def _conversation(chat: Place, options: Options) -> Conversation:
    name = chat.key("name").any_text()
    if name is None:
        saved = chat.value.get("type") == "saved_messages"
        identifier = chat.key("id").any_identifier()
        name = "Saved messages" if saved else f"Telegram chat {identifier}" if identifier else file_title(chat.source)
    talk = Talk(conversation_name(name), chat.source, options)
    key = chat.key("id").any_identifier() or talk.name
    return conversation(talk, chat.key("messages").objects, lambda talk, place: _message(talk, place, key))


def _message(talk: Talk, place: Place, chat: str) -> Message | None:
    if place.value.get("type", "message") != "message":
        return None
    sender = place.first("from", "actor").any_text() or _nameless(place)
    origin = place.key("forwarded_from").any_text()
    identifier = place.key("id").any_identifier()
    return talk.message(
        joined(text_of(place.key("text").value), _poll(place)),
        speaker=origin or sender,
        moment=_moment(place, talk.options),
        source_id=f"telegram:{chat}:{identifier}" if identifier else None,
        media=[mark] if (mark := _media(place)) else (),
        metadata={"forwarded_by": sender if origin else None, "sender_id": place.key("from_id").any_identifier()},
    )


def _nameless(place: Place) -> str:
    """Return a name for the writer of a deleted account."""
    identifier = place.key("from_id").any_identifier()
    return f"deleted account {identifier}" if identifier else "deleted account"


def text_of(value: object) -> str:
    """Return a text that is a string or a list of strings and objects with a `text`."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _media(place: Place) -> str:
    fields = place.value
    if fields.get("photo"):
        return attachment("photo")
    kind = fields.get("media_type")
    if isinstance(kind, str) and kind in _MEDIA:
        emoji = fields.get("sticker_emoji")
        return attachment(f"{_MEDIA[kind]} {emoji}" if isinstance(emoji, str) else _MEDIA[kind])
    if isinstance(fields.get("file"), str):
        name = place.key("file_name").any_text() or fields["file"]
        return attachment("file", None if name.startswith("(") else name)
    spot = fields.get("location_information")
    if isinstance(spot, dict):
        return attachment(f"location {spot.get('latitude')}, {spot.get('longitude')}")
    return attachment("contact") if isinstance(fields.get("contact_information"), dict) else ""


def _poll(place: Place) -> str:
    question = place.key("poll").key("question")
    return text_of(question.value)


def _moment(place: Place, options: Options) -> tuple[datetime | None, str | None]:
    """Return the instant, in the zone of the exporting computer where both clocks are given."""
    seconds, shown = place.key("date_unixtime"), place.key("date").value
    clock = from_iso(shown) if isinstance(shown, str) else None
    try:
        instant = from_epoch(float(seconds.value))
    except (TypeError, ValueError, OverflowError):
        instant = None
    if instant is None or clock is None or clock.tzinfo is not None:
        return place.first("date", "date_unixtime").known_time(options.zone)
    offset = clock.replace(tzinfo=UTC) - instant.replace(microsecond=0)
    if abs(offset) > _LONGEST_OFFSET or offset % timedelta(minutes=15):
        return localise(instant, options.zone)
    return localise(instant.astimezone(timezone(offset)), options.zone)
