"""PDF: the text of each page is a message, its number in the metadata. Pages without text are left out.

The file's dates say when it was produced, not when it was written, so the time is unknown.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Any

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.documents.extra import library
from mnemo.ingestion.readers.documents.parts import Frame, Part, messages
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source, format_error
from mnemo.models.graph import Message

__all__ = ["is_pdf", "read"]

_BROKEN = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, RecursionError, OSError),
    *(NotImplementedError, ArithmeticError, struct.error, zlib.error, EOFError, MemoryError),
)
"""What pypdf raises besides its own errors when a file is damaged."""


def is_pdf(head: bytes) -> bool:
    """Whether a file begins like a PDF."""
    return head.startswith(b"%PDF-")


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the file as one document.

    Raises:
        ReaderError: The extra `documents` is not installed.
    """
    pypdf = library("pypdf", source, "a PDF file")
    yield Conversation(source.name, source.label, lambda: _load(pypdf, source, options), path=source.identity)


def _load(pypdf: Any, source: Source, options: Options) -> Iterator[Message]:
    broken = (pypdf.errors.PyPdfError, *_BROKEN)
    with source.mapped_errors(), source.open() as file:
        try:
            reader = pypdf.PdfReader(file)
            if reader.is_encrypted and not reader.decrypt(""):
                raise format_error(source.path, "is a PDF file with a password")
            count, metadata = len(reader.pages), _metadata(reader)
        except ReaderError:
            raise
        except broken as error:
            raise format_error(source.path, f"is a PDF file that cannot be read: {error}") from error
        frame = Frame(source, (None, options.zone.key), metadata)
        empty = 0
        for number in range(count):
            try:
                text = reader.pages[number].extract_text()
            except broken as error:
                source.leave_out(source.error(f"page {number + 1}", f"cannot be read: {error}"))
                continue
            empty += not text.strip()
            part = Part(0, lines=text.split("\n"), metadata={"page": str(number + 1)})
            yield from messages(frame, part)
        if empty == count:
            raise format_error(source.path, "is a PDF file without text, such as scanned pages")


def _metadata(reader: Any) -> dict[str, Any]:
    stated = reader.metadata or {}
    found = {"title": stated.get("/Title"), "author": stated.get("/Author")}
    return {key: str(value).strip() for key, value in found.items() if value and str(value).strip()}
