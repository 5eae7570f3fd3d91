"""What callers give to `add`, as messages: strings, messages, and dicts as chat APIs take them. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeAlias

from mnemo.errors import ArgumentError
from mnemo.models.graph import Message, Role

__all__ = ["MessageLike", "Messages", "as_messages"]

MessageLike: TypeAlias = str | Message | Mapping[str, Any]
"""A text of the user, a message, or a dict such as `{"role": "user", "content": "…"}`."""
Messages: TypeAlias = MessageLike | Iterable[MessageLike]
"""One message or several, in the order in which they were written."""

_ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_REPLY_KEYS = frozenset({"annotations", "audio", "function_call", "refusal", "tool_call_id", "tool_calls"})
"""Further keys of chat messages; calls are kept as text, the others hold nothing to remember."""
_KEYS = frozenset({"role", "content", "name", "id"}) | _REPLY_KEYS
_TEXT_KEYS = ("text", "refusal", "transcript")
_PLACEHOLDERS = ("image", "audio", "file", "video")


def as_messages(messages: Messages, now: datetime) -> tuple[Message, ...]:
    """Return messages in order.

    Args:
        messages: One or several; see `Messages`. A dict has `role`, `content` (a string or a list of content
            parts) and, optionally, `name` (the speaker) and `id` (the idempotency key). Images and sounds become
            `[image]`, `[audio]`; an assistant's message of nothing but tool calls becomes a text that names them.
        now: When strings and dicts were said, aware. A `Message` keeps its own time, also if that is None.

    Raises:
        ArgumentError: An item is of another type, or a dict has no role, no content or an unknown key. Names
            the item by its position, from 0, and nothing of its content.
    """
    return tuple(_message(item, place, now) for place, item in enumerate(_items(messages)))


def _items(messages: object) -> Iterator[object]:
    if isinstance(messages, str | Message | Mapping):
        yield messages
    elif isinstance(messages, Iterable) and not isinstance(messages, bytes | bytearray | memoryview):
        yield from messages
    else:
        shown = type(messages).__name__
        message = f"messages must be a string, a Message, a dict, or an iterable of these, got {shown}"
        raise ArgumentError(message)


def _message(item: object, place: int, now: datetime) -> Message:
    match item:
        case Message():
            return item
        case str():
            return Message(content=item, occurred_at=now)
        case Mapping():
            return _of_dict(item, place, now)
        case _:
            hint = " (use its `model_dump()`)" if hasattr(item, "model_dump") else ""
            message = f"message {place} must be a string, a Message or a dict, got {type(item).__name__}{hint}"
            raise ArgumentError(message)


def _of_dict(fields: Mapping[Any, Any], place: int, now: datetime) -> Message:
    unknown = sorted(str(key) for key in fields if key not in _KEYS)
    if unknown:
        raise _refusal(
            place, f"has the unknown key {unknown[0]!r}; use mnemo.Message for a session, a time or a source"
        )
    role = _role(fields, place)
    message = Message(
        content=_content(fields.get("content"), place) or _content(fields.get("refusal"), place),
        role=role,
        speaker=_text(fields, "name", place) if role in ("user", "assistant") else None,
        source_id=_text(fields, "id", place),
        occurred_at=now,
    )
    calls = _calls(fields)
    if message.content:
        return message
    if calls:
        return replace(message, role="tool", speaker=None, content=f"[calls {'; '.join(calls)}]")
    raise _refusal(place, "has no content")


def _role(fields: Mapping[Any, Any], place: int) -> Role:
    name = fields.get("role")
    if not isinstance(name, str) or name not in _ROLES:
        shown = repr(name) if isinstance(name, str) else "none" if name is None else type(name).__name__
        raise _refusal(place, f"must have a role of {', '.join(_ROLES)}, got {shown}")
    return _ROLES[name]


def _text(fields: Mapping[Any, Any], key: str, place: int) -> str | None:
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise _refusal(place, f"must have a string as {key}, got {type(value).__name__}")
    return value or None


def _content(value: object, place: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, list | tuple):
        raise _refusal(place, f"must have a string or a list of content parts as content, got {type(value).__name__}")
    return "\n\n".join(text for part in value if (text := _part(part, place)))


def _part(part: object, place: int) -> str:
    if isinstance(part, str):
        return part.strip()
    if not isinstance(part, Mapping):
        raise _refusal(place, f"has a content part that is neither a string nor a dict but {type(part).__name__}")
    for key in _TEXT_KEYS:
        if isinstance(part.get(key), str):
            return str(part[key]).strip()
    kind = str(part.get("type", ""))
    return next((f"[{name}]" for name in _PLACEHOLDERS if name in kind), "")


def _calls(fields: Mapping[Any, Any]) -> list[str]:
    """Return the tool calls of a message as `name(arguments)`."""
    calls = fields.get("tool_calls") or ()
    functions = [call.get("function") for call in calls if isinstance(call, Mapping)] if _is_list(calls) else []
    functions.append(fields.get("function_call"))
    return [_call(each) for each in functions if isinstance(each, Mapping)]


def _call(function: Mapping[Any, Any]) -> str:
    arguments = function.get("arguments", "")
    shown = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return f"{function.get('name', 'tool')}({shown})"


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _refusal(place: int, problem: str) -> ArgumentError:
    return ArgumentError(f"message {place} {problem}; nothing was stored")
