"""Message arrays as chat-completion APIs take them.

A file is one array of messages, an object with `messages`, an array of such objects or arrays, or JSON Lines of
any of these (the fine-tuning layout). Each list of messages is a conversation; an object's `id`,
`conversation_id` or `title` names it. Messages differ from those of other programs by their `role`.

Content may be a string or parts: texts are joined by blank lines, an image or a sound becomes `[image]`
or `[audio]`. `name`, or any other field for an author, is the speaker. Tool calls are kept in the metadata; a
message of nothing but calls has the role `tool` and the text `[calls name(arguments)]`. Empty messages are left
out. A message may carry `id`, and its time as `time`, `timestamp` or `created_at` (ISO 8601 or Unix seconds).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import ROLES, Options, Place, read_each, role_of
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.tables.columns import author_name
from mnemo.ingestion.readers.talk import Talk
from mnemo.models.graph import Message, Role

__all__ = ["content_text", "matches", "read", "shown_parts"]

_PEEKED = 50
_TIME_KEYS = ("time", "timestamp", "created_at", "createdAt", "create_time", "date")
_NAME_KEYS = ("id", "conversation_id", "title")
_AUTHOR_KEYS = ("name", "speaker", "author", "sender", "from", "user", "username", "sender_name")
_KEPT_KEYS = ("tool_call_id", "tool_calls", "function_call", "model")
_TEXT_KEYS = ("text", "refusal", "transcript")
_PARTS = {"image": "[image]", "audio": "[audio]", "file": "[file]", "video": "[video]"}


def matches(value: Any) -> bool:
    """Whether a JSON value is a message with a role, a list of such, or an object that holds one."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        return _has_roles(value["messages"]) or not value["messages"]
    return _has_roles(value) if isinstance(value, list) else _is_message(value)


def _has_roles(items: list[Any]) -> bool:
    return any(_is_message(item) for item in items[:_PEEKED])


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("role"), str):
        return False
    return value["role"].strip().lower() in ROLES and ("content" in value or "tool_calls" in value)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each list of messages of the file as a conversation."""
    items = (Place(source, where, value) for where, value in json_file(source).items())
    first = next(items, None)
    if first is None:
        return
    if isinstance(first.value, dict) and "messages" not in first.value:
        talk = Talk(source.name, source, options, by_day=False)
        yield Conversation(talk.name, source.label, lambda: _flat(talk))
        return
    taken: dict[str, int] = {}
    for place in chain([first], items):
        listed = place.key("messages") if isinstance(place.value, dict) else place
        name = _name(place, source)
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name} {taken[name]}"
        talk = Talk(name, source, options, by_day=False)
        yield Conversation(name, source.label, partial(_listed, talk, listed))


def _flat(talk: Talk) -> Iterator[Message]:
    """Yield the messages of a file whose items are messages."""
    places = (Place(talk.source, where, value) for where, value in json_file(talk.source).items())
    return read_each(places, partial(_message, talk))


def _listed(talk: Talk, listed: Place) -> Iterator[Message]:
    return read_each(listed.items(), partial(_message, talk))


def _name(place: Place, source: Source) -> str:
    for key in _NAME_KEYS:
        if name := place.key(key).any_identifier():
            return conversation_name(f"{source.name} {name}")
    return source.name


def _message(talk: Talk, place: Place) -> Message | None:
    place.mapping()
    author = next((name for key in _AUTHOR_KEYS if (name := author_name(place.value.get(key)))), None)
    if place.key("role").value is None and author is None:
        raise place.error("has neither a `role` nor a field that says who wrote it")
    role = role_of(place.key("role"))
    content = content_text(place.key("content"))
    calls = _calls(place.value)
    if not content and calls:
        role, content = "tool", f"[calls {'; '.join(calls)}]"
    return talk.message(
        content,
        speaker=author,
        moment=place.first(*_TIME_KEYS).known_time(place.key("zone").zone(talk.options.zone)),
        source_id=place.key("id").any_identifier(),
        role=role,
        media=shown_parts(content),
        metadata=_metadata(role, place.value),
    )


def _metadata(role: Role, fields: dict[str, Any]) -> dict[str, Any]:
    kept = {key: fields.get(key) for key in _KEPT_KEYS}
    if role in {"tool", "system"}:
        kept["name"] = fields.get("name")
    return kept


def content_text(place: Place) -> str:
    """Return content as text: a string, or its parts; "" for null.

    Raises:
        ReaderError: It is neither string, array nor null, or a part is neither string nor object.
    """
    if place.value is None:
        return ""
    if isinstance(place.value, str):
        return place.text().strip()
    if not isinstance(place.value, list):
        raise place.must_be("a string, an array of parts, or null")
    return "\n\n".join(text for part in place.items() if (text := _part(part)))


def shown_parts(content: str) -> list[str]:
    """Return placeholders for parts that are not text, such as `[image]`, each as its own paragraph."""
    return [part for part in content.split("\n\n") if part in _PARTS.values()]


def _part(place: Place) -> str:
    if isinstance(place.value, str):
        return place.text().strip()
    part = place.mapping()
    for key in _TEXT_KEYS:
        if isinstance(part.get(key), str):
            return place.key(key).text().strip()
    kind = str(part.get("type", ""))
    return next((shown for word, shown in _PARTS.items() if word in kind), "")


def _calls(fields: dict[str, Any]) -> Sequence[str]:
    calls = fields.get("tool_calls") or []
    functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    functions.append(fields.get("function_call"))
    return [f"{f.get('name', 'tool')}({f.get('arguments', '')})" for f in functions if isinstance(f, dict)]
