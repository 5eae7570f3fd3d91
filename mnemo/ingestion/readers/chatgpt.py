"""ChatGPT's data export: `conversations.json`, an array of message trees.

Of each tree the current branch is read: from `current_node` up to the root, oldest first; edits and
regenerated answers beside it are left out. Times are Unix seconds. Hidden messages, the model's own
thoughts, custom instructions and empty nodes are left out; system messages that say something are
kept as such. Images and sounds stand as `[image]` and `[audio]`. What the assistant sends to a tool has
the role `tool`, like what the tool answers. Conversation and session are named by title and id.
"""

from collections.abc import Iterator
from functools import partial

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, role_of, speaker_of
from mnemo.ingestion.readers.source import Source
from mnemo.models.graph import Message, Role

__all__ = ["read"]

_PRIVATE = {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"}
_TEXT_KEYS = ("text", "result", "content")
_ID_CHARS = 8


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the current branch of each conversation of the export, streamed."""
    for path, value in source.values():
        place = Place(source, path, value)
        place.mapping()
        place.key("mapping").mapping()
        name = _name(place, source)
        yield Conversation(name, source.label, partial(_messages, place, name, options))


def _name(place: Place, source: Source) -> str:
    title = place.key("title").optional_text() or source.name
    identifier = place.key("conversation_id").identifier() or place.key("id").identifier() or str(place.where)
    return conversation_name(f"{title[:80]} ({identifier[:_ID_CHARS]})")


def _messages(place: Place, name: str, options: Options) -> Iterator[Message]:
    title = place.key("title").optional_text()
    for node in _branch(place):
        message = node.key("message")
        if message.value is None:
            continue
        message.mapping()
        content = "" if _hidden(message) else _content(message.key("content"))
        if content:
            yield _message(message, content, name, (title, options))


def _branch(place: Place) -> list[Place]:
    """Return the nodes from the root to the current one."""
    mapping = place.key("mapping")
    current = place.key("current_node").optional_text() or _newest_leaf(mapping)
    branch: list[Place] = []
    seen: set[str] = set()
    while current is not None:
        if current in seen:
            raise mapping.misfit("a tree", f"a cycle at {place.source.shown(current)}")
        seen.add(current)
        node = mapping.key(current)
        if node.value is None:
            raise mapping.misfit(f"a node {place.source.shown(current)}", "none")
        node.mapping()
        branch.append(node)
        current = node.key("parent").optional_text()
    return branch[::-1]


def _newest_leaf(mapping: Place) -> str | None:
    """Return the last leaf of the mapping, for exports without `current_node`."""
    leaves = [key for key, node in mapping.value.items() if isinstance(node, dict) and not node.get("children")]
    return leaves[-1] if leaves else None


def _hidden(message: Place) -> bool:
    metadata = message.value.get("metadata")
    flagged = isinstance(metadata, dict) and bool(metadata.get("is_visually_hidden_from_conversation"))
    return flagged or message.value.get("weight") == 0


def _content(content: Place) -> str:
    if content.value is None:
        return ""
    fields = content.mapping()
    if fields.get("content_type") in _PRIVATE:
        return ""
    if fields.get("parts") is not None:
        texts = [_part(part) for part in content.key("parts").items()]
        return "\n\n".join(text for text in texts if text)
    shown = (fields[key].strip() for key in _TEXT_KEYS if isinstance(fields.get(key), str))
    return next((text for text in shown if text), "")


def _part(place: Place) -> str:
    if place.value is None:
        return ""
    if isinstance(place.value, str):
        return place.value.strip()
    part = place.mapping()
    if isinstance(part.get("text"), str):
        return str(part["text"]).strip()
    kind = str(part.get("content_type", ""))
    return next((f"[{word}]" for word in ("image", "audio", "video") if word in kind), "")


def _message(place: Place, content: str, name: str, settings: tuple[str | None, Options]) -> Message:
    title, options = settings
    author = place.key("author")
    role = _role(place, author)
    time, zone = place.key("create_time").time(options.zone)
    metadata = place.value.get("metadata") if isinstance(place.value.get("metadata"), dict) else {}
    return Message(
        content=content,
        role=role,
        speaker=speaker_of(role, None),
        session=name,
        occurred_at=time,
        zone=zone,
        source=place.source.label,
        source_id=place.key("id").identifier(),
        metadata=flat_metadata(
            {
                "title": title,
                "model": metadata.get("model_slug"),
                "tool": author.value.get("name") if role == "tool" else None,
            }
        ),
    )


def _role(place: Place, author: Place) -> Role:
    author.mapping()
    role = role_of(author.key("role"))
    called = place.value.get("recipient") not in {None, "all"}
    return "tool" if role == "assistant" and called else role
