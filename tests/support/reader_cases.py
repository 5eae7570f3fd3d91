"""Files to read, and what readers make of them as lines of text."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mnemo.ingestion.readers import Reading, read, read_path
from mnemo.models.files import Report
from mnemo.models.graph import Message

CASES = Path(__file__).parent.parent / "cases" / "readers"
ZONE = "Europe/Paris"


def write(folder: Path, name: str, content: str | bytes | Iterable[Any] | dict[str, Any]) -> Path:
    """Write a file below a folder; what is no text and no bytes is written as JSON."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def messages(path: Path, *args: Any, **options: Any) -> list[Message]:
    """Return all messages; raises at the first problem."""
    return [message for conversation in read(path, *args, **options) for message in conversation]


def tolerant(path: Path, **options: Any) -> tuple[list[Message], Report]:
    """Return all messages that can be read, and the report."""
    reading = read_path(path, **options)
    found = [message for conversation in reading for message in conversation]
    return found, reading.report()


def names(path: Path, **options: Any) -> list[str]:
    """Return the names of all conversations."""
    return [conversation.name for conversation in read(path, **options)]


def spoken(found: Iterable[Message]) -> list[tuple[str | None, str]]:
    """Return who says what."""
    return [(message.speaker, message.content) for message in found]


def when(message: Message) -> str:
    """Return the local time of a message to the second, `-` for an unknown one."""
    return message.occurred_at.strftime("%Y-%m-%d %H:%M:%S") if message.occurred_at else "-"


def rendered(path: Path, **options: Any) -> str:
    """Return what is read of a path: conversations with their messages, and the report."""
    reading = read_path(path, zone=ZONE, **options)
    lines = [*_conversations(reading), *(f"! {line}" for line in reading.report().lines())]
    return "".join(f"{line}\n" for line in lines)


def expected(name: str) -> str:
    """Return what must be read of a case, from the file of its name and `.expected`."""
    return CASES.joinpath(f"{name}.expected").read_text(encoding="utf-8")


def _conversations(reading: Reading) -> Iterable[str]:
    for conversation in reading:
        yield f"# {conversation.name} < {conversation.file}"
        for message in conversation:
            time = message.occurred_at.isoformat() if message.occurred_at else "-"
            who = message.speaker or message.role
            yield f"{time} {who}: {message.content!r}"
            extra = {"role": message.role, "session": message.session, "id": message.source_id, **message.metadata}
            yield "    " + " ".join(f"{key}={value}" for key, value in extra.items() if value)
