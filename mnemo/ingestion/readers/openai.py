"""Message arrays as chat-completion APIs take them.

A file is one array of messages, an object with `messages`, an array of such objects or arrays, or JSON Lines
of such objects (the fine-tuning layout). Each list of messages is a conversation; an object's `id`,
`conversation_id` or `title` names it.

Content may be a string or parts: texts are joined by blank lines, an image or a sound stands as `[image]`
or `[audio]`. `name` is the speaker. Tool calls are kept in the metadata; a message of nothing but calls has
the role `tool` and the text `[calls name(arguments)]`. Empty messages are left out. A message may carry
`id`, and its time as `time`, `timestamp` or `created_at` (ISO 8601 or Unix seconds).
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, role_of, speaker_of
from mnemo.ingestion.readers.source import Source
from mnemo.models.graph import Message, Role

__all__ = ["content_text", "read"]

_TIME_KEYS = ("time", "timestamp", "created_at", "create_time")
_NAME_KEYS = ("id", "conversation_id", "title")
_KEPT_KEYS = ("tool_call_id", "tool_calls", "function_call", "model")
_TEXT_KEYS = ("text", "refusal", "transcript")
_PARTS = {"image": "[image]", "audio": "[audio]", "file": "[file]", "video": "[video]"}


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each list of messages of the file as a conversation."""
    taken: dict[str, int] = {}
    for place in _lists(source):
        listed = place.key("messages") if isinstance(place.value, dict) else place
        name = _name(place, source)
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name} {taken[name]}"
        yield Conversation(name, source.label, partial(_messages, listed, name, options))


def _lists(source: Source) -> Iterator[Place]:
    """Yield every list of messages, or object that holds one, with its place."""
    lines = source.lines()
    first = next(((number, line) for number, line in lines if line.strip()), (1, ""))
    if _is_lines(first[1]):
        yield Place(source, first[0], source.json_line(*first))
        yield from (Place(source, number, source.json_line(number, line)) for number, line in lines if line.strip())
        return
    values = [Place(source, path, value) for path, value in source.values()]
    if values and isinstance(values[0].value, dict) and "messages" not in values[0].value:
        yield Place(source, "$", [place.value for place in values])
        return
    yield from values


def _is_lines(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return "messages" in json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return False


def _name(place: Place, source: Source) -> str:
    if isinstance(place.value, dict):
        for key in _NAME_KEYS:
            if name := place.key(key).identifier():
                return conversation_name(f"{source.name} {name}")
    return source.name


def _messages(listed: Place, session: str, options: Options) -> Iterator[Message]:
    for place in listed.items():
        place.mapping()
        message = _message(place, session, options)
        if message.content:
            yield message


def _message(place: Place, session: str, options: Options) -> Message:
    role = role_of(place.key("role"))
    content = content_text(place.key("content"))
    calls = _calls(place.value)
    if not content and calls:
        role, content = "tool", f"[calls {'; '.join(calls)}]"
    time, zone = _time(place).time(place.key("zone").zone(options.zone))
    return Message(
        content=content,
        role=role,
        speaker=_speaker(role, place),
        session=session,
        occurred_at=time,
        zone=zone,
        source=place.source.label,
        source_id=place.key("id").identifier(),
        metadata=_metadata(role, place.value),
    )


def _speaker(role: Role, place: Place) -> str | None:
    name = place.key("name").optional_text()
    return None if role in {"tool", "system"} else speaker_of(role, name)


def _time(place: Place) -> Place:
    key = next((key for key in _TIME_KEYS if place.value.get(key) is not None), _TIME_KEYS[0])
    return place.key(key)


def _metadata(role: Role, fields: dict[str, Any]) -> dict[str, str]:
    kept = {key: fields.get(key) for key in _KEPT_KEYS}
    if role in {"tool", "system"}:
        kept["name"] = fields.get("name")
    return flat_metadata(kept)


def content_text(place: Place) -> str:
    """Return content as text: a string, or its parts; "" for null.

    Raises:
        ReaderError: It is neither string, array nor null, or a part is neither string nor object.
    """
    if place.value is None:
        return ""
    if isinstance(place.value, str):
        return place.value.strip()
    if not isinstance(place.value, list):
        raise place.misfit("a string, an array of parts, or null")
    return "\n\n".join(text for part in place.items() if (text := _part(part)))


def _part(place: Place) -> str:
    if isinstance(place.value, str):
        return place.value.strip()
    part = place.mapping()
    for key in _TEXT_KEYS:
        if isinstance(part.get(key), str):
            return str(part[key]).strip()
    kind = str(part.get("type", ""))
    return next((shown for word, shown in _PARTS.items() if word in kind), "")


def _calls(fields: dict[str, Any]) -> Sequence[str]:
    calls = fields.get("tool_calls") or []
    functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    functions.append(fields.get("function_call"))
    return [f"{f.get('name', 'tool')}({f.get('arguments', '')})" for f in functions if isinstance(f, dict)]
