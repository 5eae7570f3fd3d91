"""Open WebUI's export: an array of chats, each with `chat.history.messages` as a tree, or `chat.messages` as a list.

The branch that ends at `currentId` is read. The model's reasoning, inside `<details>` of its answers,
is left out. A model's answer has the model's name in its metadata; its speaker is `assistant`.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from mnemo.ingestion.readers.assistants.branches import branch
from mnemo.ingestion.readers.assistants.openai import content_text, shown_parts
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, read_each, role_of
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment
from mnemo.models.graph import Message

__all__ = ["matches", "read"]

_ID_CHARS = 8
_REASONING = re.compile(r'<details type="(?:reasoning|tool_calls|code_interpreter)".*?</details>\s*', re.DOTALL)


def matches(value: Any) -> bool:
    """Whether a JSON object is one chat of the export, with its frame or without."""
    if not isinstance(value, dict):
        return False
    inner = value.get("chat")
    chat = inner if isinstance(inner, dict) else value
    history = chat.get("history")
    tree = isinstance(history, dict) and isinstance(history.get("messages"), (dict, list))
    return tree or (chat is not value and isinstance(chat.get("messages"), list))


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each chat of the export, streamed."""
    places = (Place(source, where, value) for where, value in json_file(source).items())
    yield from read_each(places, partial(_conversation, options))


def _conversation(options: Options, place: Place) -> Conversation:
    place.mapping()
    chat = place.key("chat") if isinstance(place.key("chat").value, dict) else place
    title = place.key("title").any_text() or chat.key("title").any_text()
    if not matches(place.value):
        name = f" ({place.source.shown(title)})" if title else ""
        raise place.error(f"is no Open WebUI chat{name}: it has no `chat` with its messages")
    identifier = place.key("id").any_identifier() or chat.key("id").any_identifier() or str(place.where)
    name = conversation_name(f"{(title or place.source.name)[:80]} ({identifier[:_ID_CHARS]})")
    talk = Talk(name, place.source, options, by_day=False)
    return Conversation(name, place.source.label, lambda: read_each(_branch(chat), partial(_message, talk, title)))


def _branch(chat: Place) -> list[Place]:
    history = chat.key("history")
    tree = history.key("messages")
    if not isinstance(tree.value, dict) or not tree.value:
        return tree.objects() or chat.key("messages").objects()
    nodes = {key: tree.key(key) for key, node in tree.value.items() if isinstance(node, dict)}
    leaf = history.key("currentId").any_text() or _newest_leaf(nodes)
    if leaf is None:
        return list(nodes.values())
    return branch(nodes, leaf, lambda node: node.key("parentId").any_text(), tree)


def _newest_leaf(nodes: dict[str, Place]) -> str | None:
    leaves = [key for key, node in nodes.items() if not node.value.get("childrenIds")]
    return leaves[-1] if leaves else None


def _message(talk: Talk, title: str | None, place: Place) -> Message | None:
    role = role_of(place.key("role"))
    text = _REASONING.sub("", content_text(place.key("content")))
    files = [attachment("file", file.key("name").any_text()) for file in place.key("files").objects()]
    return talk.message(
        text,
        speaker=None,
        moment=place.key("timestamp").known_time(talk.options.zone),
        source_id=place.key("id").any_identifier(),
        role=role,
        media=[*files, *shown_parts(text)],
        metadata={"title": title, "model": place.first("model", "modelName").any_text()},
    )
