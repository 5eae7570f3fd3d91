"""Detects the format of a file by its content."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.assistants import chatgpt, claude, librechat, open_webui, openai, sharegpt
from mnemo.ingestion.readers.benchmarks import locomo, longmemeval
from mnemo.ingestion.readers.chats import discord, discord_text, google_chat, irc, mail, meta, slack, telegram
from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.documents import docx, html, markdown, pdf, text
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.json_values import json_file, looks_like_json
from mnemo.ingestion.readers.files.packed import packed_kind
from mnemo.ingestion.readers.files.source import EmptyFileError, Source, describe, format_error
from mnemo.ingestion.readers.tables import csv_table, jsonl, records
from mnemo.ingestion.readers.whatsapp import reader as whatsapp

__all__ = ["CHATS", "FORMATS", "READERS", "Format", "UnknownShapeError", "detect"]

Format: TypeAlias = Literal[
    "text",
    "markdown",
    "html",
    "pdf",
    "docx",
    "jsonl",
    "csv",
    "records",
    "openai",
    "chatgpt",
    "claude",
    "open-webui",
    "librechat",
    "sharegpt",
    "whatsapp",
    "telegram",
    "discord",
    "discord-text",
    "slack",
    "messenger",
    "instagram",
    "google-chat",
    "mail",
    "irc",
    "locomo",
    "longmemeval",
]

FORMATS: tuple[Format, ...] = get_args(Format)

READERS: Mapping[Format, Callable[[Source, Options], Iterator[Conversation]]] = {
    "text": text.read,
    "markdown": markdown.read,
    "html": html.read,
    "pdf": pdf.read,
    "docx": docx.read,
    "jsonl": jsonl.read,
    "csv": csv_table.read,
    "records": records.read,
    "openai": openai.read,
    "chatgpt": chatgpt.read,
    "claude": claude.read,
    "open-webui": open_webui.read,
    "librechat": librechat.read,
    "sharegpt": sharegpt.read,
    "whatsapp": whatsapp.read,
    "telegram": telegram.read,
    "discord": discord.read,
    "discord-text": discord_text.read,
    "slack": slack.read,
    "messenger": meta.read,
    "instagram": meta.read,
    "google-chat": google_chat.read,
    "mail": mail.read,
    "irc": irc.read,
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
}
CHATS: frozenset[Format] = frozenset(
    (
        *("chatgpt", "claude", "open-webui", "librechat", "whatsapp", "telegram", "discord", "discord-text"),
        *("slack", "messenger", "google-chat"),
    )
)
"""Formats that a program delivers as an archive; the other files in it belong to the program."""

_MATCHERS: tuple[tuple[Format, Callable[[Any], bool]], ...] = (
    ("chatgpt", chatgpt.matches),
    ("claude", claude.matches),
    ("open-webui", open_webui.matches),
    ("longmemeval", longmemeval.matches),
    ("locomo", locomo.matches),
    ("sharegpt", sharegpt.matches),
    ("telegram", telegram.matches),
    ("discord", discord.matches),
    ("google-chat", google_chat.matches),
    ("messenger", meta.matches),
    ("slack", slack.matches),
    ("openai", openai.matches),
    ("librechat", librechat.matches),
    ("jsonl", jsonl.matches),
    ("records", records.matches),
)
_MARKDOWN = {".md", ".markdown", ".mdown"}
_JSON = {".json", ".jsonl", ".ndjson"}
_XML = re.compile(r"\s*<\?xml\b")
_XML_SUFFIXES = {".xml", ".svg", ".rss", ".opml"}
_PEEKED_LINES = 400
_SHOWN_KEYS = 8


class UnknownShapeError(ReaderError):
    """JSON of no format known here."""


@dataclass(frozen=True, slots=True)
class _Peek:
    """The first lines of a text file."""

    source: Source
    lines: list[str]
    first: str
    """The first one that is not blank."""


def detect(source: Source, options: Options | None = None) -> Format:
    """Return the format of a file: PDF and Word by signature, JSON by its keys, text by its first lines.

    Args:
        source: The file.
        options: Columns given by a caller make any list of JSON objects, and any table, readable.

    Raises:
        UnknownShapeError: It is JSON of no format known here; names what it looks like and what is read.
        ReaderError: The file is empty or binary.
    """
    head = source.head()
    if pdf.is_pdf(head):
        return "pdf"
    if head.startswith(b"PK\x03\x04") and (kind := packed_kind(source)):
        if kind == "docx":
            return "docx"
        raise format_error(source.path, f"is {kind}")
    lines = next(source.blocks(), "").split("\n")[:_PEEKED_LINES]
    first = next((line for line in lines if line.strip().strip("\ufeff\u200e")), None)
    if first is None:
        raise EmptyFileError("holds blank lines only", place=source.path)
    columns = options is not None and bool(options.columns)
    if looks_like_json(first) or source.suffix in _JSON:
        return _json(source, columns)
    return _text(_Peek(source, lines, first), columns)


def _text(peek: _Peek, columns: bool) -> Format:  # noqa: FBT001  # what a caller said, no mode
    for format_, is_it in _TEXTS:
        if is_it(peek):
            return format_
    if columns:
        return "csv"
    if peek.source.suffix in _XML_SUFFIXES or _XML.match(peek.first):
        raise format_error(peek.source.path, "is XML, which is no format read here")
    is_markdown = peek.source.suffix in _MARKDOWN or any(map(markdown.is_heading, peek.lines))
    return "markdown" if is_markdown else "text"


_TEXTS: tuple[tuple[Format, Callable[[_Peek], bool]], ...] = (
    ("mail", lambda peek: mail.is_mail(peek.source, peek.lines)),
    ("discord-text", lambda peek: discord_text.is_export(peek.lines)),
    ("irc", lambda peek: irc.is_log(peek.lines)),
    ("whatsapp", lambda peek: whatsapp.is_header(peek.first)),
    ("html", lambda peek: html.is_html(peek.source, peek.lines)),
    ("csv", lambda peek: csv_table.is_table(peek.source, peek.lines)),
    ("discord-text", lambda peek: discord_text.is_copied(peek.lines)),
)


def _json(source: Source, columns: bool) -> Format:  # noqa: FBT001  # what a caller said, no mode
    """Tell JSON formats apart by their first items."""
    file = json_file(source)
    items = file.head()
    if not items or items in ([{}], [[]]):
        raise EmptyFileError("holds no messages", place=source.path)
    if any(jsonl.matches(item) and (file.shape != "array" or jsonl.is_own(item)) for item in items):
        return "jsonl"
    for format_, matches in _MATCHERS:
        if any(map(matches, items)):
            return format_
    if columns and any(isinstance(item, dict) for item in items):
        return "records"
    names = ", ".join(dict.fromkeys(format_ for format_, _ in _MATCHERS))
    raise UnknownShapeError(
        f"{_likeness(items, file.shape)}; mnemo reads the JSON of {names}. Convert it to JSON Lines with content, "
        "speaker and time, or name its fields (--columns content=NAME,speaker=NAME,time=NAME)",
        place=source.path,
    )


def _likeness(items: list[Any], shape: str) -> str:
    """Describe the shape of a JSON value for an error message."""
    kind = "a list of records" if shape != "object" else "one object"
    example = next((item for item in items if isinstance(item, dict)), None)
    if example is None:
        thing = describe(items[0])
        return f"looks like {thing}" if shape == "value" else f"looks like a list of {thing.split()[-1]}s"
    keys = records.record_keys(example)
    if keys and keys != list(example):
        kind = "an object with a list of records"
    shown = ", ".join(key[: _SHOWN_KEYS * 5] for key in islice(keys, _SHOWN_KEYS))
    return f"looks like {kind} with the keys {shown}" if shown else f"looks like {kind}"
