"""Which format a file has, by what is in it."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from mnemo.ingestion.readers import whatsapp
from mnemo.ingestion.readers.source import Source, describe, misfit

__all__ = ["FORMATS", "Format", "detect"]

Format: TypeAlias = Literal["text", "markdown", "jsonl", "openai", "chatgpt", "whatsapp", "locomo", "longmemeval"]

FORMATS: tuple[Format, ...] = get_args(Format)

_HEADING = re.compile(r"#{1,6} \S")
_PEEKED_LINES = 200
_MARKDOWN = {".md", ".markdown", ".mdown"}
_JSON = {".json", ".jsonl", ".ndjson"}
_KEYS: tuple[tuple[str, Format], ...] = (
    ("mapping", "chatgpt"),
    ("haystack_sessions", "longmemeval"),
    ("conversation", "locomo"),
    ("session_1", "locomo"),
    ("messages", "openai"),
)


def detect(source: Source) -> Format:
    """Return the format: JSON by its keys, WhatsApp by its first line, Markdown by suffix or a heading, else text.

    Raises:
        ReaderError: The file is empty or binary, or it is JSON of no format known here.
    """
    lines = next(source.blocks(), "").split("\n")[:_PEEKED_LINES]
    first = next((line for line in lines if line.strip().strip("\ufeff\u200e")), None)
    if first is None:
        raise misfit(str(source.path), "a file with content", "blank lines")
    if whatsapp.is_header(first):
        return "whatsapp"
    if first.lstrip().startswith(("[", "{")) and (source.path.suffix.lower() in _JSON or _looks_like_json(first)):
        return _json(source)
    if source.path.suffix.lower() in _MARKDOWN or any(_HEADING.match(line) for line in lines):
        return "markdown"
    return "text"


def _looks_like_json(line: str) -> bool:
    return re.match(r"""\s*(?:\[\s*(?:$|[\[{\]])|\{\s*(?:$|"|\}))""", line) is not None


def _json(source: Source) -> Format:
    """Tell JSON formats apart by the keys of the first value."""
    path, value = source.first()
    if isinstance(value, list):
        return "openai"
    if not isinstance(value, dict):
        came = "nothing" if value is None else describe(value)
        raise misfit(source.place(path), "messages, conversations or samples", came)
    if named := _by_keys(value):
        return named
    if "role" in value and path != "$":
        return "openai"
    if "content" in value:
        return "jsonl"
    keys = ", ".join(repr(key[:40]) for key in islice(value, 5))
    raise misfit(source.place(path), f"JSON of one of {', '.join(FORMATS[2:])}", f"an object with {keys or 'no keys'}")


def _by_keys(value: Mapping[str, Any]) -> Format | None:
    return next((name for key, name in _KEYS if key in value), None)
