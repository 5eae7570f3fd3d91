"""Slack's export: a folder or zip with `users.json`, lists of channels, and a folder of daily JSON files for each.

Each daily file is read by itself; names come from `users.json`, else from the message's own `user_profile`. Mentions
become names. Joins, topics, pins and the like have the role `system`, apps the role `assistant`. A message's id is
its channel and `ts`. Direct messages are named by their members.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.chats.slack_markup import plain_text
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, read_each
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment, joined
from mnemo.models.graph import Message

__all__ = ["matches", "read"]

_TS = re.compile(r"\d{9,11}\.\d{1,9}")
_SAID = {"", "me_message", "thread_broadcast", "file_share", "file_comment", "bot_message", "reply_broadcast"}
_DIRECT = ("dms.json", "mpims.json")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_NAMES = 4


def matches(value: Any) -> bool:
    """Whether an item of a JSON array is a Slack message."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("ts"), str)
        and _TS.fullmatch(value["ts"]) is not None
        and (value.get("type") == "message" or "user" in value or "bot_id" in value)
    )


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the day of a channel that a file holds."""
    people, channel = _people(source), _channel(source)
    talk = Talk(channel, source, options)

    def load() -> Iterator[Message]:
        places = (Place(source, where, value) for where, value in json_file(source).items())
        return read_each(places, partial(_message, talk, people))

    day = source.name.rsplit("/", 1)[-1]
    yield Conversation(f"{channel} {day}" if _DAY.fullmatch(day) else channel, source.label, load)


def _message(talk: Talk, people: Mapping[str, str], place: Place) -> Message | None:
    fields = place.mapping()
    if fields.get("type", "message") != "message":
        return None
    subtype = str(fields.get("subtype") or "")
    stamp = place.key("ts").any_text()
    profile = place.key("user_profile")
    user = place.key("user").any_text()
    known = {**people, user: _profile_name(profile)} if user and user not in people else people
    name = known.get(user or "") or place.key("username").any_text() or place.key("bot_profile").key("name").any_text()
    bot = subtype == "bot_message" or (place.key("bot_id").value is not None and user not in people)
    files = [attachment("file", file.first("name", "title").any_text()) for file in place.key("files").objects()]
    return talk.message(
        plain_text(place.key("text").any_text() or _attached(place), known),
        speaker=name or user or "unknown member",
        moment=place.key("ts").known_time(talk.options.zone),
        source_id=f"slack:{talk.name}:{stamp}" if stamp else None,
        role="system" if subtype not in _SAID else "assistant" if bot else "user",
        media=files,
        metadata={"thread": place.key("thread_ts").any_text(), "subtype": subtype or None},
    )


def _attached(place: Place) -> str:
    """Return the text of an app's message that has attachments only."""
    texts = (each.first("pretext", "text", "fallback").any_text() for each in place.key("attachments").objects())
    return joined(*texts)


def _people(source: Source) -> Mapping[str, str]:
    """Return names by user id, read once an export."""
    found = _beside(source, "users.json")
    if found is None:
        return {}
    key = ("slack people", found.path)
    if key not in source.shared:
        source.shared[key] = {
            str(user["id"]): name
            for user in _list(found)
            if isinstance(user.get("id"), str) and (name := _user_name(user))
        }
    people: Mapping[str, str] = source.shared[key]
    return people


def _channel(source: Source) -> str:
    """Return the channel's name: its folder, or the members of a direct message."""
    folder = source.folders[-1] if source.folders else source.name
    people = _people(source)
    for name in _DIRECT:
        found = _beside(source, name)
        for each in _list(found) if found else ():
            members = each.get("members")
            if folder in (each.get("id"), each.get("name")) and isinstance(members, list):
                names = [people.get(str(member), str(member)) for member in members]
                return conversation_name(", ".join(names[:_MOST_NAMES]) or folder)
    return conversation_name(folder)


def _beside(source: Source, name: str) -> Source | None:
    return source.neighbour(name, up=1) or source.neighbour(name)


def _list(source: Source) -> list[dict[str, Any]]:
    key = ("slack list", source.path)
    if key not in source.shared:
        try:
            source.shared[key] = [value for _, value in json_file(source).items() if isinstance(value, dict)]
        except ReaderError:
            source.shared[key] = []
    found: list[dict[str, Any]] = source.shared[key]
    return found


def _user_name(user: Mapping[str, Any]) -> str | None:
    profile = user.get("profile")
    names = [profile.get(key) for key in ("real_name", "display_name")] if isinstance(profile, dict) else []
    names = [names[0] if names else None, user.get("real_name"), *names[1:], user.get("name")]
    return next((name.strip() for name in names if isinstance(name, str) and name.strip()), None)


def _profile_name(profile: Place) -> str:
    return next(
        (name for key in ("real_name", "display_name", "first_name", "name") if (name := profile.key(key).any_text())),
        "",
    )
