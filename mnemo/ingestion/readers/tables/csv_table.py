"""CSV and TSV with a header whose names say which column holds the text, who wrote it, and when.

Columns are known by their names (`message`, `text`, `sender`, `author`, `date`, `timestamp`, …) in any case, or
named by the caller. The delimiter is the one of comma, semicolon, tab and bar that finds most of them.
"""

import csv
from collections.abc import Iterator, Sequence

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.fields import Options, Place
from mnemo.ingestion.readers.files.source import Source, format_error
from mnemo.ingestion.readers.tables.columns import columns_of
from mnemo.ingestion.readers.tables.table import Table
from mnemo.ingestion.readers.talk import file_title

__all__ = ["is_table", "read"]

_DELIMITERS = (",", ";", "\t", "|")
_SUFFIXES = {".csv", ".tsv", ".tab"}
_SHOWN_COLUMNS = 12


def is_table(source: Source, lines: Sequence[str]) -> bool:
    """Whether a file is a table by its suffix, or by a header with a text and an author or a time.

    Args:
        source: The file.
        lines: Its first lines.
    """
    if source.suffix in _SUFFIXES:
        return True
    filled = [line for line in lines if line.strip()]
    if len(filled) < 2:  # noqa: PLR2004  # a header and a row
        return False
    delimiter, names = _header(filled[0])
    found = columns_of(names, {})
    rows = [next(csv.reader([line], delimiter=delimiter, strict=False), []) for line in filled[1:3]]
    return {"content", "speaker", "time"} <= found.keys() and all(len(row) == len(names) for row in rows)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the rows as one conversation.

    Raises:
        ReaderError: No column holds the text; names the columns and how to say which one does.
    """
    number, delimiter, names = _found_header(source)
    columns = columns_of(names, options.columns)
    shown = ", ".join(names[:_SHOWN_COLUMNS])
    if missing := [name for name in options.columns.values() if name not in names]:
        raise format_error(source.path, f"has no column {source.shown(missing[0])}; its columns are {shown}")
    given = "content" in options.columns
    if "content" not in columns or not (given or columns.keys() & {"speaker", "time", "role"}):
        raise format_error(
            source.path,
            f"is a table with the columns {shown}; say which one holds the text with "
            "columns={'content': NAME} (--columns content=NAME,speaker=NAME,time=NAME)",
        )
    table = Table(source, options, file_title(source), columns)
    yield table.conversation(lambda: _rows(source, number, delimiter, names))


def _found_header(source: Source) -> tuple[int, str, list[str]]:
    """Return the header's line number, the delimiter, and the names of the columns."""
    for number, line in source.lines():
        if line.strip("\ufeff \t") and not line.lower().startswith("sep="):
            delimiter, names = _header(line.lstrip("\ufeff"))
            return number, delimiter, names
    raise format_error(source.path, "holds no header")


def _header(line: str) -> tuple[str, list[str]]:
    """Return the delimiter that finds most columns with a meaning, and the names."""
    options = []
    for delimiter in _DELIMITERS:
        try:
            names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
        except csv.Error:
            continue
        options.append((len(columns_of(names, {})), len(names), delimiter, names))
    if not options:
        return ",", [line]
    _, _, delimiter, names = max(options, key=lambda option: option[:2])
    return delimiter, names


def _rows(source: Source, header: int, delimiter: str, names: Sequence[str]) -> Iterator[Place]:
    """Yield each row as an object by column names; its place is the line where it begins."""
    lines = (f"{line}\n" for number, line in source.lines() if number > header)
    reader = csv.reader(lines, delimiter=delimiter)
    begins = header + 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise source.error(header + max(reader.line_num, 1), f"is no row of a table: {error}") from error
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield Place(source, begins, dict(zip(names, row, strict=False)))
        begins = header + reader.line_num + 1
