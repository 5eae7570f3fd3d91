"""ShareGPT: objects with `conversations`, a list of turns with `from` and `value`, in an array or one per line.

`human` and `user` are the user, `gpt` and other models the assistant; any other name is a speaker. Turns have no
times. With the object's `id`, a turn is known again by its number.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mnemo.ingestion.readers.assistants.openai import content_text
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import ROLES, Options, Place, read_each
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk
from mnemo.models.graph import Message, Role

__all__ = ["matches", "read"]

_LISTS = ("conversations", "conversation", "items")
_FROM = ("from", "role")
_VALUE = ("value", "content", "text")
_MODELS = {"bing", "bard", "claude", "gemini", "llama", "mistral", "gpt4", "gpt-4", "gpt-3.5", "chatbot", "copilot"}
_TOOLS = {"observation", "function_call", "function_response", "tool_call", "tool_response"}


def matches(value: Any) -> bool:
    """Whether a JSON object is a list of turns with `from` and `value`."""
    return isinstance(value, dict) and any(_has_turns(value.get(key)) for key in _LISTS)


def _has_turns(turns: Any) -> bool:
    found = [turn for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
    return any("from" in turn and "value" in turn for turn in found) or (
        bool(found) and all("role" in turn and ("content" in turn or "value" in turn) for turn in found)
    )


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each object's turns as a conversation, streamed."""
    places = (Place(source, where, value) for where, value in json_file(source).items())
    yield from read_each(places, partial(_conversation, options))


def _conversation(options: Options, place: Place) -> Conversation:
    place.mapping()
    turns = next((place.key(key) for key in _LISTS if isinstance(place.key(key).value, list)), None)
    if turns is None:
        raise place.error("is no ShareGPT conversation: it has no list `conversations`")
    identifier = place.first("id", "conversation_id").any_identifier()
    name = conversation_name(f"{place.source.name} {identifier}" if identifier else place.source.name)
    talk = Talk(name, place.source, options, by_day=False)
    prefix = f"sharegpt:{identifier}" if identifier else None
    return Conversation(name, place.source.label, lambda: _messages(talk, place, turns, prefix))


def _messages(talk: Talk, place: Place, turns: Place, prefix: str | None) -> Iterator[Message]:
    system = place.key("system").any_text()
    if system and (first := talk.message(system, speaker=None, moment=(None, talk.options.zone.key), role="system")):
        yield first
    numbers = {turn.where: number for number, turn in enumerate(turns.items())}

    def read_turn(turn: Place) -> Message | None:
        return _message(talk, turn, f"{prefix}:{numbers[turn.where]}" if prefix else None)

    yield from read_each(turns.items(), read_turn)


def _message(talk: Talk, turn: Place, source_id: str | None) -> Message | None:
    turn.mapping()
    name = turn.first(*_FROM).any_text() or "human"
    role = _role(name.lower())
    return talk.message(
        content_text(turn.first(*_VALUE)),
        speaker=None if role != "user" or name.lower() in ROLES else name,
        moment=turn.first("time", "timestamp", "created_at", "date").known_time(talk.options.zone),
        source_id=source_id,
        role=role,
    )


def _role(name: str) -> Role:
    if name in _TOOLS:
        return "tool"
    return "assistant" if name in _MODELS else ROLES.get(name, "user")
