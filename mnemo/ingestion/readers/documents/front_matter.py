"""The properties at the top of a note: YAML between `---`, or TOML between `+++`.

A date of any plain spelling is the time of the note; one that cannot be read (empty, `{{date}}`, 3/4/2025) leaves
the time unknown, and is noted. Properties never make a file unreadable.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

import yaml

from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.written import numeric_stamp, parse_date

__all__ = ["FrontMatter", "front_matter", "moment_of", "names_in"]

_FIELD = re.compile(r"([A-Za-z_][\w -]*?)\s*[:=]\s*(.*?)\s*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_ALIAS = re.compile(r"(?:^|[\s\[,:-])[*&]\w", re.MULTILINE)
_MAX_LINES = 200
_MAX_LINE_CHARS = 5_000
_MARKS = {"---": ("---", "..."), "+++": ("+++",)}
_DATES = (
    "date",
    "datetime",
    "created",
    "created_at",
    "date created",
    "created time",
    "creation date",
    "published",
    "day",
)
_NAMED_BY_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?![\d])")
_SHOWN_CHARS = 40
_NULL = {"null", "~", "none"}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Properties by lower-case name."""

    properties: Mapping[str, Any] = field(default_factory=dict)
    lines: int = 0
    """How many lines of the file they take, with their marks; 0 for none."""

    @property
    def title(self) -> str | None:
        """The title, None where there is none."""
        title = self.properties.get("title")
        return title.strip() or None if isinstance(title, str) else None


def front_matter(source: Source) -> tuple[FrontMatter, Iterator[tuple[int, str]]]:
    """Return the properties of a file, and its lines after them with their numbers."""
    lines = source.lines()
    held: list[tuple[int, str]] = []
    ends: Sequence[str] = ()
    for number, line in lines:
        held.append((number, line))
        if number == 1:
            ends = _MARKS.get(line.strip("\ufeff").rstrip(), ())
            if not ends:
                break
        elif line.rstrip() in ends:
            text = "\n".join(line for _, line in held[1:-1])
            if ends == ("---", "...") and text.strip() and not _reads_as_fields(text):
                break  # prose between two rules
            return FrontMatter(_properties(text, toml=ends == ("+++",)), number), lines
        elif number > _MAX_LINES or len(line) > _MAX_LINE_CHARS:
            break
    return FrontMatter(), _chain(held, lines)


def _chain(held: list[tuple[int, str]], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield from held
    yield from lines


def _reads_as_fields(text: str) -> bool:
    """Whether text between two rules is properties and not prose: it begins with a field, without a blank line."""
    first = next((line for line in text.split("\n") if not line.startswith("#")), "")
    return _FIELD.fullmatch(_COMMENT.sub("", first).rstrip()) is not None


def _properties(text: str, *, toml: bool) -> dict[str, Any]:
    try:
        if toml:
            found: Any = tomllib.loads(text)
        else:
            found = None if _ALIAS.search(text) else yaml.load(text, yaml.BaseLoader)  # noqa: S506  # strings only
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError, TypeError):
        found = None
    if not isinstance(found, dict):
        return _by_line(text)
    return {str(key).strip().lower(): value for key, value in found.items()}


def _by_line(text: str) -> dict[str, Any]:
    """Read one property per line, for templates that are not valid YAML."""
    fields: dict[str, Any] = {}
    for line in text.split("\n"):
        if match := _FIELD.fullmatch(_COMMENT.sub("", line).rstrip()):
            fields[match[1].lower()] = match[2].strip("'\"")
    return fields


def moment_of(front: FrontMatter, source: Source, options: Options) -> tuple[datetime | None, str | None]:
    """Return when a note was written: its date property, else the day that its file name begins with, else unknown."""
    key = next((key for key in _DATES if key in front.properties), None)
    written = _written(front.properties[key]) if key else ""
    found = parse_date(written, options.dates)
    named = _NAMED_BY_DATE.match(source.name.rsplit("/", 1)[-1])
    if found is None and key:
        shown = f"{written[:_SHOWN_CHARS]!r} is no date that can be read" if written else "is empty"
        if numeric_stamp(written) is not None:
            shown = f"{written!r} fits day-first and month-first (say which with --dates)"
        then = "the day of the file's name is taken" if named else "the time is unknown"
        source.findings.note(f"front matter: {key} {shown}; {then}")
    if found is None and named:
        found = parse_date(named[1])
    return (None, options.zone.key) if found is None else localise(found, options.zone)


def _written(value: Any) -> str:
    """Return a date property as text, also out of a list or a link (`[[2025-03-09]]`); "" for null."""
    while isinstance(value, list) and value:
        value = value[0]
    text = value.isoformat() if isinstance(value, (date, time)) else value if isinstance(value, str) else ""
    text = _COMMENT.sub("", text).strip("[]'\" ")
    return "" if text.lower() in _NULL else text


def names_in(value: Any) -> list[str]:
    """Return the names in a property such as `tags`: a list, or words apart by commas or blanks."""
    parts = value if isinstance(value, list) else re.split(r"[,\s]+", value) if isinstance(value, str) else []
    names = (part.strip().strip("#'\"[]").strip() for part in parts if isinstance(part, str))
    return list(dict.fromkeys(name for name in names if name))
