"""LibreChat's export of one conversation: `messages` with `sender` and `text`, as a list or nested in `children`.

The branch that ends in the newest message is read where messages name their parents. `isCreatedByUser` tells the
user from the model; without it, a sender that is no known model is a speaker.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.assistants.branches import branch
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import ROLES, Options, Place, read_each
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment, file_title
from mnemo.models.graph import Message, Role

__all__ = ["matches", "read"]

_PEEKED = 50
_MODEL = re.compile(
    r"(?:chat)?gpt\b.*|o\d\b.*|claude\b.*|gemini\b.*|llama\b.*|mistral\b.*|mixtral\b.*|deepseek\b.*|qwen\b.*|"
    r"assistant|ai|bing|bingai|azure openai|anthropic|openai|palm\b.*|command[ -]r.*|grok\b.*|copilot",
    re.IGNORECASE,
)
_TEXTS = ("text", "content")
_NO_PARENT = "00000000-0000-0000-0000-000000000000"


def matches(value: Any) -> bool:
    """Whether a JSON object is one conversation."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    found = [item for item in value["messages"][:_PEEKED] if isinstance(item, dict)]
    return any("sender" in item and any(isinstance(item.get(key), (str, list)) for key in _TEXTS) for item in found)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the conversation of each object in the file."""
    for where, value in json_file(source).items():
        root = Place(source, where, value)
        root.mapping()
        title = root.key("title").any_text()
        talk = Talk(conversation_name(title) if title else file_title(source), source, options, by_day=False)
        load = partial(_messages, talk, root)
        yield Conversation(talk.name, source.label, load)


def _messages(talk: Talk, root: Place) -> Iterator[Message]:
    return read_each(_branch(_flat(root.key("messages")), root.key("messages")), partial(_message, talk))


def _flat(listed: Place) -> list[Place]:
    """Return messages that are nested in `children` one after the other."""
    found: list[Place] = []
    waiting = listed.objects()[::-1]
    while waiting:
        place = waiting.pop()
        found.append(place)
        waiting += place.key("children").objects()[::-1]
    return found


def _branch(places: list[Place], tree: Place) -> list[Place]:
    nodes = {uuid: place for place in places if (uuid := place.key("messageId").any_identifier())}

    def parent(node: Place) -> str | None:
        found = node.key("parentMessageId").any_text()
        return None if found in {None, _NO_PARENT} or found not in nodes else found

    if len(nodes) < len(places) or not any(map(parent, places)):
        return places
    last = max(places, key=lambda place: str(place.key("createdAt").value or ""))
    newest = last if last.key("createdAt").value else places[-1]
    try:
        return branch(nodes, str(newest.key("messageId").any_identifier()), parent, tree)
    except ReaderError:
        return places


def _message(talk: Talk, place: Place) -> Message | None:
    sender = place.key("sender").any_text()
    role = _role(place, sender)
    files = [attachment("file", file.first("filename", "name").any_text()) for file in place.key("files").objects()]
    name = None if sender is None or role != "user" or sender.lower() in ROLES else sender
    return talk.message(
        _text(place),
        speaker=name,
        moment=place.first("createdAt", "created_at", "timestamp", "date").known_time(talk.options.zone),
        source_id=place.key("messageId").any_identifier(),
        role=role,
        media=files,
        metadata={"model": place.key("model").any_text() or (sender if role == "assistant" else None)},
    )


def _role(place: Place, sender: str | None) -> Role:
    mine = place.key("isCreatedByUser").value
    if isinstance(mine, bool):
        return "user" if mine else "assistant"
    if sender is not None and sender.lower() in ROLES:
        return ROLES[sender.lower()]
    return "assistant" if sender is not None and _MODEL.fullmatch(sender) else "user"


def _text(place: Place) -> str:
    """Return the text, or the text parts of the content; thoughts and tool calls are left out."""
    if text := place.key("text").any_text():
        return text
    parts = place.key("content")
    texts = [part.key("text") for part in parts.objects() if part.value.get("type") == "text"]
    found = [text.any_text() or text.key("value").any_text() for text in texts]
    return "\n\n".join(filter(None, found)) or parts.any_text() or ""
