"""Conversations and documents from files: one call for every format.

for conversation in read("chats/", zone="Europe/Lisbon"):
    for message in conversation: ...
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from mnemo.errors import ArgumentError
from mnemo.ingestion.readers import chatgpt, documents, jsonl, locomo, longmemeval, openai, whatsapp
from mnemo.ingestion.readers.conversation import Conversation, Tally, tally
from mnemo.ingestion.readers.detect import FORMATS, Format, detect
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.source import Source, misfit
from mnemo.ingestion.readers.times import checked_zone

__all__ = ["FORMATS", "Conversation", "Format", "Tally", "detect_format", "read", "tally"]

_READERS: Mapping[Format, Callable[[Source, Options], Iterator[Conversation]]] = {
    "text": documents.read_text,
    "markdown": documents.read_markdown,
    "jsonl": jsonl.read,
    "openai": openai.read,
    "chatgpt": chatgpt.read,
    "whatsapp": whatsapp.read,
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
}
_SUFFIXES = {".txt", ".text", ".md", ".markdown", ".mdown", ".json", ".jsonl", ".ndjson"}
_ORDERS = {"auto", "day-first", "month-first"}


def read(
    path: str | Path,
    format: Format | Literal["auto"] = "auto",  # noqa: A002  # the command's option has this name
    *,
    zone: str | ZoneInfo = "UTC",
    dates: Literal["auto", "day-first", "month-first"] = "auto",
) -> Iterator[Conversation]:
    """Yield the conversations of a file, or of all files in a folder and those below it.

    Args:
        path: A file or folder. Of a folder, files with a suffix of text, Markdown or JSON are read in order of
            their names, hidden and empty ones left out; where one is ChatGPT's export, only such files of its folder.
        format: One of `FORMATS`, or `auto` to tell by content.
        zone: IANA zone of times that come without one.
        dates: Order of day and month in WhatsApp exports.

    Yields:
        Conversations with unique names, whose messages are read when they are iterated. Times are aware and in the
        zone of their writer; an unknown time is None.

    Raises:
        ArgumentError: There is no such format, zone or order.
        ReaderError: There is no such file, it is empty, or not of its format; names file, place, what was
            wanted and what came.
    """
    if format not in {"auto", *FORMATS}:
        message = f"wanted a format of auto, {', '.join(FORMATS)}, got {format!r}"
        raise ArgumentError(message)
    if dates not in _ORDERS:
        message = f"wanted dates as auto, day-first or month-first, got {dates!r}"
        raise ArgumentError(message)
    return _unique(_conversations(Path(path), format, Options(checked_zone(zone), dates)))


def detect_format(path: str | Path) -> Format:
    """Tell the format of a file by its content.

    Raises:
        ReaderError: It is missing, empty, binary, or JSON of no format known here.
    """
    return detect(Source(Path(path), Path(path).stem))


def _conversations(path: Path, format_: Format | Literal["auto"], options: Options) -> Iterator[Conversation]:
    for source, found in _sources(path, format_):
        yield from _READERS[found](source, options)


def _sources(path: Path, format_: Format | Literal["auto"]) -> Iterator[tuple[Source, Format]]:
    """Yield each file with its format."""
    if not path.exists():
        raise misfit(str(path), "a file or folder", "no such path")
    if not path.is_dir():
        source = Source(path, path.stem)
        yield source, (detect(source) if format_ == "auto" else format_)
        return
    sources = _folder(path)
    if format_ != "auto":
        yield from ((source, format_) for source in sources)
        return
    exports = {source.path.parent for source in sources if source.path.name.startswith("conversations")}
    exports = {folder for folder in exports if any(_is_export(s) for s in sources if s.path.parent == folder)}
    for source in sources:
        if source.path.parent not in exports or _is_export(source):
            yield source, detect(source)


def _is_export(source: Source) -> bool:
    return source.path.name.startswith("conversations") and detect(source) == "chatgpt"


def _folder(folder: Path) -> list[Source]:
    """Return the readable files below a folder, in order of their paths."""
    found = sorted(file for file in folder.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file())
    below = [(file, file.relative_to(folder)) for file in found]
    sources = [
        Source(file, relative.with_suffix("").as_posix())
        for file, relative in below
        if not any(part.startswith(".") for part in relative.parts) and file.stat().st_size
    ]
    if not sources:
        raise misfit(str(folder), f"a folder with files of {', '.join(sorted(_SUFFIXES))}", "none")
    return sources


def _unique(conversations: Iterator[Conversation]) -> Iterator[Conversation]:
    """Number the names that come again."""
    taken: dict[str, int] = {}
    for conversation in conversations:
        name = conversation.name
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name[:190]} #{taken[name]}"
        yield replace(conversation, name=name)
