"""JSON records whose field names say what they hold, of programs that have no reader here.

A list of objects, as an array, one per line, or under a key such as `messages`: `text` or `body` is the message,
`sender` or `author` its writer, `date` or `timestamp` its time. Fields of other names can be named by the caller.
"""

from collections.abc import Iterator
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.fields import Options, Place
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.tables.columns import author_name, columns_of, is_message
from mnemo.ingestion.readers.tables.table import Table
from mnemo.ingestion.readers.talk import file_title

__all__ = ["matches", "read", "record_keys"]

_PEEKED = 20
_HOLDERS = ("messages", "data", "records", "items", "rows", "chat", "conversation", "log", "entries", "posts")


def matches(value: Any) -> bool:
    """Whether a JSON value is a message with an author, or an object that holds a list of them."""
    records = _held(value)
    if records is None:
        return _is_record(value)
    found = [record for record in records[:_PEEKED] if isinstance(record, dict)]
    return bool(found) and all(map(_is_record, found))


def record_keys(value: Any) -> list[str]:
    """Return the keys of a record, or of the first one that an object holds, to name them in an error."""
    records = _held(value)
    first = next((record for record in records or () if isinstance(record, dict)), value)
    return list(first) if isinstance(first, dict) else []


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the records as one conversation."""

    def rows() -> Iterator[Place]:
        for where, value in json_file(source).items():
            place = Place(source, where, value)
            holder = next((key for key in _HOLDERS if isinstance(place.key(key).value, list)), None)
            yield from place.key(holder).items() if holder else [place]

    keys = dict.fromkeys(key for row in _first(rows()) if isinstance(row.value, dict) for key in row.value)
    table = Table(source, options, file_title(source), columns_of(keys, options.columns))
    yield table.conversation(rows)


def _first(rows: Iterator[Place]) -> Iterator[Place]:
    for _, row in zip(range(_PEEKED), rows, strict=False):
        yield row


def _held(value: Any) -> list[Any] | None:
    """Return the list that an object holds; None where the object is a record itself."""
    if not isinstance(value, dict):
        return None
    return next((value[key] for key in _HOLDERS if isinstance(value.get(key), list)), None)


def _is_record(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    columns = columns_of(value, {})
    if not is_message(columns):
        return False
    content = value[columns["content"][0]]
    return isinstance(content, str) and author_name(value[columns["speaker"][0]]) is not None
