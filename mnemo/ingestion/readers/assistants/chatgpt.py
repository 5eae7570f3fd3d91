"""ChatGPT's data export: `conversations.json`, an array of message trees.

Of each tree the current branch is read: from `current_node` up to the root, oldest first; edits and
regenerated answers beside it are left out. Times are Unix seconds. Hidden messages, the model's own
thoughts, custom instructions and empty nodes are left out; system messages that say something are
kept as such. Images and sounds become `[image]` and `[audio]`. What the assistant sends to a tool has
the role `tool`, like what the tool answers. Conversation and session are named by title and id. A conversation
that is no tree is left out, the others are read.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mnemo.ingestion.readers.assistants.branches import branch
from mnemo.ingestion.readers.assistants.openai import shown_parts
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, read_each, role_of
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk
from mnemo.models.graph import Message, Role

__all__ = ["matches", "read"]

_PRIVATE = {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"}
_TEXT_KEYS = ("text", "result", "content")
_ID_CHARS = 8


def matches(value: Any) -> bool:
    """Whether a JSON object is one conversation of the export."""
    return isinstance(value, dict) and ("mapping" in value or {"title", "create_time", "current_node"} <= value.keys())


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the current branch of each conversation of the export, streamed."""
    places = (Place(source, where, value) for where, value in json_file(source).items())
    yield from read_each(places, partial(_conversation, options))


def _conversation(options: Options, place: Place) -> Conversation:
    place.mapping()
    if not isinstance(place.key("mapping").value, dict):
        title = place.key("title").any_text()
        name = f" ({place.source.shown(title)})" if title else ""
        raise place.error(f"is no ChatGPT conversation{name}: it has no `mapping` with its messages")
    title = place.key("title").any_text() or place.source.name
    identifier = place.first("conversation_id", "id").any_identifier() or str(place.where)
    talk = Talk(conversation_name(f"{title[:80]} ({identifier[:_ID_CHARS]})"), place.source, options, by_day=False)
    return Conversation(talk.name, place.source.label, lambda: _messages(talk, place))


def _messages(talk: Talk, place: Place) -> Iterator[Message]:
    return read_each(_branch(place), partial(_message, talk, place.key("title").any_text()))


def _branch(place: Place) -> list[Place]:
    """Return the nodes from the root to the current one."""
    mapping = place.key("mapping")
    nodes = {key: mapping.key(key) for key, node in mapping.value.items() if isinstance(node, dict)}
    leaf = place.key("current_node").any_text() or _newest_leaf(nodes)
    return [] if leaf is None else branch(nodes, leaf, lambda node: node.key("parent").any_text(), mapping)


def _newest_leaf(nodes: dict[str, Place]) -> str | None:
    """Return the last leaf of the mapping, for exports without `current_node`."""
    leaves = [key for key, node in nodes.items() if not node.value.get("children")]
    return leaves[-1] if leaves else None


def _hidden(message: Place) -> bool:
    flag = message.key("metadata").key("is_visually_hidden_from_conversation")
    return bool(flag.value) or message.value.get("weight") == 0


def _content(content: Place) -> str:
    if not isinstance(content.value, dict) or content.value.get("content_type") in _PRIVATE:
        return ""
    if isinstance(content.value.get("parts"), list):
        texts = [_part(part) for part in content.key("parts").items()]
        return "\n\n".join(text for text in texts if text)
    return next((text for key in _TEXT_KEYS if (text := content.key(key).any_text())), "")


def _part(place: Place) -> str:
    if isinstance(place.value, str):
        return place.value.strip()
    if text := place.key("text").any_text():
        return text
    kind = place.key("content_type").any_text() or ""
    return next((f"[{word}]" for word in ("image", "audio", "video") if word in kind), "")


def _message(talk: Talk, title: str | None, node: Place) -> Message | None:
    place = node.key("message")
    if place.value is None:
        return None
    place.mapping()
    content = "" if _hidden(place) else _content(place.key("content"))
    if not content:
        return None
    role = _role(place)
    return talk.message(
        content,
        speaker=None,
        moment=place.key("create_time").known_time(talk.options.zone),
        source_id=place.key("id").any_identifier(),
        role=role,
        media=shown_parts(content),
        metadata={
            "title": title,
            "model": place.key("metadata").key("model_slug").any_text(),
            "tool": place.key("author").key("name").any_text() if role == "tool" else None,
        },
    )


def _role(place: Place) -> Role:
    author = place.key("author")
    author.mapping()
    role = role_of(author.key("role"))
    called = place.value.get("recipient") not in (None, "all")
    return "tool" if role == "assistant" and called else role
