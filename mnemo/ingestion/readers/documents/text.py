"""Plain text: one document, cut at blank lines into parts of at most 100,000 characters, streamed.

The file's name is the session, the parts keep their order. The file's own date is not when the text was written,
so it is not used.
"""

from collections.abc import Iterator

from mnemo.ingestion.readers.checks import MAX_PART_CHARS
from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.documents.parts import Frame, Part, messages
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source
from mnemo.models.graph import Message

__all__ = ["read"]


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the text as one document."""

    def load() -> Iterator[Message]:
        frame = Frame(source, (None, options.zone.key))
        for part in _split(iter(source.lines())):
            yield from messages(frame, part)

    yield Conversation(source.name, source.label, load, path=source.identity)


def _split(lines: Iterator[tuple[int, str]]) -> Iterator[Part]:
    """Cut at the first blank line past half the bound, at the latest at the bound."""
    part = Part(1)
    for number, line in lines:
        full = part.size + len(line) > MAX_PART_CHARS or (not line.strip() and part.size > MAX_PART_CHARS // 2)
        if full and part.text:
            yield part
            part = Part(number)
        part.add(line)
    if part.text:
        yield part
