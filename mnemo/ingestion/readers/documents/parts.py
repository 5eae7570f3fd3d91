"""Parts of a document, each a message with the role `document`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemo.ingestion.readers.checks import MAX_PART_CHARS
from mnemo.ingestion.readers.fields import flat_metadata
from mnemo.ingestion.readers.files.source import Source
from mnemo.models.graph import Message

__all__ = ["Frame", "Part", "messages"]


@dataclass(slots=True)
class Part:
    """Lines of one section and their position."""

    line: int
    headings: Sequence[str] = ()
    lines: list[str] = field(default_factory=list)
    size: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What only this part has, such as its page."""

    def add(self, line: str) -> None:
        """Append a line."""
        self.lines.append(line)
        self.size += len(line) + 1

    @property
    def text(self) -> str:
        """All lines, without blank ones at either end."""
        return "\n".join(self.lines).strip()


@dataclass(frozen=True, slots=True)
class Frame:
    """What all parts of one document have in common."""

    source: Source
    moment: tuple[datetime | None, str | None]
    metadata: Mapping[str, Any] = field(default_factory=dict)


def messages(frame: Frame, part: Part) -> Iterator[Message]:
    """Yield the part as messages; more than one only if a single line is over the bound."""
    text = part.text
    own = {"heading": " > ".join(part.headings) or None, "line": str(part.line) if part.line else None}
    for start in range(0, len(text), MAX_PART_CHARS):
        yield Message(
            content=text[start : start + MAX_PART_CHARS],
            role="document",
            session=frame.source.name,
            occurred_at=frame.moment[0],
            zone=frame.moment[1],
            source=frame.source.label,
            metadata=flat_metadata({**frame.metadata, **own, **part.metadata}),
        )
