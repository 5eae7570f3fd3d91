"""Word files (.docx): paragraphs and tables in order, cut at headings like Markdown.

Rows of tables are lines with bars between their cells. The file's dates say when it was saved, so the time is
unknown.
"""

import io
import re
from collections.abc import Iterator
from typing import Any
from zipfile import BadZipFile, ZipFile

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.documents.extra import library
from mnemo.ingestion.readers.documents.markdown import sections
from mnemo.ingestion.readers.documents.parts import Frame, messages
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source, format_error
from mnemo.models.graph import Message

__all__ = ["is_docx", "read"]

_MOST_BYTES = 200_000_000
_MOST_UNPACKED = 500_000_000
_LEVEL = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop)\s*([1-6])", re.IGNORECASE)
_BROKEN = (BadZipFile, KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, RecursionError)


def is_docx(names: list[str]) -> bool:
    """Whether an archive with files of these names is a Word file."""
    return "word/document.xml" in names


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the file as one document.

    Raises:
        ReaderError: The extra `documents` is not installed.
    """
    docx = library("docx", source, "a Word file")
    yield Conversation(source.name, source.label, lambda: _load(docx, source, options), path=source.identity)


def _load(docx: Any, source: Source, options: Options) -> Iterator[Message]:
    try:
        document = docx.Document(io.BytesIO(_bytes(source)))
        lines = list(_lines(docx, document))
        stated = document.core_properties
        metadata = {"title": stated.title.strip() or None, "author": stated.author.strip() or None}
    except ReaderError:
        raise
    except (*_BROKEN, docx.exceptions.PythonDocxError, docx.opc.exceptions.OpcError) as error:
        raise format_error(source.path, f"is a Word file that cannot be read: {error}") from error
    frame = Frame(source, (None, options.zone.key), metadata)
    for part in sections(enumerate(lines, 1)):
        part.line = 0
        yield from messages(frame, part)


def _bytes(source: Source) -> bytes:
    """Return the file's bytes; refuse one that is, or unpacks to, more than the limits allow."""
    data = source.head(_MOST_BYTES + 1)
    with ZipFile(io.BytesIO(data)) as archive:
        size = sum(item.file_size for item in archive.infolist())
    if len(data) > _MOST_BYTES or size > _MOST_UNPACKED:
        raise format_error(source.path, "is a Word file that unpacks to more than 500 MB")
    return data


def _lines(docx: Any, document: Any) -> Iterator[str]:
    for block in document.iter_inner_content():
        if isinstance(block, docx.table.Table):
            for row in block.rows:
                yield " | ".join(cell.text.strip().replace("\n", " ") for cell in row.cells)
        else:
            yield _paragraph(block)
        yield ""


def _paragraph(block: Any) -> str:
    text = block.text.strip()
    style = (block.style.name or "") if block.style is not None else ""
    if text and (match := _LEVEL.match(style)):
        return f"{'#' * int(match[1])} {text}"
    if text and style == "Title":
        return f"# {text}"
    return f"- {text}" if text and "List" in style else text
