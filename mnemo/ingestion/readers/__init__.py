"""Conversations and documents from files: one call for every format.

    reading = read_path("chats/", zone="Europe/Lisbon")
    for conversation in reading:
        for message in conversation: ...
    reading.report()

`read_path` goes on past what it cannot read, and its report names it; `read` raises at the first problem.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, cast
from zoneinfo import ZoneInfo

from mnemo.errors import ArgumentError
from mnemo.ingestion.readers.conversation import Conversation, Tally, tally
from mnemo.ingestion.readers.detect import FORMATS, Format, detect
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import FileSource
from mnemo.ingestion.readers.reading import Reading
from mnemo.ingestion.readers.report import Findings, StrictFindings
from mnemo.ingestion.readers.survey import FileSurvey, Survey, survey
from mnemo.ingestion.readers.tables.columns import checked_columns
from mnemo.ingestion.readers.times import checked_zone

__all__ = [
    "FORMATS",
    "Conversation",
    "FileSurvey",
    "Format",
    "Reading",
    "Survey",
    "Tally",
    "detect_format",
    "read",
    "read_path",
    "survey",
    "tally",
]

_ORDERS = {"auto", "day-first", "month-first"}


def read_path(
    path: str | Path,
    format: str = "auto",  # noqa: A002  # the command's option has this name
    *,
    zone: str | ZoneInfo = "UTC",
    dates: str = "auto",
    columns: Mapping[str, str] | None = None,
) -> Reading:
    """Return the conversations of a file, folder or zip archive, with a report of what was left out and why.

    Iterate the result for its conversations, and each of these for its messages; then ask for `report()`.

    Args:
        path: A file, a folder (with those below it), or an archive as a program delivers it.
        format: One of `FORMATS`, or `auto` to tell each file by its content.
        zone: IANA zone of times that come without one.
        dates: Order of day and month in dates such as 3/4/2025: `auto`, `day-first` or `month-first`.
        columns: Names of columns or JSON fields by what they hold: content, speaker, time, session, id, role, zone.

    Raises:
        ArgumentError: There is no such format, zone, order or column.
    """
    return _reading(path, format, _options(zone, dates, columns))


def read(
    path: str | Path,
    format: str = "auto",  # noqa: A002  # the command's option has this name
    *,
    zone: str | ZoneInfo = "UTC",
    dates: str = "auto",
    columns: Mapping[str, str] | None = None,
) -> Iterator[Conversation]:
    """Yield the conversations as `read_path` does, but raise where something cannot be read.

    Raises:
        ArgumentError: There is no such format, zone, order or column.
        ReaderError: A file or a part of it cannot be read; names file, place and reason.
    """
    return iter(_reading(path, format, _options(zone, dates, columns), strict=StrictFindings))


def detect_format(path: str | Path) -> Format:
    """Tell the format of a file by its content.

    Raises:
        ReaderError: It is missing, empty, binary, an archive, or JSON of no format known here.
    """
    file = Path(path)
    return detect(FileSource(file, file.stem, Findings(file.name)))


def _reading(path: str | Path, format_: str, options: Options, strict: type[Findings] = Findings) -> Reading:
    if format_ not in {"auto", *FORMATS}:
        message = f"format must be auto or one of {', '.join(FORMATS)}, got {format_!r}"
        raise ArgumentError(message)
    return Reading(Path(path), cast("Format | Literal['auto']", format_), options, strict)


def _options(zone: str | ZoneInfo, dates: str, columns: Mapping[str, str] | None) -> Options:
    if dates not in _ORDERS:
        message = f"dates must be auto, day-first or month-first, got {dates!r}"
        raise ArgumentError(message)
    order = cast("Literal['auto', 'day-first', 'month-first']", dates)
    return Options(checked_zone(zone), order, checked_columns(columns or {}))
